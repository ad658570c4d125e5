"""Estimators, optimisers, pipelines and transformers.

Effects: ``estimator``, ``optimiser``, ``fit``, ``predict``; methods of a ``transformer``.

``make_pipeline(StandardScaler(), SVC())``, ``model.fit(X, y)``, ``model.predict_proba(X)``, ``scaler.transform(X)``.
The codomain of a prediction says whether it is a hard label or a score.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.own_statistics import label_fit
from cvlint.analysis.checkers.leakage.unknown_transformers import learns_by_its_body, transforms
from cvlint.analysis.checkers.rows.learning import CATEGORIES, learned_from
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import CLASS, NAMED, TOP, Codomain, Kind
from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import codomain_of, options, pooled_axes, vary_over
from cvlint.analysis.domain.taint_label import choices_in
from cvlint.analysis.domain.value import CALIBRATED, PREDICTION, AnyValue, Data, LibraryObject, Union, axes_of
from cvlint.analysis.models.early_stopping import best_epoch_kept, best_round_of_train, choices_at
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import code_of, nodes_in
from cvlint.analysis.taint import add_taint
from cvlint.knowledge.schema import Entry


def estimator_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``SVC()``, ``make_pipeline(StandardScaler(), SVC())``: a pipeline predicts as its last step does."""
    facts = dict(entry.facts)
    if facts.get("gives") == "as-last":
        steps = [v for arg in (*arguments[0], *arguments[1].values()) for v in pipeline_steps(arg)]
        if steps and all(v.role == "transformer" for v in steps) and not ends_in_unknown(arguments):
            return LibraryObject(role="transformer", name=entry.name, facts={"learns": learned_by_steps(steps)})
        facts = dict(steps[-1].facts) if steps and not ends_in_unknown(arguments) else {}
    if isinstance(loaded := arguments[1].get(facts.get("metrics_in", "")), HeapObject):
        facts["loaded"] = loaded.entries()  # functions that the model may have been compiled with
    if "metrics_in" in facts and isinstance(node, ast.Call):
        state.taint |= choices_at(state, arguments, node)
    facts["made_in"] = state.active_axes
    if "stops_by" in facts:
        facts["told"] = arguments[1]
    if "held_out" in facts:
        state.taint |= best_round_of_train(state, entry, arguments, node)
    return LibraryObject(role="estimator", name=entry.name, facts=facts)


def optimiser_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``Adam(model.parameters())`` goes on with a model from where it was left: it is as old as the model."""
    owners = [part.value for part in nodes_in(node, ast.Attribute) if part.attr in entry.facts["weights"]][:1]
    made_in = loops_around_birth(state, owners[0]) if owners else state.active_axes
    facts = {"made_in": made_in, "model": "".join(map(code_of, owners))}
    return LibraryObject(role="optimiser", name=entry.name, facts=facts)


def loops_around_birth(state: AnalysisState, node: ast.expr) -> Axes:
    """The loops around the place where an object was made, or all that are under way where nobody knows it."""
    held = options(state.evaluate(state, node))
    known = [value.allocation_loops for value in held if isinstance(value, Instance)]
    if not known and isinstance(node, ast.Name) and (binder := state.environment.defining_environment(node.id)):
        known = [loops for _, loops in binder.dependences.get(node.id, ())]
    return NO_AXES.union(*known) if known else state.active_axes


def ends_in_unknown(arguments: Arguments) -> bool:
    """Whether nothing is known of the last step of a pipeline: a model, most likely, as ``make_model()`` may be."""
    given = arguments[0][-1:] or [value for name, value in arguments[1].items() if name == "steps"]
    while given and isinstance(given[0], HeapObject) and not isinstance(given[0], Instance):
        given = given[0].entries()[-1:]  # ``Pipeline([("scale", StandardScaler()), ("model", make_model())])``
    return any(isinstance(value, Data) and value.opaque for value in given)


def pipeline_steps(value: AnyValue) -> list[LibraryObject]:
    """The estimators and transformers among the steps of a pipeline."""
    match value:
        case LibraryObject():
            return [value]
        case Instance(cls=ClassValue(node=ast.ClassDef() as cls)) if transforms(cls):
            learns = "values" if learns_by_its_body(cls) else "nothing"
            return [LibraryObject(role="transformer", name=cls.name, facts={"learns": learns})]
        case HeapObject():
            return [step for entry in value.entries() for step in pipeline_steps(entry)]
        case Union():  # ``vectoriser or TfidfVectorizer()``
            return [step for option in value.options for step in pipeline_steps(option)]
        case _:
            return []


def learned_by_steps(steps: list[LibraryObject]) -> str:
    """What a pipeline of transformers learns: "values" where one of its steps learns them, or else "categories"."""
    learned = {learned_from(step) for step in steps}
    return next((kind for kind in ("values", *CATEGORIES) if kind in learned), "nothing")


def fit_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``model.fit(X, y)`` returns the estimator, which now varies as its data do, and keeps what was chosen for it."""
    best = best_epoch_kept(state, base, arguments, node)
    if entry.facts.get("loads"):
        best |= choices_at(state, arguments, node)
    state.taint = choices_in(state.taint) | label_fit(state, node)
    if isinstance(node.func, ast.Attribute):
        add_taint(state, node.func.value, state.taint | best)
    axes = state.active_axes.union(*(axes_of(v) for v in arguments[0]))
    if (
        isinstance(base, Data)
        and base.opaque
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ):
        fitted = vary_over(base, axes)
        state.environment.bind(node.func.value.id, fitted)
        return fitted
    return base


def predict_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``model.predict(X)``, ``model.predict_proba(X)``: hard labels or scores, which vary as the data do."""
    axes = state.active_axes.union(*(axes_of(v) for v in arguments[0]))
    state.taint = choices_in(state.taint)  # predictions are no features
    gives = entry.facts["gives"]
    if entry.name == "predict_classes":
        return Data(axes, codomain=CLASS, origin=PREDICTION)
    if arguments[1].keys() & {"raw_score", "output_margin", "prediction_type"}:
        return Data(axes, origin=PREDICTION)
    if gives == "hard":
        gives = base.facts.get("gives", "unknown") if isinstance(base, LibraryObject) else "unknown"
    codomain = NAMED.get(gives, TOP)
    calibrated = isinstance(base, LibraryObject) and (base.role == "calibrated" or bool(base.facts.get("calibrates")))
    return Data(axes, codomain=codomain, origin=CALIBRATED if calibrated and codomain.is_real else PREDICTION)


def transformed_data(state: AnalysisState, base: LibraryObject, arguments: Arguments) -> AnyValue:
    """What a transformer makes of data: labels become indicators, scores come to a common scale."""
    axes = state.active_axes.union(*(axes_of(v) for v in arguments[0]))
    if base.facts.get("multilabel"):
        return Data(axes, origin="multilabel")
    value = rescaled(arguments[0][0]) if arguments[0] else None
    if arguments[0] and (base.facts.get("learns") == "labels" or codomain_of(arguments[0][0]).is_hard):
        return Data(axes, codomain=CLASS, pooled=pooled_axes(arguments[0][0]))  # each class has one image
    if isinstance(value, Data) and value.is_calibrated:
        return Data(axes, codomain=value.codomain, origin=CALIBRATED)
    return Data(axes)


def rescaled(value: AnyValue) -> AnyValue:
    """Data after a transformation that learns from them: the scores of one fold get the scale of all folds."""
    match value:
        case Data(codomain=Codomain(kind=Kind.REAL), pooled=pooled) if not pooled:
            return replace(value, origin=CALIBRATED)
        case _:
            return value
