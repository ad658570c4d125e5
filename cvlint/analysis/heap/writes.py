"""Fill containers: entries, appending, extending; what that does to axes.

Writing under a loop's index, or appending, *collects* values along the loop. Writing scores to the test rows of an
array (``oof[test] = scores``), or extending a list by them, *pools* them.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.undefined_folds.patches import check_masked_store
from cvlint.analysis.domain.lattice import UNKNOWN, element, join, options, with_step
from cvlint.analysis.domain.value import NO_AXES, AnyValue, Const, Data, HeapObject, MeasureValue, Union, axes_of
from cvlint.analysis.heap.reads import ROW_KEYS, replace_cell
from cvlint.analysis.inference.identifier_inference import named_by_key
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import nodes_in


def put(state: AnalysisState, target: ast.Subscript, value: AnyValue, adding: bool = False) -> None:
    """``base[key] = value``."""
    base = state.evaluate(state, target.value)
    key = state.evaluate(state, target.slice)
    value = apart(value, base)
    if isinstance(key, Const) and state.active_axes - key.born and is_counted_up(state, target.slice):
        key = Data(state.active_axes - key.born, codomain="loop-index")  # ``scores[fold] = f1; fold += 1``
    for option in options(base):
        match option:
            case HeapObject():
                put_in_cell(state, option, key, value, target, adding)
            case Data():
                adopt(state, option, target, key, value)
            case _:
                pass
    check_masked_store(state, base, key, target)


def is_counted_up(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name is a counter of the loop under way: ``fold += 1``."""
    if not isinstance(node, ast.Name):
        return False
    counts = (n for n in nodes_in(state.frame.node, ast.AugAssign) if isinstance(n.op, ast.Add))
    return any(isinstance(n.target, ast.Name) and n.target.id == node.id for n in counts)


def apart(value: AnyValue, base: AnyValue) -> AnyValue:
    """``value``, copied where it is the container that it is about to be stored in."""
    holders = options(base)
    copies = [replace_cell(v) if isinstance(v, HeapObject) and v in holders else v for v in options(value)]
    return join(copies)


def adopt(state: AnalysisState, base: Data, target: ast.Subscript, key: AnyValue, value: AnyValue) -> None:
    """An entry is written to data of unknown make: from here on they are followed as a frame."""
    root: ast.expr = target.value
    while isinstance(root, ast.Attribute | ast.Subscript) and not (
        isinstance(root, ast.Attribute) and isinstance(root.value, ast.Name) and root.value.id == "self"
    ):
        root = root.value
    if any(isinstance(v, Const) for v in options(value)):
        return
    cell = HeapObject("frame", born=base.axes)
    if isinstance(root, ast.Name) and state.scope.lookup(root.id) is base:
        put_in_cell(state, cell, key, value, target, False)
        state.scope.bind(root.id, cell)


def put_in_cell(
    state: AnalysisState, cell: HeapObject, key: AnyValue, value: AnyValue, node: ast.Subscript, adding: bool
) -> None:
    """Write an entry of a container."""
    match key:
        case Const(value=str() | int() | bool() as known) if cell.kind in (
            "dict",
            "frame",
            "table",
            "list",
            "tuple",
        ) or isinstance(value, MeasureValue):
            put_known(state, cell, known, value, node)
        case Data(codomain="text", pattern=pattern) if pattern and cell.kind == "dict":
            collect(
                state, cell.patterns.setdefault(pattern, HeapObject("dict", born=cell.born)), value, key, node, adding
            )
            collect(state, cell, value, key, node, adding)
        case Const() | Data(codomain="loop-index" | "number" | "key" | "length" | "unknown" | "text" | "bound"):
            collect(state, cell, value, key, node, adding)
        case HeapObject(kind="tuple"):
            put_in_table(state, cell, key, value, node)
        case Data(codomain="slice"):
            if isinstance(value, Data | MeasureValue) and key.axes:
                pool(state, cell, value, key, node)
        case Data():
            pool(state, cell, value, key, node)
        case Union():
            for option in key.options[:4]:
                put_in_cell(state, cell, option, value, node, adding)
        case _:
            collect(state, cell, value, key, node, adding)


def put_known(state: AnalysisState, cell: HeapObject, key: str | int, value: AnyValue, node: ast.AST) -> None:
    """Write under a known key; a row of measures at a number is a row of the table."""
    value = named_by_key(state, value, key, node)
    old = cell.keyed.get(key)
    if isinstance(value, HeapObject) and cell.kind == "frame" and isinstance(key, int):
        add_row(state, cell, value, node)
    elif old is not None and state.branches and not isinstance(value, MeasureValue):
        cell.keyed[key] = join([old, value])
    else:
        cell.keyed[key] = value


def put_in_table(state: AnalysisState, cell: HeapObject, key: HeapObject, value: AnyValue, node: ast.Subscript) -> None:
    """``table[row, column] = value``."""
    row, column = key.keyed.get(0, UNKNOWN), key.keyed.get(1, UNKNOWN)
    if isinstance(column, Const) and isinstance(column.value, str):
        inner = cell.keyed.get(column.value)
        if not isinstance(inner, HeapObject):
            inner = HeapObject("array", born=cell.born)
            cell.keyed[column.value] = inner
        put_in_cell(state, inner, row, named_by_key(state, value, column.value, node), node, False)
    elif isinstance(column, Const) and isinstance(column.value, int) and isinstance(value, MeasureValue):
        inner = cell.keyed.setdefault(column.value, HeapObject("array", born=cell.born))
        if isinstance(inner, HeapObject):
            collect(state, inner, value, row, node, False)
    elif isinstance(row, Const) and isinstance(row.value, str) and isinstance(value, MeasureValue):
        inner = cell.keyed.setdefault(row.value, HeapObject("array", born=cell.born))
        if isinstance(inner, HeapObject):
            collect(state, inner, value, column, node, False)
    elif isinstance(row, Data) and row.codomain in ROW_KEYS and row.axes - cell.born:
        pool(state, cell, value, row, node)
    elif isinstance(value, MeasureValue) and isinstance(row, Data) and isinstance(column, Data):
        ordered = (row.axes - cell.born, column.axes - cell.born)
        if all(ordered) and not ordered[0] & ordered[1]:
            grid = replace(value, along=(ordered[1], *value.along), axes=value.axes - ordered[1] - ordered[0])
            cell.rest = join(
                [*options(cell.rest), with_step(grid, state.step(node, f"{value.measure} is collected here"))]
            )
            cell.extent |= ordered[0]
        else:
            collect(state, cell, value, row, node, False)
    else:
        collect(state, cell, value, row, node, False)


def collect(
    state: AnalysisState, cell: HeapObject, value: AnyValue, key: AnyValue, node: ast.AST, adding: bool
) -> None:
    """An entry under a key that varies with the loops around: the container extends along them."""
    if cell.kind == "frame" and isinstance(value, HeapObject):
        add_row(state, cell, value, node)
        return
    if adding and isinstance(value, MeasureValue) and value.total:
        cell.rest = value  # the sum of an entry, not one entry more
        return
    extent = state.swept(value, cell.born)
    if isinstance(value, MeasureValue):
        value = with_step(value, state.step(node, f"{value.measure} is collected here"))
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= extent


def add_up(state: AnalysisState, target: ast.Subscript, value: Data) -> None:
    """``scores[sample] += p`` in each fold, for the same samples: an ensemble's sum, which pools no folds."""
    key = state.evaluate(state, target.slice)
    if not isinstance(key, Data) or key.codomain in ROW_KEYS:
        return
    for cell in options(state.evaluate(state, target.value)):
        if isinstance(cell, HeapObject) and cell.kind == "dict":
            around = state.active_axes - cell.born
            summed = frozenset(axis for axis in around if axis.kind == "fold")
            repeated = any(axis.kind in ("seed", "epoch") for axis in around)  # then each pass adds other rows
            if len(summed) == 1 and not repeated and isinstance(cell.rest, Data):
                cell.rest = replace(value, axes=value.axes - summed)
                cell.extent -= summed


def pool(state: AnalysisState, cell: HeapObject, value: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """The rows of one fold are written into an array of all rows; those it was trained on say nothing."""
    if isinstance(key, Data) and key.codomain == "train-indices":
        return
    swept = (state.active_axes - cell.born) & axes_of(key)
    for option in options(value):
        match option:
            case MeasureValue():
                collect(state, cell, option, key, node, False)
                continue
            case Data():
                part = option
            case _:
                part = Data(axes_of(option))
        before = [v for v in options(cell.rest) if isinstance(v, Data) and v.pooled and v.codomain == part.codomain]
        cell.rest = join(before or [state.pooled(part, swept, node)])


def add_row(state: AnalysisState, cell: HeapObject, row: HeapObject, node: ast.AST) -> None:
    """A row of values becomes one entry in each column of a table."""
    names = cell.default.keyed if isinstance(cell.default, HeapObject) else {}
    for key, value in row.keyed.items():
        title = names.get(key) if isinstance(key, int) else None
        column = title.value if isinstance(title, Const) else key
        inner = cell.keyed.get(column)
        if not isinstance(inner, HeapObject):
            inner = HeapObject("list", born=cell.born)
            cell.keyed[column] = inner
        append(state, inner, named_by_key(state, value, column, node), node)


def append(state: AnalysisState, cell: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """``cell.append(value)``."""
    value = apart(value, cell)
    report_scores(state, value)
    match value:
        case HeapObject() if cell.kind == "frame":
            add_row(state, cell, value, node)
            return
        case MeasureValue():
            value = with_step(value, state.step(node, f"{value.measure} is collected here"))
        case HeapObject(kind="tuple" | "list" | "dict"):
            note = "{} is collected here"
            tainted = {
                k: with_step(v, state.step(node, note.format(v.measure))) if isinstance(v, MeasureValue) else v
                for k, v in value.keyed.items()
            }
            value = (
                HeapObject(value.kind, tainted, value.rest, value.extent, value.born, value.default)
                if tainted
                else value
            )
        case _:
            pass
    if cell.keyed and cell.rest is None and cell.kind == "list" and not state.active_axes - cell.born:
        cell.keyed[len(cell.keyed)] = value
        return
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= state.swept(value, cell.born)


def extend(state: AnalysisState, cell: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """``cell.extend(values)``: measures are collected, data are pooled."""
    for option in options(value):
        match option:
            case HeapObject():
                entries = option.entries()
                swept = (
                    frozenset().union(*(state.swept(v, cell.born) for v in entries))
                    if entries
                    else state.active_axes - cell.born
                )
                cell.rest = join([*options(cell.rest), *entries])
                cell.extent |= swept | (option.extent if option.rest is not None else NO_AXES)
            case MeasureValue() | Data(along=(_, *_)):
                append(state, cell, element(option), node)
            case Data():
                swept = state.swept(option, cell.born)
                cell.rest = join([*options(cell.rest), state.pooled(option, swept, node)])
                cell.extent |= swept
            case _:
                pass
