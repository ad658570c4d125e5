"""Traces: the steps from the split to a finding, each with its place in the code."""

from __future__ import annotations

import ast
from typing import TypeAlias

from cvlint.analysis.domain.frozen import dataclass
from cvlint.source.module import Source


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace: what happens at a node of a file, in words for the user.

    A ``heuristic`` step rests on a name or a convention. ``owners`` are the functions and classes that are under
    evaluation when the step happens.
    """

    source: Source
    node: ast.AST
    note: str
    heuristic: bool = False
    owners: frozenset[ast.AST] = frozenset()


Trace: TypeAlias = tuple[Step, ...]

CALLED = "called from here"
COMPUTED = "computed here"
"""The note of a step that calls the function of the next one, and the end of the note of one that makes a measure."""


def last_call(trace: Trace) -> ast.AST | None:
    """The call that leads to the function of the last steps of a trace."""
    return next((step.node for step in reversed(trace) if step.note == CALLED), None)
