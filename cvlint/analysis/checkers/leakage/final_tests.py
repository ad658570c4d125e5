"""Leaks into the folds of training data: they spoil the folds' result, where that is shown or is the only test.

``scaler.transform(X_test)`` says that the scaler learned from a training part. Folds of that part may only choose a
model, which ``f1_score(y_test, ...)`` judges. Where the code prints the folds' result, or ``X_test`` is a file without
labels, the folds are a result.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, partial

from cvlint.analysis.checkers.leakage.learned import (
    CUT_AGAIN,
    INNER_FOLDS,
    OF_COLUMNS,
    ONE_CLASS,
    SHOWN_FOLDS,
    record_leak,
)
from cvlint.analysis.checkers.rows.joined_parts import record_of_both
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.rows import frame_of, part_of
from cvlint.analysis.domain.taint_label import sorted_labels
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, Measure, MeasureValue
from cvlint.analysis.inference.data_names import data_name
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in, root_name
from cvlint.analysis.taint import taint_at

MOVED_BY_PREVALENCE = ("f-measure", "precision", "average-precision")
SHOWN_THOUGH_TESTED = "the folds of this split are shown as a result, whatever else tests the model"


def note_final_test(state: AnalysisState, value: MeasureValue, truth: ast.expr | None) -> None:
    """Note a measure on data that are no part of a split: it may be the final test of a model."""
    if any(frame.gets_unknown_data for frame in state.frames):
        return  # its caller may give it the parts of a fold
    in_folds = any(axis.kind == "fold" for axis in value.axes | value.pooled)
    if not in_folds and not any(m.kind == "part" for m in taint_at(state, truth)):
        data = data_name(state, truth)
        state.final_tests.add(data.name if data is not None else "")


def check_drawn_test_part(state: AnalysisState, measure: Measure, truth: ast.expr | None, node: ast.AST) -> None:
    """A test part is measured from which rows of one class were drawn by hand: its share of positives is made up."""
    if measure.kind in MOVED_BY_PREVALENCE:
        for label in sorted_labels(taint_at(state, truth)):
            if label.kind == "resampled" and label.subject == ONE_CLASS and label.part == "test":
                record_leak(state, label, state.step(node, "a result is measured on these rows here"), "test part")


def check_split_elsewhere(state: AnalysisState, truth: ast.expr | None, node: ast.AST) -> None:
    """A measure on a part that another script split, and wrote to a file: what leaked there spoils a result here."""
    splits = {label.step.node for label in taint_at(state, truth) if label.kind == "rows" and label.part == "test"}
    for event in [event for split in splits for event in state.leaks_elsewhere.pop(split, ())]:
        state.record(replace(event, trace=(*event.trace, state.step(node, "a part of them is measured here"))))


def note_shown_folds(state: AnalysisState, values: Iterable[AnyValue]) -> None:
    """Note the folds behind values that are shown: they do not only choose a model."""
    state.shown_folds |= {label.step.node for label in state.taint if label.kind == "scored"}
    for value in values:
        for found in measures_in(value):
            axes = frozenset(found.averaged_over).union(found.axes, found.pooled, *found.along)
            state.shown_folds |= {axis.step.node for axis in axes if axis.kind == "fold"}


def record_untested_leaks(state: AnalysisState) -> None:
    """At the end of the analysis: record the leaks into folds that are shown, or if nothing else tests the model."""
    waiting, state.waiting_leaks = state.waiting_leaks, []
    tests_in = cache(partial(names_of_final_tests, state))
    parts_in, behind = cache(parts_by_call), cache(made_of)  # many may wait in one file
    in_folds = frozenset[str]().union(*state.indexed_names.values())  # a measure on all of them is a training score
    for label, step, split in waiting:
        trees = (step.source.tree, label.step.source.tree, state.environment.module.source.tree)
        if split == OF_COLUMNS:
            got = state.rows.columns_of_models.get(step.node)
            if got is None or label.step.node in got:
                record_leak(state, label, step, "hold-out")
            continue
        if split == CUT_AGAIN:
            if any(tests_in(tree) for tree in trees):
                record_leak(state, label, step, "hold-out")
            continue
        own = parts_in(step.source.tree).get(step.node, frozenset()) if split == "hold-out" else frozenset[str]()
        own = behind(step.source.tree, own)
        is_tested = (
            split == INNER_FOLDS
            or bool(state.final_tests - in_folds - names_in(step.node))
            or any(tests_in(tree) - own for tree in trees)
        )
        if not is_tested:
            record_leak(state, label, step, split)
        elif split != "hold-out" and step.node in state.shown_folds:
            record_leak(state, label, replace(step, note=SHOWN_THOUGH_TESTED, heuristic=True), SHOWN_FOLDS)


def record_applied_to_both(state: AnalysisState) -> None:
    """At the end: parts that their names call training and test rows hold what was learned from them together.

    The program has labels of the test part; else it may be the file of a competition, and nothing is measured on it.
    """
    for learned, parts in state.rows.applied_to.items():
        named = {part_of(rows): rows for rows in parts}
        if not frame_of(learned.rows).is_union or not {"train", "test"} <= named.keys():
            continue
        if learned.of_categories or learned.of_chance or not names_of_final_tests(state, learned.step.source.tree):
            continue
        note = "these are training and test rows by the names of the parts"
        record_of_both(state, learned, (Step(learned.step.source, learned.step.node, note, heuristic=True),))


def parts_by_call(tree: ast.AST) -> dict[ast.AST, frozenset[str]]:
    """The names that the result of a call is bound to, and nothing else in the file: the parts of a hold-out."""
    bound = {a.value: frozenset[str]().union(*map(names_in, a.targets)) for a in nodes_in(tree, ast.Assign)}
    times = Counter(name for names in bound.values() for name in names)
    return {value: frozenset(name for name in names if times[name] == 1) for value, names in bound.items()}


def made_of(tree: ast.AST, names: frozenset[str]) -> frozenset[str]:
    """Some names, and those of what is made of them: ``y_test_le`` of ``y_test_le = encoder.transform(y_test)``."""
    assigned = [(names_in(a.value), names_in(t)) for a in nodes_in(tree, ast.Assign) for t in a.targets]
    found, before = set(names), -1
    while names and len(found) != before:
        before = len(found)
        for used, bound in assigned:
            if not used.isdisjoint(found):
                found |= bound
    return frozenset(found)


def names_of_final_tests(state: AnalysisState, tree: ast.AST) -> frozenset[str]:
    """The labels of test parts that code reads (``y_test``, ``test.label``), and test parts that a judge gets."""
    read = {node.id for node in nodes_in(tree, ast.Name) if isinstance(node.ctx, ast.Load)}
    no_file = names_of_no_file(state, tree)
    found = {name for name in read - no_file if is_test_truth(state, name)}
    columns: list[ast.Attribute | ast.Subscript] = [*nodes_in(tree, ast.Attribute), *nodes_in(tree, ast.Subscript)]
    for column in columns:
        key = column.attr if isinstance(column, ast.Attribute) else key_of(column)
        of_test = isinstance(column.ctx, ast.Load) and state.knowledge.conforms("test-only", root_name(column.value))
        if not key or key.endswith("_"):  # ``clusters.labels_`` of a fitted model
            continue
        if is_test_truth(state, key) or (of_test and state.knowledge.conforms("truth", key)):
            found.add(f"{root_name(column.value)}.{key}")
    of_loops = frozenset[str]().union(*(names_in(loop.target) for loop in nodes_in(tree, ast.For)))
    others = of_loops | no_file
    return frozenset(found.union(*(judged_test_parts(state, call, others) for call in nodes_in(tree, ast.Call))))


def names_of_no_file(state: AnalysisState, tree: ast.AST) -> set[str]:
    """The names of predictions, of arrays of zeros, of sums, and of test parts of folds: no file holds them."""
    loop_variables = defaultdict[ast.Assign, set[str]](set)
    for loop in nodes_in(tree, ast.For):
        for assignment in nodes_in(loop, ast.Assign):
            loop_variables[assignment] |= names_in(loop.target)
    knowledge = state.knowledge
    found = {root_name(sum_.target) for sum_ in nodes_in(tree, ast.AugAssign)}  # ``y_test /= k``: no labels
    for assignment in nodes_in(tree, ast.Assign):
        of_fold = names_in(assignment.value) & loop_variables[assignment]
        made = isinstance(assignment.value, ast.Call) and called_name(assignment.value.func)
        if of_fold or (made and (made in knowledge.groups["makes-arrays"] or knowledge.conforms("evaluation", made))):
            found |= {name for target in assignment.targets for name in names_in(target)}
    return found


def key_of(node: ast.Subscript) -> str:
    """The column that a subscript spells out."""
    match node.slice:
        case ast.Constant(value=str() as key):
            return key
        case _:
            return ""


def is_test_truth(state: AnalysisState, name: str) -> bool:
    """Whether a name is that of the labels of a test part, and not of predictions for it (``y_test_pred``)."""
    conforms = state.knowledge.conforms
    return conforms("test-only", name) and conforms("truth", name) and not conforms("prediction", name)


def judged_test_parts(state: AnalysisState, call: ast.Call, others: frozenset[str]) -> set[str]:
    """``test`` of ``model.evaluate(test)`` and ``report(model, test)``; the part that a loop holds out is none."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else root_name(call.func)
    if not state.knowledge.conforms("judging", name):
        return set()
    given = frozenset[str]().union(*(names_in(v) for v in (*call.args, *(k.value for k in call.keywords))))
    conforms = state.knowledge.conforms
    return {n for n in given - others if conforms("test-only", n) and not conforms("prediction", n)}
