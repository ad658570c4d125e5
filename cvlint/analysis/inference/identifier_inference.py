"""Infer types from identifiers where nothing else is known: ``f1, acc = evaluate(model)``, ``stats["F1"]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from operator import is_

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import join, options
from cvlint.analysis.domain.value import AnyValue, Data, Measure, MeasureValue, Union
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.parsing import walk

MEASURE_LABELS = {
    "f-measure": "F",
    "roc-auc": "ROC AUC",
    "average-precision": "average precision",
    "precision": "precision",
    "recall": "recall",
    "accuracy": "accuracy",
    "precision-at-k": "precision@k",
}


def measure_of_kind(kind: str) -> Measure:
    """A measure of which only the kind is known."""
    return Measure(kind, None, MEASURE_LABELS[kind])


def measure_label(state: AnalysisState, kind: str, name: str) -> str:
    """The label of a measure that only a name suggests: the F-measure of an image is called its Dice coefficient."""
    return "Dice" if kind == "f-measure" and state.knowledge.conforms("overlap", name) else MEASURE_LABELS[kind]


def type_by_name(
    state: AnalysisState, value: AnyValue, name: str, node: ast.AST, beside_measures: bool = False
) -> AnyValue:
    """Type ``value`` by its name if it comes out of code that could not be followed.

    ``beside_measures``: names of measures stand beside it, so that a bare ``f1`` or ``p`` counts as well.
    """
    match value:
        case Data(opaque=False, origin=""):
            return value  # the most frequent kind of data
        case Data(opaque=True, is_plain=True) | Data(origin="quotient"):
            kind = state.knowledge.measure_named(name)
            if kind == "f-measure" and not beside_measures and state.knowledge.conforms("bare-f", name):
                return value
            if kind is None and beside_measures:
                kind = next(
                    (k for k in ("f", "precision", "recall") if state.knowledge.conforms(f"bare-{k}", name)), None
                )
                kind = "f-measure" if kind == "f" else kind
            if kind is None:
                return type_as_out_of_fold(state, value, name, node)
            measure = Measure(kind, None, measure_label(state, kind, name))
            step = state.step(node, f"{name}, by its name {measure}, is computed here", heuristic=True)
            return MeasureValue(value.axes, value.along, (step,), measure)
        case Data(origin="data"):
            return type_as_out_of_fold(state, value, name, node)
        case Union():
            typed = [type_by_name(state, option, name, node, beside_measures) for option in value.options]
            return value if all(map(is_, typed, value.options)) else join(typed)
        case _:
            return value


def type_as_out_of_fold(state: AnalysisState, value: Data, name: str, node: ast.AST) -> Data:
    """Data called ``oof`` that are read or returned whole: the pooled predictions of different folds."""
    if value.pooled or not state.knowledge.conforms("oof", name):
        return value
    if any(axis.kind == "fold" for axis in value.axes | state.active_axes):
        return value
    step = state.step(
        node, f"{name}, by its name, holds out-of-fold predictions of different folds' models", heuristic=True
    )
    return replace(value, pooled=frozenset((Axis("fold", step),)))


def type_by_key(state: AnalysisState, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """Type ``value`` by the key that it is stored under; as a key, even a bare ``"f1"`` says enough."""
    if not (isinstance(key, str) and key):
        return value
    return type_by_name(state, value, key, node, beside_measures=state.knowledge.conforms("bare-f", key))


def named_measures(state: AnalysisState, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """Of several measures, those that a key names: ``means["precision"]`` of a long table of them."""
    found = [option for option in options(value) if isinstance(option, MeasureValue)]
    if len({option.measure.kind for option in found}) < 2:
        return value
    named = type_by_key(state, Data(opaque=True), key, node)
    kept = [o for o in found if isinstance(named, MeasureValue) and o.measure.kind == named.measure.kind]
    return join(kept) if kept else value


def has_measure_name(state: AnalysisState, names: Iterable[str]) -> bool:
    """Whether at least one of ``names`` clearly names a measure."""
    knowledge = state.knowledge
    return any(knowledge.measure_named(name) and not knowledge.conforms("bare-f", name) for name in names)


def mentions_folds(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression names a column or an array of fold numbers."""
    knowledge = state.knowledge
    texts = [c.value for c in walk(node) if isinstance(c, ast.Constant) and isinstance(c.value, str)]
    return any(knowledge.conforms("fold", name) for name in (*names_in(node), *texts))
