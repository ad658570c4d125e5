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
from cvlint.analysis.domain.value import NO_MARKS, AnyValue, Axis, Cell, Const, Data, Thing, axes_of
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
from cvlint.analysis.state import Arguments, Run
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import marks_at
from cvlint.knowledge.loader import Entry

Method: TypeAlias = Callable[[Run, AnyValue, Entry, Arguments, ast.Call], AnyValue]


def method_of_value(run: Run, base: AnyValue, func: ast.Attribute, given: Arguments, node: ast.Call) -> AnyValue:
    """Call the method ``func.attr`` of ``base``."""
    entry = run.knowledge.methods.get(func.attr)
    match base:
        case Thing(role="state"):
            return state_method(run, base, func.attr, given, node)
        case Thing(role="search") if func.attr == "fit":
            base.facts["fitted"] = marks_at(run, *node.args, *(k.value for k in node.keywords))
            return base
        case Thing(role="evaluator") if func.attr == "compute":
            return evaluator_computes(run, base, given, node)
        case Thing(role="transformer") if func.attr in ("fit", "fit_transform") and learns(base):
            fitted(run, node, base.name.rpartition(".")[2])
            return transformed(run, base, given) if func.attr == "fit_transform" else base
        case Thing(role="transformer") if func.attr in ("fit_transform", "transform", "inverse_transform"):
            applied(run, node)
            return transformed(run, base, given)
        case Thing(role="resampler") if func.attr in ("fit_resample", "fit_sample", "sample"):
            resampled(run, node, base.name.rpartition(".")[2], base.facts.get("rows") == "fewer")
            return unfollowed(run, given, base)
        case Thing(role="dataset") if func.attr in LOADER_METHODS:
            return base
    if entry is None or entry.effect not in METHODS:
        return unfollowed(run, given, base)
    return METHODS[entry.effect](run, base, entry, given, node)


def reduce_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``scores.mean()``, ``frame.mean(axis=0)``."""
    positional, keywords = given
    if isinstance(node.func, ast.Attribute):
        summed_up(run, node, node.func.value, method=True)
    axis = keywords.get("axis", keywords.get("dim", positional[0] if positional else None))
    return reduce_value(run, node, entry.facts["kind"], base, axis)


def spread(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """A standard deviation is no measure."""
    if isinstance(node.func, ast.Attribute):
        summed_up(run, node, node.func.value, method=True)
    return Data(axes_of(base))


def select(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """The best of several values."""
    chosen(run, entry.name, node, base)
    if entry.name == "min" and isinstance(node.func, ast.Attribute):
        summed_up(run, node, node.func.value, method=True)
    return selected(run, array(base), entry.name)


def same(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Conversions leave a value what it is."""
    if entry.name == "apply" and given[0]:
        if (each := applied_to_folds(run, base, given[0][0], node)) is not None:
            return each
        run.frame.apart, outer = run.frame.apart or is_row_by_row(node), run.frame.apart
        try:
            return run.call(run, given[0][0], ([element(base)], {}), node)
        finally:
            run.frame.apart = outer
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


def append_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.append(x)``, ``frame.append(row)``, ``queue.put(x)``."""
    values = given[0][-1:] or list(given[1].values())[:1]
    if isinstance(base, Data) and base.opaque:
        base = adopted_list(run, base, node)
    for value in values:
        match base:
            case Cell(kind="frame"):
                for option in options(value):
                    append(run, base, option, node)
                return base
            case Cell():
                append(run, base, value, node)
    return base if isinstance(base, Cell) and base.kind == "frame" else Const()


def adopted_list(run: Run, base: Data, node: ast.Call) -> AnyValue:
    """A list that came from code that was not followed, a parameter for example: followed from here on."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=name)) if run.scope.lookup(name) is base:
            cell = Cell("list", born=base.axes)
            run.scope.bind(name, cell)
            return cell
        case _:
            return base


def extend_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.extend(xs)``."""
    if isinstance(base, Data) and base.opaque:
        base = adopted_list(run, base, node)
    if isinstance(base, Cell) and given[0]:
        extend(run, base, given[0][0], node)
    return Const()


def items_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.items()``."""
    return Thing(role="iterator", facts={"form": "items", "parts": (base,)})


def values_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.values()``."""
    match base:
        case Cell(kind="dict"):
            keyed = dict(enumerate(base.keyed.values()))
            return Cell("list", keyed, base.rest, base.extent, base.born)
        case _:
            return base


def keys_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.keys()``."""
    if isinstance(base, Cell) and base.rest is None:
        return Cell("list", {i: Const(value=k) for i, k in enumerate(base.keyed)}, born=base.born)
    return Data(what="unknown")


def rows_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.iterrows()``: pairs of an index and a row."""
    if entry.name == "to_dict":
        return base
    row = element(array(base))
    extent = axes_of(row) - axes_of(base)
    pair = Cell("tuple", {0: Data(what="key"), 1: row}) if entry.name == "iterrows" else row
    return Cell("list", {}, pair, extent, born=run.active_axes)


def get_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.get(key, default)``."""
    if not given[0]:
        return Data(axes_of(base) | run.active_axes, opaque=True)
    subscript = ast.copy_location(ast.Subscript(node.func, node.args[0], ast.Load()), node)
    if isinstance(base, Cell) and isinstance(given[0][0], Const) and given[0][0].value in base.keyed:
        return base.keyed[given[0][0].value]
    found = item_of(run, base, given[0][0], subscript)
    fallback = given[0][1] if len(given[0]) > 1 else None
    if isinstance(base, Cell) and base.rest is None and fallback is not None and (base.keyed or not base.default):
        return join([found, fallback]) if not isinstance(found, Data) else fallback
    keep = fallback is not None and not isinstance(fallback, Const)
    return join([found, fallback]) if keep and fallback is not None else found


def setdefault_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.setdefault(key, [])``."""
    if not isinstance(base, Cell) or len(given[0]) < 2:
        return UNKNOWN
    key, made = given[0][0], given[0][1]
    if isinstance(made, Cell):
        made.born = base.born
    if isinstance(key, Const) and isinstance(key.value, str | int):
        return base.keyed.setdefault(key.value, made)
    if base.rest is None:
        base.rest = made
    return base.rest


def update_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``dict.update(other, key=value)``; on other objects a call like any other."""
    if isinstance(base, Cell):
        for value in given[0]:
            if isinstance(value, Cell):
                base.keyed.update(value.keyed)
        base.keyed.update(given[1])
    return Const()


def clear_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``list.clear()``."""
    if isinstance(base, Cell):
        base.keyed, base.rest, base.extent, base.born = {}, None, frozenset(), run.active_axes
    return Const()


def drop_undefined(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.dropna()``."""
    dropped(run, array(base), node)
    return base


def patch(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.fillna(0)``: undefined values get one."""
    run.forgive(base)
    return base


def mask(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``series.isna()``."""
    run.forgive(base)
    return Data(axes_of(base), what="nan-mask")


def distinct(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``y.nunique()``."""
    return Data(axes_of(base), what="distinct")


def split_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``splitter.split(X, y)``; on an unknown object it may be a split of anything."""
    match base:
        case Thing(role="splitter"):
            run.marks = NO_MARKS
            if len(given[0]) == 1 and is_range_of_groups(run, given[0][0]):
                base = split_of_groups(base)
            axis = Axis("fold", run.step(node, "the data are split into folds here"), base, size=size_of(given[0]))
            split_now(run, axis, node.args, node.keywords)
            return Thing(role="folds", facts={"axis": axis, "data": given[0]})
        case Const() | Data(what="text"):
            return Data(what="text-parts")
        case _ if any(isinstance(v, Const) for v in given[0]) or not given[0]:
            return Data(axes_of(base) | run.active_axes, opaque=True)
        case _:
            soft = run.step(node, "folds come from this splitter, which could not be followed", soft=True)
            return Thing(role="folds", facts={"axis": Axis("fold", soft), "maybe": True})


def is_range_of_groups(run: Run, data: AnyValue) -> bool:
    """Whether the numbers of some things are split, which are no samples: ``range(n_drugs)``, not ``range(len(y))``."""
    if not (isinstance(data, Thing) and data.role == "range"):
        return False
    for child in ast.walk(data.facts["node"]):
        match child:
            case ast.Call(func=ast.Name(id="len"), args=[counted]):
                if any(run.knowledge.conforms("truth", name) for name in names_in(counted)):
                    return False
    return True


def fit_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Fitting returns the estimator, which now varies as its data do."""
    run.marks = NO_MARKS
    axes = run.active_axes.union(*(axes_of(v) for v in given[0]))
    if (
        isinstance(base, Data)
        and base.opaque
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ):
        fitted = varying(base, axes)
        run.scope.bind(node.func.value.id, fitted)
        return fitted
    return base


def predict_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Predictions, hard or scores, for the data that are given."""
    axes = run.active_axes.union(*(axes_of(v) for v in given[0]))
    run.marks = NO_MARKS  # predictions are no features
    gives = entry.facts["gives"]
    if entry.name == "predict_classes":
        return Data(axes, what="hard")
    if given[1].keys() & {"raw_score", "output_margin", "prediction_type"}:
        return Data(axes, what="unknown")
    if gives == "hard":
        gives = base.facts.get("gives", "unknown") if isinstance(base, Thing) else "unknown"
    what = gives if gives in ("hard", "scores") else "unknown"
    calibrated = isinstance(base, Thing) and (base.role == "calibrated" or bool(base.facts.get("calibrates")))
    return Data(axes, what="calibrated" if calibrated and what == "scores" else what)


def submit(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, *arguments)``: the future stands for its result."""
    if not given[0]:
        return unfollowed(run, given, base)
    return run.call(run, given[0][0], (given[0][1:], given[1]), node)


def map_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``."""
    return mapped(run, given, node, starred="star" in entry.name)


def format_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``"{}_macro".format(name)``: a known text where all parts are known."""
    values = [*given[0], *given[1].values()]
    known = [v.value for v in values if isinstance(v, Const)]
    if entry.name == "format" and isinstance(base, Const) and isinstance(base.value, str) and len(known) == len(values):
        if base.value.count("{}") == len(known) == base.value.count("{"):
            return Const(value=base.value.format(*known))
        return Data(what="text")
    side_by_side(run, values, node)
    return text_of(values)


def show(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """Logging and writing show values to a person."""
    for value in (*given[0], *given[1].values()):
        reported(run, value)
    side_by_side(run, given[0], node)
    announced(run, node)
    return Const()


def log(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``self.log("val_f1", f1)`` of Lightning averages, ``wandb.log`` and ``logger.log`` show."""
    logged(run, given, node)
    return show(run, base, entry, given, node)


def compile_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``model.compile(metrics=[f1])``."""
    compiled(run, entry, given, node)
    return fit_(run, base, entry, given, node)


def draw_(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.sample(n)``: some of the rows, of one class perhaps."""
    balanced(run, entry, node)
    return unfollowed(run, given, base)


def save(run: Run, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.to_csv(path)`` keeps what is in the frame; the path reports nothing."""
    reported(run, base)
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
