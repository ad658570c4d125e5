"""Formulas written by hand."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.guards import (
    are_complementary,
    is_cumulative_count,
    is_guarded,
    is_nonzero_literal,
)
from cvlint.analysis.checkers.formulas.terms import (
    holds_epsilon,
    is_small_term,
    last_name,
    operands,
    reciprocal_terms,
    resolve_name,
    unwrap,
)
from cvlint.analysis.domain.axis import NO_AXES, Axis
from cvlint.analysis.domain.lattice import as_array, options
from cvlint.analysis.domain.value import AnyValue, Data, LibraryObject, Measure, MeasureValue, axes_of
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in


def measure_of_division(state: AnalysisState, node: ast.BinOp) -> AnyValue | None:
    """The measure that a division computes, if it is one of the formulas of F, precision or recall."""
    inner, guarded = unwrap(resolve_name(state, node.right))
    if is_confusion_diagonal(state, node.left) and (kind := kind_by_margin(state, node.right)):
        own, measure = state.step(node, f"{kind} is computed here"), Measure(kind, "none", kind)
        return MeasureValue(state.ongoing_axes(NO_AXES), (new_axes(state, "class", node),), (own,), measure)
    if not (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add)):
        return None
    terms = operands(inner, ast.Add)
    top = resolve_name(state, unwrap(node.left)[0])
    factors = {ast.dump(f): f for part in operands(top, ast.Mult) for f in [unwrap(part)[0]]}
    reciprocal = (
        reciprocal_terms(terms) if set(factors) <= {ast.dump(ast.Constant(2)), ast.dump(ast.Constant(2.0))} else None
    )
    if reciprocal:
        return f_from_harmonic_mean(state, node, reciprocal, guarded)
    shared: list[ast.expr] = []
    others: list[ast.expr] = []
    for term in terms:
        cores = [unwrap(f)[0] for f in operands(unwrap(term)[0], ast.Mult)]
        core = next((f for f in cores if ast.dump(f) in factors and not isinstance(f, ast.Constant)), None)
        (others if core is None else shared).append(term if core is None else core)
    parts = {ast.dump(part): part for part in shared}
    if len(parts) == 2 and len(shared) == 2:
        small = bool(others)
        return f_from_harmonic_mean(state, node, tuple(parts.values()), guarded or small)
    if len(shared) == 1 and 1 <= len(others) <= 3:
        return measure_of_counts(state, node, shared[0], others, guarded)
    return None


def f_from_harmonic_mean(
    state: AnalysisState, node: ast.expr, parts: tuple[ast.expr, ...], guarded: bool
) -> AnyValue | None:
    """F as the harmonic mean of a precision and a recall (known by value, by name, or by the formula alone)."""
    values = [as_array(state.evaluate(state, part)) for part in parts]
    kinds = [kind_of_part(state, part, value) for part, value in zip(parts, values, strict=True)]
    if not {"precision", "recall", None}.issuperset(kinds) or (kinds[0] == kinds[1] and kinds[0] is not None):
        return None
    if None in kinds and not binds_f(state):
        return None
    objects = [v for value in values for v in options(value) if isinstance(v, LibraryObject) and v.role == "state"]
    if objects:  # arithmetic on them gives another, which is computed when it is asked
        return LibraryObject(role="state", facts={**objects[0].facts, "measure": "f-measure", "label": "F"})
    measured = [next((v for v in options(value) if isinstance(v, MeasureValue)), None) for value in values]
    steps = tuple(dict.fromkeys(step for m in measured if m is not None for step in m.trace))
    reduced = [m.averaged_over if m is not None else NO_AXES for m in measured]
    both = reduced[0] | reduced[1] if all(reduced) else NO_AXES
    guarded = guarded or is_guarded(state, node) or any(holds_epsilon(state, part, True) for part in parts)
    own = state.step(node, "F is computed here")
    measure = Measure("f-measure", next((m.measure.average for m in measured if m is not None), None), "F")
    chain = tuple(id(step.node) for step in steps)
    pooled = frozenset[Axis]().union(*(m.pooled for m in measured if m is not None))
    guard = yes_no(guarded)
    state.emit("formula", node, measure, both, steps, shape="harmonic", guarded=guard, chain=chain, pooled=pooled)
    axes = state.ongoing_axes(frozenset().union(*(axes_of(v) for v in values)))
    along = max((m.along for m in measured if m is not None), key=len, default=())
    made = MeasureValue(axes, along, (*steps, own), measure, pooled=pooled)
    state.computed_measures.append(made)
    return made


def f_of_harmonic_mean(state: AnalysisState, node: ast.Call) -> AnyValue | None:
    """``scipy.stats.hmean([precision, recall])``: guarded, since it takes no zeros."""
    match node.args:
        case [ast.List(elts=[one, other]) | ast.Tuple(elts=[one, other])]:
            return f_from_harmonic_mean(state, node, (one, other), True)
        case _:
            return None


def yes_no(fact: bool) -> str:
    """A fact as rules match it."""
    return "yes" if fact else "no"


def binds_f(state: AnalysisState) -> bool:
    """Whether the name that is being bound, or the function around, is that of an F-measure."""
    names = (state.target, getattr(state.frame.node, "name", ""))
    return any(name and state.knowledge.measure_named(name) == "f-measure" for name in names)


def kind_of_part(state: AnalysisState, node: ast.expr, value: AnyValue) -> str | None:
    """Whether a part of a harmonic mean is a precision or a recall; None when nothing says so."""
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
    state: AnalysisState, node: ast.BinOp, top: ast.expr, others: list[ast.expr], guarded: bool
) -> AnyValue | None:
    """Precision ``tp / (tp + fp)``, recall, the Jaccard index, or F from counts ``2 tp / (2 tp + fp + fn)``."""
    value = state.evaluate(state, top)
    name = last_name(top)
    known = state.knowledge
    if not known.conforms("true-positives", name):
        return None
    counted = [o for o in others if not is_small_term(state, o)]
    guarded = guarded or len(counted) < len(others) or is_guarded(state, node) or is_nonzero_literal(value)
    guarded = guarded or any(holds_epsilon(state, term) or is_cumulative_count(state, term) for term in (top, *others))
    guarded = guarded or any(are_complementary(state, top, other) for other in counted)
    roles = {role for other in counted for role in error_counts_in(state, other)}
    match sorted(roles):
        case ["fn", "fp"] if weights_true_positives(state, node):
            kind, label = "f-measure", "F"
        case ["fn", "fp"]:
            kind, label = "jaccard", "the Jaccard index"
        case ["fp"]:
            kind, label = "precision", "precision"
        case ["fn"]:
            kind, label = "recall", "recall"
        case _:
            return None
    pooled = frozenset().union(*(v.pooled for v in options(value) if isinstance(v, Data)))
    axes = state.ongoing_axes(axes_of(value).union(*(axes_of(state.evaluate(state, o)) for o in others))) - pooled
    measure = Measure(kind, "binary", label)
    step = state.step(node, f"{label} is computed here")
    if kind in ("precision", "recall"):
        state.emit("formula", node, measure, shape="ratio", guarded=yes_no(guarded), chain=(), pooled=pooled)
    else:
        state.emit("measure", node, measure, pooled, scores="counts")
    along = (new_axes(state, "class", node),) if is_confusion_diagonal(state, top) else ()
    made = MeasureValue(axes, along, (step,), measure, pooled=pooled)
    state.computed_measures.append(made)
    return made


def weights_true_positives(state: AnalysisState, node: ast.BinOp) -> bool:
    """Whether true positives count otherwise than errors, as in F: ``2 * tp``, ``(fp + fn) / 2``."""
    sides = [resolve_name(state, unwrap(side)[0]) for side in (node.left, node.right)]
    parts = [n for side in sides for n in ast.walk(side) if isinstance(n, ast.BinOp)]
    return any(isinstance(n.op, ast.Mult | ast.Div) for n in parts)


def error_counts_in(state: AnalysisState, node: ast.expr) -> list[str]:
    """Which counts an expression names."""
    texts = {
        last_name(node),
        *(last_name(child) for child in ast.walk(node) if isinstance(child, ast.Name | ast.Attribute)),
    }
    roles = {"fp": "false-positives", "fn": "false-negatives"}
    return [
        role for role, convention in roles.items() if any(state.knowledge.conforms(convention, text) for text in texts)
    ]


def is_confusion_diagonal(state: AnalysisState, node: ast.expr) -> bool:
    """Whether true positives are those of each class, ``np.diag(confusion)``."""
    found = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    return isinstance(found, ast.Call) and bool({"diag", "diagonal"} & names_in(found.func))


def kind_by_margin(state: AnalysisState, node: ast.expr) -> str | None:
    """What the diagonal of a confusion matrix is over its sums along an axis; rows are the true classes."""
    found = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    terms = operands(found, ast.Add) if found is not None else []
    for term in terms:
        match unwrap(term)[0]:
            case ast.Call(func=ast.Attribute(attr="sum"), args=args, keywords=keywords):
                axis = [*args, *(k.value for k in keywords if k.arg == "axis")][-1:]
                value = axis[0].value if axis and isinstance(axis[0], ast.Constant) else None
                return {0: "precision", 1: "recall"}.get(value)  # type: ignore[arg-type]
    return None
