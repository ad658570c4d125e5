"""Where data come from: marks of what happened to them, which go wherever they go.

Each expression bears the marks of whatever goes into it (``Run.marks``), and a name those of what was bound to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import (
    NO_MARKS,
    Function,
    Instance,
    Mark,
    Marks,
    Scope,
)
from cvlint.analysis.state import Run

PASSING = ("measured", "statistic", "joined")  # kinds of marks that what is made of the data seldom bears any more
NO_COLUMNS: frozenset[str] = frozenset()
METADATA = frozenset(("columns", "index", "shape", "size", "ndim", "dtype", "dtypes", "nrow", "name"))
# Attributes that are the same data, all columns of them.
SAME_ATTRIBUTES = frozenset(
    ("values", "T", "loc", "iloc", "ix", "at", "iat", "data", "array", "str", "dt", "flat", "real")
)


def marks_at(run: Run, *nodes: ast.AST | None) -> Marks:
    """The marks of expressions that were evaluated just now."""
    return NO_MARKS.union(*(run.marks_at.get(node, NO_MARKS) for node in nodes if node is not None))


def marks_of_attribute(run: Run, node: ast.Attribute, found: Marks) -> Marks:
    """The marks of ``base.attr``, given those of ``base``; what describes the data has none of theirs."""
    if node.attr in METADATA:
        return NO_MARKS
    if node.attr == "dt":  # of dates: since the first of them, which is another zero and no scale
        return frozenset(m for m in found if m.step.node is not node.value)
    if node.attr in SAME_ATTRIBUTES:
        return found
    for holder in objects(run, node.value):
        found |= holder.marks.get(node.attr, NO_MARKS)
    return in_columns(found, [node.attr]) if found else found


def objects(run: Run, node: ast.expr) -> list[Instance]:
    """The objects of the project that a name holds."""
    held = options(run.scope.lookup(node.id)) if isinstance(node, ast.Name) else ()
    return [value for value in held if isinstance(value, Instance)]


def marks_of_objects(run: Run, nodes: Iterable[ast.expr]) -> Marks:
    """The marks of what objects hold that are split by their number: ``split(np.arange(len(dataset)), dataset.y)``."""
    counted = [call for node in nodes for call in ast.walk(node) if isinstance(call, ast.Call) and call.args]
    held = [h for c in counted if isinstance(c.func, ast.Name) and c.func.id == "len" for h in objects(run, c.args[0])]
    return NO_MARKS.union(*(marks for holder in held for marks in holder.marks.values()))


def in_columns(marks: Marks, keys: list[str]) -> Marks:
    """The marks of some columns: without those that only other columns bear; of a single one, wholly its own."""
    found = frozenset(m for m in marks if not m.columns or not m.columns.isdisjoint(keys))
    return frozenset(replace(m, columns=NO_COLUMNS) for m in found) if len(keys) == 1 else found


def entry_key(index: int) -> str:
    """What an entry of a tuple is called among the columns."""
    return f"[{index}]"


def in_entries(run: Run, node: ast.Tuple) -> Marks:
    """The marks of a tuple, each entry's its own."""
    found = ((i, m) for i, entry in enumerate(node.elts) for m in marks_at(run, entry))
    return frozenset(m if m.columns else replace(m, columns=frozenset((entry_key(i),))) for i, m in found)


def of_entry(marks: Marks, index: int) -> Marks:
    """The marks of one entry of a tuple, or of what may be one."""
    key = entry_key(index)
    kept = (m for m in marks if key in m.columns or not of_entries(m))
    return frozenset(replace(m, columns=NO_COLUMNS) if key in m.columns else m for m in kept)


def of_entries(mark: Mark) -> bool:
    """Whether only some entries of a tuple bear a mark."""
    return any(column.startswith("[") for column in mark.columns)


def of_whole(marks: Marks) -> Marks:
    """The marks of a tuple that is given away as a whole."""
    return frozenset(replace(m, columns=NO_COLUMNS) if of_entries(m) else m for m in marks)


def without(marks: Marks, keys: list[str]) -> Marks:
    """The marks that are left when some columns are dropped."""
    left = (m for m in marks if not m.columns or m.columns.difference(keys))
    return frozenset(replace(m, columns=m.columns.difference(keys)) for m in left)


def columns_in(run: Run, node: ast.expr) -> list[str]:
    """The columns that a key spells out: ``"a"``, ``["a", "b"]``, ``(rows, "a")``; none when it does not."""
    if isinstance(node, ast.Name) and isinstance(named := run.scope.definitions.get(node.id), ast.List):
        node = named
    match node:
        case ast.Constant(value=str() as key):
            return [key]
        case ast.List(elts=elts) if elts and all(isinstance(e, ast.Constant) for e in elts):
            return [key for e in elts for key in columns_in(run, e)]
        case ast.Tuple(elts=[_, key]):
            return columns_in(run, key)
        case _:
            return []


def bind_marks(run: Run, target: ast.expr, found: Marks) -> None:
    """A target is bound: a name takes the marks over, an entry or a column adds its own to those of the whole."""
    found = merged(found)
    if not isinstance(target, ast.Name):  # a column of statistics is one feature more
        found = frozenset(m for m in found if m.kind != "statistic")
    match target:
        case ast.Name(id=name):
            marks = run.scope.holder(name).marks
            if found:
                marks[name] = found
            elif name in marks:
                del marks[name]
        case ast.Attribute(value=base, attr=attr) if held := objects(run, base):
            for holder in held:
                holder.marks[attr] = found
        case ast.Attribute(value=base, attr=attr):
            add_marks(run, base, columned(found, [attr]))
        case ast.Subscript(value=base, slice=key):
            add_marks(run, base, columned(found, columns_in(run, key)))


def merged(marks: Marks) -> Marks:
    """Marks with one for each thing that happened, whatever the columns are that it happened to."""
    if len(marks) < 2:
        return marks
    found: dict[tuple[object, ...], Mark] = {}
    for mark in marks:
        key = (mark.kind, mark.step.node, mark.by, mark.data, mark.of, mark.axes, of_entries(mark))
        other = found.get(key)
        if other is None:
            found[key] = mark
        elif other.columns != mark.columns:
            every = other.columns | mark.columns if other.columns and mark.columns else frozenset()
            found[key] = replace(mark, columns=every)
    return frozenset(found.values())


def in_order(marks: Iterable[Mark]) -> list[Mark]:
    """Marks in the order of their places, so that what is said of them does not depend on chance."""
    return sorted(marks, key=place_of)


def place_of(mark: Mark) -> tuple[object, ...]:
    """What marks are ordered by."""
    node = mark.step.node
    where = [getattr(node, name, 0) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")]
    name = mark.data.name if mark.data else ""
    return (mark.step.module.source.display, *where, mark.kind, mark.by, name, mark.of, len(mark.axes))


def columned(marks: Marks, keys: list[str]) -> Marks:
    """Marks of what is put into some columns."""
    return frozenset(replace(m, columns=frozenset(keys)) for m in marks) if keys else marks


def add_marks(run: Run, node: ast.expr, found: Marks) -> None:
    """Data are changed in place: what holds them is marked, too."""
    if not found:
        return
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and (held := objects(run, node.value)):
            for holder in held:
                holder.marks[node.attr] = merged(holder.marks.get(node.attr, NO_MARKS) | found)
            return
        node = node.value
    if isinstance(node, ast.Name):
        marks = run.scope.holder(node.id).marks
        marks[node.id] = merged(marks.get(node.id, NO_MARKS) | found)


def give_marks(run: Run, function: Function, scope: Scope, node: ast.AST) -> None:
    """The parameters of a function of the project bear the marks of what they are given."""
    if not isinstance(node, ast.Call) or function.node is None or not run.marks_at:
        return
    names = [arg.arg for arg in (*function.node.args.posonlyargs, *function.node.args.args)]
    names = names[1:] if function.bound is not None else names
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        names = []
    given = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords if k.arg is not None)]
    for name, argument in given:
        found = marks_at(run, argument)
        if found:
            scope.marks[name] = found


def given_marks(run: Run, node: ast.AST) -> tuple[Marks, ...]:
    """The marks of the arguments of a call, which tell two calls apart."""
    if not isinstance(node, ast.Call) or not run.marks_at:
        return ()
    given = (marks_at(run, argument) for argument in (*node.args, *(k.value for k in node.keywords)))
    return tuple(frozenset(m for m in marks if m.kind not in PASSING) for marks in given)


def merge_marks(one: dict[str, Marks], into: dict[str, Marks]) -> None:
    """Join the marks that one arm of a branch leaves behind into those of the other."""
    for name, found in one.items():
        into[name] = merged(into.get(name, NO_MARKS) | found)


def rows_taken(node: ast.expr) -> list[ast.expr]:
    """The keys by which an expression takes rows of data: ``X[:n]``, ``X[:n, columns]``."""
    keys = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript):
            keys.append(node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice)
        node = node.value
    return keys


def root(node: ast.expr) -> str:
    """The name of the data that an expression takes a part of."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def keys_of(run: Run, node: ast.expr) -> list[str]:
    """The columns that an expression takes of a frame."""
    match node:
        case ast.Subscript(slice=key):
            return columns_in(run, key)
        case ast.Attribute(attr=attr):
            return [attr]
        case _:
            return []
