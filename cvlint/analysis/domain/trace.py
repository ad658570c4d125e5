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
