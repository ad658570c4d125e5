"""Folds that lack a class, in which F or AUC does not exist, and code that leaves them out.

``if len(np.unique(y[test])) < 2: continue``. Such a fold matters only where a measure is computed in the others, so the
event ``skip`` (CVL103) is recorded at the end of the analysis.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.checkers.formulas.terms import count_of
from cvlint.analysis.checkers.undefined_folds.skip_events import (
    UNDEFINED_WITHOUT_A_CLASS,
    has_fold_axis,
    is_patch_literal,
    skip_facts,
)
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.value import axes_of
from cvlint.analysis.events import Event
from cvlint.analysis.inference.loop_dependence import calls_in, entry_of
from cvlint.analysis.inference.true_labels import are_labels
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.module import Source
from cvlint.source.parsing import walk


def tests_for_both_classes(state: AnalysisState, test: ast.expr) -> bool:
    """Whether a test is for both classes in the fold: ``len(np.unique(y[test])) < 2``, ``y_test.sum() == 0``."""
    for child in walk(test):
        match child:
            case ast.Call(func=ast.Attribute(value=truth, attr="any" | "sum")) if child is test:
                if is_truth_of_fold(state, truth):
                    return True
            case ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.Lt() | ast.LtE() | ast.NotEq() | ast.Gt() | ast.GtE()],
                comparators=[ast.Constant(value=int()) | ast.Name() | ast.Attribute()],
            ):
                left = counted_before(state, left)
                names = names_in(left)
                counts = {count_of(state, ast.Name(name, ast.Load())) for name in names}
                counts_labels = bool(counts & {"true-positives", "false-positives"})
                if (
                    counts_labels
                    and is_literal_number(child.comparators[0])
                    and has_fold_axis(axes_of(state.evaluate(state, left)))
                ):
                    return True
                if names & state.knowledge.groups["counts"] and is_truth_of_fold(state, left):
                    return True
    return False


def counted_before(state: AnalysisState, node: ast.expr) -> ast.expr:
    """What a name counts that is tested: ``int(np.sum(y == 1))`` for ``positives``; other expressions as they are."""
    bound = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else None
    return bound if isinstance(bound, ast.Call) and names_in(bound) & state.knowledge.groups["counts"] else node


def is_under_class_test(state: AnalysisState) -> bool:
    """Whether a test around lets only folds with both classes in."""
    return any(isinstance(guard, ast.If) and tests_for_both_classes(state, guard.test) for guard in state.frame.guards)


def is_truth_of_fold(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is made of the true labels of a fold's test part."""
    names, knowledge = names_in(node), state.knowledge
    if not any(are_labels(state, name) for name in names) or not has_fold_axis(axes_of(state.evaluate(state, node))):
        return False
    has_train_part = any(knowledge.conforms("train-part", name) for name in names)
    return not has_train_part or any(knowledge.conforms("test-part", name) for name in names)


def is_literal_number(node: ast.expr) -> bool:
    """Whether an expression is a literal number."""
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def patches_fold(state: AnalysisState, node: ast.If) -> bool:
    """Whether an arm gives a fold a literal number in place of its measure; 0 is the limit of F, and hides an AUC."""
    for arm, other in ((node.body, node.orelse), (node.orelse, node.body)):
        for number in numbers_given(arm, is_bound=bool(other)):
            if is_patch_literal(number) or (is_literal_number(number) and ranks(state, other)):
                return True
    return False


def numbers_given(arm: list[ast.stmt], is_bound: bool) -> Iterator[ast.expr]:
    """The literal numbers that an arm collects, or binds to a name that the other arm binds, too."""
    for statement in arm:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[number])):
                yield number
            case ast.Assign(value=ast.Constant() | ast.UnaryOp() as number) if is_bound:
                yield number


def ranks(state: AnalysisState, arm: list[ast.stmt]) -> bool:
    """Whether an arm computes ROC AUC."""
    calls = (call for statement in arm for call in calls_in(statement))
    return any((entry := entry_of(state, c)) is not None and entry.facts.get("measure") == "roc-auc" for c in calls)


def appends_if_both_classes(state: AnalysisState, node: ast.If) -> bool:
    """Whether a measure is collected only for folds with both classes: ``if np.unique(y[test]).size == 2: …``."""
    match node.test:
        case ast.Compare(ops=[ast.Eq() | ast.GtE()], comparators=[ast.Constant(value=2)]):
            pass
        case ast.Compare(ops=[ast.NotEq() | ast.Gt()], comparators=[ast.Constant(value=1)]):
            pass
        case _:
            return False
    appended = [
        argument
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        if isinstance(statement.value.func, ast.Attribute) and statement.value.func.attr == "append"
        for argument in statement.value.args
    ]
    computed = {t.id for s in node.body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
    return not node.orelse and any(
        not names_in(argument).isdisjoint(computed) or measures_in(state.evaluate(state, argument))
        for argument in appended
    )


def record_one_class_folds(state: AnalysisState) -> None:
    """Record the skipped one-class folds, where a measure is computed in the other folds."""
    for source, test, axes in state.unresolved_one_class_tests:
        for value in state.computed_measures:
            if axes & value.axes and value.measure.kind in UNDEFINED_WITHOUT_A_CLASS:
                state.record(
                    Event("skip", source, test, value.measure, axes, value.trace, "", skip_facts("filter", axes))
                )
                break
        else:
            record_by_average(state, source, test, axes)


def record_by_average(state: AnalysisState, source: Source, test: ast.AST, axes: Axes) -> None:
    """Record skipped one-class folds of a measure that only its name reveals: it was seen when it was averaged."""
    for event in state.events:
        if event.name == "reduce" and axes & event.axes and event.measure.kind in UNDEFINED_WITHOUT_A_CLASS:
            state.record(Event("skip", source, test, event.measure, axes, event.trace, "", skip_facts("filter", axes)))
            break
