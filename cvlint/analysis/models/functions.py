"""What calling a library's function does, by the effect that the knowledge gives it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.checkers.aggregation_mix import side_by_side
from cvlint.analysis.checkers.formulas import harmonic_call
from cvlint.analysis.checkers.reported_scores import reported, unfollowed
from cvlint.analysis.checkers.selection_bias import announced
from cvlint.analysis.checkers.undefined_folds import dropped, replaced
from cvlint.analysis.domain.lattice import UNKNOWN, array, join, options
from cvlint.analysis.domain.value import (
    NO_AXES,
    AnyValue,
    Const,
    Data,
    HeapObject,
    LibraryName,
    LibraryObject,
    Partial,
    axes_of,
)
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.models.arguments import first
from cvlint.analysis.models.concatenation import container, convert, frame_call, new_array, pool_call, stack_call
from cvlint.analysis.models.iteration import iteration
from cvlint.analysis.models.metrics import area_under, confusion_counts, evaluate_load, measure_call
from cvlint.analysis.models.reductions import reduce_call, select_call, spread_call
from cvlint.analysis.models.sampling import balanced
from cvlint.analysis.models.scorers import scorer
from cvlint.analysis.models.splitters import cross_val, hold_out, pieces, search_call, splitter_call
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

Effect: TypeAlias = Callable[[AnalysisState, Entry, Arguments, ast.AST], AnyValue]


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


def library_call(state: AnalysisState, target: LibraryName, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a name of a library."""
    entry = state.knowledge.entry(target.name)
    if entry is None or entry.effect not in EFFECTS:
        method = state.knowledge.methods.get(target.name.rpartition(".")[2])
        if method is not None and method.effect in ("show", "log"):  # logging.info, logger.info, tqdm.write
            return show(state, method, given, node)
        return unfollowed(state, given)
    return EFFECTS[entry.effect](state, entry, given, node)


def iterate(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``enumerate``, ``zip``, ``range``, ``tqdm``."""
    form = entry.facts["form"]
    if form == "range":
        return LibraryObject(role="range", facts={"node": node})
    if form == "same":
        return first(given) if given[0] else UNKNOWN
    if form == "zip" and given[0] and isinstance(node, ast.Call) and [type(a) for a in node.args] == [ast.Starred]:
        return transposed(state, node.args[0], given[0][0])
    return LibraryObject(role="iterator", facts={"form": form, "parts": tuple(given[0])})


def transposed(state: AnalysisState, node: ast.expr, row: AnyValue) -> AnyValue:
    """``f1s, aucs = zip(*rows)``: a list a column."""
    rows = state.evaluate(state, node.value) if isinstance(node, ast.Starred) else UNKNOWN
    if not isinstance(rows, HeapObject) or not isinstance(row, HeapObject) or row.rest is not None:
        return LibraryObject(role="iterator", facts={"form": "zip", "parts": (row,)})
    columns = {i: HeapObject("list", {}, value, rows.extent, rows.born) for i, value in row.keyed.items()}
    return HeapObject("tuple", dict(columns), born=rows.born)


def map_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``."""
    return mapped(state, given, node, starred=False)


def mapped(state: AnalysisState, given: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """A function called on every element of a sequence."""
    if len(given[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, source = given[0][0], given[0][1]
    place = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    plan = iteration(state, source, place, None)
    cell = HeapObject("list", born=state.active_axes)
    with state.along(plan.axes):
        for value in plan.elements:
            spread_out = starred and isinstance(value, HeapObject) and value.rest is None
            values = list(value.keyed.values()) if spread_out and isinstance(value, HeapObject) else [value]
            result = state.call(state, function, (values, {}), node)
            cell.rest = join([*options(cell.rest), result])
            cell.extent |= state.swept(result, cell.born)
    return cell


def parallel_call(state: AnalysisState, target: LibraryObject, given: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(…)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return state.call(state, target.facts["function"], given, node)
    return first(given)


def mask_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.isnan(x)``."""
    state.forgive(first(given))
    return Data(axes_of(first(given)), codomain="nan-mask")


def patch_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.nan_to_num(x)``; with a value of its own it patches undefined folds."""
    state.forgive(first(given))
    value, patch = array(first(given)), given[1].get("nan")
    if isinstance(patch, Const) and patch.value:
        dropped(state, value, node, "patch")
    return value


def divide(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
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


def harmonic_effect(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``scipy.stats.hmean([precision, recall])``."""
    found = harmonic_call(state, node) if isinstance(node, ast.Call) else None
    return found if found is not None else unfollowed(state, given)


def outside_data(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Data from outside, or a value that is certainly no measure."""
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), codomain="data" if given else "unknown")


def made_data(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``make_classification(n_samples=…, weights=[…], flip_y=0)``: data, and their size where the call says it."""
    if entry.facts.get("multilabel"):
        return HeapObject("tuple", {0: Data(codomain="data"), 1: Data(codomain="multilabel")}, born=state.active_axes)
    positional, keywords = given
    samples = constant(positional[0] if positional else keywords.get("n_samples"), 100)
    weights = keywords.get("weights")
    shares = [constant(v, None) for v in weights.entries()] if isinstance(weights, HeapObject) else []
    share = shares[0] if 1 <= len(shares) <= 2 and constant(keywords.get("flip_y"), 0.01) == 0 else None
    size = None
    if isinstance(samples, int) and isinstance(share, float) and 0 < share < 1:
        size = (samples, round(samples * (1 - share)))
    return HeapObject("tuple", dict(enumerate([Data(codomain="data", size=size)] * 2)), born=state.active_axes)


def constant(value: AnyValue | None, default: object) -> object:
    """The value of a literal argument, or of its default; None when it is not known."""
    if value is None:
        return default
    return value.value if isinstance(value, Const) else None


def rest_of(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.setdiff1d(all_rows, test_rows)``: all but a part, which a loop holds out if it varies with the loop."""
    if len(given[0]) > 1 and isinstance(given[0][1], Data):
        held_out(state, given[0][1], by_element=True)
    return unfollowed(state, given)


def estimator_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An estimator; of a pipeline what its last step says."""
    facts = dict(entry.facts)
    if facts.get("gives") == "as-last":
        steps = [v for arg in (*given[0], *given[1].values()) for v in last_things(arg)]
        if steps and all(v.role == "transformer" for v in steps):
            return LibraryObject(role="transformer", name=entry.name, facts={"learns": learnt_by(steps)})
        last = [v for arg in given[0] for v in last_things(arg)]
        facts = dict(last[-1].facts) if last else {}
    return LibraryObject(role="estimator", name=entry.name, facts=facts)


def learnt_by(steps: list[LibraryObject]) -> str:
    """What a transformer learns that is made of others."""
    return "values" if any(v.facts.get("learns", "values") == "values" for v in steps) else "nothing"


def last_things(value: AnyValue) -> list[LibraryObject]:
    """The estimators among the steps of a pipeline."""
    match value:
        case LibraryObject():
            return [value]
        case HeapObject():
            return [t for v in value.keyed.values() for t in last_things(v)]
        case _:
            return []


def thing_of_role(role: str) -> Effect:
    """An effect that makes an object of ``role``."""

    def made(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
        axes = NO_AXES.union(*(axes_of(v) for v in (*given[0], *given[1].values())))
        if entry.facts.get("learns") == "parts":
            steps = [v for arg in (*given[0], *given[1].values()) for v in last_things(arg)]
            return LibraryObject(axes=axes, role=role, name=entry.name, facts={"learns": learnt_by(steps)})
        return LibraryObject(
            axes=axes, role=role, name=entry.name, facts={**entry.facts, "function": first(given), "node": node}
        )

    return made


def partial_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not given[0]:
        return UNKNOWN
    return Partial(target=given[0][0], arguments=tuple(given[0][1:]), keywords=tuple(given[1].items()))


def length_of(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``len(x)``."""
    return Data(axes_of(first(given)), codomain="length")


def show(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``print(x)``."""
    for value in given[0]:
        reported(state, value)
    side_by_side(state, given[0], node)
    announced(state, node)
    return Const()


def distinct_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.unique(y)``."""
    return Data(axes_of(first(given)), codomain="distinct")


def threshold(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.where(test, a, b)``: one of two values."""
    if len(given[0]) < 3:
        return Data(axes_of(first(given)), codomain="mask")
    replaced(state, given[0], node)
    return (
        join(v for v in given[0][1:] if not isinstance(v, Const))
        if any(not isinstance(v, Const) for v in given[0][1:])
        else Data(axes_of(first(given)), codomain="hard")
    )


def nothing(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Known, and of no interest here."""
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), opaque=False)


def draw(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``resample(rows)``, ``rng.choice(n, n)``: rows that are drawn, by which an array keeps its dimensions."""
    balanced(state, entry, node)
    return Data(state.active_axes.union(*(axes_of(v) for v in given[0])), codomain="indices")


EFFECTS: dict[str, Effect] = {
    "measure": measure_call,
    "reduce": reduce_call,
    "spread": spread_call,
    "select": select_call,
    "same": convert,
    "pool": pool_call,
    "stack": stack_call,
    "array": new_array,
    "container": container,
    "frame": frame_call,
    "splitter": splitter_call,
    "hold-out": hold_out,
    "parts": pieces,
    "cross-val": cross_val,
    "search": search_call,
    "scorer": scorer,
    "iterate": iterate,
    "map": map_call,
    "mask": mask_call,
    "patch": patch_call,
    "divide": divide,
    "counts": confusion_counts,
    "data": outside_data,
    "made-data": made_data,
    "rest": rest_of,
    "estimator": estimator_call,
    "calibrated": thing_of_role("calibrated"),
    "loader": thing_of_role("loader"),
    "dataset": thing_of_role("dataset"),
    "stateful-measure": thing_of_role("state"),
    "parallel": thing_of_role("parallel"),
    "delayed": thing_of_role("delayed"),
    "partial": partial_call,
    "length": length_of,
    "show": show,
    "distinct": distinct_call,
    "threshold": threshold,
    "area": area_under,
    "check-cv": convert,
    "constant": nothing,
    "transformer": thing_of_role("transformer"),
    "resampler": thing_of_role("resampler"),
    "draw": draw,
    "evaluate-load": evaluate_load,
    "harmonic": harmonic_effect,
}
