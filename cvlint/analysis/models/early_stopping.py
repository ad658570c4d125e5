"""Libraries that keep the best epoch, or round of boosting, by a measure on held-out data. Effect: ``keeps-best``.

``model.fit(X, y, validation_data=(X_test, y_test), callbacks=[EarlyStopping("val_auc", restore_best_weights=True)])``,
``XGBClassifier(eval_metric="auc", early_stopping_rounds=9).fit(X, y, eval_set=[(X_test, y_test)])``. The model gets a
label of the kind "chosen": what it is then measured on, if these are the same data, has chosen it. So does the file of
a ``ModelCheckpoint``, which a model may be loaded from. A loss chooses, too, but no rule asks for that.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.best_shown import STOPPED
from cvlint.analysis.checkers.selection_bias import part_of_data
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject
from cvlint.analysis.heap.files import open_for_writing, read_file, write_record
from cvlint.analysis.heap.paths import Place, places
from cvlint.analysis.inference.data_names import data_name
from cvlint.analysis.inference.identifier_inference import MEASURE_LABELS
from cvlint.analysis.models.arguments import argument_named
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

ROLE = "keeps-best"
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
        return best_round_kept(state, base, callbacks, arguments, node)
    return NO_TAINT


def callbacks_in(value: AnyValue) -> list[LibraryObject]:
    """The callbacks that an argument holds: one, or a list of them."""
    entries = value.entries() if isinstance(value, HeapObject) else [value]
    return [c for entry in entries for c in options(entry) if isinstance(c, LibraryObject)]


def best_round_kept(
    state: AnalysisState, base: LibraryObject, callbacks: list[LibraryObject], arguments: Arguments, node: ast.Call
) -> Taint:
    """The label of boosted trees that stop at the best round on the last of several data sets.

    In folds it is the rule of the trade that the held-out part of each stops, and nothing is said of it.
    """
    told = {**base.facts["told"], **arguments[1]}
    stops = bool(callbacks) or base.facts.get("stops") or "early_stopping_rounds" in told
    kind = base.facts["stops_by"].get(text_in(told.get("eval_metric")), "")
    if not stops or not kind or any(axis.kind == "fold" for axis in state.active_axes):
        return NO_TAINT
    return label_of(state, node, kind, held_out_labels(state, node))


def monitored(state: AnalysisState, callback: LibraryObject) -> str:
    """The kind of the measure that a callback looks at, by its name; empty for a loss."""
    return state.knowledge.measure_named(callback.facts["monitor"].removeprefix(HELD_OUT)) or ""


def held_out_labels(state: AnalysisState, node: ast.Call) -> ast.expr | None:
    """The true labels of the data that ``validation_data=(X_test, y_test)`` or ``eval_set=[(X, y)]`` holds out."""
    found = next((k.value for k in node.keywords if k.arg in ("validation_data", "eval_set")), None)
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
    part = part_of_data(state, truth, data.name, out_of_fold=False)
    label = TaintLabel("chosen", step, by, state.active_axes, choice=STOPPED, measured_on=data, part=part)
    return frozenset((label,))


def choices_at(state: AnalysisState, arguments: Arguments, node: ast.Call) -> Taint:
    """The labels of what a callback kept in the file that a model is loaded from: ``load_weights("best.h5")``."""
    found = (read_file(state, place) for place in paths(state, arguments, node))
    held = (value for file in found if file is not None for value in options(file.elements))
    return NO_TAINT.union(*(value.labels for value in held if isinstance(value, Data)))
