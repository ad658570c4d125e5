"""What calling a library's function does, by the effect that the knowledge gives it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from cvlint.flow import calls, containers, conventions, formulas, loops, measuring, undefined
from cvlint.flow.run import Run
from cvlint.flow.values import (
    NO_AXES,
    UNKNOWN,
    AnyValue,
    Axes,
    Axis,
    Cell,
    Const,
    Data,
    Either,
    Function,
    Library,
    Measured,
    Partial,
    Thing,
    array,
    axes_of,
    element,
    join,
    measures,
    options,
    stacked,
    with_step,
)
from cvlint.knowledge import Entry

Arguments = tuple[list[AnyValue], dict[str, AnyValue]]
Effect: TypeAlias = Callable[[Run, Entry, Arguments, ast.AST], AnyValue]

LOADER_METHODS = ("batch", "padded_batch", "shuffle", "map", "prefetch", "repeat", "take", "skip", "cache", "flow", "flow_from_directory", "flow_from_dataframe")
READ = "the search's mean over folds is read here"
INFLECTION = {"mean": "averaged", "nanmean": "averaged", "median": "summed up by its median", "sum": "summed up"}


def library_call(run: Run, target: Library, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a name of a library."""
    entry = run.knowledge.entry(target.name)
    if entry is None or entry.effect not in EFFECTS:
        value = calls.opaque(run, given)
        return value
    value = EFFECTS[entry.effect](run, entry, given, node)
    if target.soft and isinstance(value, Measured | Thing):
        return value
    return value


def argument(given: Arguments, index: int, name: str) -> AnyValue | None:
    """An argument by its position or its name."""
    positional, keywords = given
    if name in keywords:
        return keywords[name]
    return positional[index] if index < len(positional) else None


def first(given: Arguments) -> AnyValue:
    """The first argument, however it was given."""
    positional, keywords = given
    return positional[0] if positional else next(iter(keywords.values()), UNKNOWN)


# --- reducing -------------------------------------------------------------------------------------------------------


def reduce_(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.mean(values, axis=0)``, ``sum(values)``."""
    axis = argument(given, 1, "axis") if entry.facts["kind"] != "sum" or "axis" in given[1] else None
    return reduce_value(run, node, entry.facts["kind"], first(given), axis or given[1].get("dim"))


def reduce_value(run: Run, node: ast.AST, kind: str, value: AnyValue, axis: AnyValue | None = None) -> AnyValue:
    """A mean, median or sum of ``value`` along one of its dimensions, or all."""
    which = axis.value if isinstance(axis, Const) and isinstance(axis.value, int) else None
    filled = array(value)
    return join(reduce_one(run, node, kind, option, which) for option in options(filled))


def reduce_one(run: Run, node: ast.AST, kind: str, value: AnyValue, which: int | None) -> AnyValue:
    """Reduce one possible value."""
    match value:
        case Measured() if value.along:
            gone = value.along if which is None or len(value.along) == 1 else value.along[which : which + 1 or None]
            kept = () if which is None or len(value.along) == 1 else tuple(d for d in value.along if d not in gone)
            return reduced(run, node, kind, replace(value, along=kept), frozenset().union(*gone))
        case Measured():
            return value
        case Data() if value.along:
            kept = () if which is None else tuple(d for i, d in enumerate(value.along) if i != which % len(value.along))
            if kind == "sum":
                pooled = value.pooled.union(*value.along)
                return Data(value.axes, kept, value.trace, value.what, pooled if value.what == "count" else value.pooled)
            return Data(value.axes, kept, value.trace, value.what, value.pooled)
        case Cell(kind="table" | "frame"):
            if which in (1, -1) and value.kind == "table":
                return Data(axes_of(value))
            columns = {key: reduce_value(run, node, kind, v, Const(value=0)) for key, v in value.keyed.items()}
            rest = None if value.rest is None else reduce_value(run, node, kind, value.rest)
            return Cell("table", columns, rest, NO_AXES, value.born)
        case Cell() if kind == "sum" and value.rest is None:
            return Data(axes_of(value))
        case Cell() if value.rest is None and value.keyed:
            return row_reduced(run, node, kind, value)
        case Data():
            return Data(value.axes, (), (), value.what if value.what == "scores" else "unknown", value.pooled)
        case _:
            return Data(axes_of(value))


def row_reduced(run: Run, node: ast.AST, kind: str, row: Cell) -> AnyValue:
    """A mean over a literal row: of arrays it goes on inside, of plain measures it means nothing."""
    inner = {key: reduce_value(run, node, kind, v) for key, v in row.keyed.items() if not isinstance(v, Const)}
    same = {v.measure for v in inner.values() if isinstance(v, Measured)}
    if len(same) == 1 and len(inner) == len(row.keyed):
        return next(iter(inner.values()))
    return Data(axes_of(row))


def reduced(run: Run, node: ast.AST, kind: str, value: Measured, axes: Axes) -> AnyValue:
    """A measure that was reduced over ``axes``: the event, and what is left."""
    if not axes:
        return value
    if kind in ("sum", "nansum"):
        return replace(value, total=value.total | axes)
    run.emit(
        "reduce", node, axes, value.trace, f"{value.measure} is {INFLECTION.get(kind, 'averaged')} here", kind=kind, measure=value.measure.kind, label=value.measure.label,
        average=value.measure.average,
    )  # fmt: skip
    if kind == "nanmean":
        run.forgive(value)
    step = run.step(node, f"{value.measure} is {INFLECTION.get(kind, 'averaged')} here")
    kept = replace(value, reduced=value.reduced | axes, axes=value.axes - axes, total=value.total - axes)
    return with_step(kept, step)


def spread(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A standard deviation, a quantile: no measure any more."""
    return Data(axes_of(first(given)))


def select(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """The largest of several values, or where it is."""
    if entry.facts.get("forgives"):
        run.forgive(first(given))
    if len(given[0]) > 1 and not any(isinstance(v, Measured) and v.along for v in given[0]):
        return join(v for v in given[0] if not isinstance(v, Const))
    return selected(run, array(first(given)))


def selected(run: Run, value: AnyValue) -> AnyValue:
    """One of the entries along a dimension: chosen, not averaged."""
    match value:
        case Measured() if value.along:
            return replace(value, along=(), axes=value.axes)
        case Measured():
            return value
        case _:
            return Data(axes_of(value))


# --- pooling, stacking, passing through --------------------------------------------------------------------------------


def same(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Conversions: the value stays what it is, a list becomes an array."""
    value = first(given)
    match value:
        case Cell(rest=None, keyed=keyed) if not keyed:
            return value
        case Cell() if entry.name.startswith(("builtins.", "copy.")):
            return value
        case Const():
            return value if not isinstance(value.value, str) else Data(opaque=False, what="text")
        case Thing() | Function() | Library():
            return value
        case _:
            return array(value)


def pool(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.concatenate(list_of_arrays)``: the parts of different folds together; measures are collected."""
    parts = first(given)
    if len(given[0]) > 1 and not isinstance(given[0][1], Const):
        parts = Cell("tuple", dict(enumerate(given[0])), born=run.active_axes)
    match parts:
        case Cell(keyed=keyed, rest=None) if keyed:
            return pool_row(run, list(keyed.values()), node)
        case Cell() if parts.kind == "frame":
            return parts
        case Cell():
            return join(poured(run, option, parts.extent, node) for option in options(parts.rest))
        case Data() if parts.along:
            return Data(parts.axes, (), parts.trace, parts.what, parts.pooled | parts.along[0])
        case _:
            return array(parts)


def pool_row(run: Run, parts: list[AnyValue], node: ast.AST) -> AnyValue:
    """``np.append(all_scores, scores)``, ``pd.concat([frame, row])``, ``np.concatenate([X[:a], X[b:]])``."""
    kinds = {v.what for v in parts if isinstance(v, Data)}
    if {"before", "after"} <= kinds:
        for value in parts:
            if isinstance(value, Data) and value.what in ("before", "after"):
                loops.held_out(run, value)
    holders = [v for p in parts for v in options(p) if isinstance(v, Cell) and (v.kind in ("list", "frame", "array") or v.rest)]
    if holders and len(parts) > 1:
        holder = holders[0]
        for value in parts:
            if holder not in options(value):
                poured_in(run, holder, value, node)
        return holder
    outer = [p for p in parts if not (axes_of(p) & run.active_axes)]
    if outer and len(outer) < len(parts) and all(isinstance(p, Data) for p in parts):
        inner = join(p for p in parts if axes_of(p) & run.active_axes)
        swept = run.active_axes - axes_of(outer[0])
        return poured(run, inner, swept, node)
    merged = join(parts)
    return element(merged) if isinstance(merged, Cell) else merged


def poured_in(run: Run, holder: Cell, value: AnyValue, node: ast.AST) -> None:
    """Add to a container what is concatenated to it."""
    for option in options(value):
        match option:
            case Measured() | Cell(kind="frame" | "table" | "tuple" | "dict"):
                row = option
                if isinstance(option, Cell) and option.kind in ("frame", "table") and option.keyed:
                    row = Cell("dict", {k: element(v) if isinstance(v, Cell) else v for k, v in option.keyed.items()})
                containers.append(run, holder, row, node)
            case Cell(keyed=keyed, rest=None) if keyed:
                for entry in keyed.values():
                    containers.append(run, holder, entry, node)
            case _:
                containers.extend(run, holder, option, node)


def poured(run: Run, value: AnyValue, swept: Axes, node: ast.AST) -> AnyValue:
    """Entries of a list, concatenated: data of different folds are pooled."""
    match value:
        case Data():
            step = run.step(node, "the parts of different folds are pooled here")
            return Data(value.axes - swept, (), (*value.trace, step), value.what, value.pooled | swept)
        case Measured():
            return stacked(value, swept)
        case Cell():
            columns = {key: poured(run, v, swept, node) for key, v in value.keyed.items()}
            rest = None if value.rest is None else poured(run, value.rest, swept, node)
            return Cell("frame", columns, rest, value.extent, value.born - swept)
        case Either():
            return join(poured(run, option, swept, node) for option in value.options)
        case _:
            return value


def stack(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.column_stack``: side by side, not pooled."""
    return array(first(given))


def new_array(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An array that is to be filled."""
    return Cell("array", born=run.active_axes)


def container(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=…)``, ``defaultdict(list)``."""
    positional, keywords = given
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return Cell("dict", born=run.active_axes, default=positional[0] if positional else None)
    if kind == "dict":
        source = positional[0] if positional else None
        keyed = dict(source.keyed) if isinstance(source, Cell) else {}
        return Cell("dict", {**keyed, **keywords}, source.rest if isinstance(source, Cell) else None, born=run.active_axes)
    if not positional:
        return Cell("list", born=run.active_axes)
    value = positional[0]
    return value if not isinstance(value, Const) else Data()


def frame(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A DataFrame or Series of what was collected."""
    source = argument(given, 0, "data")
    columns = given[1].get("columns")
    if source is not None:
        reported(run, source)
    match source:
        case Const(value=int() | float() | str()):
            return Cell("array", born=run.active_axes)
        case None | Const(value=None):
            return Cell("frame", born=run.active_axes, default=columns or Cell("list"))
        case Cell(kind="dict"):
            keyed = {key: array(v) for key, v in source.keyed.items()}
            rest = None if source.rest is None else stacked(array(source.rest), source.extent)
            return Cell("frame", keyed, rest, source.extent, source.born)
        case Cell(rest=None, keyed=keyed) if not keyed:
            return Cell("frame", born=source.born, default=columns or Cell("list"))
        case _:
            return titled(array(source), columns)


def titled(value: AnyValue, columns: AnyValue | None) -> AnyValue:
    """A table whose numbered columns have got names."""
    if isinstance(value, Either):
        return join(titled(option, columns) for option in value.options)
    if isinstance(value, Cell) and value.kind == "table" and isinstance(columns, Cell):
        titles = {k: v.value for k, v in columns.keyed.items() if isinstance(v, Const)}
        return Cell("frame", {titles.get(k, k): v for k, v in value.keyed.items()}, value.rest, value.extent, value.born)
    return value


# --- splitting ---------------------------------------------------------------------------------------------------------


def splitter(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A splitter is made; its facts tell of what kind."""
    facts = {"style": entry.facts["style"], "stratified": entry.facts["stratified"], "step": run.step(node, "this splitter makes the folds")}
    return Thing(role="splitter", name=entry.name.rpartition(".")[2], facts=facts)


def hold_out(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``train_test_split``: parts in pairs; in a loop each pass has its own."""
    return Data(run.active_axes, what="parts")


def pieces(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.array_split``: a list of parts, to be held out one after another."""
    axis = Axis("fold", run.step(node, "the data are cut into parts here"))
    return Data(run.active_axes | {axis}, what="fold-pieces") if run else UNKNOWN


def cross_val(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``cross_val_score`` and its kin: a loop over folds inside the library."""
    positional, keywords = given
    params = entry.facts.get("params", [])
    bound = dict(zip([*params, "groups", "scoring", "cv"], positional, strict=False)) | keywords
    if len(positional) > len(params) and isinstance(positional[len(params)], Const):
        bound |= dict(zip(["scoring", "cv"], positional[len(params) :], strict=False))
    cv = next((v for v in options(bound.get("cv")) if isinstance(v, Thing)), None)
    axis = Axis("fold", run.step(node, "the data are split into folds here"), cv if cv and cv.role == "splitter" else None)
    if cv is not None and cv.role == "folds":
        axis = cv.facts["axis"]
    scoring = measuring.measured_by_scoring(run, bound.get("scoring"), node, axis)
    returns = entry.facts["returns"]
    if returns == "predictions":
        return cross_predicted(run, bound, axis, node)
    for value in scoring.values():
        if isinstance(value, Measured):
            undefined.split_event(run, axis, value, node)
    match returns:
        case "scores":
            return scoring.get("score", Data(run.active_axes, (frozenset((axis,)),), opaque=True))
        case "dict":
            keyed: dict[Any, AnyValue] = {f"{part}_{key}": value for key, value in scoring.items() for part in ("test", "train")}
            unknown = Data(run.active_axes, (frozenset((axis,)),), opaque=True)
            return Cell("dict", keyed, None if keyed else unknown, NO_AXES, run.active_axes)
        case "curve":
            scores = scoring.get("score", UNKNOWN)
            sizes = frozenset((Axis("loop", run.step(node, "a loop over sizes")),))
            curve = stacked(scores, sizes) if isinstance(scores, Measured) else UNKNOWN
            return Cell("tuple", {i: curve if what == "scores" else Data() for i, what in enumerate(entry.facts["shape"])})
        case _:
            return Thing(role="cv-table", facts={"axis": axis})


def cross_predicted(run: Run, bound: dict[str, AnyValue], axis: Axis, node: ast.AST) -> Data:
    """``cross_val_predict``: the predictions of different folds' models in one array."""
    methods = {v.value for v in options(bound.get("method")) if isinstance(v, Const)}
    soft = methods & {"predict_proba", "decision_function", "predict_log_proba"}
    estimator = bound.get("estimator")
    gives = estimator.facts.get("gives") if isinstance(estimator, Thing) else None
    what = "scores" if soft else ("scores" if gives == "scores" else "hard")
    if estimator is not None and any(isinstance(v, Thing) and v.role == "calibrated" for v in options(estimator)):
        what = "calibrated" if what == "scores" else what
    step = run.step(node, "the predictions of different folds' models are pooled here")
    return Data(run.active_axes, (), (step,), what, frozenset((axis,)))


# --- searches ------------------------------------------------------------------------------------------------------------


def search(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A search over parameters: its scores are means over folds."""
    positional, keywords = given
    bound = dict(zip([*entry.facts.get("params", [])], positional, strict=False)) | keywords
    cv = next((v for v in options(bound.get("cv")) if isinstance(v, Thing) and v.role == "splitter"), None)
    axis = Axis("fold", run.step(node, "this search splits the data into folds"), cv)
    scoring = measuring.measured_by_scoring(run, bound.get("scoring"), node, axis)
    for value in scoring.values():
        if isinstance(value, Measured):
            undefined.split_event(run, axis, value, node)
    refit = bound.get("refit")
    return Thing(role="search", name=entry.name, facts={"scoring": scoring, "axis": axis, "refit": refit})


def search_attribute(run: Run, base: Thing, node: ast.Attribute) -> AnyValue:
    """``best_score_`` and ``cv_results_`` of a search."""
    scoring: dict[str, AnyValue] = base.facts["scoring"]
    match node.attr:
        case "best_score_":
            refit = base.facts["refit"]
            wanted = refit.value if isinstance(refit, Const) and refit.value in scoring else None
            value = scoring.get(wanted or "score")
            return shown_score(run, value, node)
        case "cv_results_":
            return Thing(role="search-results", facts=base.facts)
        case "grid_scores_":
            row = Cell("tuple", {0: Data(), 1: shown_score(run, scoring.get("score"), node), 2: Data()})
            return Cell("list", rest=row, born=run.active_axes)
        case "scores_":
            return shown_score(run, scoring.get("score"), node)
        case "best_estimator_":
            return Data(run.active_axes, opaque=False)
        case _:
            return Data(run.active_axes)


def search_column(run: Run, base: Thing, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """``cv_results_["mean_test_f1"]``."""
    scoring: dict[str, AnyValue] = base.facts["scoring"]
    if isinstance(key, Cell):
        return join(search_column(run, base, value, node) for value in key.keyed.values())
    name = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
    for prefix in ("mean_test_", "mean_train_"):
        if name.startswith(prefix):
            candidates = frozenset((Axis("candidate", run.step(node, "one value a candidate")),))
            return stacked(shown_score(run, scoring.get(name.removeprefix(prefix)), node), candidates)
    return Data(run.active_axes)


def shown_score(run: Run, value: AnyValue | None, node: ast.AST) -> AnyValue:
    """The mean over folds of a search's score; whether it is shown is seen later (see `reported`)."""
    found: list[AnyValue] = []
    for option in options(value):
        if isinstance(option, Measured):
            axes = frozenset().union(*option.along)
            step = run.step(node, READ)
            found.append(replace(option, along=(), reduced=option.reduced | axes, trace=(*option.trace, step), parts=("search",)))
    return join(found) if found else Data(run.active_axes)


def reported(run: Run, value: AnyValue) -> None:
    """``value`` is shown to a person, or stored with results: scores of a search among it are reported."""
    for found in measures(value):
        if found.parts == ("search",):
            step = next(s for s in reversed(found.trace) if s.note == READ)
            if step.module is not run.scope.module or run.quiet:
                continue
            run.emit(
                "report", step.node, found.reduced, found.trace[: found.trace.index(step)], measure=found.measure.kind,
                average=found.measure.average, label=found.measure.label,
            )  # fmt: skip


def text_of(values: list[AnyValue]) -> AnyValue:
    """A text made of ``values``; one that holds a single measure still is that measure to ``float``."""
    found = [v for v in values if isinstance(v, Measured) and not v.along]
    return found[0] if len(found) == 1 and found[0].parts != ("search",) else Data(what="text")


# --- the rest --------------------------------------------------------------------------------------------------------------


def scorer(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``make_scorer(fbeta_score, beta=2)``, ``get_scorer("f1")``."""
    target = first(given)
    average = given[1].get("average")
    return Thing(role="scorer", facts={"target": target, "average": average.value if isinstance(average, Const) else None})


def scored(run: Run, target: Thing, node: ast.AST) -> AnyValue:
    """A scorer called by hand: ``scorer(model, X_test, y_test)``."""
    for value in measuring.measured_by_scoring(run, target, node, None).values():
        return value
    return Data(run.active_axes, opaque=True)


def iterate(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``enumerate``, ``zip``, ``range``, ``tqdm``."""
    form = entry.facts["form"]
    if form == "range":
        return Thing(role="range", facts={"parts": tuple(given[0])})
    if form == "same":
        return first(given) if given[0] else UNKNOWN
    return Thing(role="iterator", facts={"form": form, "parts": tuple(given[0])})


def mapping(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``."""
    return mapped(run, given, node, starred=False)


def mapped(run: Run, given: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """A function called on every element of a sequence."""
    if len(given[0]) < 2:
        return Data(run.active_axes, opaque=True)
    function, source = given[0][0], given[0][1]
    place = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    plan = loops.iteration(run, source, place, None)
    cell = Cell("list", born=run.active_axes)
    with run.along(plan.axes):
        for value in plan.elements:
            spread_out = starred and isinstance(value, Cell) and value.rest is None
            values = list(value.keyed.values()) if spread_out and isinstance(value, Cell) else [value]
            result = calls.call_value(run, function, (values, {}), node)
            cell.rest = join([*options(cell.rest), result])
            cell.extent |= run.swept(result, cell.born)
    return cell


def parallel_call(run: Run, target: Thing, given: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(…)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return calls.call_value(run, target.facts["function"], given, node)
    return first(given)


def mask(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.isnan(x)``."""
    run.forgive(first(given))
    return Data(axes_of(first(given)), what="nan-mask")


def patch(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.nan_to_num(x)``."""
    run.forgive(first(given))
    return array(first(given))


def divide(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.divide(a, b, where=…)``: a division that knows of zeros if ``where`` is given."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return Data(run.active_axes, opaque=True)
    written = ast.copy_location(ast.BinOp(node.args[0], ast.Div(), node.args[1]), node)
    guarded = {"where", "out"} & given[1].keys()
    if guarded:
        run.frame.guards.append(ast.With())
    try:
        return run.evaluate(run, written)
    finally:
        if guarded:
            run.frame.guards.pop()


def harmonic(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``scipy.stats.hmean([precision, recall])``."""
    found = formulas.harmonic_call(run, node) if isinstance(node, ast.Call) else None
    return found if found is not None else calls.opaque(run, given)


def counts(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A confusion matrix: counts, which may be summed over folds."""
    axes = run.active_axes.union(*(axes_of(v) for v in given[0]))
    pooled = frozenset().union(*(containers.pooled_axes(v) for v in given[0]))
    return Data(axes, what="counts", pooled=pooled)


def data(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Data from outside, or a value that is certainly no measure."""
    return Data(run.active_axes.union(*(axes_of(v) for v in given[0])), what="data" if given else "unknown")


def estimator(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An estimator; of a pipeline what its last step says."""
    facts = dict(entry.facts)
    if facts.get("gives") == "as-last":
        last = [v for arg in given[0] for v in last_things(arg)]
        facts = dict(last[-1].facts) if last else {}
    return Thing(role="estimator", name=entry.name, facts=facts)


def last_things(value: AnyValue) -> list[Thing]:
    """The estimators among the steps of a pipeline."""
    match value:
        case Thing():
            return [value]
        case Cell():
            return [t for v in value.keyed.values() for t in last_things(v)]
        case _:
            return []


def thing(role: str) -> Effect:
    """An effect that makes an object of ``role``."""

    def made(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
        return Thing(axes=run.active_axes, role=role, name=entry.name, facts={**entry.facts, "function": first(given)})

    return made


def partial(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not given[0]:
        return UNKNOWN
    return Partial(target=given[0][0], arguments=tuple(given[0][1:]), keywords=tuple(given[1].items()))


def length(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``len(x)``."""
    return Data(axes_of(first(given)), what="length")


def show(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``print(x)``."""
    for value in given[0]:
        reported(run, value)
    return Const()


def distinct(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.unique(y)``."""
    return Data(axes_of(first(given)), what="distinct")


def threshold(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.where(test, a, b)``: one of two values."""
    if len(given[0]) < 3:
        return Data(axes_of(first(given)), what="mask")
    undefined.replaced(run, given[0], node)
    return join(v for v in given[0][1:] if not isinstance(v, Const)) if any(not isinstance(v, Const) for v in given[0][1:]) else Data(axes_of(first(given)), what="hard")


def state_called(run: Run, target: Thing, node: ast.AST) -> AnyValue:
    """A metric object called on a batch gives the value of that batch."""
    from cvlint.flow.measuring import labelled

    return Measured(run.active_axes, (), (run.step(node, f"{target.facts['label']} is computed here"),), labelled(target.facts))


def state_method(run: Run, base: Thing, name: str, given: Arguments, node: ast.AST) -> AnyValue:
    """``update``, ``compute``, ``result`` of a metric that accumulates."""
    if name in ("compute", "result"):
        batches = frozenset(a for a in run.active_axes if a.kind == "batch")
        value = state_called(run, base, node)
        return replace(value, axes=value.axes - batches) if isinstance(value, Measured) else value
    if name == "forward":
        return state_called(run, base, node)
    return base if name in ("to", "cuda", "clone") else Const()


def evaluate_load(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``evaluate.load("f1")``: an object whose ``compute`` gives a dict with the measure."""
    name = first(given)
    known = run.knowledge.scorer(str(name.value)) if isinstance(name, Const) else None
    if known is None:
        return Data(run.active_axes, opaque=True)
    return Thing(role="evaluator", facts={"name": str(name.value) if isinstance(name, Const) else "", "measure": known.measure, "label": known.label, "average": known.average})


def evaluator_computes(run: Run, base: Thing, given: Arguments, node: ast.AST) -> AnyValue:
    """``metric.compute(predictions=…, references=…)``."""
    facts = {**base.facts, "params": [], "keywords": {"predictions": "y_pred", "references": "y_true", "prediction_scores": "y_score"}}
    return Cell("dict", {base.facts["name"]: measuring.measure_call(run, Entry("evaluate.compute", "measure", facts), given, node)}, born=run.active_axes)


def area(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``auc(fpr, tpr)``: the area under a curve that is already a measure."""
    found = [m for v in given[0] for m in measures(v)]
    if not found:
        return conventions.named(run, calls.opaque(run, given), "auc", node)
    kinds = {m.parts[0] for m in found if m.parts}
    base = next((m for m in found if m.parts), found[0])
    if kinds & {"precision", "recall"} or base.measure.kind in ("precision", "recall"):
        from cvlint.flow.values import Measure

        return replace(base, measure=Measure("average-precision", None, "the area under the PR curve"), parts=(), along=(), reduced=NO_AXES)
    return replace(base, parts=(), along=(), reduced=NO_AXES)


def nothing(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Known, and of no interest here."""
    return Data(run.active_axes.union(*(axes_of(v) for v in given[0])), opaque=False)


EFFECTS: dict[str, Effect] = {
    "measure": measuring.measure_call,
    "reduce": reduce_,
    "spread": spread,
    "select": select,
    "same": same,
    "pool": pool,
    "stack": stack,
    "array": new_array,
    "container": container,
    "frame": frame,
    "splitter": splitter,
    "hold-out": hold_out,
    "parts": pieces,
    "cross-val": cross_val,
    "search": search,
    "scorer": scorer,
    "iterate": iterate,
    "map": mapping,
    "mask": mask,
    "patch": patch,
    "divide": divide,
    "counts": counts,
    "data": data,
    "estimator": estimator,
    "calibrated": thing("calibrated"),
    "loader": thing("loader"),
    "dataset": thing("dataset"),
    "stateful-measure": thing("state"),
    "parallel": thing("parallel"),
    "delayed": thing("delayed"),
    "partial": partial,
    "length": length,
    "show": show,
    "distinct": distinct,
    "threshold": threshold,
    "area": area,
    "check-cv": same,
    "constant": nothing,
    "transformer": thing("transformer"),
    "resampler": nothing,
    "evaluate-load": evaluate_load,
    "harmonic": harmonic,
}
