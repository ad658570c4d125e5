"""Cross-validation and parameter searches inside a library. Effects: ``cross-val``, ``search``.

``cross_val_score(model, X, y, scoring="f1")``, ``cross_validate(...)``, ``cross_val_predict(...)``,
``learning_curve(...)``, ``GridSearchCV(model, grid, scoring="f1")``: the loop over folds is in the library, and so the
axis of the folds is made here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from cvlint.analysis.checkers.leakage.learned import check_fit, check_split_arguments
from cvlint.analysis.checkers.undefined_folds.stratification import check_stratification
from cvlint.analysis.domain.axis import NO_AXES, Axis
from cvlint.analysis.domain.codomain import CLASS, NAMED, REAL
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, options, stack_along
from cvlint.analysis.domain.taint_label import NO_COLUMNS, NO_TAINT, TaintLabel
from cvlint.analysis.domain.value import CALIBRATED, PREDICTION, AnyValue, Const, Data, LibraryObject, MeasureValue
from cvlint.analysis.inference.loop_axes import join_splitters
from cvlint.analysis.models.experiment.scorers import measured_by_scoring, withdraw_labels
from cvlint.analysis.models.experiment.splitters import known_size
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.schema import Entry


def cross_val_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``cross_val_score(model, X, y, scoring="f1")`` and the like: a loop over folds inside the library."""
    bound = bound_cross_val_arguments(entry, arguments)
    axis = fold_axis(state, bound, node)
    if isinstance(node, ast.Call):
        check_split_arguments(state, axis, node.args[1:3], [k for k in node.keywords if k.arg in ("X", "y")])
    state.taint = NO_TAINT
    scoring = measured_by_scoring(state, bound.get("scoring"), node, axis)
    withdraw_labels(state, bound.get("scoring"), bound.get("estimator"))
    if entry.facts["returns"] == "predictions":
        return cross_val_predictions(state, bound, axis, node)
    check_scored_parts(state, axis, scoring, bound.get("estimator"), node)
    result = cross_val_result(state, entry, scoring, axis, node)
    told = frozenset(result.fields) if isinstance(result, HeapObject) and result.kind == "dict" else NO_COLUMNS
    state.taint = frozenset((TaintLabel("scored", axis.step, columns=told),))  # not ``result["estimator"]``
    return result


def bound_cross_val_arguments(entry: Entry, arguments: Arguments) -> dict[str, AnyValue]:
    """The arguments by their names; a literal right after X and y is the scoring, as in old versions."""
    positional, keywords = arguments
    params = entry.facts.get("params", [])
    bound = dict(zip([*params, "groups", "scoring", "cv"], positional, strict=False)) | keywords
    if len(positional) > len(params) and isinstance(positional[len(params)], Const):
        bound |= dict(zip(["scoring", "cv"], positional[len(params) :], strict=False))
    return bound


def fold_axis(state: AnalysisState, bound: dict[str, AnyValue], node: ast.AST) -> Axis:
    """The axis of the folds: that of ``cv=splitter.split(X, y)``, else a new one with the splitter of ``cv=``."""
    splitters = [v for v in options(bound.get("cv")) if isinstance(v, LibraryObject)]
    cv = join_splitters(splitters) if splitters else None
    step = state.step(node, "the data are split into folds here")
    axis = Axis("fold", step, cv if cv and cv.role == "splitter" else None)
    if cv is not None and cv.role == "folds":
        axis = cv.facts["axis"]
    axis.size = axis.size or known_size([bound.get("X"), bound.get("y")])
    return axis


def check_scored_parts(
    state: AnalysisState, axis: Axis, scoring: dict[str, AnyValue], estimator: AnyValue | None, node: ast.AST
) -> None:
    """Each measure of a ``scoring=`` argument is computed in the test parts of a split, which may lack a class."""
    for value in scoring.values():
        if isinstance(value, MeasureValue):
            check_stratification(state, axis, value, node, labels_of(estimator))


def cross_val_result(
    state: AnalysisState, entry: Entry, scoring: dict[str, AnyValue], axis: Axis, node: ast.AST
) -> AnyValue:
    """What the call returns: an array over folds, a dict of arrays, the arrays of a learning curve, or a table."""
    unknown = Data(state.active_axes, (frozenset((axis,)),), opaque=True)
    match entry.facts["returns"]:
        case "scores":
            return scoring.get("score", unknown)
        case "dict":
            keyed: dict[Any, AnyValue] = {
                f"{part}_{key}": value for key, value in scoring.items() for part in ("test", "train")
            }
            return HeapObject("dict", keyed, None if keyed else unknown, NO_AXES, state.active_axes)
        case "curve":
            scores = scoring.get("score", UNKNOWN)
            sizes = frozenset((Axis("loop", state.step(node, "a loop over sizes")),))
            curve = stack_along(scores, sizes) if isinstance(scores, MeasureValue) else UNKNOWN
            return HeapObject(
                "tuple", {i: curve if part == "scores" else Data() for i, part in enumerate(entry.facts["shape"])}
            )
        case _:
            return LibraryObject(role="cv-table", facts={"axis": axis})


def labels_of(estimator: AnyValue | None) -> str:
    """How many labels an estimator predicts for a sample: "many", for which no splitter stratifies, or "one"."""
    predicts_many = any(isinstance(v, LibraryObject) and v.facts.get("labels") == "many" for v in options(estimator))
    return "many" if predicts_many else "one"


def cross_val_predictions(state: AnalysisState, bound: dict[str, AnyValue], axis: Axis, node: ast.AST) -> Data:
    """``cross_val_predict(model, X, y)``: the predictions of different folds' models in one array."""
    methods = [state.knowledge.methods.get(str(v.value)) for v in options(bound.get("method")) if isinstance(v, Const)]
    given = [NAMED[entry.facts["gives"]] for entry in methods if entry is not None and "gives" in entry.facts]
    estimator = bound.get("estimator")
    gives = estimator.facts.get("gives") if isinstance(estimator, LibraryObject) else None
    codomain = next((c for c in given if not c.is_finite), REAL if gives == "scores" else CLASS)
    calibrated = any(isinstance(v, LibraryObject) and v.role == "calibrated" for v in options(estimator))
    step = state.step(node, "the predictions of different folds' models are pooled here")
    origin = CALIBRATED if calibrated and codomain.is_real else PREDICTION
    return Data(state.active_axes, (), (step,), codomain, frozenset((axis,)), origin=origin)


def search_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``GridSearchCV(model, grid, scoring="f1")``: the scores of a search are means over folds."""
    positional, keywords = arguments
    bound = dict(zip([*entry.facts.get("params", [])], positional, strict=False)) | keywords
    cv = next((v for v in options(bound.get("cv")) if isinstance(v, LibraryObject) and v.role == "splitter"), None)
    axis = Axis("fold", state.step(node, "this search splits the data into folds"), cv)
    scoring = measured_by_scoring(state, scoring_of_search(entry, bound), node, axis)
    estimator = bound.get("estimator")
    withdraw_labels(state, bound.get("scoring"), estimator)
    check_scored_parts(state, axis, scoring, estimator, node)
    gives = estimator.facts.get("gives") if isinstance(estimator, LibraryObject) else "unknown"
    facts = {"scoring": scoring, "axis": axis, "refit": bound.get("refit"), "gives": gives}
    facts |= {key: entry.facts.get(key) for key in ("means", "told_in_fit", "transforms", "learns")}
    return LibraryObject(role="search", name=entry.name, facts={**facts, "call": (entry, bound, node)})


def scoring_of_search(entry: Entry, bound: Mapping[str, AnyValue]) -> AnyValue | None:
    """What a search measures in each fold, where its arguments say it; the library may have other words for it."""
    required = entry.facts.get("only_if", {})
    if any(not isinstance(v := bound.get(k), Const) or v.value != text for k, text in required.items()):
        return None
    if any(isinstance(v := bound.get(k), Const) and v.value == t for k, t in entry.facts.get("never_if", {}).items()):
        return None
    scoring = bound.get(entry.facts.get("scoring", "scoring"))
    words = entry.facts.get("scorers", {})
    if isinstance(scoring, Const) and scoring.value in words:
        return Const(value=words[scoring.value])
    return scoring


def told_search(state: AnalysisState, base: LibraryObject, told: Mapping[str, AnyValue]) -> AnyValue:
    """A search that gets more arguments after it was made: by setters, or in ``fit``."""
    entry, bound, node = base.facts["call"]
    return search_call(state, entry, ([], {**bound, **told}), node)


def fit_search(state: AnalysisState, base: LibraryObject, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``search.fit(X, y)``: the search may measure what ``fit`` is told, and may choose the columns of the data."""
    if base.facts["told_in_fit"]:
        told = told_search(state, base, arguments[1])
        if isinstance(told, LibraryObject):
            base.facts.update(told.facts)
    base.facts["fitted"] = taint_at(state, *node.args, *(k.value for k in node.keywords))
    if base.facts["transforms"]:
        check_fit(state, node, base.name.rpartition(".")[2])
    return base
