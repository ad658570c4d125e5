"""Formulas of precision, recall and F that are written out by hand.

``2 * p * r / (p + r)``, ``tp / (tp + fp)``, ``2 * tp / (2 * tp + fp + fn)``, ``np.diag(c) / c.sum(axis=0)``. Event
``formula``: CVL102 (precision and recall are means over folds), CVL402 (``guarded="no"``), CVL403 (they are macro
averages). F of counts is a ``measure`` event.
"""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.checkers.formulas.f_definition import agree, f_beta
from cvlint.analysis.checkers.formulas.formula_evaluation import EvaluationPoint, FormulaEvaluator, NotAFormula
from cvlint.analysis.checkers.formulas.guards import (
    are_complementary,
    are_of_all_classes,
    is_cumulative_count,
    is_guarded,
    is_nonzero_literal,
    is_rest_of,
)
from cvlint.analysis.checkers.formulas.terms import (
    count_of,
    holds_epsilon,
    is_small_term,
    last_name,
    operands,
    reciprocal_terms,
    resolve_name,
    unwrap,
)
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, options
from cvlint.analysis.domain.value import AnyValue, Data, LibraryObject, Measure, MeasureValue, axes_of
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.parsing import walk

LABELS_OF_RATIOS = {
    "f-measure": "F",
    "jaccard": "the Jaccard index",
    "precision": "precision",
    "recall": "recall",
}


def measure_of_division(state: AnalysisState, node: ast.BinOp) -> AnyValue | None:
    """The measure that a division computes, if it is one of the formulas of F, precision or recall."""
    divisor, guarded = unwrap(resolve_name(state, node.right))
    if (kind := kind_by_margin(state, node.right)) and (found := measure_of_margin(state, node, kind)) is not None:
        return found
    if not (isinstance(divisor, ast.BinOp) and isinstance(divisor.op, ast.Add)):
        return None
    terms = operands(divisor, ast.Add)
    numerator = resolve_name(state, unwrap(node.left)[0])
    factors = {ast.dump(f): f for part in operands(numerator, ast.Mult) for f in [unwrap(part)[0]]}
    is_harmonic = all(isinstance(f, ast.Constant) and f.value in (1, 2) for f in factors.values())
    reciprocal = reciprocal_terms(terms) if is_harmonic else None
    if reciprocal:
        return f_from_harmonic_mean(state, node, reciprocal, guarded)
    shared_factors: list[ast.expr] = []
    other_terms: list[ast.expr] = []
    for term in terms:
        factors_of_term = [unwrap(f)[0] for f in operands(unwrap(term)[0], ast.Mult)]
        shared_factor = next(
            (f for f in factors_of_term if ast.dump(f) in factors and not isinstance(f, ast.Constant)), None
        )
        (other_terms if shared_factor is None else shared_factors).append(
            term if shared_factor is None else shared_factor
        )
    distinct_factors = {ast.dump(part): part for part in shared_factors}
    if len(distinct_factors) == 2 and len(shared_factors) == 2:
        is_padded = bool(other_terms)
        return f_from_harmonic_mean(state, node, tuple(distinct_factors.values()), guarded or is_padded)
    if len(shared_factors) == 1 and 1 <= len(other_terms) <= 3:
        return measure_of_counts(state, node, shared_factors[0], other_terms, guarded)
    return None


def f_from_harmonic_mean(
    state: AnalysisState, node: ast.expr, parts: tuple[ast.expr, ...], guarded: bool
) -> AnyValue | None:
    """F as the harmonic mean of a precision and a recall, which values, names or the formula itself reveal."""
    values = [measure_of_column(as_array(state.evaluate(state, part))) for part in parts]
    kinds = [kind_of_part(state, part, value) for part, value in zip(parts, values, strict=True)]
    if not {"precision", "recall", None}.issuperset(kinds) or (kinds[0] == kinds[1] and kinds[0] is not None):
        return None
    if None in kinds and not (binds_f(state) or share_numerator(state, parts)):
        return None
    metric_objects = [
        v for value in values for v in options(value) if isinstance(v, LibraryObject) and v.role == "state"
    ]
    if metric_objects:  # arithmetic on metric objects gives a metric object
        return LibraryObject(role="state", facts={**metric_objects[0].facts, "measure": "f-measure", "label": "F"})
    measured = [most_reduced(value) for value in values]
    steps = tuple(dict.fromkeys(step for m in measured if m is not None for step in m.trace))
    reduced = [m.averaged_over if m is not None else NO_AXES for m in measured]
    reduced_in_both = reduced[0] | reduced[1] if all(reduced) else NO_AXES
    guarded = guarded or is_guarded(state, node) or any(is_never_zero(state, part) for part in parts)
    own_step = state.step(node, "F is computed here")
    measure = Measure("f-measure", next((m.measure.average for m in measured if m is not None), None), "F")
    chain = tuple(id(step.node) for step in steps)
    pooled = frozenset[Axis]().union(*(m.pooled for m in measured if m is not None))
    state.emit(
        "formula",
        node,
        measure,
        reduced_in_both,
        steps,
        shape="harmonic",
        guarded=yes_no(guarded),
        chain=chain,
        pooled=pooled,
    )
    axes = state.ongoing_axes(frozenset().union(*(axes_of(v) for v in values)))
    along = max((m.along for m in measured if m is not None), key=len, default=())
    f_value = MeasureValue(axes, along, (*steps, own_step), measure, pooled=pooled)
    state.note_measure(f_value)
    return f_value


def is_never_zero(state: AnalysisState, part: ast.expr) -> bool:
    """Whether a precision or recall holds an epsilon, or is typed in, or of hits that are: ``91 / (91 + fp)``."""
    made = state.environment.definitions.get(part.id) if isinstance(part, ast.Name) else part
    typed = unwrap(made.left)[0] if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Div) else part
    return holds_epsilon(state, part, True) or is_nonzero_literal(state.evaluate(state, typed))


def most_reduced(value: AnyValue) -> MeasureValue | None:
    """The measure that a value is; of several, one that was averaged."""
    found = [option for option in options(value) if isinstance(option, MeasureValue)]
    return next((option for option in found if option.averaged_over), found[0] if found else None)


def measure_of_column(value: AnyValue) -> AnyValue:
    """The measure in a table of one column, which the mean of a frame leaves; other values as they are."""
    entries = value.entries() if isinstance(value, HeapObject) and value.kind in ("table", "frame") else []
    return entries[0] if len(entries) == 1 and isinstance(entries[0], MeasureValue) else value


def f_of_counts(state: AnalysisState, node: ast.BinOp) -> AnyValue | None:
    """F of counts in another form: ``2 * tp / (n + tp - tn)``."""
    if not is_f1(state, node):
        return None
    held = (state.environment.lookup(name) for name in sorted(names_in(node)))
    values = [option for value in held if value is not None for option in options(as_array(value))]
    data = [value for value in values if isinstance(value, Data)]
    pooled = NO_AXES.union(*(value.pooled for value in data))
    axes = state.ongoing_axes(NO_AXES.union(*(axes_of(value) for value in data))) - pooled
    measure = Measure("f-measure", "binary", "F")
    state.emit("measure", node, measure, pooled, scores="counts")
    measured = MeasureValue(axes, (), (state.step(node, "F is computed here"),), measure, pooled=pooled)
    state.note_measure(measured)
    return measured


def is_f1(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a formula of counts has the value of F1."""
    points = [EvaluationPoint(31, 7, 19, 101, 1.0), EvaluationPoint(5, 11, 2, 83, 1.0)]
    evaluator = FormulaEvaluator(state)
    try:
        values = [evaluator.evaluate(node, point) for point in points]
    except (NotAFormula, ArithmeticError, ValueError, TypeError):
        return False
    return "true-positives" in evaluator.roles and agree(values, [f_beta(point) for point in points])


def f_from_hmean_call(state: AnalysisState, node: ast.Call) -> AnyValue | None:
    """``scipy.stats.hmean([precision, recall])``: guarded, since ``hmean`` refuses zeros."""
    match node.args:
        case [ast.List(elts=[one, other]) | ast.Tuple(elts=[one, other])]:
            return f_from_harmonic_mean(state, node, (one, other), True)
        case _:
            return None


def share_numerator(state: AnalysisState, parts: tuple[ast.expr, ...]) -> bool:
    """Whether parts are ``hits / (hits + a)`` and ``hits / (hits + b)``: precision and recall, whatever their names."""
    ratios = [ratio_in(state, part) for part in parts]
    known = [ratio for ratio in ratios if ratio is not None]
    return len(known) == 2 and known[0][0] == known[1][0] and known[0][1] != known[1][1]


def ratio_in(state: AnalysisState, node: ast.expr) -> tuple[str, tuple[str, ...]] | None:
    """The numerator of ``hits / (hits + a)``, and what stands beside it in the divisor; None for other expressions."""
    made = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    match unwrap(made)[0] if made is not None else None:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            numerator = ast.dump(unwrap(left)[0])
            terms = [ast.dump(unwrap(t)[0]) for t in operands(unwrap(resolve_name(state, right))[0], ast.Add)]
            others = tuple(term for term in terms if term != numerator)
            return (numerator, others) if 0 < len(others) < len(terms) else None
        case _:
            return None


def yes_no(fact: bool) -> str:
    """A fact in the words of the rules."""
    return "yes" if fact else "no"


def binds_f(state: AnalysisState) -> bool:
    """Whether the statement binds the name of an F-measure, or the function has such a name."""
    names = (state.target, getattr(state.frame.node, "name", ""))
    known = state.knowledge
    return any(n and (known.measure_named(n) == "f-measure" or known.conforms("bare-f", n)) for n in names)


def kind_of_part(state: AnalysisState, node: ast.expr, value: AnyValue) -> str | None:
    """The measure that a part of a harmonic mean is, by value or by name; None where it is unknown."""
    for option in options(value):
        if isinstance(option, MeasureValue):
            return option.measure.kind
        if isinstance(option, LibraryObject) and option.role == "state":
            return str(option.facts["measure"])
    name = last_name(node)
    for kind in ("precision", "recall"):
        if state.knowledge.conforms(kind, name) or state.knowledge.conforms(f"bare-{kind}", name):
            return kind
    return "specificity" if state.knowledge.conforms("specificity", name) else state.knowledge.measure_named(name)


def measure_of_counts(
    state: AnalysisState, node: ast.BinOp, true_positives: ast.expr, others: list[ast.expr], guarded: bool
) -> AnyValue | None:
    """Precision ``tp / (tp + fp)``, recall, the Jaccard index, or F from counts ``2 tp / (2 tp + fp + fn)``."""
    value = state.evaluate(state, true_positives)
    if count_of(state, true_positives) != "true-positives":
        return None
    error_terms = [o for o in others if not is_small_term(state, o)]
    kind = kind_by_errors(state, node, error_terms)
    if kind is None:
        return None
    guarded = guarded or len(error_terms) < len(others) or is_guarded(state, node) or is_nonzero_literal(value)
    guarded = guarded or are_never_all_zero(state, true_positives, others, error_terms)
    if kind == "recall":  # of all positives, whose number is no matter of the model
        guarded = guarded or any(is_rest_of(state, term, true_positives) for term in error_terms)
    pooled = frozenset().union(*(v.pooled for v in options(value) if isinstance(v, Data)))
    axes = state.ongoing_axes(axes_of(value).union(*(axes_of(state.evaluate(state, o)) for o in others))) - pooled
    measure = Measure(kind, "binary", LABELS_OF_RATIOS[kind])
    step = state.step(node, f"{measure.label} is computed here")
    if kind in ("precision", "recall"):
        in_folds = yes_no(any(axis.kind == "fold" for axis in axes | state.active_axes))
        facts = dict[str, Any](guarded=yes_no(guarded), in_folds=in_folds, chain=(), pooled=pooled)
        state.emit("formula", node, measure, shape="ratio", **facts)
    else:
        state.emit("measure", node, measure, pooled, scores="counts")
    along = (new_axes(state, "class", node),) if is_confusion_diagonal(state, true_positives) else ()
    for axis in loops_along_diagonal(state, true_positives):
        axis.is_class_axis = True
    measured = MeasureValue(axes, along, (step,), measure, pooled=pooled)
    state.note_measure(measured)
    return measured


def kind_by_errors(state: AnalysisState, node: ast.BinOp, error_terms: list[ast.expr]) -> str | None:
    """The measure of counts whose divisor holds these errors beside the true positives; None where it is none."""
    roles = {role for term in error_terms for role in error_counts_in(state, term)}
    match sorted(roles):
        case ["fn", "fp"]:
            return "f-measure" if weights_true_positives(state, node) else "jaccard"
        case ["fp"]:
            return "precision"
        case ["fn"]:
            return "recall"
        case _:
            return None


def are_never_all_zero(
    state: AnalysisState, true_positives: ast.expr, others: list[ast.expr], error_terms: list[ast.expr]
) -> bool:
    """Whether the counts of a divisor cannot all be zero: by an epsilon, or by the way they are counted."""
    if any(holds_epsilon(state, term) or is_cumulative_count(state, term) for term in (true_positives, *others)):
        return True
    if are_of_all_classes(state, true_positives, error_terms):
        return True
    return any(are_complementary(state, true_positives, term) for term in error_terms)


def weights_true_positives(state: AnalysisState, node: ast.BinOp) -> bool:
    """Whether true positives count twice as much as errors, as in F: ``2 * tp``, ``(fp + fn) / 2``."""
    sides = [resolve_name(state, unwrap(side)[0]) for side in (node.left, node.right)]
    parts = [n for side in sides for n in walk(side) if isinstance(n, ast.BinOp)]
    return any(isinstance(n.op, (ast.Mult, ast.Div)) for n in parts)


def error_counts_in(state: AnalysisState, node: ast.expr) -> list[str]:
    """The counts of errors that an expression names: "fp", "fn"."""
    parts = [child for child in walk(node) if isinstance(child, (ast.Name, ast.Attribute))]
    found = {count_of(state, part) for part in (node, *parts)}
    return [role for role, count in (("fp", "false-positives"), ("fn", "false-negatives")) if count in found]


def is_confusion_diagonal(state: AnalysisState, node: ast.expr) -> bool:
    """Whether true positives are those of each class, ``np.diag(confusion)``."""
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    return isinstance(definition, ast.Call) and bool({"diag", "diagonal"} & names_in(definition.func))


def loops_along_diagonal(state: AnalysisState, node: ast.expr) -> Axes:
    """The loops over classes in which true positives are ``confusion[c][c]`` or ``confusion[c, c]``."""
    match state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node:
        case (
            ast.Subscript(value=ast.Subscript(slice=row), slice=column)
            | ast.Subscript(slice=ast.Tuple(elts=[row, column]))
        ) if ast.dump(row) == ast.dump(column):
            return axes_of(state.evaluate(state, row)) & state.active_axes
        case _:
            return NO_AXES


def measure_of_margin(state: AnalysisState, node: ast.BinOp, kind: str) -> MeasureValue | None:
    """``np.diag(cm) / cm.sum(axis=1)`` of all classes, and ``cm[c, c] / cm[c].sum()`` of each in a loop."""
    step, hits = state.step(node, f"{kind} is computed here"), unwrap(node.left)[0]
    if is_confusion_diagonal(state, hits):
        measure = Measure(kind, "none", kind)
        return MeasureValue(state.ongoing_axes(NO_AXES), (new_axes(state, "class", node),), (step,), measure)
    loops = loops_along_diagonal(state, hits)
    for axis in loops:
        axis.is_class_axis = True
    axes = state.ongoing_axes(loops | axes_of(state.evaluate(state, hits)))
    return MeasureValue(axes, (), (step,), Measure(kind, "binary", kind)) if loops else None


def kind_by_margin(state: AnalysisState, node: ast.expr) -> str | None:
    """The measure of the diagonal of a confusion matrix over its sums along an axis, where rows are true classes.

    ``cm.sum(axis=1)`` and ``cm[c].sum()`` are sums of rows, ``cm.sum(axis=0)`` and ``cm[:, c].sum()`` of columns.
    """
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    terms = operands(definition, ast.Add) if definition is not None else []
    for term in terms:
        match unwrap(term)[0]:
            case (
                ast.Call(func=ast.Attribute(attr="sum", value=ast.Subscript(slice=key)), args=[], keywords=[])
                | ast.Call(func=ast.Name(id="sum") | ast.Attribute(attr="sum"), args=[ast.Subscript(slice=key)])
            ):
                is_column = isinstance(key, ast.Tuple) and bool(key.elts) and isinstance(key.elts[0], ast.Slice)
                return "precision" if is_column else "recall"
            case ast.Call(func=ast.Attribute(attr="sum"), args=args, keywords=keywords):
                axis = [*args, *(k.value for k in keywords if k.arg == "axis")][-1:]
                value = axis[0].value if axis and isinstance(axis[0], ast.Constant) else None
                return {0: "precision", 1: "recall"}.get(value)  # type: ignore[arg-type]
    return None
