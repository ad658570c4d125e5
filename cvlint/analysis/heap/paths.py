"""Texts that are put together, and the paths among them: the keys under which a program finds its files again.

``f"{folder}/fold{i}.npy"``, ``os.path.join(folder, name)``, ``Path(folder) / name``, ``folder + "/scores.csv"``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from cvlint.analysis.checkers.search_scores import text_value
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import TEXT, Codomain, Kind
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.texts import VARYING, joined, text_of
from cvlint.analysis.domain.value import AnyValue, Const, Data, axes_of
from cvlint.analysis.inference.loop_axes import is_loop_index
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import changes_in, code_of, names_in, nodes_in, root_name
from cvlint.records import dataclass

FIELD = re.compile(r"%[-+ #0-9.]*[a-zA-Z]|\{[^{}]*\}")
DEFINITIONS = 3  # so many assignments are looked through for the loop variables that a path is made of


@dataclass(frozen=True, slots=True)
class Place:
    """The path of a file as a pattern, and the loops that each have a file of their own there."""

    pattern: str
    axes: Axes = NO_AXES


def joined_text(state: AnalysisState, parts: Iterable[tuple[ast.expr, AnyValue]], separator: str = "") -> AnyValue:
    """The text that is made of parts: known if all of them are, and otherwise a pattern."""
    given = list(parts)
    values = [value for _, value in given]
    texts = [text_of_part(state, node, value) for node, value in given]
    pattern = joined(text for i, (text, _) in enumerate(texts) for text in ((separator, text) if i else (text,)))
    if pattern is None:
        return text_value(values)
    if "\0" not in pattern:
        return Const(value=pattern, allocation_loops=state.active_axes)
    found = text_value(values)
    if not isinstance(found, Data):
        return found
    return Data(NO_AXES.union(*(axes for _, axes in texts)), codomain=TEXT, pattern=pattern)


def formatted_text(
    state: AnalysisState, template: ast.expr, text: AnyValue, given: ast.expr, values: list[AnyValue]
) -> AnyValue:
    """``text % values``, ``text.format(*values)``: the fields of a known text are filled in their order."""
    nodes = given.elts if isinstance(given, ast.Tuple) else [given] * len(values)
    pieces = FIELD.split(text.value) if isinstance(text, Const) and isinstance(text.value, str) else []
    if len(pieces) != len(values) + 1 or len(nodes) != len(values):
        return text_value([text, *values])
    parts: list[tuple[ast.expr, AnyValue]] = [(template, Const(value=pieces[0]))]
    for node, value, piece in zip(nodes, values, pieces[1:], strict=True):
        parts += [(node, value), (template, Const(value=piece))]
    return joined_text(state, parts)


def text_of_part(state: AnalysisState, node: ast.expr, value: AnyValue) -> tuple[str, Axes]:
    """The text or pattern of a part, and the loops that it varies over."""
    match value:
        case Const():
            counted = is_counted(state, node, value)
            text = VARYING if counted else text_of(value.value)
            if counted or text is None:
                return VARYING, state.active_axes - value.allocation_loops
            return text, NO_AXES
        case Data(codomain=Codomain(kind=Kind.TEXT), pattern=pattern) if pattern:
            return pattern, value.axes
        case _:
            axes = loops_of(state, node) | (axes_of(value) if is_loop_index(value) else NO_AXES)
            return (VARYING, axes) if axes else (f"\0{spelling(state, node)}\0", NO_AXES)


def is_counted(state: AnalysisState, node: ast.expr, value: AnyValue) -> bool:
    """Whether a number only looks known, because the loops under way count it up: ``f"fold{n}.npy"; n += 1``."""
    return bool(counted_loops(state, node.value if isinstance(node, ast.FormattedValue) else node, value))


def counted_loops(state: AnalysisState, node: ast.expr, value: AnyValue) -> Axes:
    """The loops under way that count a number up, which was bound before them."""
    if not (isinstance(node, ast.Name) and isinstance(value, Const)):
        return NO_AXES
    crossed = state.active_axes - value.allocation_loops
    return loops_counting(state, node.id, crossed) if crossed and is_loop_counter(state, node) else NO_AXES


def is_loop_counter(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name counts the passes of a loop: ``fold += 1``, ``fold = fold + 1``."""
    return increment(state, node) is not None


def counts_blocks(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name jumps from block to block: ``start += 32``."""
    match increment(state, node):
        case None | ast.Constant(value=1):
            return False
        case _:
            return True


def increment(state: AnalysisState, node: ast.expr) -> ast.expr | None:
    """What is added to a name in each pass of a loop; None for a name that counts nothing."""
    return added_to(state.frame.node, node.id) if isinstance(node, ast.Name) else None


def added_to(code: ast.AST, counter: str) -> ast.expr | None:
    """What code adds to a counter; None if it adds nothing."""
    for statement in changes_in(code).get(counter, ()):
        match statement:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=added) if name == counter:
                return added
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.Add()) as total) if name == counter:
                others = [side for side in (total.left, total.right) if name not in names_in(side)]
                return others[0] if len(others) == 1 else None
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=stop)) if name == counter != stop:
                ends = [a.value for a in changes_in(code).get(stop, ()) if isinstance(a, ast.Assign)]
                sums = [total for end in ends for total in sums_in(end)]
                found = [side for total in sums for side in (total.left, total.right) if name not in names_in(side)]
                is_one = len(found) == len(sums) and len({ast.dump(added) for added in found}) == 1
                return found[0] if is_one else None  # ``stop = start + 20; start = stop``, in several loops perhaps
    return None


def sums_in(node: ast.expr) -> list[ast.BinOp]:
    """The sum that an expression is, or that it holds beside a bound: ``min(start + 20, len(X))``."""
    match node:
        case ast.BinOp(op=ast.Add()):
            return [node]
        case ast.Call(func=ast.Name(id="min") | ast.Attribute(attr="minimum"), args=[_, _] as sides):
            return [side for side in sides if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add)]
        case _:
            return []


def loops_counting(state: AnalysisState, counter: str, loops: Axes) -> Axes:
    """Those of ``loops`` in which a counter goes on: it stands still in a loop inside of the one that counts it."""
    counting = [loop for loop in nodes_in(state.frame.node, ast.For) if added_to(loop, counter) is not None]
    names = frozenset((counter,)).union(*(names_in(loop.target) for loop in counting))
    return frozenset(axis for axis in loops if axis.loop_variables & names) or loops


def loops_of(state: AnalysisState, node: ast.expr) -> Axes:
    """The active loops whose variables go into an expression, through a few assignments."""
    if not state.active_loops:
        return NO_AXES
    names = names_in(node)
    definitions = state.environment.definitions
    for _ in range(DEFINITIONS):
        more = names.union(*[names_in(definitions[name]) for name in names if name in definitions])
        if len(more) == len(names):
            break
        names = more
    return frozenset(axis for axis in state.active_loops if axis.loop_variables & names)


def spelling(state: AnalysisState, node: ast.expr) -> str:
    """The code of an expression, with what tells its names from equal names elsewhere."""
    name = root_name(node)
    environment: Environment | None = state.environment.defining_environment(name)
    held = [v for v in options(environment.bindings.get(name)) if isinstance(v, Instance)] if environment else []
    owner: object = held[0] if held else (environment.owner if environment else None)
    return f"{code_of(node)}@{id(owner) if owner is not None else 0}"


def places(state: AnalysisState, node: ast.expr, value: AnyValue) -> list[Place]:
    """The paths that an argument may be; none for what is no path."""
    found = []
    for option in options(value):
        match option:
            case Const(value=str() as text) if text:
                found.append(Place(text.removeprefix("./"), loops_of(state, node)))
            case Data():
                pattern, axes = text_of_part(state, node, option)
                pattern = pattern.removeprefix("./")
                found.append(Place(pattern, axes | loops_of(state, node)))
    return [place for place in found if place.pattern != VARYING]
