"""Methods of arrays, frames, lists, dicts, estimators and splitters, known by their names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.checkers.aggregation_mix import check_side_by_side
from cvlint.analysis.checkers.leakage import check_fit, check_split_arguments, check_transform, label_statistic
from cvlint.analysis.checkers.reported_scores import report_scores, text_value, unknown_result
from cvlint.analysis.checkers.selection_bias import check_best_shown, check_choice
from cvlint.analysis.checkers.undefined_folds import check_dropped
from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, as_array, element_of, join, options, vary_over
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, axes_of
from cvlint.analysis.heap.reads import read_entry_of
from cvlint.analysis.heap.writes import append_entry, extend_list
from cvlint.analysis.models.functions import LOADER_METHODS, map_function
from cvlint.analysis.models.group_reductions import aggregate_method, apply_to_folds
from cvlint.analysis.models.metrics import call_metric_object_method, compute_of_evaluator
from cvlint.analysis.models.reductions import reduce_value, select_entry
from cvlint.analysis.models.sampling import note_balancing, resample
from cvlint.analysis.models.splitters import known_size, split_of_groups
from cvlint.analysis.models.training_loops import compile_metrics, log_metrics
from cvlint.analysis.models.transformers import learns_from_values, transformed_data
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.loader import Entry

MethodTransfer: TypeAlias = Callable[[AnalysisState, AnyValue, Entry, Arguments, ast.Call], AnyValue]


def call_library_method(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, given: Arguments, node: ast.Call
) -> AnyValue:
    """Call the method ``func.attr`` of ``base``."""
    entry = state.knowledge.methods.get(func.attr)
    match base:
        case LibraryObject(role="state"):
            return call_metric_object_method(state, base, func.attr, given, node)
        case LibraryObject(role="search") if func.attr == "fit":
            base.facts["fitted"] = taint_at(state, *node.args, *(k.value for k in node.keywords))
            return base
        case LibraryObject(role="evaluator") if func.attr == "compute":
            return compute_of_evaluator(state, base, given, node)
        case LibraryObject(role="transformer") if func.attr in ("fit", "fit_transform") and learns_from_values(base):
            check_fit(state, node, base.name.rpartition(".")[2])
            return transformed_data(state, base, given) if func.attr == "fit_transform" else base
        case LibraryObject(role="transformer") if func.attr in ("fit_transform", "transform", "inverse_transform"):
            check_transform(state, node)
            return transformed_data(state, base, given)
        case LibraryObject(role="resampler") if func.attr in ("fit_resample", "fit_sample", "sample"):
            resample(state, node, base.name.rpartition(".")[2], base.facts.get("rows") == "fewer")
            return unknown_result(state, given, base)
        case LibraryObject(role="dataset") if func.attr in LOADER_METHODS:
            return base
    if entry is None or entry.effect not in METHOD_TRANSFERS:
        return unknown_result(state, given, base)
    return METHOD_TRANSFERS[entry.effect](state, base, entry, given, node)


def reduce_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``scores.mean()``, ``frame.mean(axis=0)``."""
    positional, keywords = given
    if isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, method=True)
    axis = keywords.get("axis", keywords.get("dim", positional[0] if positional else None))
    return reduce_value(state, node, entry.facts["kind"], base, axis)


def spread_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """A standard deviation is no measure."""
    if isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, method=True)
    return Data(axes_of(base))


def select_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """The best of several values."""
    check_choice(state, entry.name, node, base)
    if entry.name == "min" and isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, method=True)
    return select_entry(state, as_array(base), entry.name)


def same_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Conversions leave a value what it is."""
    if entry.name == "apply" and given[0]:
        if (each := apply_to_folds(state, base, given[0][0], node)) is not None:
            return each
        state.frame.per_sample, outer = state.frame.per_sample or is_row_by_row(node), state.frame.per_sample
        try:
            return state.call(state, given[0][0], ([element_of(base)], {}), node)
        finally:
            state.frame.per_sample = outer
    return base if not isinstance(base, Const) else Data(axes_of(base))


def is_row_by_row(node: ast.Call) -> bool:
    """Whether ``apply`` calls a function on each row or sample: on a single column, a group, or with ``axis=1``."""
    rows = any(
        k.arg == "axis" and not (isinstance(k.value, ast.Constant) and k.value.value == 0) for k in node.keywords
    )
    base = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    column = isinstance(base, ast.Attribute) or (
        isinstance(base, ast.Subscript) and isinstance(base.slice, ast.Constant)
    )
    return rows or column or isinstance(base, ast.Call)


def append_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.append(x)``, ``frame.append(row)``, ``queue.put(x)``."""
    values = given[0][-1:] or list(given[1].values())[:1]
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    for value in values:
        match base:
            case HeapObject(kind="frame"):
                for option in options(value):
                    append_entry(state, base, option, node)
                return base
            case HeapObject():
                append_entry(state, base, value, node)
    return base if isinstance(base, HeapObject) and base.kind == "frame" else Const()


def list_from_unknown_code(state: AnalysisState, base: Data, node: ast.Call) -> AnyValue:
    """A list that came from code that was not followed, a parameter for example: followed from here on."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=name)) if state.environment.lookup(name) is base:
            cell = HeapObject("list", allocation_loops=base.axes)
            state.environment.bind(name, cell)
            return cell
        case _:
            return base


def extend_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.extend(xs)``."""
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    if isinstance(base, HeapObject) and given[0]:
        extend_list(state, base, given[0][0], node)
    return Const()


def items_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.items()``."""
    return LibraryObject(role="iterator", facts={"form": "items", "parts": (base,)})


def values_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.values()``."""
    match base:
        case HeapObject(kind="dict"):
            keyed = dict(enumerate(base.fields.values()))
            return HeapObject("list", keyed, base.elements, base.extent, base.allocation_loops)
        case _:
            return base


def keys_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.keys()``."""
    if isinstance(base, HeapObject) and base.elements is None:
        return HeapObject(
            "list", {i: Const(value=k) for i, k in enumerate(base.fields)}, allocation_loops=base.allocation_loops
        )
    return Data(codomain="unknown")


def rows_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.iterrows()``: pairs of an index and a row."""
    if entry.name == "to_dict":
        return base
    row = element_of(as_array(base))
    extent = axes_of(row) - axes_of(base)
    pair = HeapObject("tuple", {0: Data(codomain="key"), 1: row}) if entry.name == "iterrows" else row
    return HeapObject("list", {}, pair, extent, allocation_loops=state.active_axes)


def get_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.get(key, default)``."""
    if not given[0]:
        return Data(axes_of(base) | state.active_axes, opaque=True)
    subscript = ast.copy_location(ast.Subscript(node.func, node.args[0], ast.Load()), node)
    if isinstance(base, HeapObject) and isinstance(given[0][0], Const) and given[0][0].value in base.fields:
        return base.fields[given[0][0].value]
    found = read_entry_of(state, base, given[0][0], subscript)
    fallback = given[0][1] if len(given[0]) > 1 else None
    if (
        isinstance(base, HeapObject)
        and base.elements is None
        and fallback is not None
        and (base.fields or not base.default)
    ):
        return join([found, fallback]) if not isinstance(found, Data) else fallback
    keep = fallback is not None and not isinstance(fallback, Const)
    return join([found, fallback]) if keep and fallback is not None else found


def setdefault_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.setdefault(key, [])``."""
    if not isinstance(base, HeapObject) or len(given[0]) < 2:
        return UNKNOWN
    key, made = given[0][0], given[0][1]
    if isinstance(made, HeapObject):
        made.allocation_loops = base.allocation_loops
    if isinstance(key, Const) and isinstance(key.value, str | int):
        return base.fields.setdefault(key.value, made)
    if base.elements is None:
        base.elements = made
    return base.elements


def update_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.update(other, key=value)``; on other objects a call like any other."""
    if isinstance(base, HeapObject):
        for value in given[0]:
            if isinstance(value, HeapObject):
                base.fields.update(value.fields)
        base.fields.update(given[1])
    return Const()


def clear_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.clear()``."""
    if isinstance(base, HeapObject):
        base.fields, base.elements, base.extent, base.allocation_loops = {}, None, frozenset(), state.active_axes
    return Const()


def drop_undefined_method(
    state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call
) -> AnyValue:
    """``series.dropna()``."""
    check_dropped(state, as_array(base), node)
    return base


def patch_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.fillna(0)``: undefined values get one."""
    state.excuse_undefined(base)
    return base


def mask_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.isna()``."""
    state.excuse_undefined(base)
    return Data(axes_of(base), codomain="nan-mask")


def distinct_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``y.nunique()``."""
    return Data(axes_of(base), codomain="distinct")


def split_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``splitter.split(X, y)``; on an unknown object it may be a split of anything."""
    match base:
        case LibraryObject(role="splitter"):
            state.taint = NO_TAINT
            if len(given[0]) == 1 and is_range_of_groups(state, given[0][0]):
                base = split_of_groups(base)
            axis = Axis("fold", state.step(node, "the data are split into folds here"), base, size=known_size(given[0]))
            check_split_arguments(state, axis, node.args, node.keywords)
            return LibraryObject(role="folds", facts={"axis": axis, "data": given[0]})
        case Const() | Data(codomain="text"):
            return Data(codomain="text-parts")
        case _ if any(isinstance(v, Const) for v in given[0]) or not given[0]:
            return Data(axes_of(base) | state.active_axes, opaque=True)
        case _:
            heuristic = state.step(node, "folds come from this splitter, which could not be followed", heuristic=True)
            return LibraryObject(role="folds", facts={"axis": Axis("fold", heuristic), "maybe": True})


def is_range_of_groups(state: AnalysisState, data: AnyValue) -> bool:
    """Whether the numbers of some things are split, which are no samples: ``range(n_drugs)``, not ``range(len(y))``."""
    if not (isinstance(data, LibraryObject) and data.role == "range"):
        return False
    for child in ast.walk(data.facts["node"]):
        match child:
            case ast.Call(func=ast.Name(id="len"), args=[counted]):
                if any(state.knowledge.conforms("truth", name) for name in names_in(counted)):
                    return False
    return True


def fit_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Fitting returns the estimator, which now varies as its data do."""
    state.taint = NO_TAINT
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
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


def predict_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Predictions, hard or scores, for the data that are given."""
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
    state.taint = NO_TAINT  # predictions are no features
    gives = entry.facts["gives"]
    if entry.name == "predict_classes":
        return Data(axes, codomain="hard")
    if given[1].keys() & {"raw_score", "output_margin", "prediction_type"}:
        return Data(axes, codomain="unknown")
    if gives == "hard":
        gives = base.facts.get("gives", "unknown") if isinstance(base, LibraryObject) else "unknown"
    what = gives if gives in ("hard", "scores") else "unknown"
    calibrated = isinstance(base, LibraryObject) and (base.role == "calibrated" or bool(base.facts.get("calibrates")))
    return Data(axes, codomain="calibrated" if calibrated and what == "scores" else what)


def submit_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, *arguments)``: the future stands for its result."""
    if not given[0]:
        return unknown_result(state, given, base)
    return state.call(state, given[0][0], (given[0][1:], given[1]), node)


def map_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``."""
    return map_function(state, given, node, starred="star" in entry.name)


def format_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``"{}_macro".format(name)``: a known text where all parts are known."""
    values = [*given[0], *given[1].values()]
    known = [v.value for v in values if isinstance(v, Const)]
    if entry.name == "format" and isinstance(base, Const) and isinstance(base.value, str) and len(known) == len(values):
        if base.value.count("{}") == len(known) == base.value.count("{"):
            return Const(value=base.value.format(*known))
        return Data(codomain="text")
    check_side_by_side(state, values, node)
    return text_value(values)


def show_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Logging and writing show values to a person."""
    for value in (*given[0], *given[1].values()):
        report_scores(state, value)
    check_side_by_side(state, given[0], node)
    check_best_shown(state, node)
    return Const()


def log_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``self.log("val_f1", f1)`` of Lightning averages, ``wandb.log`` and ``logger.log`` show."""
    log_metrics(state, given, node)
    return show_method(state, base, entry, given, node)


def compile_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``model.compile(metrics=[f1])``."""
    compile_metrics(state, entry, given, node)
    return fit_method(state, base, entry, given, node)


def draw_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.sample(n)``: some of the rows, of one class perhaps."""
    note_balancing(state, entry, node)
    return unknown_result(state, given, base)


def save_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.to_csv(path)`` keeps what is in the frame; the path reports nothing."""
    report_scores(state, base)
    return Const()


METHOD_TRANSFERS: dict[str, MethodTransfer] = {
    "reduce": reduce_method,
    "aggregate": aggregate_method,
    "spread": spread_method,
    "select": select_method,
    "same": same_method,
    "append": append_method,
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
    "fit": fit_method,
    "predict": predict_method,
    "map": map_method,
    "submit": submit_method,
    "format": format_method,
    "show": show_method,
    "log": log_method,
    "compile": compile_method,
    "save": save_method,
    "draw": draw_method,
}
