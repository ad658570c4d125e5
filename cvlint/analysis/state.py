"""The state of one analysis: the loops and calls that are under way, and the events so far."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from cvlint.analysis.domain.lattice import measures
from cvlint.analysis.domain.value import (
    NO_AXES,
    NO_TAINT,
    AnyValue,
    Axes,
    Axis,
    Const,
    Data,
    Environment,
    Function,
    Measure,
    MeasureValue,
    Module,
    Step,
    Taint,
    Trace,
    axes_of,
)
from cvlint.analysis.events import Event
from cvlint.knowledge.loader import Knowledge

Arguments: TypeAlias = tuple[list[AnyValue], dict[str, AnyValue]]


MOST_CALLS_DEEP = 8


FEW_CALLS = 3
MANY_MEASURES = 3


STEPS_A_FUNCTION = 1_200


LABEL_THRESHOLD = "threshold of a label"


@dataclass(eq=False, slots=True)
class Frame:
    """A function (or module) under evaluation: who called it, what it returned, which tests guard the place."""

    node: ast.AST
    module: Module
    call: ast.AST | None
    owner: ast.AST | None
    environment: Environment
    around: Axes = NO_AXES  # the loops under way when it was called
    guards: list[ast.AST] = field(default_factory=list)
    returned: list[AnyValue] = field(default_factory=list)
    yielded: list[AnyValue] = field(default_factory=list)
    taint: Taint = NO_TAINT  # those of what it returned
    apart: bool = False  # it is called on one sample after another

    @property
    def asked(self) -> list[ast.expr]:
        """The tests that guard the place."""
        tests = (guard.test if isinstance(guard, ast.If) else guard for guard in self.guards)
        return [test for test in tests if isinstance(test, ast.expr)]


@dataclass(eq=False, slots=True)
class FunctionRecord:
    """The evaluations of one function so far: how many, how long, and what came out."""

    calls: int = 0
    steps: int = 0
    results: dict[Any, AnyValue] = field(default_factory=dict)
    taint: dict[Any, Taint] = field(default_factory=dict)
    arguments: list[Any] = field(default_factory=list)  # kept alive: results are found by their identity
    last: AnyValue = field(default_factory=lambda: Data(opaque=True))
    around: Axes = NO_AXES  # the loops under way when it came out


@dataclass(eq=False)
class AnalysisState:
    """One file's analysis.

    ``locate`` and ``open_module`` find and read modules of the project; ``evaluate``, ``execute`` and ``call``
    evaluate expressions, blocks and calls.
    """

    knowledge: Knowledge
    locate: Callable[[Module, str, int], Path | None]
    open_module: Callable[[Module, Path], Module | None]
    evaluate: Callable[[AnalysisState, ast.expr], AnyValue]
    execute: Callable[[AnalysisState, list[ast.stmt]], bool]
    call: Callable[[AnalysisState, AnyValue, Arguments, ast.AST], AnyValue]
    environment: Environment
    active: tuple[Axis, ...] = ()
    frames: list[Frame] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    targets: list[ast.expr] = field(default_factory=list)  # what the statement under way binds
    computed: list[MeasureValue] = field(default_factory=list)
    called: dict[ast.AST, FunctionRecord] = field(default_factory=dict)
    budget: int = 200_000
    constants: dict[ast.Constant, Const] = field(default_factory=dict)
    suppress_events: int = 0
    branches: int = 0
    waiting: list[tuple[Module, ast.AST, Axes]] = field(default_factory=list)
    forgiven: set[ast.AST] = field(default_factory=set)
    compared: dict[tuple[Axis, str], set[type[ast.cmpop]]] = field(default_factory=dict)
    indexed: dict[Axis, set[str]] = field(default_factory=dict)  # the names of what the folds' indices pick from
    taint: Taint = NO_TAINT  # of the expression under evaluation, so far
    taint_at: dict[ast.AST, Taint] = field(default_factory=dict)
    redefined: list[Function] = field(default_factory=list)  # functions whose names were given to others later
    measured_on: dict[Axis, set[str]] = field(default_factory=dict)  # the names of what is measured on in each loop
    leaks: dict[object, Event] = field(default_factory=dict)
    labels: dict[object, Step] = field(default_factory=dict)  # predictions that a measure of labels was given
    rankings: dict[object, list[Event]] = field(default_factory=dict)  # measures of ranking, by the predictions
    trained: set[object] = field(default_factory=set)  # fits, and data by name, with which others were transformed
    cuts: dict[tuple[str, str], ast.AST] = field(default_factory=dict)
    active_axes: Axes = NO_AXES
    first: Axes = NO_AXES  # loops of which this is the first pass, by a test around

    @property
    def target(self) -> str:
        """The name that the statement under way binds first; empty where it binds none."""
        first = self.targets[0] if self.targets else None
        return first.id if isinstance(first, ast.Name) else ""

    @property
    def frame(self) -> Frame:
        """The function or module under evaluation."""
        return self.frames[-1]

    @property
    def allocation_loops(self) -> Axes:
        """The loops around the place where a container is made; made on the first pass it is made before the loop."""
        return self.active_axes - self.first

    @contextmanager
    def first_pass(self, axes: Axes) -> Iterator[None]:
        """Run what happens on the first pass of loops only."""
        outer, self.first = self.first, self.first | axes
        try:
            yield
        finally:
            self.first = outer

    @contextmanager
    def along(self, axes: Axes) -> Iterator[None]:
        """Run what is inside a loop along ``axes``."""
        outer, outer_axes = self.active, self.active_axes
        new = [axis for axis in axes if axis not in outer]
        if len(new) > 1:  # a set has no order of its own, and what is said must not depend on chance
            new.sort(key=lambda axis: (getattr(axis.step.node, "lineno", 0), getattr(axis.step.node, "col_offset", 0)))
        self.active = (*outer, *new)
        self.active_axes = outer_axes | axes
        try:
            yield
        finally:
            self.active, self.active_axes = outer, outer_axes

    @contextmanager
    def outside_loops(self) -> Iterator[None]:
        """Run what happens outside of all loops, as the top level of an imported module does."""
        outer = (self.active, self.active_axes, self.first)
        self.active, self.active_axes, self.first = (), NO_AXES, NO_AXES
        try:
            yield
        finally:
            self.active, self.active_axes, self.first = outer

    def swept(self, value: AnyValue, born: Axes) -> Axes:
        """The axes along which a container born outside of them is filled with ``value``."""
        outer = self.active_axes - born
        return outer | self.whole(axes_of(value) - born) if outer else NO_AXES

    def whole(self, axes: Axes) -> Axes:
        """The axes of what is computed now: what a loop over batches has gathered is of all when it is over."""
        return frozenset(axis for axis in axes if axis.kind != "batch" or axis in self.active)

    def value(self, node: ast.expr | None) -> AnyValue | None:
        """Evaluate an expression that may be missing."""
        return None if node is None else self.evaluate(self, node)

    def step(self, node: ast.AST, note: str, heuristic: bool = False) -> Step:
        """A step of a trace at ``node`` of the present file."""
        owners = frozenset(frame.owner for frame in self.frames if frame.owner is not None)
        return Step(self.environment.module, node, note, heuristic, owners)

    def pooled(self, value: Data, swept: Axes, node: ast.AST) -> Data:
        """Data whose parts along ``swept`` are put together at ``node``; a step only where these may be folds."""
        kinds = {axis.kind for axis in swept}
        parts = "the parts of different folds are pooled" if "fold" in kinds else "what a loop makes is put together"
        trace = (*value.trace, self.step(node, f"{parts} here")) if kinds & {"fold", "loop"} else value.trace
        return Data(value.axes - swept, (), trace, value.codomain, value.pooled | swept)

    def emit(
        self,
        name: str,
        node: ast.AST,
        measure: Measure,
        axes: Axes = NO_AXES,
        trace: Trace = (),
        note: str = "",
        **facts: Any,
    ) -> None:
        """Record an event at ``node``, or at the call that brought the measure here (see `place`)."""
        module, extra = self.environment.module, self.calls() if axes else ()
        if name == "reduce":
            module, node, extra = self.place(node, trace, "computed here")
        elif name == "formula" and any(axis.kind == "fold" for axis in axes):
            module, node, extra = self.place(node, trace, "averaged here")
        self.record(Event(name, module, node, measure, axes, (*trace, *extra), note, facts))

    def record(self, event: Event) -> None:
        """Keep an event, unless another file's top level is being read."""
        if not self.suppress_events:
            self.events.append(event)

    def calls(self) -> Trace:
        """The calls that led to where we are, outermost first."""
        outer = zip(self.frames, self.frames[1:], strict=False)
        return tuple(Step(o.module, i.call, "called from here") for o, i in outer if isinstance(i.call, ast.Call))

    def place(self, node: ast.AST, trace: Trace, origin: str) -> tuple[Module, ast.AST, Trace]:
        """Where an event is reported.

        A helper that knows no measure (``mean_ci(values)``) is not to blame: the event moves out of it to
        the call that handed the measure over, and the helper's line becomes a step of the trace. ``origin``
        ends the note of the steps that must have happened under a helper for it to be to blame.
        """
        made = [step for step in trace if step.note.endswith((origin, "by its name here"))]
        level = len(self.frames) - 1
        extra: Trace = ()
        while made and level > 0:
            frame = self.frames[level]
            if not isinstance(frame.call, ast.Call) or any(frame.owner in step.owners for step in made):
                break
            extra = (Step(frame.module, node, "and reduced in this helper"), *extra)
            node, level = frame.call, level - 1
        return self.frames[level].module, node, extra

    def forgive(self, value: AnyValue) -> None:
        """Undefined values of a formula are looked after: its missing guard is none."""
        for found in measures(value):
            self.forgiven.update(step.node for step in found.trace)

    def final_events(self) -> list[Event]:
        """The events, without formulas whose undefined values are looked after, and choices used on other data."""
        return [e for e in self.events if not (e.node in self.forgiven and is_forgivable(e))]


def is_forgivable(event: Event) -> bool:
    """Whether what an event tells of may be made good elsewhere; a threshold of its own for each label may not."""
    return event.name == "formula" or (event.name == "choose" and event.facts["what"] != LABEL_THRESHOLD)
