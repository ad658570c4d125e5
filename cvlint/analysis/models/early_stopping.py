"""Libraries that keep the best epoch, or round of boosting, by a measure on held-out data. Effect: ``keeps-best``.

``model.fit(X, y, validation_data=(X_test, y_test), callbacks=[EarlyStopping("val_auc", restore_best_weights=True)])``,
``XGBClassifier(eval_metric="auc", early_stopping_rounds=9).fit(X, y, eval_set=[(X_test, y_test)])``. The model gets a
label of the kind "chosen": what it is then measured on, if these are the same data, has chosen it. So does the file of
a ``ModelCheckpoint``, which a model may be loaded from. A loss chooses, too, but no rule asks for that.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from cvlint.analysis.checkers.best_shown import STOPPED
from cvlint.analysis.checkers.rows.samples import rows_measured
from cvlint.analysis.checkers.selection_bias import part_of_data
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject
from cvlint.analysis.heap.files import open_for_writing, read_file, write_record
from cvlint.analysis.heap.paths import Place, places
from cvlint.analysis.inference.data_names import data_name
from cvlint.analysis.inference.identifier_inference import MEASURE_LABELS
from cvlint.analysis.inference.written_entries import entries_made
from cvlint.analysis.models.arguments import argument_named
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.schema import Entry

ROLE = "keeps-best"
TRUTH = "truth"  # the kind of the labels of a data set that say what its true labels are
FILE = "filepath"
HELD_OUT = "val_"  # Keras puts it before the name of a measure on the held-out data


def keeps_best_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``EarlyStopping(monitor="val_auc", restore_best_weights=True)``; nothing where it does not keep the best."""
    given = {name: argument_named(arguments, i, name) for i, name in enumerate(entry.facts["params"])}
    keeps = given.get(entry.facts["keeps"]) if "keeps" in entry.facts else Const(value=True)
    if not (isinstance(keeps, Const) and keeps.value):
        return Data(state.active_axes)
    facts: dict[str, object] = {"monitor": text_in(given.get("monitor")), "node": node}
    if FILE in given:
        facts["files"] = [open_for_writing(state, place, False) for place in paths(state, arguments, node)]
    return LibraryObject(role=ROLE, name=entry.name, facts=facts)


def paths(state: AnalysisState, arguments: Arguments, node: ast.AST) -> list[Place]:
    """The paths that ``ModelCheckpoint(filepath)`` and ``load_weights(filepath)`` name."""
    value = argument_named(arguments, 0, FILE)
    if value is None or not isinstance(node, ast.Call):
        return []
    found = [k.value for k in node.keywords if k.arg == FILE] or node.args[:1]
    return places(state, found[0], value) if found else []


def text_in(value: AnyValue | None) -> str:
    """The text that a value is, or the last one of a list: several measures stop by the last one."""
    last = value.entries()[-1] if isinstance(value, HeapObject) and value.elements is None and value.fields else value
    return last.value if isinstance(last, Const) and isinstance(last.value, str) else ""


def best_epoch_kept(state: AnalysisState, base: AnyValue, arguments: Arguments, node: ast.Call) -> Taint:
    """The label of a model that is fitted with callbacks which keep its best epoch, or with early stopping."""
    given = arguments[1]
    callbacks = [c for v in options(given.get("callbacks")) for c in callbacks_in(v) if c.role == ROLE]
    if "validation_data" in given:
        kept = [c for c in callbacks if c.facts["monitor"].startswith(HELD_OUT)]
        chosen = [
            (c, label_of(state, c.facts["node"], monitored(state, c), held_out_labels(state, node))) for c in kept
        ]
        for callback, taint in chosen:
            for file in callback.facts.get("files", ()):
                write_record(state, file, Data(labels=taint), node)
        return NO_TAINT.union(*(taint for callback, taint in chosen if "files" not in callback.facts))
    if isinstance(base, LibraryObject) and "stops_by" in base.facts and "eval_set" in given:
        return best_round_kept(state, base, arguments, node)
    return NO_TAINT


def callbacks_in(value: AnyValue) -> list[LibraryObject]:
    """The callbacks that an argument holds: one, or a list of them."""
    entries = value.entries() if isinstance(value, HeapObject) else [value]
    return [c for entry in entries for c in options(entry) if isinstance(c, LibraryObject)]


def best_round_kept(state: AnalysisState, base: LibraryObject, arguments: Arguments, node: ast.Call) -> Taint:
    """The label of boosted trees that stop at the best round on the last of several data sets."""
    told = {**base.facts["told"], **arguments[1]}
    kind = base.facts["stops_by"].get(text_in(told.get("eval_metric")), "")
    if not kind or not (base.facts.get("stops") or stops_early(state, told)):
        return NO_TAINT
    of_sets = chosen_by_sets(state, last_set(state, told["eval_set"], len(node.args), "eval_set", node), kind, node)
    return of_folds(state, of_sets or label_of(state, node, kind, held_out_labels(state, node)))


def best_round_of_train(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> Taint:
    """The label of ``lgb.train(params, rows, valid_sets=[rows, test], callbacks=[early_stopping(9)])``."""
    names, held_out = entry.facts["params"], entry.facts["held_out"]
    given = {name: value for i, name in enumerate(names) if (value := argument_named(arguments, i, name)) is not None}
    settings = [v for v in options(given.get("params")) if isinstance(v, HeapObject)]
    told = {k: v for found in settings for k, v in found.fields.items() if isinstance(k, str)} | arguments[1]
    by = next((told[name] for name in entry.facts["metric_keys"] if name in told), None)
    kind = entry.facts["stops_by"].get(text_in(by), "")
    if held_out not in given or not kind or not stops_early(state, told):
        return NO_TAINT
    sets = last_set(state, given[held_out], names.index(held_out), held_out, node)
    return of_folds(state, chosen_by_sets(state, sets, kind, node))


def chosen_by_sets(state: AnalysisState, found: Taint, kind: str, node: ast.AST) -> Taint:
    """The label of what is kept because it is the best by a measure on a data set with these labels."""
    by = MEASURE_LABELS.get(kind, kind)
    step = state.step(node, f"the best round is chosen by {by} here")
    sets = [m for m in found if m.kind == TRUTH]
    return frozenset(
        replace(m, kind="chosen", step=step, cause=by, axes=state.active_axes, choice=STOPPED) for m in sets
    )


def last_set(state: AnalysisState, value: AnyValue, at: int, name: str, node: ast.AST) -> Taint:
    """The labels of the last of the data sets that an argument holds; ``(test, "test")`` has a name beside it."""
    last = value
    while isinstance(last, HeapObject) and last.kind in ("list", "tuple") and last.entries():
        entries = last.entries()
        is_named = len(entries) > 1 and isinstance(entries[-1], Const)
        last = entries[0 if is_named else -1]
    if last is value and isinstance(node, ast.Call):
        return taint_at(state, *([k.value for k in node.keywords if k.arg == name] or node.args[at : at + 1]))
    return NO_TAINT.union(*(v.labels for v in options(last) if isinstance(v, (Data, LibraryObject))))


def stops_early(state: AnalysisState, told: Mapping[str, AnyValue]) -> bool:
    """Whether parameters or callbacks of boosted trees stop them at some round: ``early_stopping_rounds=20``."""
    if any(c.role == ROLE for v in options(told.get("callbacks")) for c in callbacks_in(v)):
        return True
    named = [told[name] for name in state.knowledge.groups["stops-early"] if name in told]
    return any(not (isinstance(value, Const) and not value.value) for value in named)


def of_folds(state: AnalysisState, found: Taint) -> Taint:
    """In folds, the rule of the trade is that a validation part of each stops: what is called so, says nothing."""
    in_folds = any(axis.kind == "fold" for axis in state.active_axes)
    return frozenset(label for label in found if label.part == "test") if in_folds else found


def label_data_set(state: AnalysisState, entry: Entry, node: ast.AST) -> None:
    """``lgb.Dataset(X_test, label=y_test)``: a data set gets a label that says what its true labels are."""
    if not isinstance(node, ast.Call):
        return
    name = entry.facts["truth"]
    for truth in [k.value for k in node.keywords if k.arg == name] or node.args[1:2]:
        data = data_name(state, truth)
        if data is not None:
            part = part_of_data(state, truth, data.name, rows_measured(state, truth, data))
            state.taint |= {TaintLabel(TRUTH, state.step(node, "data"), measured_on=data, part=part)}


def monitored(state: AnalysisState, callback: LibraryObject) -> str:
    """The kind of the measure that a callback looks at, by its name; empty for a loss."""
    return state.knowledge.measure_named(callback.facts["monitor"].removeprefix(HELD_OUT)) or ""


def held_out_labels(state: AnalysisState, node: ast.Call) -> ast.expr | None:
    """The true labels of the data that ``validation_data=(X_test, y_test)`` or ``eval_set=[(X, y)]`` holds out."""
    names = ("validation_data", "eval_set")
    given: dict[object, ast.expr] = {k.arg: k.value for k in node.keywords}
    settings = given.pop(None, None)  # ``**settings``
    if isinstance(settings, ast.Name):
        settings = state.environment.definitions.get(settings.id)
    given = entries_made(state.environment, settings) | given
    found = next((given[name] for name in names if name in given), None)
    for _ in range(3):
        match found:
            case ast.Name(id=name) if isinstance(
                bound := state.environment.definitions.get(name), (ast.Tuple, ast.List)
            ):
                found = bound
            case ast.List(elts=[*_, last]):
                found = last
            case ast.Tuple(elts=[_, labels, *_]):
                return labels
    return found


def label_of(state: AnalysisState, node: ast.AST, kind: str, truth: ast.expr | None) -> Taint:
    """The label of what is kept because it is the best by a measure on data with these true labels."""
    data = data_name(state, truth)
    if not kind or data is None or truth is None:
        return NO_TAINT
    by = MEASURE_LABELS.get(kind, kind)
    step = state.step(node, f"the best epoch is chosen by {by} here")
    rows = rows_measured(state, truth, data)
    part = part_of_data(state, truth, data.name, rows)
    label = TaintLabel("chosen", step, by, state.active_axes, choice=STOPPED, measured_on=data, part=part)
    return frozenset((replace(label, rows=rows),))


def choices_at(state: AnalysisState, arguments: Arguments, node: ast.Call) -> Taint:
    """The labels of what a callback kept in the file that a model is loaded from: ``load_weights("best.h5")``."""
    found = (read_file(state, place) for place in paths(state, arguments, node))
    held = (value for file in found if file is not None for value in options(file.elements))
    return NO_TAINT.union(*(value.labels for value in held if isinstance(value, Data)))
