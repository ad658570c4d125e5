"""The names of data: what an expression is called where the data came from, without conversions on the way.

Labels that a loop collects are the data that the loop visits: two calls of ``evaluate(model, test_loader)`` fill two
lists with the labels of one test part.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axes, DataName
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.lattice import pooled_axes
from cvlint.analysis.domain.value import LibraryName, axes_of
from cvlint.analysis.inference.written_entries import (
    entry_behind,
    field_given,
    given_to_object,
    handed_over,
    says_part,
    with_known_key,
)
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import code_of, names_in, root_name, with_names
from cvlint.analysis.taint import DATA_ATTRIBUTES, taint_at
from cvlint.source.parsing import walk

MOST_NAMES = 8
NAMED = (ast.Name, ast.Attribute, ast.Subscript)
VISITING = ("batch", "loop")  # loops that visit the samples of one data set


def data_name(state: AnalysisState, node: ast.expr | None, counted_at: int | None = None) -> DataName | None:
    """The data that an expression takes: their spelling, with names followed to what they were bound to.

    ``counted_at``: the level of the call stack at which a count of the data stands, and not they themselves.
    """
    level = len(state.frames) - 1 if counted_at is None else counted_at
    for _ in range(MOST_NAMES):
        if node is None:
            return None
        frame, node = state.frames[level], with_known_key(state, without_conversions(state, node))
        drawn = collected_from(frame.environment, node) or visited_in_batches(frame.environment, node)
        if drawn is not None:
            return drawn
        given = given_by_caller(state, level, node) or entry_behind(state, level, node)
        if given is not None:
            level, node = given
            continue
        if not isinstance(node, ast.Name):
            level, node = of_caller(state, level, node)
            environment = state.frames[level].environment.defining_environment(root_name(node))
            behind = part_behind(state, environment, node) if environment is not None else None
            if behind is None:
                table = table_of_column(state, level, node)
                return DataName(environment or state.frames[0].environment, ast.unparse(node), None, table)
            node = behind
            continue
        environment = frame.environment.defining_environment(node.id)
        # a function that is defined in another reads the parameters of that one
        level = next((i for i in range(level, 0, -1) if state.frames[i].environment is environment), level)
        frame = state.frames[level]
        argument = frame.argument(node.id) if level and environment is frame.environment else None
        if argument is not None and not is_nothing(argument):
            node, level = argument, level - 1
            continue
        definition = environment.definitions.get(node.id) if environment is not None else None
        if isinstance(definition, ast.Call) and environment is frame.environment and counted_at is None:
            counted = data_counted(state, definition, level)
            if counted is not None:
                return counted
        plain_definition = without_conversions(state, definition) if definition is not None else None
        if plain_definition is not None and environment is frame.environment:
            given = given_to_object(state, frame, plain_definition)
            if given is not None:
                level, node = given
                continue
        if (
            plain_definition is definition
            or not isinstance(plain_definition, (ast.Name, ast.Attribute, ast.Subscript))
            or plain_definition is node
        ):
            table = table_of_column(state, level, definition)
            return DataName(environment or state.frames[0].environment, node.id, definition, table)
        node = plain_definition
    return None


def given_by_caller(state: AnalysisState, level: int, node: ast.expr) -> tuple[int, ast.expr] | None:
    """What a caller gave for an attribute or an entry of a parameter, and the level of that caller."""
    frame = state.frames[level]
    handed = handed_over(frame, node)
    if handed is None and level:
        handed = field_given(state.frames[level - 1].environment, frame, node)
    return given_to_object(state, frame, node) if handed is None else (level - 1, handed)


def is_nothing(node: ast.expr) -> bool:
    """Whether an expression is ``None``, the default of data that a function then looks up by itself."""
    return isinstance(node, ast.Constant) and node.value is None


def whole_of_rows(state: AnalysisState, node: ast.expr) -> DataName | None:
    """The data of which an expression takes some rows: ``y`` of ``y[group]``, through all names that stand for it."""
    level, found = len(state.frames) - 1, node
    for _ in range(MOST_NAMES):
        match found := without_conversions(state, found):
            case ast.Subscript(value=whole):
                return data_name(state, whole, level)
            case ast.Name(id=name):
                frame = state.frames[level]
                argument = frame.argument(name) if level else None
                level -= argument is not None
                behind = argument or frame.environment.definitions.get(name)
                if behind is None:
                    return None
                found = behind
            case _:
                return None
    return None


def name_given(state: AnalysisState, key: ast.expr) -> str:
    """What a key is called where it comes from: ``data.test_mask`` for ``mask``, a parameter that gets that."""
    level = len(state.frames) - 1
    for _ in range(MOST_NAMES):
        if not isinstance(key, ast.Name):
            break
        frame = state.frames[level]
        behind = frame.argument(key.id) if level else None
        if behind is not None:
            level -= 1
        elif not says_part(state, key.id):
            behind = frame.environment.definitions.get(key.id)
        if not isinstance(behind, NAMED):
            break
        key = behind
    return code_of(key)


def table_of_column(state: AnalysisState, level: int, column: ast.AST | None) -> DataName | None:
    """The table of which an expression takes a whole column: ``Y`` of ``Y[:, k]`` and of ``Y.iloc[:, k]``."""
    match column:
        case ast.Subscript(value=table, slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), _])):
            of_table = state.knowledge.groups["selects-rows"] | DATA_ATTRIBUTES
            if isinstance(table, ast.Attribute) and table.attr in of_table:
                table = table.value
            return data_name(state, table, level) if isinstance(table, ast.Name) else None
        case _:
            return None


def data_counted(state: AnalysisState, definition: ast.expr, level: int) -> DataName | None:
    """The data whose samples a definition counts to make labels: ``hstack([ones(len(hits)), zeros(len(others))])``.

    Two functions that get the same scores make the same labels.
    """
    counted = [name for call in walk(definition) if (name := counted_by(call)) is not None]
    names = {node.id for node in walk(definition) if isinstance(node, ast.Name)}
    environment = state.frames[level].environment
    data = {name for name in names if not isinstance(environment.lookup(name), LibraryName)} - {"len"}
    if len(counted) < 2 or {name.id for name in counted} != data:
        return None
    found = [data_name(state, name, level) for name in counted]
    if found[0] is None:
        return None
    return DataName(found[0].environment, " and ".join(each.name for each in found if each is not None), None)


def counted_by(node: ast.AST) -> ast.Name | None:
    """The name in ``len(name)``."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as name]):
            return name
        case _:
            return None


def collected_from(environment: Environment, node: ast.expr) -> DataName | None:
    """The data whose labels a loop collected in a list, if all names in an expression are of such lists.

    Where they are split afterwards, the data of the loop are more than the part.
    """
    if not isinstance(node, (ast.Name, ast.Call)):
        return None
    found = set[DataName | None]()
    for name in {node.id} if isinstance(node, ast.Name) else names_in(node):
        value, holder = environment.lookup(name), environment.defining_environment(name)
        pooled = pooled_axes(value)
        before = frozenset[ast.AST]().union(*(axis.splits_before for axis in pooled))
        rows = (label for label in holder.taint.get(name, ()) if label.kind == "rows") if holder is not None else ()
        if any(label.step.node not in before for label in rows):
            return None
        if not isinstance(value, LibraryName):
            # a loop over names that are written out draws nothing: ``{x: DataLoader(x) for x in ("train", "test")}``
            draws = {a.drawn_from for a in pooled if not isinstance(a.step.node, (ast.List, ast.Tuple))}
            found |= {None} if any(a.kind == "fold" for a in pooled) else draws
    return found.pop() if len(found) == 1 else None


def visited_in_batches(environment: Environment, node: ast.expr) -> DataName | None:
    """The data of which an expression is a batch in the loop under way: ``loader`` for ``batch.y``."""
    value = environment.lookup(root_name(node))
    drawn = {axis.drawn_from for axis in axes_of(value) if axis.kind == "batch"} if value is not None else set()
    return drawn.pop() if len(drawn) == 1 else None


def note_data_drawn(state: AnalysisState, axes: Axes, iter_node: ast.expr) -> tuple[DataName, ast.expr] | None:
    """Keep which data a loop visits, and return them: ``test_loader`` of ``for x, y in tqdm(test_loader)``."""
    if not any(axis.step.node is iter_node and axis.kind in VISITING and axis.drawn_from is None for axis in axes):
        return None
    visited = iter_node
    while isinstance(visited, ast.Call) and visited.args and is_iterator(state, visited.func):
        visited = visited.args[0]
    if not isinstance(visited, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    data = data_name(state, visited)
    splits = frozenset(label.step.node for label in taint_at(state, visited) if label.kind == "rows")
    for axis in axes:
        if axis.step.node is iter_node and axis.kind in VISITING:
            axis.drawn_from, axis.splits_before = data, splits
    return None if data is None else (data, visited)


def is_iterator(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a function only walks through what it is given: ``enumerate``, ``tqdm``."""
    function = state.evaluate(state, node)
    entry = state.knowledge.entry(function.name) if isinstance(function, LibraryName) else None
    return entry is not None and entry.effect == "iterate" and entry.facts["form"] != "range"


def of_caller(state: AnalysisState, level: int, node: ast.expr) -> tuple[int, ast.expr]:
    """A part of data as the callers spell it: ``data.y[data.test]`` of a parameter is ``graph.y[graph.test]``."""
    while level:
        frame, names = state.frames[level], {n.id for n in walk(node) if isinstance(n, ast.Name)}
        given = {name: frame.argument(name) for name in names if name not in frame.environment.definitions}
        arguments = {name: argument for name, argument in given.items() if isinstance(argument, ast.Name)}
        if not names or len(arguments) < len(names):
            break
        level, node = level - 1, with_names(node, {name: argument.id for name, argument in arguments.items()})
    return level, node


def part_behind(state: AnalysisState, environment: Environment, node: ast.expr) -> ast.expr | None:
    """What a column of a frame was before the frame had it: a column of the frame that was copied, or a name.

    None where it is not known, or where that name has been bound to something else since.
    """
    name, definitions = root_name(node), environment.definitions
    whole, entry = definitions.get(name), definitions.get(ast.unparse(node))
    if entry is not None and (whole is None or comes_before(whole, entry)):
        bound, given = entry, entry
    elif whole is not None and (copied := given_to_frame(state, whole, node)) is not None:
        bound, given = whole, copied
    else:
        return None
    found = without_conversions(state, given)
    source = definitions.get(root_name(found))
    if root_name(found) in ("", name) or not isinstance(found, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    return found if source is None or comes_before(source, bound) else None


def given_to_frame(state: AnalysisState, whole: ast.expr, node: ast.expr) -> ast.expr | None:
    """What the expression that made a frame gives it for a column: ``y`` in ``DataFrame({"label": y})``."""
    match without_conversions(state, whole), node:
        case ast.Name(id=other), _:
            return with_names(node, {root_name(node): other})
        case ast.Call(func=func, args=[ast.Dict() as columns, *_]), ast.Subscript(
            value=ast.Name(), slice=ast.Constant(value=title)
        ) if isinstance(state.environment.lookup(root_name(func)), LibraryName):
            titled = zip(columns.keys, columns.values, strict=True)
            return next((v for k, v in titled if isinstance(k, ast.Constant) and k.value == title), None)
        case _:
            return None


def comes_before(one: ast.expr, other: ast.expr) -> bool:
    """Whether an expression stands before another one in the code."""
    return (one.lineno, one.col_offset) < (other.lineno, other.col_offset)


def without_conversions(state: AnalysisState, node: ast.expr) -> ast.expr:
    """Data without their conversions: ``y`` of ``np.asarray(y.values).ravel()``."""
    while True:
        match node:
            case ast.Attribute(value=inner, attr="values" | "T" | "array"):
                node = inner
            case ast.Call(func=ast.Attribute(value=ast.Name(id=library), attr=attr), args=[first, *_]) if isinstance(
                state.environment.lookup(library), LibraryName
            ) and attr in ("array", "asarray", "ravel", "squeeze"):
                node = first
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in state.knowledge.groups["converts"]:
                node = inner
            case _:
                return node
