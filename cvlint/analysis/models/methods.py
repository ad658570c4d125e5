"""Methods of arrays, frames, lists, dicts, estimators and splitters, known by their names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.checkers.aggregation_mix import side_by_side
from cvlint.analysis.checkers.leakage import applied, fitted, split_now, summed_up
from cvlint.analysis.checkers.reported_scores import reported, text_of, unfollowed
from cvlint.analysis.checkers.selection_bias import announced, chosen
from cvlint.analysis.checkers.undefined_folds import dropped
from cvlint.analysis.domain.lattice import UNKNOWN, array, element, join, options, varying
from cvlint.analysis.domain.value import NO_TAINT, AnyValue, Axis, Const, Data, HeapObject, LibraryObject, axes_of
from cvlint.analysis.heap.reads import item_of
from cvlint.analysis.heap.writes import append, extend
from cvlint.analysis.models.functions import LOADER_METHODS, mapped
from cvlint.analysis.models.group_reductions import aggregate, applied_to_folds
from cvlint.analysis.models.metrics import evaluator_computes, state_method
from cvlint.analysis.models.reductions import reduce_value, selected
from cvlint.analysis.models.sampling import balanced, resampled
from cvlint.analysis.models.splitters import size_of, split_of_groups
from cvlint.analysis.models.training_loops import compiled, logged
from cvlint.analysis.models.transformers import learns, transformed
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.schema import Entry

Method: TypeAlias = Callable[[AnalysisState, AnyValue, Entry, Arguments, ast.Call], AnyValue]


def method_of_value(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, given: Arguments, node: ast.Call
) -> AnyValue:
    """Call the method ``func.attr`` of ``base``."""
    entry = state.knowledge.methods.get(func.attr)
    match base:
        case LibraryObject(role="state"):
            return state_method(state, base, func.attr, given, node)
        case LibraryObject(role="search") if func.attr == "fit":
            base.facts["fitted"] = taint_at(state, *node.args, *(k.value for k in node.keywords))
            return base
        case LibraryObject(role="evaluator") if func.attr == "compute":
            return evaluator_computes(state, base, given, node)
        case LibraryObject(role="transformer") if func.attr in ("fit", "fit_transform") and learns(base):
            fitted(state, node, base.name.rpartition(".")[2])
            return transformed(state, base, given) if func.attr == "fit_transform" else base
        case LibraryObject(role="transformer") if func.attr in ("fit_transform", "transform", "inverse_transform"):
            applied(state, node)
            return transformed(state, base, given)
        case LibraryObject(role="resampler") if func.attr in ("fit_resample", "fit_sample", "sample"):
            resampled(state, node, base.name.rpartition(".")[2], base.facts.get("rows") == "fewer")
            return unfollowed(state, given, base)
        case LibraryObject(role="dataset") if func.attr in LOADER_METHODS:
            return base
    if entry is None or entry.effect not in METHODS:
        return unfollowed(state, given, base)
    return METHODS[entry.effect](state, base, entry, given, node)


def reduce_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``scores.mean()``, ``frame.mean(axis=0)``."""
    positional, keywords = given
    if isinstance(node.func, ast.Attribute):
        summed_up(state, node, node.func.value, method=True)
    axis = keywords.get("axis", keywords.get("dim", positional[0] if positional else None))
    return reduce_value(state, node, entry.facts["kind"], base, axis)


def spread(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """A standard deviation is no measure."""
    if isinstance(node.func, ast.Attribute):
        summed_up(state, node, node.func.value, method=True)
    return Data(axes_of(base))


def select(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """The best of several values."""
    chosen(state, entry.name, node, base)
    if entry.name == "min" and isinstance(node.func, ast.Attribute):
        summed_up(state, node, node.func.value, method=True)
    return selected(state, array(base), entry.name)


def same(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Conversions leave a value what it is."""
    if entry.name == "apply" and given[0]:
        if (each := applied_to_folds(state, base, given[0][0], node)) is not None:
            return each
        state.frame.apart, outer = state.frame.apart or is_row_by_row(node), state.frame.apart
        try:
            return state.call(state, given[0][0], ([element(base)], {}), node)
        finally:
            state.frame.apart = outer
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


def append_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.append(x)``, ``frame.append(row)``, ``queue.put(x)``."""
    values = given[0][-1:] or list(given[1].values())[:1]
    if isinstance(base, Data) and base.opaque:
        base = adopted_list(state, base, node)
    for value in values:
        match base:
            case HeapObject(kind="frame"):
                for option in options(value):
                    append(state, base, option, node)
                return base
            case HeapObject():
                append(state, base, value, node)
    return base if isinstance(base, HeapObject) and base.kind == "frame" else Const()


def adopted_list(state: AnalysisState, base: Data, node: ast.Call) -> AnyValue:
    """A list that came from code that was not followed, a parameter for example: followed from here on."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=name)) if state.scope.lookup(name) is base:
            cell = HeapObject("list", born=base.axes)
            state.scope.bind(name, cell)
            return cell
        case _:
            return base


def extend_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.extend(xs)``."""
    if isinstance(base, Data) and base.opaque:
        base = adopted_list(state, base, node)
    if isinstance(base, HeapObject) and given[0]:
        extend(state, base, given[0][0], node)
    return Const()


def items_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.items()``."""
    return LibraryObject(role="iterator", facts={"form": "items", "parts": (base,)})


def values_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.values()``."""
    match base:
        case HeapObject(kind="dict"):
            keyed = dict(enumerate(base.keyed.values()))
            return HeapObject("list", keyed, base.rest, base.extent, base.born)
        case _:
            return base


def keys_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.keys()``."""
    if isinstance(base, HeapObject) and base.rest is None:
        return HeapObject("list", {i: Const(value=k) for i, k in enumerate(base.keyed)}, born=base.born)
    return Data(codomain="unknown")


def rows_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.iterrows()``: pairs of an index and a row."""
    if entry.name == "to_dict":
        return base
    row = element(array(base))
    extent = axes_of(row) - axes_of(base)
    pair = HeapObject("tuple", {0: Data(codomain="key"), 1: row}) if entry.name == "iterrows" else row
    return HeapObject("list", {}, pair, extent, born=state.active_axes)


def get_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.get(key, default)``."""
    if not given[0]:
        return Data(axes_of(base) | state.active_axes, opaque=True)
    subscript = ast.copy_location(ast.Subscript(node.func, node.args[0], ast.Load()), node)
    if isinstance(base, HeapObject) and isinstance(given[0][0], Const) and given[0][0].value in base.keyed:
        return base.keyed[given[0][0].value]
    found = item_of(state, base, given[0][0], subscript)
    fallback = given[0][1] if len(given[0]) > 1 else None
    if isinstance(base, HeapObject) and base.rest is None and fallback is not None and (base.keyed or not base.default):
        return join([found, fallback]) if not isinstance(found, Data) else fallback
    keep = fallback is not None and not isinstance(fallback, Const)
    return join([found, fallback]) if keep and fallback is not None else found


def setdefault_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.setdefault(key, [])``."""
    if not isinstance(base, HeapObject) or len(given[0]) < 2:
        return UNKNOWN
    key, made = given[0][0], given[0][1]
    if isinstance(made, HeapObject):
        made.born = base.born
    if isinstance(key, Const) and isinstance(key.value, str | int):
        return base.keyed.setdefault(key.value, made)
    if base.rest is None:
        base.rest = made
    return base.rest


def update_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.update(other, key=value)``; on other objects a call like any other."""
    if isinstance(base, HeapObject):
        for value in given[0]:
            if isinstance(value, HeapObject):
                base.keyed.update(value.keyed)
        base.keyed.update(given[1])
    return Const()


def clear_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.clear()``."""
    if isinstance(base, HeapObject):
        base.keyed, base.rest, base.extent, base.born = {}, None, frozenset(), state.active_axes
    return Const()


def drop_undefined(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.dropna()``."""
    dropped(state, array(base), node)
    return base


def patch(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.fillna(0)``: undefined values get one."""
    state.forgive(base)
    return base


def mask(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.isna()``."""
    state.forgive(base)
    return Data(axes_of(base), codomain="nan-mask")


def distinct(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``y.nunique()``."""
    return Data(axes_of(base), codomain="distinct")


def split_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``splitter.split(X, y)``; on an unknown object it may be a split of anything."""
    match base:
        case LibraryObject(role="splitter"):
            state.taint = NO_TAINT
            if len(given[0]) == 1 and is_range_of_groups(state, given[0][0]):
                base = split_of_groups(base)
            axis = Axis("fold", state.step(node, "the data are split into folds here"), base, size=size_of(given[0]))
            split_now(state, axis, node.args, node.keywords)
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


def fit_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Fitting returns the estimator, which now varies as its data do."""
    state.taint = NO_TAINT
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
    if (
        isinstance(base, Data)
        and base.opaque
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ):
        fitted = varying(base, axes)
        state.scope.bind(node.func.value.id, fitted)
        return fitted
    return base


def predict_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
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


def submit(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, *arguments)``: the future stands for its result."""
    if not given[0]:
        return unfollowed(state, given, base)
    return state.call(state, given[0][0], (given[0][1:], given[1]), node)


def map_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``."""
    return mapped(state, given, node, starred="star" in entry.name)


def format_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``"{}_macro".format(name)``: a known text where all parts are known."""
    values = [*given[0], *given[1].values()]
    known = [v.value for v in values if isinstance(v, Const)]
    if entry.name == "format" and isinstance(base, Const) and isinstance(base.value, str) and len(known) == len(values):
        if base.value.count("{}") == len(known) == base.value.count("{"):
            return Const(value=base.value.format(*known))
        return Data(codomain="text")
    side_by_side(state, values, node)
    return text_of(values)


def show(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Logging and writing show values to a person."""
    for value in (*given[0], *given[1].values()):
        reported(state, value)
    side_by_side(state, given[0], node)
    announced(state, node)
    return Const()


def log(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``self.log("val_f1", f1)`` of Lightning averages, ``wandb.log`` and ``logger.log`` show."""
    logged(state, given, node)
    return show(state, base, entry, given, node)


def compile_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``model.compile(metrics=[f1])``."""
    compiled(state, entry, given, node)
    return fit_(state, base, entry, given, node)


def draw_(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.sample(n)``: some of the rows, of one class perhaps."""
    balanced(state, entry, node)
    return unfollowed(state, given, base)


def save(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.to_csv(path)`` keeps what is in the frame; the path reports nothing."""
    reported(state, base)
    return Const()


METHODS: dict[str, Method] = {
    "reduce": reduce_,
    "aggregate": aggregate,
    "spread": spread,
    "select": select,
    "same": same,
    "append": append_,
    "extend": extend_,
    "items": items_,
    "values": values_,
    "keys": keys_,
    "rows": rows_,
    "get": get_,
    "setdefault": setdefault_,
    "update": update_,
    "clear": clear_,
    "drop-undefined": drop_undefined,
    "patch": patch,
    "mask": mask,
    "distinct": distinct,
    "split": split_,
    "fit": fit_,
    "predict": predict_,
    "map": map_,
    "submit": submit,
    "format": format_,
    "show": show,
    "log": log,
    "compile": compile_,
    "save": save,
    "draw": draw_,
}
