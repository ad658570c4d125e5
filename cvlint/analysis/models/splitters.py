"""Splitters, hold-outs, and cross-validation inside a library."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from cvlint.analysis.checkers.leakage import LEARNT, held_out_parts, into_split, is_unused, split_now
from cvlint.analysis.checkers.stratification import split_event
from cvlint.analysis.domain.lattice import UNKNOWN, options, stacked
from cvlint.analysis.domain.value import (
    NO_AXES,
    NO_TAINT,
    AnyValue,
    Axis,
    Const,
    Data,
    HeapObject,
    LibraryObject,
    MeasureValue,
)
from cvlint.analysis.inference.loop_axes import either_splitter
from cvlint.analysis.models.scorers import measured_by_scoring
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import root, taint_of_objects
from cvlint.knowledge.schema import Entry


def splitter_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A splitter is made; its facts tell of what kind."""
    count = given[1].get("n_splits", given[0][0] if given[0] else Const(value=5))
    facts = {
        "count": count.value if isinstance(count, Const) and isinstance(count.value, int) else None,
        "style": entry.facts["style"],
        "labels": entry.facts.get("labels", "one"),
        "stratified": entry.facts["stratified"],
        "step": state.step(node, "this splitter makes the folds"),
    }
    return LibraryObject(role="splitter", name=entry.name.rpartition(".")[2], facts=facts)


def size_of(data: Iterable[AnyValue | None]) -> tuple[int, int] | None:
    """The numbers of samples and positives of the data that are split, where the code says them."""
    return next((v.size for v in data if isinstance(v, Data) and v.size is not None), None)


def hold_out(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``train_test_split``: parts in pairs; in a loop each pass has its own."""
    for axis in state.active:
        if axis.kind == "fold" and axis.splitter is None and axis.heuristic:
            axis.splitter = LibraryObject(role="splitter", name="train_test_split", facts={"style": "hold-out"})
    found = state.taint | taint_of_objects(state, node.args) if isinstance(node, ast.Call) else state.taint
    if any(taint_label.kind in LEARNT for taint_label in found) and not is_unused(state, node):
        into_split(state, found, state.step(node, "the data are split here"), "hold-out")
    held_out_parts(state, node, root(node.args[0]) if isinstance(node, ast.Call) and node.args else "")
    return Data(state.active_axes, codomain="parts")


def pieces(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.array_split``: a list of parts, to be held out one after another."""
    axis = Axis("fold", state.step(node, "the data are cut into parts here"))
    return Data(state.active_axes | {axis}, codomain="fold-pieces")


def cross_val(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``cross_val_score`` and its kin: a loop over folds inside the library."""
    positional, keywords = given
    params = entry.facts.get("params", [])
    bound = dict(zip([*params, "groups", "scoring", "cv"], positional, strict=False)) | keywords
    if len(positional) > len(params) and isinstance(positional[len(params)], Const):
        bound |= dict(zip(["scoring", "cv"], positional[len(params) :], strict=False))
    chosen = [v for v in options(bound.get("cv")) if isinstance(v, LibraryObject)]
    cv = either_splitter(chosen) if chosen else None
    step = state.step(node, "the data are split into folds here")
    axis = Axis("fold", step, cv if cv and cv.role == "splitter" else None)
    if cv is not None and cv.role == "folds":
        axis = cv.facts["axis"]
    axis.size = axis.size or size_of([bound.get("X"), bound.get("y")])
    if isinstance(node, ast.Call):
        split_now(state, axis, node.args[1:3], [k for k in node.keywords if k.arg in ("X", "y")])
    state.taint = NO_TAINT
    scoring = measured_by_scoring(state, bound.get("scoring"), node, axis)
    returns = entry.facts["returns"]
    if returns == "predictions":
        return cross_predicted(state, bound, axis, node)
    for value in scoring.values():
        if isinstance(value, MeasureValue):
            split_event(state, axis, value, node, labels_of(bound.get("estimator")))
    match returns:
        case "scores":
            return scoring.get("score", Data(state.active_axes, (frozenset((axis,)),), opaque=True))
        case "dict":
            keyed: dict[Any, AnyValue] = {
                f"{part}_{key}": value for key, value in scoring.items() for part in ("test", "train")
            }
            unknown = Data(state.active_axes, (frozenset((axis,)),), opaque=True)
            return HeapObject("dict", keyed, None if keyed else unknown, NO_AXES, state.active_axes)
        case "curve":
            scores = scoring.get("score", UNKNOWN)
            sizes = frozenset((Axis("loop", state.step(node, "a loop over sizes")),))
            curve = stacked(scores, sizes) if isinstance(scores, MeasureValue) else UNKNOWN
            return HeapObject(
                "tuple", {i: curve if what == "scores" else Data() for i, what in enumerate(entry.facts["shape"])}
            )
        case _:
            return LibraryObject(role="cv-table", facts={"axis": axis})


def labels_of(estimator: AnyValue | None) -> str:
    """Whether an estimator predicts "many" labels of a sample, for which no splitter stratifies, or "one"."""
    several = any(isinstance(v, LibraryObject) and v.facts.get("labels") == "many" for v in options(estimator))
    return "many" if several else "one"


def cross_predicted(state: AnalysisState, bound: dict[str, AnyValue], axis: Axis, node: ast.AST) -> Data:
    """``cross_val_predict``: the predictions of different folds' models in one array."""
    methods = {v.value for v in options(bound.get("method")) if isinstance(v, Const)}
    heuristic = methods & {"predict_proba", "decision_function", "predict_log_proba"}
    estimator = bound.get("estimator")
    gives = estimator.facts.get("gives") if isinstance(estimator, LibraryObject) else None
    what = "scores" if heuristic else ("scores" if gives == "scores" else "hard")
    if estimator is not None and any(
        isinstance(v, LibraryObject) and v.role == "calibrated" for v in options(estimator)
    ):
        what = "calibrated" if what == "scores" else what
    step = state.step(node, "the predictions of different folds' models are pooled here")
    return Data(state.active_axes, (), (step,), what, frozenset((axis,)))


def search_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A search over parameters: its scores are means over folds."""
    positional, keywords = given
    bound = dict(zip([*entry.facts.get("params", [])], positional, strict=False)) | keywords
    cv = next((v for v in options(bound.get("cv")) if isinstance(v, LibraryObject) and v.role == "splitter"), None)
    axis = Axis("fold", state.step(node, "this search splits the data into folds"), cv)
    scoring = measured_by_scoring(state, bound.get("scoring"), node, axis)
    for value in scoring.values():
        if isinstance(value, MeasureValue):
            split_event(state, axis, value, node, labels_of(bound.get("estimator")))
    estimator = bound.get("estimator")
    gives = estimator.facts.get("gives") if isinstance(estimator, LibraryObject) else "unknown"
    facts = {"scoring": scoring, "axis": axis, "refit": bound.get("refit"), "gives": gives}
    return LibraryObject(role="search", name=entry.name, facts=facts)


def split_of_groups(splitter: LibraryObject) -> LibraryObject:
    """``KFold().split(range(n_drugs))`` splits entities, not samples: there are no classes to stratify by."""
    return LibraryObject(
        role="splitter", name=splitter.name, facts={**splitter.facts, "style": "groups", "stratified": True}
    )
