"""Loops that leave one of their elements out: the rest of them trains a model, which the element then tests.

``for s in subjects: train = df[df.subject != s]``, ``[load(t) for t in subjects if t != s]``, ``others.remove(s)``.
In go comparisons with the variable of a loop, and calls that take it out; what is chosen by them gets a label of the
kind "left-out". Once a model learns from the rest, and a measure is computed on data of the element alone, the loop is
one over folds, whatever its names are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from cvlint.analysis.checkers.leakage.learned import check_split
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis, sorted_axes
from cvlint.analysis.domain.codomain import BOOL
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import codomain_of, pooled_axes
from cvlint.analysis.domain.taint_label import CACHED_LABELS, LEFT_OUT, NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.value import Data, axes_of
from cvlint.analysis.inference.loop_axes import loops_of_element, prove_fold_loop
from cvlint.analysis.inference.loop_dependence import turns_with
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, is_same_code, names_in, root_name
from cvlint.analysis.taint import add_taint, taint_at
from cvlint.source.parsing import walk

COMPARED_IN_TEXT = re.compile(r"(?P<operator>==|!=)\s*['\"]?@(?P<name>\w+)")
SIDES: dict[type[ast.cmpop], str] = {
    ast.Eq: "test",
    ast.In: "test",
    ast.NotEq: "train",
    ast.NotIn: "train",
    ast.Lt: "train",  # ``df.year < year``: all the years before
    ast.LtE: "train",
}


def note_element_compared(state: AnalysisState, node: ast.Compare) -> None:
    """``subject != s``, ``t == s``, ``s not in path``: what is chosen by it is the element of a loop, or the rest."""
    if len(node.ops) != 1 or (part := SIDES.get(type(node.ops[0]))) is None:
        return
    sides = (node.left, node.comparators[0])
    for own, other in (sides, sides[::-1]):
        if not isinstance(other, ast.Constant):
            state.taint |= labels_for(state, own, node, part)


def note_element_removed(state: AnalysisState, node: ast.Call) -> None:
    """``others.remove(s)``, ``np.setdiff1d(subjects, [s])``, ``df.query("subject != @s")``: the others are left."""
    groups = state.knowledge.groups
    match node:
        case ast.Call(func=ast.Attribute(attr=attr), args=[text, *_]) if attr in groups["selects-by-condition"]:
            if (queried := compared_in_text(text)) is not None:
                element, part = queried
                state.taint |= labels_for(state, element, node, part)
        case ast.Call(func=ast.Attribute(value=base, attr=attr), args=[element]) if attr in groups["takes-out"]:
            add_taint(state, base, labels_for(state, element, node, "train"))
        case ast.Call(func=func, args=[*_, element]) if called_name(func) in groups["leaves-rows-out"]:
            state.taint |= labels_for(state, element, node, "train")
        case _:
            pass


def compared_in_text(node: ast.expr) -> tuple[ast.expr, str] | None:
    """What a condition that is written as text compares a column with, and which part that chooses.

    ``"subject != @s"``, ``f"subject == '{s}'"``.
    """
    match node:
        case ast.Constant(value=str() as text):
            pass
        case ast.JoinedStr(values=parts):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "@_" for part in parts)
        case _:
            return None
    found = COMPARED_IN_TEXT.search(text)
    if found is None:
        return None
    varying = [part.value for part in getattr(node, "values", ()) if isinstance(part, ast.FormattedValue)]
    element = varying[0] if len(varying) == 1 else ast.Name(found["name"], ast.Load())
    return element, "test" if found["operator"] == "==" else "train"


def note_rest(state: AnalysisState, node: ast.BinOp) -> None:
    """``set(subjects) - {s}``, ``parts[:i] + parts[i + 1:]``: the rest of the elements is left."""
    match node:
        case ast.BinOp(op=ast.Sub(), right=ast.Set(elts=[element]) | ast.Call(func=ast.Name(id="set"), args=[element])):
            state.taint |= labels_for(state, element, node, "train")
        case ast.BinOp(
            op=ast.Add(),
            left=ast.Subscript(value=whole, slice=ast.Slice(upper=ast.expr() as element)),
            right=ast.Subscript(value=same, slice=ast.Slice(lower=ast.expr() as start)),
        ) if is_same_code(whole, same) and names_in(element) <= names_in(start) and not is_same_code(element, start):
            state.taint |= labels_for(state, element, node, "train")
        case _:
            pass


def note_element_deleted(state: AnalysisState, target: ast.expr) -> None:
    """``del rest[i]``: the others are left."""
    if isinstance(target, ast.Subscript):
        add_taint(state, target.value, labels_for(state, target.slice, target, "train"))


def labels_for(state: AnalysisState, element: ast.expr, node: ast.AST, part: str) -> Taint:
    """The label of the element of a loop, or of the rest, if an expression is such an element."""
    loops = frozenset(axis for axis in loops_of_element(state, element) if axis.kind in ("loop", "fold"))
    if not loops:
        return NO_TAINT
    step = state.step(node, "one element of the loop is told from all the others here")
    return frozenset((TaintLabel(LEFT_OUT, step, axes=loops, part=part),))


def with_other_side(taint: Taint) -> Taint:
    """``~(subject == s)``: the labels of what a key does not choose."""
    return frozenset(map(other_side, taint))


@kept_for_file(CACHED_LABELS)
def other_side(label: TaintLabel) -> TaintLabel:
    """The label of the rest for that of the element, and the other way round; any other label is kept."""
    return replace(label, part="train" if label.part == "test" else "test") if label.kind == LEFT_OUT else label


def left_out_by(state: AnalysisState, tests: Iterable[ast.expr]) -> Taint:
    """The labels of tests that choose the elements of a list: ``[t for t in subjects if t != s]``."""
    return frozenset(label for test in tests for label in taint_at(state, test) if label.kind == LEFT_OUT)


def mark_arms(state: AnalysisState, node: ast.If, leaves: bool) -> None:
    """``if t == s: test.append(x)``, ``else: train.append(x)``: what the arms write is chosen by their test.

    Behind an arm that ``leaves`` the pass stands what is done for all the others.
    """
    chosen = left_out_by(state, [node.test])
    if not chosen:
        return
    rest = node.orelse or (statements_behind(state, node) if leaves else [])
    for written, labels in ((node.body, chosen), (rest, with_other_side(chosen))):
        for target in targets_in(state, written):
            add_taint(state, target, labels)


def statements_behind(state: AnalysisState, node: ast.If) -> Iterator[ast.stmt]:
    """The statements of the same loop that stand behind an if statement."""
    for axis in state.active_loops[-1:]:
        for loop in axis.loops:
            body = getattr(loop, "body", [])
            if node in body:
                yield from body[body.index(node) + 1 :]


def targets_in(state: AnalysisState, statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """The names that statements bind, and the containers that they fill."""
    for statement in statements:
        for found in walk(statement):
            match found:
                case ast.Assign(targets=targets):
                    yield from targets
                case ast.AugAssign(target=target):
                    yield target
                case ast.Call(func=ast.Attribute(value=held, attr=attr)):
                    if attr in state.knowledge.groups["changes-length"] and root_name(held):
                        yield held


def note_training(state: AnalysisState, node: ast.Call) -> None:
    """A model learns from what is left of the elements of a loop."""
    if not trains(state, called_name(node.func)):
        return
    arguments = [*node.args, *(k.value for k in node.keywords)]
    if not arguments and isinstance(node.func, ast.Attribute):
        arguments = [node.func.value]  # ``loss.backward()``
    given = taint_at(state, *arguments) if state.taint_at else NO_TAINT
    chosen = [label for label in given if label.kind == LEFT_OUT]
    if not (chosen or state.cut_axes):
        return
    own, rest = (NO_AXES.union(*(m.axes for m in chosen if m.part == part)) for part in ("test", "train"))
    learned_from = (rest - own) & state.active_axes  # else the element and some of the others train together
    if state.cut_axes:
        learned_from |= cut_axes_of(state, arguments, pooled=True) | (state.active_axes & state.cut_axes.keys())
    for axis in learned_from:
        state.trained_on_rest[axis] = state.trained_on_rest.get(axis, NO_TAINT) | given


def cut_axes_of(state: AnalysisState, nodes: Iterable[ast.expr], pooled: bool = False) -> Axes:
    """The parts that one call cut data into, as far as expressions turn with them, or hold several: ``pooled``."""
    values = [state.evaluate(state, node) for node in nodes]
    together = [pooled_axes(value) for value in values] if pooled else []
    return NO_AXES.union(*map(axes_of, values), *together) & state.cut_axes.keys()


def trains(state: AnalysisState, name: str) -> bool:
    """Whether a function or method trains a model, by its name."""
    return state.knowledge.conforms("train-part", name) or name in state.knowledge.groups["trains-by-gradient"]


def note_evaluation(state: AnalysisState, node: ast.Call) -> None:
    """A model predicts for data, or code that cannot be followed measures it on them."""
    if state.trained_on_rest:
        name = called_name(node.func)
        if name in state.knowledge.groups["predicts"] or state.knowledge.conforms("evaluation", name):
            prove_by_measure(state, *node.args)


def prove_by_measure(state: AnalysisState, *measured: ast.expr) -> None:
    """A measure is computed on data: if they turn with a loop on whose rest a model was trained, it runs over folds."""
    for axis in sorted_axes(cut_axes_of(state, measured) & state.trained_on_rest.keys()) if state.cut_axes else ():
        check_rest_of(state, axis)
    for axis in state.active_loops if state.trained_on_rest else ():
        if axis.kind not in ("loop", "fold") or axis not in state.trained_on_rest:
            continue
        if any(is_of_element(state, axis, node) for node in measured):
            prove_fold_loop(state, Data(frozenset((axis,))), by_element=True)
            if axis.kind == "fold":
                check_rest_of(state, axis)


def check_rest_of(state: AnalysisState, axis: Axis) -> None:
    """What a model learned from in a pass may know the part that the pass leaves out: all that came before the loop."""
    around = state.cut_axes.get(axis, state.active_axes - {axis})
    passing = state.active_axes - around
    before = frozenset(label for label in state.trained_on_rest[axis] if label.axes.isdisjoint(passing))
    check_split(state, before, axis.step, "folds")


def is_of_element(state: AnalysisState, axis: Axis, node: ast.expr) -> bool:
    """Whether data are those of a loop's element alone, and no part of a split of them."""
    labels = [label for label in taint_at(state, node) if label.kind in (LEFT_OUT, "rows")]
    parts = {label.part for label in labels if axis in label.axes} | {"split" for m in labels if m.kind == "rows"}
    is_alone = parts == {"test"} or (not parts and turns_with(state, axis, node))
    return is_alone and codomain_of(state.evaluate(state, node)) != BOOL  # ``y == c`` are the labels of one class


def loops_of_elements(state: AnalysisState, node: ast.expr | None) -> Axes:
    """The loops of whose elements, or their rest, data are."""
    return NO_AXES.union(*(label.axes for label in taint_at(state, node) if label.kind == LEFT_OUT))
