"""Calls of methods, known by their names: the knowledge names an effect, and the effect has a transfer function.

Of every method called ``mean`` the knowledge says ``effect = "reduce"`` (``rules/knowledge/methods.toml``), so that
``scores.mean()`` goes to `reduce_method`, whatever ``scores`` is. Library objects (transformers, resamplers, searches,
metric objects) come first: their role says what ``fit`` or ``compute`` does.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import check_fit, check_transform
from cvlint.analysis.checkers.leakage.own_statistics import check_projection
from cvlint.analysis.checkers.leakage.unknown_transformers import (
    TRANSFORMING,
    check_fitted_part,
    check_unknown_transformer,
    name_of_transformer,
)
from cvlint.analysis.checkers.rows.learning import given_to_keep, learns_from_values
from cvlint.analysis.domain.codomain import CLASS
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.taint_label import choices_in
from cvlint.analysis.domain.value import PREDICTION, AnyValue, Const, Data, LibraryObject
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.dispatch.effects import METHOD_TRANSFERS
from cvlint.analysis.models.dispatch.python_code import python_method
from cvlint.analysis.models.experiment.cross_validation import fit_search, told_search
from cvlint.analysis.models.experiment.estimators import (
    transformed_data,
)
from cvlint.analysis.models.experiment.metric_objects import call_metric_object_method, compute_of_evaluator
from cvlint.analysis.models.experiment.predictions import evaluate_model, evaluate_predictions
from cvlint.analysis.models.experiment.sampling import resample
from cvlint.analysis.models.experiment.scorers import told_evaluator
from cvlint.analysis.models.experiment.training_loops import evaluate_loaded
from cvlint.analysis.models.texts import text_by_method
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taken_arguments
from cvlint.knowledge.schema import Entry

CLUSTERING = ("fit", "predict", "fit_predict")
PASSING_EFFECTS = ("python", "map", "submit")  # they pass their arguments on


def call_library_method(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """The value of ``base.name(...)``, where ``base`` is no object of a class of the project."""
    entry = state.knowledge.methods.get(func.attr)
    match base:
        case Const(value=str() as text) if (
            func.attr in state.knowledge.groups["makes-texts"]
            and (made := text_by_method(text, func.attr, arguments)) is not None
        ):
            return made
        case LibraryObject(role="state"):
            return call_metric_object_method(state, base, func.attr, arguments, node)
        case LibraryObject() if (told := told_by_setter(base, func.attr, arguments)) is not None:
            return told_object(state, base, told)
        case LibraryObject(facts={"methods": methods}) if func.attr in methods:
            code = Entry(f"{base.name}.{func.attr}", "python", {"code": methods[func.attr]})
            return python_method(state, base, code, arguments, node)
        case LibraryObject(role="search") if func.attr == "fit":
            return fit_search(state, base, arguments, node)
        case LibraryObject(role="search") if base.facts["transforms"] and func.attr in ("fit_transform", "transform"):
            (
                check_fit(state, node, base.name.rpartition(".")[2])
                if "fit" in func.attr
                else check_transform(state, node)
            )
            return transformed_data(state, base, arguments)
        case LibraryObject(role="estimator", facts={"compiled": _}) if func.attr == "evaluate":
            return evaluate_model(state, base, arguments, node)
        case LibraryObject(role="estimator", facts={"loaded": loaded}) if func.attr == "evaluate":
            return evaluate_loaded(state, loaded, node)
        case LibraryObject(role="scorer") if func.attr == "evaluate":
            return evaluate_predictions(state, base, node)
        case LibraryObject(role="evaluator") if func.attr == "compute":
            return compute_of_evaluator(state, base, arguments, node)
        case LibraryObject(role="transformer") if func.attr in ("fit", "fit_transform") and learns_from_values(base):
            check_fit(state, node, base.name.rpartition(".")[2], kept=given_to_keep(state, base))
            return transformed_data(state, base, arguments) if func.attr == "fit_transform" else base
        case LibraryObject(role="transformer") if func.attr == "fit":  # it learns no more than names of categories
            state.taint = choices_in(state.taint)
            return base
        case LibraryObject(role="transformer") if func.attr in ("fit_transform", "transform", "inverse_transform"):
            check_transform(state, node)
            if learns_from_values(base):
                check_fitted_part(state, node, base.name.rpartition(".")[2])
            return transformed_data(state, base, arguments)
        case LibraryObject(role="estimator") if base.facts.get("predicts") == func.attr:
            state.taint = choices_in(state.taint)
            return unknown_result(state, arguments, base)
        case LibraryObject(role="estimator", facts={"task": "clusters"}) if func.attr in CLUSTERING:
            if func.attr == "predict":
                check_transform(state, node)  # the numbers of the clusters may be features
            else:
                check_fit(state, node, base.name.rpartition(".")[2], is_guess=True)  # they may serve another end
            return base if func.attr == "fit" else Data(state.active_axes, codomain=CLASS, origin=PREDICTION)
        case LibraryObject(role="estimator") if func.attr in ("fit_transform", "transform"):
            check_projection(state, node, base.name.rpartition(".")[2])
            return unknown_result(state, arguments, base)
        case Data(opaque=True) if func.attr in TRANSFORMING:
            check_unknown_transformer(state, node)
        case LibraryObject(role="resampler") if func.attr in ("fit_resample", "fit_sample", "sample"):
            resample(state, node, base.name.rpartition(".")[2], base.facts.get("rows") == "fewer")
            return unknown_result(state, arguments, base)
        case Data(opaque=True) | LibraryObject() if func.attr in state.knowledge.groups["resamples"]:
            resample(state, node, name_of_transformer(state, func.value, "sampler"), fewer=False)  # a pipeline
            return unknown_result(state, arguments, base)
        case LibraryObject(role="dataset") if func.attr in state.knowledge.groups["loader-methods"]:
            return base
    if entry is None or entry.effect not in METHOD_TRANSFERS:
        return unknown_result(state, arguments, base)
    if not isinstance(base, HeapObject) and entry.effect not in PASSING_EFFECTS:
        arguments = taken_arguments(arguments)
    return METHOD_TRANSFERS[entry.effect](state, base, entry, arguments, node)


def told_by_setter(base: LibraryObject, name: str, arguments: Arguments) -> dict[str, AnyValue] | None:
    """The argument that ``setMetricName("f1")`` changes, and its value; None where the method is no setter."""
    if not (name.startswith("set") and name[3:4].isupper() and arguments[0]):
        return None
    return {name[3].lower() + name[4:]: arguments[0][0]}


def told_object(state: AnalysisState, base: LibraryObject, told: dict[str, AnyValue]) -> AnyValue:
    """The object of a library that a setter changes; the setter returns it."""
    match base:
        case LibraryObject(role="search"):
            return told_search(state, base, told)
        case LibraryObject(role="scorer", facts={"call": _}):
            return told_evaluator(state, base, told)
        case _:
            return base
