"""Measures in the test parts of a split, which may lack a class where the splitter does not stratify.

``KFold(5)`` instead of ``StratifiedKFold(5)`` around ``f1_score(y[test], y_pred)``. Event ``split``: CVL301.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.undefined_folds.skip_events import has_fold_axis
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis, Splitter, sorted_axes
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import pooled_axes
from cvlint.analysis.domain.value import AnyValue, Data, MeasureValue, axes_of
from cvlint.analysis.events import Event
from cvlint.analysis.inference.true_labels import are_labels
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import called_name, names_in, nodes_in
from cvlint.analysis.taint import DATA_ATTRIBUTES
from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives

MOST_NAMES = 12
MOST_SAMPLES = 10_000  # the exact probability takes long for more samples


def split_axes(state: AnalysisState, axes: Axes) -> list[Axis]:
    """The splits in whose test parts a measure is computed: of nested ones only the innermost."""
    fold_axes = sorted_axes(axis for axis in axes if axis.kind == "fold" and axis.splitter is not None)
    active = [axis for axis in state.active_loops if axis in fold_axes]
    return active[-1:] or fold_axes


def check_stratification(
    state: AnalysisState, axis: Axis, value: MeasureValue, node: ast.AST, labels: str = "one"
) -> None:
    """A measure is computed in each part that a splitter makes: an event at the splitter, and at its alternatives."""
    splitter = axis.splitter
    if splitter is None or "step" not in splitter.facts:
        return
    if splits_no_samples(state, axis):
        return
    for alternative in splitter.facts.get("others", ()):
        check_stratification(state, Axis("fold", axis.step, alternative), value, node, labels)
    splitter_step = splitter.facts["step"]
    if labels == "many":  # then no splitter stratifies, whatever else is measured in these parts
        state.excused_nodes.add(splitter_step.node)
    facts = {
        "style": splitter.facts["style"],
        "stratified": "yes" if splitter.facts["stratified"] else "no",
        "splitter": splitter.name,
        "labels": labels,
        "chance": empty_fold_clause(axis, splitter),
    }
    trace = (state.step(node, f"{value.measure} is computed in each part here"),)
    state.record(
        Event("split", splitter_step.source, splitter_step.node, value.measure, frozenset((axis,)), trace, "", facts)
    )


def check_stratification_of_formula(state: AnalysisState, value: AnyValue, node: ast.AST) -> None:
    """F has just been written out by hand, in each part or of a precision and a recall that are means over parts."""
    note_pooled(state, value, node)
    formula = state.events[-1] if state.events else None
    if isinstance(value, MeasureValue) and formula is not None and (formula.name, formula.node) == ("formula", node):
        for axis in split_axes(state, formula.axes | value.axes):
            check_stratification(state, axis, value, node)


def note_pooled(state: AnalysisState, value: AnyValue, node: ast.AST) -> None:
    """F is computed once over the labels of all folds, or written out with counts that were summed over them."""
    if isinstance(value, MeasureValue) and value.measure.kind == "f-measure":
        counted = (pooled_axes(state.environment.lookup(name)) for name in names_in(node))
        for axis in value.pooled.union(*counted) - state.active_axes:
            axis.has_pooled_f = True


def mark_parts_of_pooled(state: AnalysisState) -> None:
    """At the end: F of single parts that nobody averages only shows progress, where F of all parts is the result."""
    averaged = NO_AXES.union(*(e.axes for e in state.events if e.name == "reduce" and e.measure.kind == "f-measure"))
    for index, event in enumerate(state.events):
        is_pooled = bool(event.axes) and all(axis.has_pooled_f and axis not in averaged for axis in event.axes)
        if is_pooled and (event.name, event.measure.kind) == ("split", "f-measure"):
            state.events[index] = replace(event, facts={**event.facts, "result": "pooled"})


def splits_no_samples(state: AnalysisState, axis: Axis) -> bool:
    """Whether a split is of patients or of positives: by the names of what its indices take rows from."""
    picked, knowledge = state.indexed_names.get(axis, set()), state.knowledge
    labels = [name for name in picked if are_labels(state, name)]
    rows = [name for name in picked if knowledge.conforms("rows", name) and not knowledge.conforms("positives", name)]
    return bool(picked) and not labels and not rows


def empty_fold_clause(axis: Axis, splitter: Splitter) -> str:
    """The probability of a fold without positives, as a clause of the message; empty where it is unknown."""
    folds = splitter.facts.get("count")
    if axis.size is None or folds is None or splitter.name != "KFold":
        return ""
    samples, positives = axis.size
    if not 2 <= folds <= samples <= MOST_SAMPLES:
        return ""
    probability = p_some_fold_without_positives(samples, positives, folds)
    return (
        f" (with {positives} positives among {samples} samples and {folds} folds, with probability {probability:.2g})"
    )


def has_many_labels(state: AnalysisState, truth: ast.expr | None) -> bool:
    """Whether the true labels are several columns of a frame, ``train[classes].values[test]``.

    No splitter stratifies for several labels. Names are followed to what they were bound to, parameters to arguments.
    """
    level, node, is_whole = len(state.frames) - 1, truth, True  # no column has been taken on the way
    for _ in range(MOST_NAMES):
        frame = state.frames[level]
        match node:
            case ast.Subscript(value=inner, slice=key):
                if takes_several_columns(frame.environment, key) or counts_labels(state, frame, key):
                    return True
                node, is_whole = inner, is_whole and not isinstance(key, ast.Constant)
            case ast.Attribute(value=inner, attr=attr):
                node, is_whole = inner, is_whole and attr in DATA_ATTRIBUTES
            case ast.Call(func=ast.Attribute(value=inner)):
                node, is_whole = inner, False
            case ast.Name(id=name):
                if is_whole and takes_columns_of(frame, name):
                    return True
                holder = frame.environment.defining_environment(name)
                argument = frame.argument(name) if level and holder is frame.environment else None
                level -= argument is not None
                node = argument or (holder.definitions.get(name) if holder is not None else None)
            case _:
                return False
    return False


def takes_columns_of(frame: Frame, name: str) -> bool:
    """Whether code counts the columns of labels, or takes some: ``y_test.shape[1]``, ``y_test[:, i]``."""
    return name in names_with_columns(frame.node)


@kept_for_file(64)
def names_with_columns(code: ast.AST) -> frozenset[str]:
    """The names whose columns a function or module counts or takes."""
    taken = set()
    for node in nodes_in(code, ast.Subscript):
        match node:
            case ast.Subscript(ast.Attribute(ast.Name(id=base), "shape"), ast.Constant(value=1)):
                taken.add(base)
            case ast.Subscript(ast.Name(id=base), ast.Tuple([ast.Slice(None, None, None), ast.Name()])):
                taken.add(base)
    return frozenset(taken)


def counts_labels(state: AnalysisState, frame: Frame, key: ast.expr) -> bool:
    """Whether code counts the columns of a key, or takes one after another, so that there are several of them.

    ``frame[labels]`` is several columns where a loop runs over ``labels``, or ``len(labels)`` is asked for. What varies
    over folds is rows.
    """
    if not isinstance(key, ast.Name) or has_fold_axis(axes_of(frame.environment.lookup(key.id) or Data())):
        return False
    return key.id in names_gone_through(frame.node, state.knowledge.groups["counts-entries"])


@kept_for_file(64)
def names_gone_through(code: ast.AST, counting: frozenset[str]) -> frozenset[str]:
    """The names that loops of a function or module run over, or that functions count."""
    given = [call.args for call in nodes_in(code, ast.Call) if called_name(call.func) in counting]
    loops = [loop.iter for loop in nodes_in(code, ast.For)]
    taken = [loop.iter for loop in nodes_in(code, ast.comprehension)]
    sources = (*loops, *taken, *(argument for arguments in given for argument in arguments))
    return frozenset(node.id for node in sources if isinstance(node, ast.Name))


def takes_several_columns(environment: Environment, key: ast.expr) -> bool:
    """Whether a key takes several columns: ``["a", "b"]``, a name for such a list, ``columns[2:-2]``, ``:, 1:7``."""
    match key:
        case ast.List(elts=elts):
            return len(elts) > 1 and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in elts)
        case ast.Name(id=name):
            home = environment.defining_environment(name)
            return (
                home is not None
                and isinstance(listed := home.definitions.get(name), (ast.List, ast.ListComp))
                and (isinstance(listed, ast.ListComp) or takes_several_columns(environment, listed))
            )
        case ast.Subscript(value=columns, slice=ast.Slice(lower=lower)):
            return "columns" in names_in(columns) and not isinstance(lower, ast.UnaryOp)
        case ast.Tuple(elts=[ast.Slice(), ast.Slice(lower=None, upper=ast.Constant(value=int() as b))]):
            return b > 1
        case ast.Tuple(
            elts=[ast.Slice(), ast.Slice(lower=ast.Constant(value=int() as a), upper=ast.Constant(value=int() as b))]
        ):
            return b - a > 1
        case _:
            return False
