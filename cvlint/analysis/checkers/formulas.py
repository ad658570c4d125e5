"""Formulas written out by hand: ``2 * p * r / (p + r)``, ``tp / (tp + fp)``, ``(f1_0 + f1_1 + f1_2) / 3``."""

from __future__ import annotations

import ast
import re

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.lattice import as_array, options
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    Measure,
    MeasureValue,
    axes_of,
)
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import is_same_code, names_in

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
WRAPPERS = frozenset(("float", "int", "max", "maximum", "float32", "float64", "abs", "sum", "Fraction"))


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


def resolve_name(state: AnalysisState, node: ast.expr) -> ast.expr:
    """An expression, or what a name that stands for a sum or a product was bound to; not ``tp = tp + more``."""
    if isinstance(node, ast.Name) and not holds_epsilon(state, node):
        found = state.environment.definitions.get(node.id)
        if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add | ast.Mult) and node.id not in names_in(found):
            return found
    return node


def holds_epsilon(state: AnalysisState, node: ast.expr, share: bool = False) -> bool:
    """Whether a name was bound to something with a small number added, which keeps it from zero.

    With ``share`` it may also be bound to a quotient, or a sum or mean of some, with such a number at its top.
    """
    found = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else None
    if share and found is not None:
        quotients = [n for n in ast.walk(found) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        return any(holds_epsilon(state, summand_of(unwrap(quotient.left)[0])) for quotient in quotients)
    if not (isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add)):
        return False
    return any(is_epsilon(state, part) for part in operands(found, ast.Add))


def summand_of(node: ast.expr) -> ast.expr:
    """What is summed: ``tp`` of ``np.sum(tp)`` and of ``tp.sum()``."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sum"), args=[ast.Name() as inner, *_]):
            return inner
        case ast.Call(func=ast.Attribute(attr="sum", value=inner)):
            return inner
        case _:
            return node


def is_epsilon(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a number between 0 and 1, as a literal or by its name: no count, but an epsilon."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and 0 < node.value < 1
    return is_small_term(state, node)


def unwrap(node: ast.expr) -> tuple[ast.expr, bool]:
    """An expression without ``float(…)``; ``max(…, eps)`` and ``… or 1`` guard it."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *more]) if name in WRAPPERS:
            if isinstance(node.func, ast.Attribute) and name == "sum":
                return node, False
            bare, guarded = unwrap(inner)
            return bare, guarded or (bool(more) and name in ("max", "maximum"))
        case ast.Call(func=ast.Attribute(value=inner, attr="astype" | "float")):
            return inner, False
        case ast.Call(func=ast.Attribute(value=inner, attr="clamp" | "clamp_" | "clip" | "replace")):
            return inner, True
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return unwrap(first)[0], True
        case _:
            return node, False


def operands(node: ast.expr, op: type[ast.operator]) -> list[ast.expr]:
    """The operands of a chain of one operator."""
    found: list[ast.expr] = []
    waiting = [node]
    while waiting:
        child = waiting.pop()
        if isinstance(child, ast.BinOp) and isinstance(child.op, op):
            waiting += [child.right, child.left]
        else:
            found.append(child)
    return found


def reciprocal_terms(terms: list[ast.expr]) -> tuple[ast.expr, ...] | None:
    """The parts of ``1/p + 1/r``."""
    parts = [
        t.right
        for t in terms
        if isinstance(t, ast.BinOp) and isinstance(t.op, ast.Div) and isinstance(t.left, ast.Constant)
    ]
    return tuple(parts) if len(parts) == 2 == len(terms) else None


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


def yes_no(fact: bool) -> str:
    """A fact as rules match it."""
    return "yes" if fact else "no"


def binds_f(state: AnalysisState) -> bool:
    """Whether the name that is being bound, or the function around, is that of an F-measure."""
    names = (state.target, getattr(state.frame.node, "name", ""))
    return any(name and state.knowledge.measure_named(name) == "f-measure" for name in names)


def f_of_harmonic_mean(state: AnalysisState, node: ast.Call) -> AnyValue | None:
    """``scipy.stats.hmean([precision, recall])``: guarded, since it takes no zeros."""
    match node.args:
        case [ast.List(elts=[one, other]) | ast.Tuple(elts=[one, other])]:
            return f_from_harmonic_mean(state, node, (one, other), True)
        case _:
            return None


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


def is_cumulative_count(state: AnalysisState, node: ast.expr) -> bool:
    """Whether counts are sums up to each rank of a list, ``np.cumsum(y == 1)``: together they are never 0."""
    name = node.value if isinstance(node, ast.Subscript) else node
    found = state.environment.definitions.get(name.id) if isinstance(name, ast.Name) else name
    return isinstance(found, ast.Call) and "cumsum" in names_in(found.func)


def are_complementary(state: AnalysisState, one: ast.expr, other: ast.expr) -> bool:
    """Whether two counts are of all entries of an array: ``np.sum(top >= 0.5)`` and ``np.sum(top < 0.5)``."""
    asked = [counted_comparison(state, count) for count in (one, other)]
    match asked:
        case [ast.Compare(left=a, ops=[first], comparators=[b]), ast.Compare(left=c, ops=[second], comparators=[d])]:
            return OPPOSITES.get(type(first)) is type(second) and is_same_code(a, c) and is_same_code(b, d)
        case _:
            return False


def counted_comparison(state: AnalysisState, node: ast.expr) -> ast.Compare | None:
    """The comparison whose hits a count counts."""
    count = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    match count:
        case ast.Call(func=ast.Attribute(attr="sum" | "count_nonzero"), args=[ast.Compare() as asked, *_]):
            return asked
        case ast.Call(func=ast.Attribute(value=ast.Compare() as asked, attr="sum")):
            return asked
        case _:
            return None


def weights_true_positives(state: AnalysisState, node: ast.BinOp) -> bool:
    """Whether true positives count otherwise than errors, as in F: ``2 * tp``, ``(fp + fn) / 2``."""
    sides = [resolve_name(state, unwrap(side)[0]) for side in (node.left, node.right)]
    parts = [n for side in sides for n in ast.walk(side) if isinstance(n, ast.BinOp)]
    return any(isinstance(n.op, ast.Mult | ast.Div) for n in parts)


def is_nonzero_literal(value: AnyValue) -> bool:
    """Whether a count is typed in, and not 0."""
    return all(isinstance(v, Const) and isinstance(v.value, int) and v.value != 0 for v in options(value))


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


def last_name(node: ast.expr) -> str:
    """The name that says what an expression is: the last of an attribute, the key of an entry."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute(attr="values" | "T" | "float", value=value) | ast.Call(func=ast.Attribute(value=value)):
            return last_name(value)
        case ast.Attribute():
            return node.attr
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return key
        case ast.Subscript(value=value) | ast.Call(args=[value, *_]):
            return last_name(value)
        case ast.BinOp(left=ast.Constant(), right=right):
            return last_name(right)
        case ast.BinOp(left=left):
            return last_name(left)
        case _:
            return ""


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


def is_small_term(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a term only keeps the divisor from zero."""
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return state.knowledge.conforms("small", name)
        case _:
            return state.knowledge.conforms("small", last_name(node))


def is_guarded(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a test around the formula, or an early exit before it, speaks of what it divides by."""
    guards = state.frame.guards
    if not guards:
        return False
    if any(isinstance(guard, ast.Try | ast.With) for guard in guards):
        return True
    names = names_behind(state, node, 3)
    return any(names & names_in(guard) for guard in guards)


def names_behind(state: AnalysisState, node: ast.AST, depth: int) -> set[str]:
    """The names in an expression, and in the expressions that these names were bound to."""
    found = {n for n in names_in(node) if not isinstance(state.environment.lookup(n), LibraryName)}
    if depth:
        entries = {ast.unparse(n) for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Subscript)}
        for name in (*found, *entries):
            definition = state.environment.definitions.get(name)
            arms = [definition.body, definition.orelse] if isinstance(definition, ast.IfExp) else [definition]
            for arm in arms:  # the test of a conditional value says nothing of the value
                if arm is not None and arm is not node:
                    found |= names_behind(state, arm, depth - 1)
    return {n for n in found if not isinstance(state.environment.lookup(n), LibraryName)}


def numbered_names(node: ast.BinOp) -> tuple[str, ...] | None:
    """The names of a sum whose terms differ in a number only: ``f1_0 + f1_1 + f1_2``."""
    names = [last_name(term) for term in operands(node, ast.Add)]
    stems = {re.sub(r"\d+$", "", name) for name in names}
    numbers = {name[len(stem) :] for stem in stems for name in names}
    if len(stems) == 1 and len(names) >= 3 and len(numbers) == len(names) and "" not in numbers:
        return tuple(names)
    return None


def numbered_axis(state: AnalysisState, node: ast.BinOp, names: tuple[str, ...]) -> Axes:
    """The axis along which numbered values vary: folds, when they were made from numbered folds."""
    for name in names:
        definition = state.environment.definitions.get(name)
        if definition is not None and any(state.knowledge.conforms("fold", n) for n in names_in(definition)):
            step = state.step(definition, "one of the folds, numbered by hand")
            return frozenset((Axis("fold", step),))
    return frozenset((Axis("loop", state.step(node, "values numbered by hand")),))
