"""Measures of fitted models: on which rows a model is measured, and the events that follow.

Events ``refit`` (CVL304), ``retest`` (CVL305) and ``trained`` (CVL306).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.checkers.rows.joined_parts import as_whole_frames, record_learned_of_both
from cvlint.analysis.checkers.rows.learning import BY_HAND
from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.rows import (
    HoldOutPart,
    Learned,
    Measured,
    ModelFit,
    RowSet,
    RowsOf,
    covers,
    frame_of,
    held_out_part,
    is_of_hold_out,
    is_root,
    part_of,
    place_of,
    unify,
)
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

UNKNOWN_MEASURE = Measure("unknown")  # whichever it is
HELD_OUT = ("test", "valid")  # what names call the parts that a model is measured on


def measure_predictions(state: AnalysisState, node: ast.AST, arguments: list[ast.expr]) -> None:
    """``accuracy_score(y_test, model.predict(X_test))``, the arguments in any order."""
    found = [rows_of(state, a) for a in arguments]
    predicted = [one for one in found if one.fit is not None]
    if len(found) < 2 or len(predicted) != 1:
        for one in predicted:
            if one.fit is not None:
                one.fit.is_used_elsewhere = True
        return
    prediction = predicted[0]
    truth = next(one for one in found if one is not prediction)
    if prediction.fit is not None:
        note_measured(state, node, prediction.fit, prediction, truth)


def measure_model(state: AnalysisState, node: ast.Call, fit: ModelFit | None, given: list[ast.expr]) -> None:
    """``model.score(X_test, y_test)``."""
    if fit is None:
        return
    if len(given) < 2:
        fit.is_used_elsewhere = True
        return
    note_measured(state, node, fit, rows_of(state, given[0]), rows_of(state, given[1]))


def note_measured(state: AnalysisState, node: ast.AST, fit: ModelFit, data: RowsOf, truth: RowsOf) -> None:
    """A model is measured on rows: note how these are related to the rows that it was fitted to."""
    unify(data.rows, truth.rows)
    relation = relation_of(fit.rows, data.rows)
    if relation == "another" and not (of_hold_out(data.rows) or any(a.kind == "fold" for a in state.active_axes)):
        relation = "other"  # the last fold of a loop that has ended, and may be that of the other loop
    is_known = not is_root(truth.rows.found) or truth.rows.found.is_paired
    if is_known and truth.rows.found is not data.rows.found and relation_of(fit.rows, truth.rows) != relation:
        relation = "other"
    step = step_beside(state, fit, node)
    computed = (state.step(node, "and the measure is computed here"),) if step.node is not node else ()
    is_counted = not state.suppress_events
    fit.measured.append(Measured(relation, step, data.rows.found, is_counted, data.learned, computed))


def note_predicted(state: AnalysisState, node: ast.AST, fit: ModelFit, data: RowsOf) -> None:
    """A model predicts rows that were cut out of data: whoever predicts a test part measures it, in some way."""
    if any(rows.role in ("test", "part") for rows in data.rows.ancestors()):
        step, is_counted = state.step(node, "and the model predicts them here"), not state.suppress_events
        fit.predicted.append(
            Measured(relation_of(fit.rows, data.rows), step, data.rows.found, is_counted, data.learned)
        )


def note_beside_truth(state: AnalysisState, node: ast.AST, given: Iterable[ast.expr]) -> None:
    """Predictions for a test part inside the training rows stand beside its labels: whoever gets both measures them."""
    found = [
        rows_of(state, one) for one in given if isinstance(one, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    ]
    for one in found:
        if one.fit is None or relation_of(one.fit.rows, one.rows) != "part":
            continue
        truth = next((other for other in found if other.fit is None and other.rows.found is one.rows.found), None)
        if truth is not None:
            step = state.step(node, "and its predictions stand beside the labels here")
            is_counted = not state.suppress_events
            one.fit.beside.append(Measured("part", step, one.rows.found, is_counted, one.learned))


def step_beside(state: AnalysisState, fit: ModelFit, node: ast.AST) -> Step:
    """The place of a measure in the code that fits the model: a helper that measures all models is not at fault."""
    note = "and the model is measured here"
    for frame, inner in zip(reversed(state.frames[:-1]), reversed(state.frames), strict=False):
        if inner.node in fit.functions or not isinstance(inner.call, ast.Call):
            break
        if frame.node in fit.functions:
            return Step(frame.module.source, inner.call, note)
    return state.step(node, note)


def relation_of(trained: RowSet, measured: RowSet) -> str:
    """How the rows that a model is measured on are related to its training rows."""
    trained, measured = as_whole_frames(trained, measured)
    if covers(trained, measured):
        if trained is measured:
            return "same"
        return "part" if held_out_part(trained, measured) is not None else "subset"
    above = [rows for rows in trained.ancestors() if covers(measured, rows)]
    if any(rows.role in ("train", "part") or rows.is_union for rows in above):
        return "whole"
    if is_mostly_seen(trained, measured):
        return "most"
    if is_joined_before_split(trained, measured):
        return "joined"
    return "another" if is_of_other_split(trained, measured) else "other"


def of_hold_out(rows: RowSet) -> bool:
    """Whether rows are a part of a hold-out, or a part of one."""
    return any(is_of_hold_out(above) for above in rows.ancestors())


def is_of_other_split(trained: RowSet, measured: RowSet) -> bool:
    """Whether rows are of the test part of one split, and others of the training part of another of the same data.

    A name may say which part it is: ``X_test, X_valid = train_test_split(X)``.
    """
    held_out = [part for part in measured.ancestors() if part.role == "test" or part.named in HELD_OUT]
    tests = {frame_of(part.parent): part for part in held_out if part.parent is not None}
    for part in trained.ancestors():
        other = tests.get(frame_of(part.parent)) if part.role == "train" and part.parent is not None else None
        if other is not None:
            return None not in (part.split, other.split) and part.split != other.split
    return False


def is_mostly_seen(trained: RowSet, measured: RowSet) -> bool:
    """Whether rows lie among those that a fold's training part was taken from, and not by the same split.

    ``folds.split(X)`` where ``X`` holds ``X_test``: the model of a fold has seen most of ``X_test``.
    """
    for part in trained.ancestors():
        whole = part.parent.found if part.parent is not None else None
        if part.role != "train" or whole is None or is_of_hold_out(part):
            continue
        beside = [above for above in measured.ancestors() if above.parent is not None and above.parent.found is whole]
        if covers(whole, measured) and all(is_of_hold_out(above) and above.role == "test" for above in beside):
            return whole is not measured
    return False


def is_joined_before_split(trained: RowSet, measured: RowSet) -> bool:
    """Whether rows were put together with others, and the training rows are a part of a split of the whole.

    ``X = pd.concat([X, Z])``, ``X_train, X_test, … = train_test_split(X, y)``: some rows of ``Z`` are in ``X_train``.
    """
    own_splits = [above.key.split for above in measured.ancestors() if isinstance(above.key, HoldOutPart)]
    for part in trained.ancestors():
        whole = part.parent.found if part.parent is not None else None
        if part.role == "train" and whole is not None and whole.is_union and isinstance(part.key, HoldOutPart):
            return part.key.split not in own_splits and any(covers(one, measured) for one in whole.contains)
    return False


def note_unknown_use(state: AnalysisState, node: ast.Call, name: str, library: str) -> None:
    """A function that could not be followed gets a model or predictions: it may fit or measure the model.

    Of predictions for the training rows, it can tell no more than another training score.
    """
    if not state.rows.all_fits or name in state.knowledge.groups["tells-nothing"]:
        return
    note_beside_truth(state, node, (*node.args, *(k.value for k in node.keywords)))
    for argument in (*node.args, *(k.value for k in node.keywords)):
        if not isinstance(argument, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            continue
        found = rows_of(state, argument)
        if found.fit is not None and not covers(found.fit.rows, found.rows):
            found.fit.is_used_elsewhere = True
        fit = state.rows.fits.get(found.rows.found)
        if fit is not None:
            fit.is_used_elsewhere = True
            if not (library.startswith("sklearn.") or state.knowledge.conforms("leaves-models", name)):
                del state.rows.fits[found.rows.found]


def check_named_part(state: AnalysisState, node: ast.AST, truth: ast.expr | None, predictions: ast.expr | None) -> None:
    """``recall_val = recall_score(y_train, train_pred)``: a training score under the name of a held-out one."""
    conforms, target = state.knowledge.conforms, state.target
    if not target or not conforms("test-part", target) or conforms("training", target):
        return
    names = [a.id for a in (truth, predictions) if isinstance(a, ast.Name)]
    if len(names) == 2 and all(conforms("training", name) and not conforms("test-part", name) for name in names):
        note = f"{target} is computed of {names[0]} here, by their names"
        step = state.step(node, note, heuristic=True)
        facts = {"how": "named", "model": target, "data": names[0]}
        state.record(Event("retest", step.source, node, UNKNOWN_MEASURE, trace=(step,), note=note, facts=facts))


# --- at the end


def record_trained_rows(state: AnalysisState) -> None:
    """At the end of the analysis: report models measured on their training rows, and transforms fitted anew."""
    if not state.rows.all_fits:
        record_refits_of_networks(state)
    alike = defaultdict[object, list[ModelFit]](list)
    for fit in state.rows.all_fits:
        alike[fit.step.source, fit.name].append(fit)
        alike[fit.model.found].append(fit)
    for fit in state.rows.all_fits:
        if is_unit_test(fit.step):
            continue
        record_refits(state, fit)
        record_learned_of_both(state, fit)
        if record_carried(state, fit):
            continue
        if not fit.has_no_labels and not record_test_in_training(state, fit):
            record_training_only(state, fit, [*alike[fit.step.source, fit.name], *alike[fit.model.found]])
    record_refits_of_objects(state)
    for learning, name, axis in dict.fromkeys(state.rows.carried):
        if axis.kind == "fold" and not is_unit_test(learning):  # the program may have shown late that it is one
            record_carried_model(state, learning, name, axis)


def is_unit_test(step: Step) -> bool:
    """Whether code only tests a program: no result comes out of ``def test_fit()``."""
    names = [getattr(owner, "name", "") for owner in step.owners]
    return step.source.path.name.startswith(("test_", "conftest")) or any(
        n.startswith(("test_", "Test")) for n in names
    )


def record_test_in_training(state: AnalysisState, fit: ModelFit) -> bool:
    """A model is measured on rows that it was fitted to, and these are told as a test part."""
    others = any(one.relation == "other" for one in fit.measured)
    for one in (*fit.measured, *fit.beside):
        how = one.relation
        is_told = one.rows.named == "test" or one.rows.is_called_test
        if how in ("same", "subset") and is_told and not others:
            how = "test"
        elif how not in ("part", "most", "another", "joined") and (how != "whole" or others):
            continue
        if how in ("whole", "most") and any(m.relation in ("part", "same", "subset") for m in fit.measured):
            continue
        if one.is_counted:
            steps = [fit.step]
            if how == "part" and (part := held_out_part(fit.rows, one.rows)) is not None and part.step is not None:
                steps.insert(0, part.step)
            elif how in ("whole", "most", "another", "joined") and (split := split_of(fit.rows)) is not None:
                steps.insert(0, split)
            facts = {"how": how, "model": fit.name}
            trace = (*steps, *one.computed)
            state.record(Event("retest", one.step.source, one.step.node, UNKNOWN_MEASURE, trace=trace, facts=facts))
        return True
    return False


def record_carried(state: AnalysisState, fit: ModelFit) -> bool:
    """A model is measured in folds, in whose loop it goes on learning."""
    if (
        fit.folds is None
        or fit.folds.kind != "fold"
        or not (fit.is_asked_of_rest or any(one.relation == "other" for one in fit.measured))
    ):
        return False
    record_carried_model(state, fit.step, fit.name, fit.folds)
    return True


def record_carried_model(state: AnalysisState, learning: Step, model: str, axis: Axis) -> None:
    """A model goes on learning from fold to fold."""
    facts = {"how": "folds", "model": model}
    folds = Step(axis.step.source, axis.step.node, "the model is made before this loop over folds", False)
    state.record(Event("retest", learning.source, learning.node, UNKNOWN_MEASURE, trace=(folds,), facts=facts))


def split_of(rows: RowSet) -> Step | None:
    """Where the split is that a training part comes from."""
    return next((above.step for above in rows.ancestors() if above.role == "train"), None)


def record_training_only(state: AnalysisState, fit: ModelFit, alike: list[ModelFit]) -> None:
    """A model is measured on its training rows, and nowhere else."""
    followed = {one.step.node for one in alike if one.is_called}  # what their callers do with the model is known
    others = [one for one in alike if one.is_called or one.step.node not in followed]
    if state.rows.is_cross_validated or any(one.is_used_elsewhere for one in others):
        return
    if any(m.relation not in ("same", "subset") for one in alike for m in one.measured):
        return
    one = next((one for one in fit.measured if one.is_counted and one.relation == "same"), None)
    if one is None or names_in(fit.step.source.tree) & state.knowledge.groups["own-scores"]:
        return
    facts, trace = {"model": fit.name}, (fit.step, *one.computed)
    state.record(Event("trained", one.step.source, one.step.node, UNKNOWN_MEASURE, trace=trace, facts=facts))


def record_refits(state: AnalysisState, fit: ModelFit) -> None:
    """A transformer was fitted anew to the rows that a model is measured on, beside the one of the training rows."""
    for one in (*fit.measured, *fit.predicted):
        if one.relation != "other" or not one.is_counted:
            continue
        for anew in one.learned:
            if anew.rows.found is not one.rows.found or covers(fit.rows, anew.rows):
                continue
            alike = [t for t in fit.learned if t.by == anew.by and t is not anew]
            if anew in fit.learned and anew.before is not None:
                alike.append(anew.before)  # the training rows, too, are transformed as the test part wants it
            first = [t for t in alike if covers(t.rows, fit.rows) or covers(fit.rows, t.rows)]
            if first:
                record_refit(state, anew, max(first, key=place_of), (fit.step, one.step), anew in fit.learned)


def record_refits_of_networks(state: AnalysisState) -> None:
    """A network is trained step by step, and no call says on which rows: the names of the parts, or the split, do."""
    learned = sorted(state.rows.asked.union(*(held.learned for held in state.rows.held.values())), key=place_of)
    of_training = {one.by: one for one in learned if part_of(one.rows) == "train"}
    tree = state.environment.module.source.tree
    if not of_training or is_unit_test(state.step(tree, "")):
        return
    if names_in(tree).isdisjoint(state.knowledge.groups["trains-by-gradient"]):
        return
    for anew in learned:
        if anew.by in of_training and part_of(anew.rows) in HELD_OUT:
            record_refit(state, anew, of_training[anew.by], ())


def record_refits_of_objects(state: AnalysisState) -> None:
    """One transformer has learned from the training part, and then from the test part, whoever gets the data."""
    told = {event.node for event in state.events if event.name == "refit"}
    for anew in sorted(state.rows.asked.union(*(held.learned for held in state.rows.held.values())), key=place_of):
        first = anew.before
        if (
            anew.step.node in told
            or first is None
            or is_unit_test(anew.step)
            or anew.of_categories
            or part_of(anew.rows) not in HELD_OUT
        ):
            continue
        if part_of(first.rows) == "train" and anew.step.node is not first.step.node:
            record_refit(state, anew, first, ())


def record_refit(
    state: AnalysisState, anew: Learned, first: Learned, later: tuple[Step, ...], is_moved: bool = False
) -> None:
    """The event of a transformer that is fitted anew; ``later`` are the fit of the model and its measure.

    ``is_moved``: it transforms the training rows only then.
    """
    known = any(above.role == "test" for above in anew.rows.ancestors())
    if not known and anew.rows.found.named not in HELD_OUT:
        return  # two groups, each on a scale of its own
    note = (
        f"the training rows {BY_HAND[first.by_hand]}"
        if first.by_hand
        else f"{first.by} learns from the training rows here"
    )
    is_unsure = not known or anew.of_categories  # both parts may hold the same categories
    trained = Step(first.step.source, first.step.node, note, is_unsure)
    again = anew.step
    if anew.call is not None and anew.step.node is first.step.node:  # two calls of a helper, or two passes of a loop
        again = anew.step if first.call is not None and first.call.node is anew.call.node else anew.call
    if first.call is not None and again is anew.call:
        trained = Step(first.call.source, first.call.node, trained.note, trained.heuristic)
    usual = "encoded" if anew.of_categories else "moved" if is_moved else "fitted"
    facts = {"by": anew.by, "how": anew.by_hand or usual}
    inside = (anew.step,) if again is anew.call else ()
    trace = (trained, *inside, *later)
    state.record(Event("refit", again.source, again.node, UNKNOWN_MEASURE, trace=trace, facts=facts))
