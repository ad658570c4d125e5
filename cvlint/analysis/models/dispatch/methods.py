"""Calls of methods, known by their names: the knowledge names an effect, and the effect has a transfer function.

Of every method called ``mean`` the knowledge says ``effect = "reduce"`` (``rules/knowledge/methods.toml``), so that
``scores.mean()`` goes to `reduce_method`, whatever ``scores`` is. Library objects (transformers, resamplers, searches,
metric objects) come first: their role says what ``fit`` or ``compute`` does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.checkers.leakage import check_fit, check_transform
from cvlint.analysis.checkers.own_statistics import check_projection
from cvlint.analysis.checkers.rows.learning import learns_from_values
from cvlint.analysis.checkers.unknown_transformers import TRANSFORMING, check_fitted_part, check_unknown_transformer
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.taint_label import choices_in
from cvlint.analysis.domain.value import AnyValue, Data, LibraryObject
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.containers.arrays_and_frames import distinct_method, rows_method, same_method, text_method
from cvlint.analysis.models.containers.column_expressions import select_columns_method
from cvlint.analysis.models.containers.extremes import select_method
from cvlint.analysis.models.containers.files import load_method, open_method, save_method, write_method
from cvlint.analysis.models.containers.frames import rename_method
from cvlint.analysis.models.containers.group_reductions import aggregate_method, transform_method
from cvlint.analysis.models.containers.lists_and_dicts import (
    append_method,
    clear_method,
    copy_method,
    extend_method,
    get_method,
    insert_method,
    items_method,
    keys_method,
    setdefault_method,
    sort_method,
    update_method,
    values_method,
)
from cvlint.analysis.models.containers.reductions import (
    accumulate_method,
    quantile_method,
    reduce_method,
    spread_method,
    weigh_method,
)
from cvlint.analysis.models.containers.undefined_values import drop_undefined_method, mask_method, patch_method
from cvlint.analysis.models.dispatch.callables import map_method, submit_method
from cvlint.analysis.models.dispatch.python_code import python_method
from cvlint.analysis.models.experiment.cross_validation import fit_search, told_search
from cvlint.analysis.models.experiment.estimators import (
    fit_method,
    predict_method,
    transformed_data,
)
from cvlint.analysis.models.experiment.metric_objects import call_metric_object_method, compute_of_evaluator
from cvlint.analysis.models.experiment.predictions import evaluate_model, evaluate_predictions
from cvlint.analysis.models.experiment.printing import format_method, log_method, show_method
from cvlint.analysis.models.experiment.sampling import draw_method, resample
from cvlint.analysis.models.experiment.scorers import told_evaluator
from cvlint.analysis.models.experiment.splitters import parts_method, split_method
from cvlint.analysis.models.experiment.training_loops import compile_method
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taken_arguments
from cvlint.knowledge.schema import Entry

PASSING_EFFECTS = ("python", "map", "submit")  # they pass their arguments on

MethodTransfer: TypeAlias = Callable[[AnalysisState, AnyValue, Entry, Arguments, ast.Call], AnyValue]


def call_library_method(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """The value of ``base.name(...)``, where ``base`` is no object of a class of the project."""
    entry = state.knowledge.methods.get(func.attr)
    match base:
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
        case LibraryObject(role="scorer") if func.attr == "evaluate":
            return evaluate_predictions(state, base, node)
        case LibraryObject(role="evaluator") if func.attr == "compute":
            return compute_of_evaluator(state, base, arguments, node)
        case LibraryObject(role="transformer") if func.attr in ("fit", "fit_transform") and learns_from_values(base):
            check_fit(state, node, base.name.rpartition(".")[2])
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
        case LibraryObject(role="estimator") if func.attr in ("fit_transform", "transform"):
            check_projection(state, node, base.name.rpartition(".")[2])
            return unknown_result(state, arguments, base)
        case Data(opaque=True) if func.attr in TRANSFORMING:
            check_unknown_transformer(state, node)
        case LibraryObject(role="resampler") if func.attr in ("fit_resample", "fit_sample", "sample"):
            resample(state, node, base.name.rpartition(".")[2], base.facts.get("rows") == "fewer")
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


METHOD_TRANSFERS: dict[str, MethodTransfer] = {
    "reduce": reduce_method,
    "aggregate": aggregate_method,
    "transform": transform_method,
    "spread": spread_method,
    "select": select_method,
    "same": same_method,
    "append": append_method,
    "insert": insert_method,
    "copy": copy_method,
    "sort": sort_method,
    "extend": extend_method,
    "items": items_method,
    "values": values_method,
    "keys": keys_method,
    "rows": rows_method,
    "get": get_method,
    "setdefault": setdefault_method,
    "update": update_method,
    "clear": clear_method,
    "drop-undefined": drop_undefined_method,
    "patch": patch_method,
    "mask": mask_method,
    "distinct": distinct_method,
    "split": split_method,
    "parts": parts_method,
    "select-columns": select_columns_method,
    "rename": rename_method,
    "fit": fit_method,
    "predict": predict_method,
    "map": map_method,
    "submit": submit_method,
    "format": format_method,
    "show": show_method,
    "log": log_method,
    "compile": compile_method,
    "accumulate": accumulate_method,
    "weigh": weigh_method,
    "quantile": quantile_method,
    "save": save_method,
    "write": write_method,
    "load": load_method,
    "open": open_method,
    "text": text_method,
    "draw": draw_method,
    "python": python_method,
}
