"""What the measures are measured on that a project computes by itself.

In go a measure that a function of the project returns, or a ratio of counts; out comes the label "measured", as a
measure of a library gets it. `cvlint.analysis.checkers.selections` and its neighbours ask for it.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.selection_bias import COUNTS, check_measured_again, label_measured
from cvlint.analysis.checkers.selections import measured_in
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import PREDICTION, AnyValue, Data, Measure, MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import argument_at, names_in, words_of
from cvlint.analysis.taint import add_taint, labels_in
from cvlint.source.parsing import walk

LEVELS = 2  # so many assignments are looked through for the true labels behind a ratio


def label_returned(
    state: AnalysisState, code: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, result: AnyValue, node: ast.AST
) -> None:
    """``own_f1(y_test, y_pred)``: a function of the project gives a measure, whose labels do not say of what data.

    Or several: ``precision, recall = own_rates(y_pred, y_test)``.
    """
    returned = [e for option in options(result) for e in entries_of(option)]
    found = [option for value in returned for option in options(value) if isinstance(option, MeasureValue)]
    if not found or not isinstance(node, ast.Call) or labels_in(result, "measured"):
        return
    truths = [arg.arg for arg in (*code.args.posonlyargs, *code.args.args) if is_truth(state, arg.arg)]
    if len(truths) == 1:
        truth, measure = argument_at(code, node, truths[0]), found[0].measure
        others = [given for given in (*node.args, *(k.value for k in node.keywords)) if given is not truth]
        label_measured(state, truth, node, measure, others=others)
        state.taint |= check_measured_again(state, str(measure), truth, others)


def entries_of(value: AnyValue) -> tuple[AnyValue, ...]:
    """The entries of a tuple; another value itself."""
    return tuple(value.entries()) if isinstance(value, HeapObject) and value.kind == "tuple" else (value,)


def label_computed(state: AnalysisState, node: ast.BinOp, measure: Measure) -> None:
    """``tp / (tp + fp)``: the data are the true labels that the counts compare, or what a loop takes them from."""
    defined = state.environment.definitions
    parts: list[ast.AST] = [node]
    for _ in range(LEVELS):  # ``tp = (code == 3).sum()``, ``code = 2 * decided + y_true``
        names = frozenset[str]().union(*map(names_in, parts))
        parts = [node, *(defined[name] for name in sorted(names) if name in defined)]
    truths = {n.id: n for part in parts for n in walk(part) if isinstance(n, ast.Name) and is_truth(state, n.id)}
    if len(truths) == 1:
        (truth,) = truths.values()
        visited = defined.get(truth.id)  # the loader that a loop takes the labels from
        data = visited if isinstance(visited, ast.Name) else truth
        for side in (node.left, node.right):
            state.evaluate(state, side)  # the formula was read, and its names were not
        label_measured(state, data, node, measure, others=[node.left, node.right])


def note_cell_counted(state: AnalysisState, target: ast.expr) -> None:
    """``matrix[label, pred] += 1``: a confusion matrix is counted by hand, on these true labels."""
    match target:
        case ast.Subscript(slice=ast.Tuple(elts=[one, other])):
            pass
        case ast.Subscript(value=ast.Subscript(slice=one), slice=other):
            pass
        case _:
            return
    for truth, predicted in ((one, other), (other, one)):
        if is_predicted(state, predicted) and not is_predicted(state, truth) and not isinstance(truth, ast.Constant):
            label_measured(state, truth, target, COUNTS, others=[predicted])
            add_taint(state, target, measured_in(state.taint))


def is_predicted(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression holds predictions, by its names or by where it comes from."""
    if any(state.knowledge.conforms("prediction", word) for word in words_of(node)):
        return True
    value = state.evaluate(state, node)
    return isinstance(value, Data) and value.origin == PREDICTION


def is_truth(state: AnalysisState, name: str) -> bool:
    """Whether a name is one of true labels, and not of predictions (``y_pred``)."""
    return state.knowledge.conforms("truth", name) and not state.knowledge.conforms("prediction", name)
