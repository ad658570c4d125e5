"""Measures that are averaged: over folds, batches, classes.

``np.mean(scores)``, ``sum(scores) / k``, ``scores.mean()``, ``(f1_0 + f1_1 + f1_2) / 3``, Keras' mean over batches.
Event ``reduce``: CVL101 (F over folds), CVL105 (over batches), CVL107 (precision and other ratios over folds), CVL103
(``nanmean`` over folds).
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from cvlint.analysis.checkers.best_shown import check_best_averaged
from cvlint.analysis.checkers.comparisons import fold_axes
from cvlint.analysis.checkers.formulas.terms import last_name, operands
from cvlint.analysis.checkers.unread_results import ends_unread
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.trace import CALLED, COMPUTED, Step, Trace
from cvlint.analysis.domain.value import MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import kept_in_node, names_bound_by, names_in, nodes_in
from cvlint.records import dataclass
from cvlint.source.parsing import walk

PLACES = ("argmax", "argmin", "nanargmax", "nanargmin")  # they give the place of the best


def record_average(state: AnalysisState, node: ast.AST, kind: str, value: MeasureValue, axes: Axes, note: str) -> None:
    """Record that a measure is averaged over ``axes``: ``np.mean(scores)``, ``sum(scores) / len(scores)``."""
    defined = "yes" if value.defined else "no"
    use = use_in_search(state) or ("choice" if is_loss(state, node) or is_only_compared(state, node) else "result")
    told = measured_axes(state, value, axes)
    if not ends_unread(state, node):
        trace = with_call(state, value.trace)
        state.emit("reduce", node, value.measure, told, trace, note, kind=kind, defined=defined, use=use)
    state.averaged |= {(m.measured_on, axis) for m in value.labels if m.kind == "measured" for axis in axes}
    if state.taint and use_in_search(state) != "choice":
        check_best_averaged(state, node, fold_axes(axes))
    if kind == "nanmean":
        state.excuse_undefined(value)


def with_call(state: AnalysisState, trace: Trace) -> Trace:
    """The steps of a measure, with the call that hands it to the function under way, where that goes on with it."""
    frame = state.frame
    own = [i for i, step in enumerate(trace) if frame.owner is not None and frame.owner in step.owners]
    if len(state.frames) < 2 or not isinstance(frame.call, ast.Call) or not own or own[0] == 0:
        return trace
    if any(trace[i].note.endswith(COMPUTED) for i in own):
        return trace
    call = Step(state.frames[-2].module.source, frame.call, CALLED)
    return (*trace[: own[0]], call, *trace[own[0] :])


def measured_axes(state: AnalysisState, value: MeasureValue, axes: Axes) -> Axes:
    """The ``axes`` of a mean without the loops that only collect what was measured in batches.

    ``for image in batch`` around the measure makes it one of images, and ``for name, f1 in found.items()`` behind it
    leaves it one of batches.
    """
    born = NO_AXES.union(*(state.loops_computed.get(step.node, NO_AXES) for step in value.trace))
    if not any(axis.kind == "batch" for axis in axes & born):
        return axes
    return frozenset(axis for axis in axes if axis.kind != "loop" or axis in born)


def record_batch_average(state: AnalysisState, value: MeasureValue, node: ast.AST, axis: Axis, note: str) -> None:
    """Record that a library averages a measure over the batches, as if the mean were written out."""
    axes = frozenset((axis,))
    state.record(
        Event("reduce", state.environment.module.source, node, value.measure, axes, value.trace, note, {"kind": "mean"})
    )


def use_in_search(state: AnalysisState) -> str:
    """What an average is to the optimiser that takes a function under evaluation; empty without such a function.

    A ``choice`` of parameters, or the ``best`` value, where the module reads what the optimiser has reached.
    """
    found = {use_of_optimised(state, frame) for frame in state.frames}
    return next((use for use in ("best", "choice") if use in found), "")


def use_of_optimised(state: AnalysisState, frame: Frame) -> str:
    """What the module of ``frame`` does with its function: it hands it to an optimiser, and reads the best value."""
    if not isinstance(frame.node, ast.FunctionDef):
        return ""
    tree = frame.module.source.tree
    if tree not in state.optimised:  # asked for each average, and each answer reads the whole module
        state.optimised[tree] = uses_of_optimised(state, tree)
    return state.optimised[tree].get(frame.node.name, "")


def uses_of_optimised(state: AnalysisState, tree: ast.AST) -> dict[str, str]:
    """The names in what a module hands to optimisers, and whether it reads a best value."""
    conforms = state.knowledge.conforms
    optimisers = (call for call in nodes_in(tree, ast.Call) if conforms("optimiser", last_name(call.func)))
    names = {name for call in optimisers for argument in call.args for name in names_in(argument)}
    is_read = names and any(conforms("best-value", ast.unparse(one)) for one in nodes_in(tree, ast.Attribute))
    return dict.fromkeys(names, "best" if is_read else "choice")


def is_loss(state: AnalysisState, node: ast.AST) -> bool:
    """Whether a mean is returned to an optimiser as a loss: ``return {"loss": 1 - scores.mean()}``, ``return -m``."""
    bound = {target.id for target in state.assigned_targets if isinstance(target, ast.Name)}
    for returned in nodes_in(state.frame.node, ast.Return):
        for part in walk(returned):
            match part:
                case ast.UnaryOp(op=ast.USub(), operand=operand) if operand is node:
                    return True
                case ast.BinOp(left=left, op=ast.Sub(), right=right) if right is node and is_one(left):
                    return True
                case ast.Dict(keys=keys, values=values):  # ``mean_loss = np.mean(f1s)``, ``return {"loss": mean_loss}``
                    for key, value in zip(keys, values, strict=True):
                        match key, value:
                            case ast.Constant(value="loss"), ast.Name(id=name) if name in bound:
                                return True
    return False


def is_one(node: ast.expr) -> bool:
    """Whether an expression is the number 1."""
    return isinstance(node, ast.Constant) and node.value == 1


def is_only_compared(state: AnalysisState, node: ast.AST) -> bool:
    """Whether the value under evaluation is only compared, and kept for later comparisons.

    ``score = cross_val_score(…).mean()``, ``if score > best: best, chosen = score, alpha``;
    ``scores[alpha] = cross_val_score(…).mean()``, ``max(scores, key=scores.get)``.
    """
    uses = uses_in(state.frame.node)
    match state.assigned_targets:
        case [ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name))]:
            pass
        case _ if id(node) in uses.appended:
            name = uses.appended[id(node)]
        case _:
            return False
    kept, waiting = {name}, [name]
    while waiting:
        grown = uses.copies.get(waiting.pop(), set()) - kept
        kept |= grown
        waiting += grown
    return kept <= uses.bound and not kept.isdisjoint(uses.compared) and kept.isdisjoint(uses.others)


@dataclass(frozen=True, slots=True)
class Uses:
    """How code uses its names."""

    compared: frozenset[str]  # the names that a comparison holds, and of lists and dicts whose best place is asked for
    copies: dict[str, set[str]]  # the names to which a name is bound, and of lists and dicts that hold it
    bound: frozenset[str]  # the names that the code binds: nobody else reads those of a function
    appended: dict[int, str]  # the list to which a value without a name is appended, by the value's identity
    others: frozenset[str]  # the names that are used in another way, too


@kept_in_node
def uses_in(code: ast.AST) -> Uses:
    """How a function or module uses its names; each average in it asks for it."""
    names = nodes_in(code, ast.Name)
    uses = {id(node): node for node in names if isinstance(node.ctx, ast.Load)}
    bound = frozenset(node.id for node in names if isinstance(node.ctx, ast.Store))
    compared, copies, appended = set(), defaultdict(set), dict[int, str]()
    for comparison in nodes_in(code, ast.Compare):
        for side in (comparison.left, *comparison.comparators):
            for term in operands(side, ast.Add):  # ``score > best + 0.001``
                if isinstance(term, ast.Name):
                    compared.add(uses.pop(id(term), term).id)
    for assignment in nodes_in(code, ast.Assign):
        for target, source in names_bound_by(assignment):
            if isinstance(source, ast.Name):  # ``best = score``, ``best, chosen = score, alpha``
                copies[source.id].add(target.id)
                uses.pop(id(source), None)
        for place in assignment.targets:
            if isinstance(place, ast.Subscript) and isinstance(place.value, ast.Name):  # ``scores[alpha] = score``
                keep(uses, copies, place.value, assignment.value)
    for call in nodes_in(code, ast.Call):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name() as kept, attr="append"), args=[value]):
                appended[id(value)] = kept.id
                keep(uses, copies, kept, value)
            case _:
                compared |= {uses.pop(id(name), name).id for name in names_whose_place_is_asked(call)}
    return Uses(frozenset(compared), copies, bound, appended, frozenset(use.id for use in uses.values()))


def keep(uses: dict[int, ast.Name], copies: dict[str, set[str]], kept: ast.Name, value: ast.expr) -> None:
    """A list or dict gets a value: its name is not read there, and neither is that of the value."""
    uses.pop(id(kept), None)
    if isinstance(value, ast.Name):
        copies[value.id].add(kept.id)
        uses.pop(id(value), None)


def names_whose_place_is_asked(call: ast.Call) -> list[ast.Name]:
    """What gives a place or a key, and no score.

    ``np.argmax(scores)``, ``max(scores, key=scores.get)``, ``scores.index(max(scores))``.
    """
    match call:
        case ast.Call(args=[ast.Name() as scores], keywords=[]) if last_name(call.func) in PLACES:
            return [scores]
        case ast.Call(func=ast.Attribute(value=ast.Name() as scores, attr=place), args=[]) if place in PLACES:
            return [scores]
        case ast.Call(
            func=ast.Name(id="max" | "min"),
            args=[ast.Name() as scores],
            keywords=[ast.keyword(arg="key", value=ast.Attribute(value=ast.Name() as asked, attr="get"))],
        ) if scores.id == asked.id:
            return [scores, asked]
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as scores, attr="index"),
            args=[ast.Call(func=ast.Name(id="max" | "min"), args=[ast.Name() as asked], keywords=[])],
        ) if scores.id == asked.id:
            return [scores, asked]
        case _:
            return []


def numbered_names(node: ast.BinOp) -> tuple[str, ...] | None:
    """The names in a sum whose terms differ in a number only: ``f1_0 + f1_1 + f1_2``; None for other sums."""
    names = [last_name(term) for term in operands(node, ast.Add)]
    stems = {re.sub(r"(?<!\d)\d+$", "", name) for name in names}
    numbers = {name[len(stem) :] for stem in stems for name in names}
    if len(stems) == 1 and len(names) >= 3 and len(numbers) == len(names) and "" not in numbers:
        return tuple(names)
    return None


def numbered_axis(state: AnalysisState, node: ast.BinOp, names: tuple[str, ...]) -> Axes:
    """The axis along which numbered values vary: folds, where they come from numbered folds."""
    for name in names:
        definition = state.environment.definitions.get(name)
        if definition is not None and any(state.knowledge.conforms("fold", n) for n in names_in(definition)):
            step = state.step(definition, "one of the folds, numbered by hand")
            return frozenset((Axis("fold", step),))
    return frozenset((Axis("loop", state.step(node, "values numbered by hand")),))
