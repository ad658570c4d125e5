"""Containers: reading and writing entries, appending, extending; what that does to axes.

Writing under a loop's index, or appending, *collects* values along the loop. Writing scores to the test
rows of an array (``oof[test] = scores``), or extending a list by them, *pools* them.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.flow.algebra import UNKNOWN, array, element, join, options, with_step
from cvlint.flow.axes import held_out
from cvlint.flow.conventions import named_by_key, names_in
from cvlint.flow.reporting import reported
from cvlint.flow.run import Run
from cvlint.flow.searching import search_column
from cvlint.flow.undefined import masked, stored
from cvlint.flow.values import NO_AXES, AnyValue, Axes, Cell, Const, Data, Either, Measured, Thing, axes_of


def made_by(run: Run, factory: AnyValue, node: ast.AST, born: Axes) -> AnyValue:
    """What the factory of a defaultdict makes, as if made where the dict was."""
    value = run.call(run, factory, ([], {}), node)
    match value:
        case Cell():
            value.born = born
            return value
        case Const():
            return Const(value=value.value, born=born)
        case _:
            return value


SCALAR_KEYS = ("loop-index", "number", "key", "length")


ROW_KEYS = ("test-indices", "train-indices", "mask", "slice-part", "slice", "hard", "nan-mask")


def item(run: Run, base: AnyValue, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``."""
    key = run.evaluate(run, node.slice)
    found = [item_of(run, option, key, node) for option in options(base)]
    return found[0] if len(found) == 1 else join(found)


def item_of(run: Run, base: AnyValue, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of one value."""
    match base:
        case Cell():
            return cell_item(run, base, key, node)
        case Measured() | Data() if base.along:
            masked(run, base, key, node)
            return array_item(base, key, node.slice)
        case Measured():
            return base
        case Thing(role="search-results"):
            return search_column(run, base, key, node)
        case Thing(role="loader" | "iterator" | "folds"):
            return Data(axes_of(base) | run.active_axes, opaque=True)
        case Data():
            return data_item(run, base, key, node)
        case _:
            return named_by_key(run, Data(axes_of(key) | run.active_axes, opaque=True), key_name(key), node)


def key_name(key: AnyValue) -> str:
    """A key as a name, if it is a string."""
    return key.value if isinstance(key, Const) and isinstance(key.value, str) else ""


def data_item(run: Run, base: Data, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """A part of data: it varies as its key does; the rows of one fold are pooled no more."""
    if base.what == "fold-pieces":
        loops_index = isinstance(key, Data) and key.what == "loop-index"
        if loops_index:
            held_out(run, key)
        return Data(base.axes | axes_of(key), opaque=True)
    axes = base.axes | axes_of(key)
    what = base.what
    if isinstance(key, Data) and key.what in ("slice-before", "slice-after"):
        return Data(axes, what=key.what.removeprefix("slice-"))
    if isinstance(key, Data) and key.what == "slice-part":
        names = names_in(node.slice)
        if any(run.knowledge.conforms("fold", name) for name in names):
            held_out(run, key)
    value = Data(axes, (), base.trace, what, parted(base.pooled, key), base.opaque)
    return named_by_key(run, value, key_name(key), node)


def parted(pooled: Axes, key: AnyValue) -> Axes:
    """The axes that stay pooled in the rows under ``key``: one fold's rows are those of one model."""
    axes = axes_of(key)
    if any(axis.kind == "fold" for axis in axes):
        return frozenset(axis for axis in pooled - axes if not axis.soft)
    return pooled - axes


def array_item(base: Measured | Data, key: AnyValue, node: ast.expr) -> AnyValue:
    """An entry, a column or a part of an array."""
    match key:
        case Cell(kind="tuple") if len(key.keyed) == 2 and len(base.along) > 1:
            kept = [dim for i, dim in enumerate(base.along) if i > 1 or is_slice(key.keyed[i])]
            gone = [dim for i, dim in enumerate(base.along) if i < 2 and not is_slice(key.keyed[i])]
            return replace(base, along=tuple(kept), axes=base.axes.union(*gone))
        case Data(what="slice" | "mask" | "nan-mask" | "slice-part" | "slice-before" | "slice-after" | "indices"):
            return base
        case Cell() | Measured():
            return base
        case _:
            return element(base)


def is_slice(value: AnyValue) -> bool:
    """Whether a key keeps its dimension."""
    return isinstance(value, Data) and value.what not in SCALAR_KEYS and value.what != "unknown"


def cell_item(run: Run, cell: Cell, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of a container."""
    match key:
        case Const(value=str() | int() | bool() as known):
            return known_item(run, cell, known, node)
        case Cell(kind="tuple"):
            return table_item(run, cell, key, node)
        case Cell() if key.keyed and all(isinstance(v, Const) for v in key.keyed.values()):
            chosen = {
                v.value: cell.keyed[v.value]
                for v in key.keyed.values()
                if isinstance(v, Const) and v.value in cell.keyed
            }
            return Cell("table", chosen, cell.rest, cell.extent, cell.born) if chosen else cell
        case Data(what="slice" | "slice-before" | "slice-after" | "slice-part"):
            return cell
        case Either():
            return join(cell_item(run, cell, option, node) for option in key.options)
        case Data() if cell.kind == "dict" and cell.rest is None and cell.default is not None:
            cell.rest = made_by(run, cell.default, node, cell.born)
            return cell.rest
        case Data() if cell.kind in ("array", "list", "table", "frame") and (
            key.what in ROW_KEYS or cell.kind == "array"
        ):
            masked(run, array(cell), key, node)
            return unpooled(cell, key)
        case _:
            return element(cell)


def unpooled(cell: Cell, key: Data) -> AnyValue:
    """Some rows of an array that was filled fold by fold."""
    value = array(cell)
    match value:
        case Data():
            return Data(value.axes | key.axes, (), value.trace, value.what, value.pooled.union(*value.along) - key.axes)
        case Cell(kind="frame"):
            return cell
        case Measured() if key.what not in ROW_KEYS:
            return element(value)
        case _:
            return value


def known_item(run: Run, cell: Cell, key: str | int | bool, node: ast.Subscript) -> AnyValue:
    """The entry under a key that is known."""
    if key in cell.keyed:
        return called_so(run, cell.keyed[key], key, node)
    if isinstance(key, int) and key < 0 and cell.rest is None and -key <= len(cell.keyed) and cell.kind != "dict":
        return list(cell.keyed.values())[key]
    if cell.kind == "dict" and cell.default is not None:
        cell.keyed[key] = made_by(run, cell.default, node, cell.born)
        return cell.keyed[key]
    if isinstance(key, str) and cell.rest is not None:
        cell.keyed[key] = fresh(cell.rest, key, run, node) if cell.kind == "dict" else cell.rest
        return cell.keyed[key]
    if cell.kind == "frame":
        made = Cell("list", born=cell.born)
        if cell.default is not None and isinstance(key, str):
            cell.keyed[key] = made
            return made
        return named_by_key(run, Data(cell.born | run.active_axes, opaque=True), key, node)
    if cell.rest is None and (not cell.keyed or isinstance(key, str)):
        return named_by_key(run, Data(run.active_axes, opaque=True), key, node)
    return element(cell)


def called_so(run: Run, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """A measure that is looked up by its own name: whoever does that knows what it is."""
    if isinstance(value, Measured) and isinstance(key, str) and run.knowledge.measure_named(key) == value.measure.kind:
        owner = run.frame.owner
        if owner is not None and not any(owner in step.owners for step in value.trace):
            return with_step(value, run.step(node, f"{value.measure} is looked up by its name here"))
    return value


def fresh(value: AnyValue, key: str, run: Run, node: ast.AST) -> AnyValue:
    """The entry of its own that a key of a dict of containers has."""
    match value:
        case Cell():
            return replace_cell(value)
        case Either():
            return join(fresh(v, key, run, node) for v in value.options)
        case _:
            return named_by_key(run, value, key, node)


def table_item(run: Run, cell: Cell, key: Cell, node: ast.Subscript) -> AnyValue:
    """``table[rows, column]``: a column by its name or number, one entry of it when the row is one."""
    row, column = key.keyed.get(0, UNKNOWN), key.keyed.get(1, UNKNOWN)
    rows_kept = is_slice(row)
    if isinstance(column, Const) and column.value in cell.keyed:
        found = cell.keyed[column.value]
        return found if rows_kept else element(found)
    if isinstance(column, Const) and isinstance(column.value, str) and cell.kind == "frame":
        return known_item(run, cell, column.value, node)
    value = array(cell)
    if isinstance(value, Data) and isinstance(row, Data) and (row.what in ROW_KEYS or row.axes):
        return unpooled(cell, row)
    if isinstance(value, Measured | Data) and value.along:
        return array_item(value, key, node.slice)
    return value if isinstance(value, Data) else element(cell)


def put(run: Run, target: ast.Subscript, value: AnyValue, adding: bool = False) -> None:
    """``base[key] = value``."""
    base = run.evaluate(run, target.value)
    key = run.evaluate(run, target.slice)
    value = apart(value, base)
    for option in options(base):
        match option:
            case Cell():
                put_in_cell(run, option, key, value, target, adding)
            case Data():
                adopt(run, option, target, key, value)
            case _:
                pass
    stored(run, base, key, target)


def apart(value: AnyValue, base: AnyValue) -> AnyValue:
    """``value``, copied where it is the container that it is about to be stored in."""
    holders = options(base)
    copies = [replace_cell(v) if isinstance(v, Cell) and v in holders else v for v in options(value)]
    return join(copies)


def replace_cell(cell: Cell) -> Cell:
    """A copy of a container, which grows apart from it."""
    return Cell(cell.kind, dict(cell.keyed), cell.rest, cell.extent, cell.born, cell.default, cell.trace)


def adopt(run: Run, base: Data, target: ast.Subscript, key: AnyValue, value: AnyValue) -> None:
    """An entry is written to data of unknown make: from here on they are followed as a frame."""
    root: ast.expr = target.value
    while isinstance(root, ast.Attribute | ast.Subscript) and not (
        isinstance(root, ast.Attribute) and isinstance(root.value, ast.Name) and root.value.id == "self"
    ):
        root = root.value
    if any(isinstance(v, Const) for v in options(value)):
        return
    cell = Cell("frame", born=base.axes)
    if isinstance(root, ast.Name) and run.scope.lookup(root.id) is base:
        put_in_cell(run, cell, key, value, target, False)
        run.scope.bind(root.id, cell)


def put_in_cell(run: Run, cell: Cell, key: AnyValue, value: AnyValue, node: ast.Subscript, adding: bool) -> None:
    """Write an entry of a container."""
    match key:
        case Const(value=str() | int() | bool() as known) if cell.kind in ("dict", "frame", "table", "list", "tuple"):
            put_known(run, cell, known, value, node)
        case Const() | Data(what="loop-index" | "number" | "key" | "length" | "unknown" | "text" | "bound"):
            collect(run, cell, value, key, node, adding)
        case Cell(kind="tuple"):
            put_in_table(run, cell, key, value, node)
        case Data(what="slice"):
            if isinstance(value, Data | Measured) and key.axes:
                pool(run, cell, value, key, node)
        case Data():
            pool(run, cell, value, key, node)
        case Either():
            for option in key.options[:4]:
                put_in_cell(run, cell, option, value, node, adding)
        case _:
            collect(run, cell, value, key, node, adding)


def put_known(run: Run, cell: Cell, key: str | int, value: AnyValue, node: ast.AST) -> None:
    """Write under a known key; a row of measures at a number is a row of the table."""
    value = named_by_key(run, value, key, node)
    old = cell.keyed.get(key)
    if isinstance(value, Cell) and cell.kind == "frame" and isinstance(key, int):
        add_row(run, cell, value, node)
    elif old is not None and run.branches and not isinstance(value, Measured):
        cell.keyed[key] = join([old, value])
    else:
        cell.keyed[key] = value


def put_in_table(run: Run, cell: Cell, key: Cell, value: AnyValue, node: ast.Subscript) -> None:
    """``table[row, column] = value``."""
    row, column = key.keyed.get(0, UNKNOWN), key.keyed.get(1, UNKNOWN)
    if isinstance(column, Const) and isinstance(column.value, str):
        inner = cell.keyed.get(column.value)
        if not isinstance(inner, Cell):
            inner = Cell("array", born=cell.born)
            cell.keyed[column.value] = inner
        put_in_cell(run, inner, row, named_by_key(run, value, column.value, node), node, False)
    elif isinstance(column, Const) and isinstance(column.value, int) and isinstance(value, Measured):
        inner = cell.keyed.setdefault(column.value, Cell("array", born=cell.born))
        if isinstance(inner, Cell):
            collect(run, inner, value, row, node, False)
    elif isinstance(row, Const) and isinstance(row.value, str) and isinstance(value, Measured):
        inner = cell.keyed.setdefault(row.value, Cell("array", born=cell.born))
        if isinstance(inner, Cell):
            collect(run, inner, value, column, node, False)
    elif isinstance(row, Data) and row.what in ROW_KEYS and row.axes - cell.born:
        pool(run, cell, value, row, node)
    elif isinstance(value, Measured) and isinstance(row, Data) and isinstance(column, Data):
        ordered = (row.axes - cell.born, column.axes - cell.born)
        if all(ordered) and not ordered[0] & ordered[1]:
            grid = replace(value, along=(ordered[1], *value.along), axes=value.axes - ordered[1] - ordered[0])
            cell.rest = join(
                [*options(cell.rest), with_step(grid, run.step(node, f"{value.measure} is collected here"))]
            )
            cell.extent |= ordered[0]
        else:
            collect(run, cell, value, row, node, False)
    else:
        collect(run, cell, value, row, node, False)


def collect(run: Run, cell: Cell, value: AnyValue, key: AnyValue, node: ast.AST, adding: bool) -> None:
    """An entry under a key that varies with the loops around: the container extends along them."""
    if cell.kind == "frame" and isinstance(value, Cell):
        add_row(run, cell, value, node)
        return
    if adding and isinstance(value, Measured) and value.total:
        cell.rest = value  # the sum of an entry, not one entry more
        return
    extent = run.swept(value, cell.born)
    if isinstance(value, Measured):
        value = with_step(value, run.step(node, f"{value.measure} is collected here"))
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= extent


def pool(run: Run, cell: Cell, value: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """The rows of one fold are written into an array of all rows; those it was trained on say nothing."""
    if isinstance(key, Data) and key.what == "train-indices":
        return
    swept = (run.active_axes - cell.born) & axes_of(key)
    for option in options(value):
        match option:
            case Measured():
                collect(run, cell, option, key, node, False)
                continue
            case Data():
                what, old = option.what, option.pooled
            case _:
                what, old = "unknown", NO_AXES
        step = run.step(node, "the parts of different folds are pooled here")
        trace = (*option.trace, step) if isinstance(option, Data) else (step,)
        pooled = Data(axes_of(option) - swept, (), trace, what, old | swept)
        cell.rest = join(
            [v for v in options(cell.rest) if isinstance(v, Data) and v.pooled and v.what == what] or [pooled]
        )


def add_row(run: Run, cell: Cell, row: Cell, node: ast.AST) -> None:
    """A row of values becomes one entry in each column of a table."""
    names = cell.default.keyed if isinstance(cell.default, Cell) else {}
    for key, value in row.keyed.items():
        title = names.get(key) if isinstance(key, int) else None
        column = title.value if isinstance(title, Const) else key
        inner = cell.keyed.get(column)
        if not isinstance(inner, Cell):
            inner = Cell("list", born=cell.born)
            cell.keyed[column] = inner
        append(run, inner, named_by_key(run, value, column, node), node)


def append(run: Run, cell: Cell, value: AnyValue, node: ast.AST) -> None:
    """``cell.append(value)``."""
    value = apart(value, cell)
    reported(run, value)
    match value:
        case Cell() if cell.kind == "frame":
            add_row(run, cell, value, node)
            return
        case Measured():
            value = with_step(value, run.step(node, f"{value.measure} is collected here"))
        case Cell(kind="tuple" | "list" | "dict"):
            note = "{} is collected here"
            marked = {
                k: with_step(v, run.step(node, note.format(v.measure))) if isinstance(v, Measured) else v
                for k, v in value.keyed.items()
            }
            value = Cell(value.kind, marked, value.rest, value.extent, value.born, value.default) if marked else value
        case _:
            pass
    if cell.keyed and cell.rest is None and cell.kind == "list" and not run.active_axes - cell.born:
        cell.keyed[len(cell.keyed)] = value
        return
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= run.swept(value, cell.born)


def extend(run: Run, cell: Cell, value: AnyValue, node: ast.AST) -> None:
    """``cell.extend(values)``: measures are collected, data are pooled."""
    for option in options(value):
        match option:
            case Cell():
                entries = option.entries()
                swept = (
                    frozenset().union(*(run.swept(v, cell.born) for v in entries))
                    if entries
                    else run.active_axes - cell.born
                )
                cell.rest = join([*options(cell.rest), *entries])
                cell.extent |= swept | (option.extent if option.rest is not None else NO_AXES)
            case Measured() | Data(along=(_, *_)):
                append(run, cell, element(option), node)
            case Data():
                swept = run.swept(option, cell.born)
                step = run.step(node, "the parts of different folds are pooled here")
                pooled = Data(option.axes - swept, (), (*option.trace, step), option.what, option.pooled | swept)
                cell.rest = join([*options(cell.rest), pooled])
                cell.extent |= swept
            case _:
                pass


def pooled_axes(value: AnyValue | None, depth: int = 4) -> Axes:
    """The axes whose parts are together in what is given to a measure."""
    match value:
        case Data():
            return value.pooled.union(*value.along)
        case Cell() if depth:
            inner = frozenset().union(*(pooled_axes(v, depth - 1) for v in value.entries()))
            return inner | (
                value.extent if value.rest is not None and not isinstance(value.rest, Measured) else NO_AXES
            )
        case Either() if depth:
            return frozenset().union(*(pooled_axes(v, depth - 1) for v in value.options))
        case _:
            return NO_AXES
