"""The rows of data sets: objects that give a sample at a time, made of data, drawn into parts and visited by loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.checkers.rows.expressions import is_part, rows_beside, rows_of
from cvlint.analysis.domain.axis import DataName
from cvlint.analysis.domain.rows import HoldOutPart, RowSet, RowsOf, frame_of, part_of, split_parts
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import kept_in_node
from cvlint.source.parsing import walk

SPLIT = "the data are split here"
MAY_CHOOSE = (ast.If, ast.IfExp, ast.For, ast.While, ast.Compare, ast.Slice, ast.comprehension)
"""Code in which an object may choose some of the samples that it gets."""


@kept_in_node
def keeps_samples(code: ast.AST) -> bool:
    """Whether the objects of a class hold all samples that they get, as far as ``__init__`` and ``__len__`` say."""
    body = code.body if isinstance(code, ast.ClassDef) else ()
    methods = {m.name: m for m in body if isinstance(m, ast.FunctionDef)}
    if not {"__init__", "__len__", "__getitem__"} <= methods.keys():
        return False
    read = [part for name in ("__init__", "__len__") for part in walk(methods[name])]
    own = (part.func for part in read if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute))
    calls_itself = any(isinstance(func.value, ast.Name) and func.value.id == "self" for func in own)
    return not calls_itself and not any(isinstance(part, MAY_CHOOSE) for part in read)


def rows_of_samples(state: AnalysisState, given: Sequence[ast.expr]) -> RowsOf:
    """``Texts(train["text"], train["label"], tokenizer)``: a data set holds the rows of its columns."""
    found = [rows_of(state, one) for one in given if not isinstance(one, ast.Constant)]
    known = [one for one in found if is_part(one) or any(above.role == "view" for above in one.rows.ancestors())]
    return rows_beside(known or found[:1]) or RowsOf(RowSet())


def parts_drawn(state: AnalysisState, node: ast.Call) -> RowsOf:
    """``random_split(data, [800, 200])``: the first part trains, and the others test."""
    whole = rows_of(state, node.args[0]) if node.args else RowsOf(RowSet())
    lengths = node.args[1] if len(node.args) > 1 else None
    count = len(lengths.elts) if isinstance(lengths, (ast.List, ast.Tuple)) else 2
    step, split = state.step(node, SPLIT), object()
    roles = ("train", *("test",) * (count - 1))
    parts = [whole.rows.part(HoldOutPart((split, i), role), role, step) for i, role in enumerate(roles)]
    return RowsOf(RowSet(), entries=tuple(RowsOf(part, whole.learned) for part in parts))


def rows_measured(state: AnalysisState, truth: ast.expr, data: DataName) -> RowSet:
    """The rows of true labels, by what they are or by the name of their data; those that a loop collects it visits."""
    rows = rows_of(state, truth).rows
    if not part_of(rows):
        named = state.rows.held.get((data.environment, data.name))
        rows = state.rows.drawn.get(data) or (rows if named is None else named.rows)
    return frame_of(rows)


def is_only_tested(rows: RowSet) -> bool:
    """Whether rows are of the test part of each split that leads to them, and no name calls them anything else.

    Where nothing is split, their name has to say so.
    """
    roles = {part.role for part in split_parts(rows)}
    named = {above.named for above in rows.ancestors()}
    return named.isdisjoint(("train", "valid")) and (roles == {"test"} or (not roles and rows.found.named == "test"))


def note_rows_drawn(state: AnalysisState, visited: tuple[DataName, ast.expr] | None) -> None:
    """A loop visits data under this name: ``for x, y in test_loader``."""
    if visited is not None and state.rows.is_followed:
        data, node = visited
        state.rows.drawn[data] = rows_of(state, node).rows
