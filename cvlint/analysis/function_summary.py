"""Summaries of functions: what an evaluation of a body gave, for further calls with the same arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.trace import CALLED, Trace
from cvlint.analysis.domain.value import AnyValue, Data
from cvlint.analysis.events import Event
from cvlint.records import dataclass, field

MOST_WAYS = 50  # that lead to the events of a function: functions that call each other twice double them


@dataclass(eq=False, slots=True)
class FunctionSummary:
    """The summary of a function: its results, their taint and that of changed arguments, by the arguments of the call.

    ``calls`` and ``steps`` say how often the body was evaluated and what that cost. ``last`` is the newest result, and
    ``loops`` are the loops that were under way when it was computed. ``arguments`` keeps the arguments alive, because
    results are found by the identity of mutable arguments; ``learned`` says where their data had learned before.
    ``events`` are those whose traces lead through the call, each with it, and ``told`` the ways that they have named.
    """

    calls: int = 0
    steps: int = 0
    results: dict[Any, AnyValue] = field(default_factory=dict)
    taint: dict[Any, Taint] = field(default_factory=dict)
    changed: dict[Any, list[tuple[str, Taint]]] = field(default_factory=dict)
    arguments: list[Any] = field(default_factory=list)
    learned: set[ast.AST] = field(default_factory=set)
    events: dict[Any, tuple[ast.AST, tuple[Event, ...]]] = field(default_factory=dict)
    told: set[tuple[ast.AST, ...]] = field(default_factory=set)
    last: AnyValue = field(default_factory=lambda: Data(opaque=True))
    loops: Axes = NO_AXES


def keep_events(summary: FunctionSummary, key: object, call: ast.AST, events: Iterable[Event]) -> None:
    """Keep the events whose traces lead through a call of the function."""
    found = tuple(event for event in events if call in calls_of(event.trace))[:MOST_WAYS]
    if found:
        summary.events[key] = call, found
        summary.told.update((event.node, *calls_of(event.trace)) for event in found)


def called_again(summary: FunctionSummary, key: object, calls: Trace) -> Iterator[Event]:
    """The kept events, as they happen in another call with the same arguments, to which ``calls`` lead."""
    first, events = summary.events[key]
    for event in events:
        nodes = calls_of(event.trace)
        inner = nodes[nodes.index(first) + 1 :]
        way = (event.node, *calls_of(calls), *inner)
        if way not in summary.told and len(summary.told) < MOST_WAYS:
            summary.told.add(way)
            steps = [step for step in event.trace if step.note != CALLED or step.node in inner]
            at = next(i for i, step in enumerate(event.trace) if step.note == CALLED)
            yield replace(event, trace=(*steps[:at], *calls, *steps[at:]))


def calls_of(trace: Trace) -> list[ast.AST]:
    """The calls that a trace leads through."""
    return [step.node for step in trace if step.note == CALLED]
