"""What calling a library's function does, by the effect that the knowledge gives it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.checkers.aggregation_mix import check_side_by_side
from cvlint.analysis.checkers.formulas import f_of_harmonic_mean
from cvlint.analysis.checkers.reported_scores import report_scores, unknown_result
from cvlint.analysis.checkers.selection_bias import check_best_shown
from cvlint.analysis.checkers.undefined_folds import check_dropped, check_where
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, as_array, join, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Partial, axes_of
from cvlint.analysis.inference.loop_axes import prove_fold_loop
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.concatenation import (
    array_call,
    container_call,
    frame_call,
    pool_call,
    same_call,
    stack_call,
)
from cvlint.analysis.models.iteration import iterate
from cvlint.analysis.models.metrics import area_call, counts_call, evaluate_load_call, measure_call
from cvlint.analysis.models.reductions import reduce_call, select_call, spread_call
from cvlint.analysis.models.sampling import note_balancing
from cvlint.analysis.models.scorers import scorer_call
from cvlint.analysis.models.splitters import cross_val_call, hold_out_call, parts_call, search_call, splitter_call
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.loader import Entry

FunctionTransfer: TypeAlias = Callable[[AnalysisState, Entry, Arguments, ast.AST], AnyValue]


LOADER_METHODS = (
    "batch",
    "padded_batch",
    "shuffle",
    "map",
    "prefetch",
    "repeat",
    "take",
    "skip",
    "cache",
    "flow",
    "flow_from_directory",
    "flow_from_dataframe",
)


def call_library_function(state: AnalysisState, target: LibraryName, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a name of a library."""
    entry = state.knowledge.entry(target.name)
    if entry is None or entry.effect not in FUNCTION_TRANSFERS:
        method = state.knowledge.methods.get(target.name.rpartition(".")[2])
        if method is not None and method.effect in ("show", "log"):  # logging.info, logger.info, tqdm.write
            return show_call(state, method, given, node)
        return unknown_result(state, given)
    return FUNCTION_TRANSFERS[entry.effect](state, entry, given, node)


def iterate_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``enumerate``, ``zip``, ``range``, ``tqdm``."""
    form = entry.facts["form"]
    if form == "range":
        return LibraryObject(role="range", facts={"node": node})
    if form == "same":
        return first_argument(given) if given[0] else UNKNOWN
    if form == "zip" and given[0] and isinstance(node, ast.Call) and [type(a) for a in node.args] == [ast.Starred]:
        return transposed(state, node.args[0], given[0][0])
    return LibraryObject(role="iterator", facts={"form": form, "parts": tuple(given[0])})


def transposed(state: AnalysisState, node: ast.expr, row: AnyValue) -> AnyValue:
    """``f1s, aucs = zip(*rows)``: a list a column."""
    rows = state.evaluate(state, node.value) if isinstance(node, ast.Starred) else UNKNOWN
    if not isinstance(rows, HeapObject) or not isinstance(row, HeapObject) or row.elements is not None:
        return LibraryObject(role="iterator", facts={"form": "zip", "parts": (row,)})
    columns = {i: HeapObject("list", {}, value, rows.extent, rows.allocation_loops) for i, value in row.fields.items()}
    return HeapObject("tuple", dict(columns), allocation_loops=rows.allocation_loops)


def map_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``."""
    return map_function(state, given, node, starred=False)


def map_function(state: AnalysisState, given: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """A function called on every element of a sequence."""
    if len(given[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, source = given[0][0], given[0][1]
    place = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    plan = iterate(state, source, place, None)
    cell = HeapObject("list", allocation_loops=state.active_axes)
    with state.inside_loops(plan.axes):
        for value in plan.elements:
            spread_out = starred and isinstance(value, HeapObject) and value.elements is None
            values = list(value.fields.values()) if spread_out and isinstance(value, HeapObject) else [value]
            result = state.call(state, function, (values, {}), node)
            cell.elements = join([*options(cell.elements), result])
            cell.extent |= state.swept_axes(result, cell.allocation_loops)
    return cell


def call_parallel_object(state: AnalysisState, target: LibraryObject, given: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(…)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return state.call(state, target.facts["function"], given, node)
    return first_argument(given)


def mask_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.isnan(x)``."""
    state.excuse_undefined(first_argument(given))
    return Data(axes_of(first_argument(given)), codomain="nan-mask")


def patch_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.nan_to_num(x)``; with a value of its own it patches undefined folds."""
    state.excuse_undefined(first_argument(given))
    value, patch = as_array(first_argument(given)), given[1].get("nan")
    if isinstance(patch, Const) and patch.value:
        check_dropped(state, value, node, "patch")
    return value


def divide_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.divide(a, b, where=…)``: a division that knows of zeros if ``where`` is given, or by its nature."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return Data(state.active_axes, opaque=True)
    written = ast.copy_location(ast.BinOp(node.args[0], ast.Div(), node.args[1]), node)
    guarded = {"where", "out"} & given[1].keys() or entry.facts.get("guarded")
    if guarded:
        state.frame.guards.append(ast.With(items=[], body=[]))
    try:
        return state.evaluate(state, written)
    finally:
        if guarded:
            state.frame.guards.pop()


def harmonic_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``scipy.stats.hmean([precision, recall])``."""
    found = f_of_harmonic_mean(state, node) if isinstance(node, ast.Call) else None
    return found if found is not None else unknown_result(state, given)


def data_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Data from outside, or a value that is certainly no measure."""
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), codomain="data" if given else "unknown")


def made_data_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``make_classification(n_samples=…, weights=[…], flip_y=0)``: data, and their size where the call says it."""
    if entry.facts.get("multilabel"):
        return HeapObject(
            "tuple", {0: Data(codomain="data"), 1: Data(codomain="multilabel")}, allocation_loops=state.active_axes
        )
    positional, keywords = given
    samples = literal_or_default(positional[0] if positional else keywords.get("n_samples"), 100)
    weights = keywords.get("weights")
    shares = [literal_or_default(v, None) for v in weights.entries()] if isinstance(weights, HeapObject) else []
    share = shares[0] if 1 <= len(shares) <= 2 and literal_or_default(keywords.get("flip_y"), 0.01) == 0 else None
    size = None
    if isinstance(samples, int) and isinstance(share, float) and 0 < share < 1:
        size = (samples, round(samples * (1 - share)))
    return HeapObject(
        "tuple", dict(enumerate([Data(codomain="data", size=size)] * 2)), allocation_loops=state.active_axes
    )


def literal_or_default(value: AnyValue | None, default: object) -> object:
    """The value of a literal argument, or of its default; None when it is not known."""
    if value is None:
        return default
    return value.value if isinstance(value, Const) else None


def rest_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.setdiff1d(all_rows, test_rows)``: all but a part, which a loop holds out if it varies with the loop."""
    if len(given[0]) > 1 and isinstance(given[0][1], Data):
        prove_fold_loop(state, given[0][1], by_element=True)
    return unknown_result(state, given)


def estimator_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An estimator; of a pipeline what its last step says."""
    facts = dict(entry.facts)
    if facts.get("gives") == "as-last":
        steps = [v for arg in (*given[0], *given[1].values()) for v in pipeline_steps(arg)]
        if steps and all(v.role == "transformer" for v in steps):
            return LibraryObject(role="transformer", name=entry.name, facts={"learns": learned_by_steps(steps)})
        last = [v for arg in given[0] for v in pipeline_steps(arg)]
        facts = dict(last[-1].facts) if last else {}
    return LibraryObject(role="estimator", name=entry.name, facts=facts)


def learned_by_steps(steps: list[LibraryObject]) -> str:
    """What a transformer learns that is made of others."""
    return "values" if any(v.facts.get("learns", "values") == "values" for v in steps) else "nothing"


def pipeline_steps(value: AnyValue) -> list[LibraryObject]:
    """The estimators among the steps of a pipeline."""
    match value:
        case LibraryObject():
            return [value]
        case HeapObject():
            return [t for v in value.fields.values() for t in pipeline_steps(v)]
        case _:
            return []


def library_object_of_role(role: str) -> FunctionTransfer:
    """An effect that makes an object of ``role``."""

    def made(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
        axes = NO_AXES.union(*(axes_of(v) for v in (*given[0], *given[1].values())))
        if entry.facts.get("learns") == "parts":
            steps = [v for arg in (*given[0], *given[1].values()) for v in pipeline_steps(arg)]
            return LibraryObject(axes=axes, role=role, name=entry.name, facts={"learns": learned_by_steps(steps)})
        return LibraryObject(
            axes=axes,
            role=role,
            name=entry.name,
            facts={**entry.facts, "function": first_argument(given), "node": node},
        )

    return made


def partial_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not given[0]:
        return UNKNOWN
    return Partial(target=given[0][0], arguments=tuple(given[0][1:]), keywords=tuple(given[1].items()))


def length_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``len(x)``."""
    return Data(axes_of(first_argument(given)), codomain="length")


def show_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``print(x)``."""
    for value in given[0]:
        report_scores(state, value)
    check_side_by_side(state, given[0], node)
    check_best_shown(state, node)
    return Const()


def distinct_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.unique(y)``."""
    return Data(axes_of(first_argument(given)), codomain="distinct")


def threshold_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.where(test, a, b)``: one of two values."""
    if len(given[0]) < 3:
        return Data(axes_of(first_argument(given)), codomain="mask")
    check_where(state, given[0], node)
    return (
        join(v for v in given[0][1:] if not isinstance(v, Const))
        if any(not isinstance(v, Const) for v in given[0][1:])
        else Data(axes_of(first_argument(given)), codomain="hard")
    )


def constant_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Known, and of no interest here."""
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), opaque=False)


def draw_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``resample(rows)``, ``rng.choice(n, n)``: rows that are drawn, by which an array keeps its dimensions."""
    note_balancing(state, entry, node)
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), codomain="indices")


FUNCTION_TRANSFERS: dict[str, FunctionTransfer] = {
    "measure": measure_call,
    "reduce": reduce_call,
    "spread": spread_call,
    "select": select_call,
    "same": same_call,
    "pool": pool_call,
    "stack": stack_call,
    "array": array_call,
    "container": container_call,
    "frame": frame_call,
    "splitter": splitter_call,
    "hold-out": hold_out_call,
    "parts": parts_call,
    "cross-val": cross_val_call,
    "search": search_call,
    "scorer": scorer_call,
    "iterate": iterate_call,
    "map": map_call,
    "mask": mask_call,
    "patch": patch_call,
    "divide": divide_call,
    "counts": counts_call,
    "data": data_call,
    "made-data": made_data_call,
    "rest": rest_call,
    "estimator": estimator_call,
    "calibrated": library_object_of_role("calibrated"),
    "loader": library_object_of_role("loader"),
    "dataset": library_object_of_role("dataset"),
    "stateful-measure": library_object_of_role("state"),
    "parallel": library_object_of_role("parallel"),
    "delayed": library_object_of_role("delayed"),
    "partial": partial_call,
    "length": length_call,
    "show": show_call,
    "distinct": distinct_call,
    "threshold": threshold_call,
    "area": area_call,
    "check-cv": same_call,
    "constant": constant_call,
    "transformer": library_object_of_role("transformer"),
    "resampler": library_object_of_role("resampler"),
    "draw": draw_call,
    "evaluate-load": evaluate_load_call,
    "harmonic": harmonic_call,
}
