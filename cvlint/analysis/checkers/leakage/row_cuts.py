"""Rows that are cut into a training and a test part: ``X[:n]`` and ``X[n:]``, ``X[drawn]`` and ``X[~drawn]``."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import (
    CUT_AGAIN,
    LEAKING_KINDS,
    RESTORED,
    binds_training_part,
    check_split,
    label_parts,
    label_rows,
)
from cvlint.analysis.checkers.leakage.unevaluated_splits import are_unread
from cvlint.analysis.domain.axis import sorted_axes
from cvlint.analysis.domain.taint_label import Taint, TaintLabel, sorted_labels
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in, root_name, row_keys
from cvlint.analysis.taint import taint_at
from cvlint.source.parsing import walk


def check_cut(state: AnalysisState, node: ast.Subscript) -> None:
    """``train = X[:n]`` and ``test = X[n:]`` cut labelled data into a training and a test part."""
    key = row_keys(node)[0]
    if (part := part_left_out(key)) is not None:
        check_rest(state, node, node.value, part)
        return
    cut = cut_at(state, key)
    if cut is None or any(axis.loop_variables & names_in(key) for axis in state.active_loops):
        return  # no cut, or windows, which move on
    at, is_first = cut
    taint, name = taint_at(state, node.value), root_name(node.value)
    if any(m.kind == "statistic" for m in taint):
        return  # ``order[:30]``: columns in the order of a statistic
    if not any(m.kind in LEAKING_KINDS for m in taint):
        if isinstance(key, ast.Slice) and key.upper is not None and binds_training_part(state):
            joined = any(m.kind == "joined" for m in taint)
            label_parts(state, node, name, RESTORED if joined else "")
    elif any(m.kind == "joined" for m in taint):
        if not is_first and not any(m.kind == "part" for m in taint):
            note_cut_again(state, node, taint)
    elif not any(m.kind == "part" for m in taint):
        check_halves(state, node, name, at, is_first)


def check_identifiers(state: AnalysisState, node: ast.Subscript, taint: Taint) -> None:
    """``X[ids[train]]``, ``df[df.patient.isin(train_patients)]``: who is in which part was split, and not the data.

    ``taint`` is that of the data, which are cut here.
    """
    if any(m.kind in ("rows", "part") for m in taint) or not any(m.kind in LEAKING_KINDS for m in taint):
        return
    for part in sorted_labels(m for m in taint_at(state, row_keys(node)[0]) if m.kind == "rows"):
        folds = [axis for axis in sorted_axes(part.axes) if axis.kind == "fold"]
        check_split(state, taint, folds[0].step if folds else part.step, "folds" if folds else "hold-out")
        label_parts(state, node, root_name(node.value))
        label_rows(state, node, part.part)


def note_cut_again(state: AnalysisState, node: ast.Subscript, taint: Taint) -> None:
    """``X_test = X[len(train):]``, where ``X`` is scaled training and test data, joined before.

    In a competition the test file has no labels, and nothing is measured on it: the end of the analysis tells.
    """
    joins = [m.step for m in sorted_labels(taint) if m.kind == "joined"]
    names = names_bound(state).union(*(names_in(step.node) for step in joins))
    if state.suppress_events or not any(state.knowledge.conforms("test-only", name) for name in names):
        return
    step = state.step(node, "the test data are taken out again here")
    learned = [m for m in sorted_labels(taint) if m.kind == "learned" and not m.axes]
    state.waiting_leaks += [(m, step, CUT_AGAIN) for m in learned if all(comes_behind(m, join) for join in joins)]


def comes_behind(label: TaintLabel, step: Step) -> bool:
    """Whether something was learned, or the function that does so was called, further down than a step of the file."""
    lines = [getattr(s.node, "lineno", 0) for s in (label.step, *label.way) if s.source is step.source]
    return bool(lines) and max(lines) > getattr(step.node, "lineno", 0)


def check_halves(state: AnalysisState, node: ast.Subscript, name: str, at: str, is_first: bool) -> None:
    """Check for leaks once both sides of a cut are taken, and one is for training and the other for a test."""
    other, names = state.slice_cuts.get((name, at, not is_first)), names_bound(state)
    state.slice_cuts[name, at, is_first] = (node, names)
    if other is None:
        return
    other_part, other_names = other
    rows_are_left_out = not isinstance(row_keys(node)[0], ast.Slice) and not binds_test_part(state)
    test_part = frozenset(n for n in names | other_names if state.knowledge.conforms("test-part", n))
    if test_part and are_unread(state, test_part):
        return
    by_name = bool(test_part) or any(state.knowledge.conforms("training", n) for n in names | other_names)
    if not rows_are_left_out and (by_name or is_one_held_out(state, names | other_names)):
        step = state.step(other_part, "the data are cut into parts here")
        check_split(state, taint_at(state, node.value), step, "hold-out")


def check_rest(state: AnalysisState, node: ast.AST, whole: ast.expr, part: str) -> None:
    """``train = data.sample(frac=0.8)`` and ``test = data.drop(train.index)``: the rest is the other part."""
    drawn = state.environment.definitions.get(part)
    if isinstance(drawn, ast.Call) and root_name(drawn) == root_name(whole):
        check_split(state, taint_at(state, whole), state.step(node, "the data are split here"), "hold-out")


def part_left_out(node: ast.expr) -> str | None:
    """The part whose rows are left out: ``~data.index.isin(train.index)``, ``data.index.difference(train.index)``."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Call(func=ast.Attribute(attr="isin"), args=[rows])):
            return part_of_rows(rows)
        case ast.Call(func=ast.Attribute(attr="difference" | "drop"), args=[rows]):
            return part_of_rows(rows)
        case _:
            return None


def part_of_rows(node: ast.expr) -> str | None:
    """The name of ``train`` in ``train.index``."""
    match node:
        case ast.Attribute(value=ast.Name(id=part), attr="index"):
            return part
        case ast.Call(func=ast.Name(id="list"), args=[rows]):
            return part_of_rows(rows)
        case _:
            return None


def binds_test_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds a name of a test or validation part."""
    return any(
        state.knowledge.conforms("test-part", name) for target in state.assigned_targets for name in names_in(target)
    )


def names_bound(state: AnalysisState) -> frozenset[str]:
    """The names that the statement under way binds."""
    return frozenset[str]().union(*(names_in(target) for target in state.assigned_targets))


def is_one_held_out(state: AnalysisState, names: frozenset[str]) -> bool:
    """Whether a model is fitted on some of the names, and predicts for another one: ``fit(a, c)``, ``predict(b)``."""
    fitted, predicted = set[str](), set[str]()
    for call in nodes_in(state.frame.node, ast.Call):
        given = names & frozenset[str]().union(*map(names_in, call.args))
        name = called_name(call.func) if given else ""
        if name == "fit":
            fitted |= given
        elif name in state.knowledge.groups["predicts"] or name in state.knowledge.groups["measures-itself"]:
            predicted |= given
    return bool(fitted and predicted - fitted)


def cut_at(state: AnalysisState, key: ast.expr) -> tuple[str, bool] | None:
    """Where a key cuts the rows, and whether it takes the first of the two parts; None for other keys.

    ``X[order[:n]]``, a part of the row numbers, cuts the rows as ``X[:n]`` does.
    """
    match key:
        case ast.Slice(lower=None | ast.Constant(value=0), upper=ast.expr() as bound, step=None):
            return bound_of_slice(bound), True
        case ast.Slice(lower=ast.expr() as bound, step=None):
            return bound_of_slice(bound), False
        case ast.Subscript(value=ast.Name(id=order), slice=ast.Slice() as part):
            cut = cut_at(state, part)
            return None if cut is None else (f"{order}[{cut[0]}]", cut[1])
        case ast.Name(id=mask):
            match state.environment.definitions.get(mask):
                case ast.Subscript(value=ast.Name(), slice=ast.Slice()) as definition:
                    return cut_at(state, definition)
                case _:
                    return mask, True
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Name(id=mask)):
            return mask, False
        case _:
            return None


def bound_of_slice(node: ast.expr) -> str:
    """The bound of a slice as text: the name in it, or its spelling."""
    names = [n.id for n in walk(node) if isinstance(n, ast.Name)]
    return names[0] if names else ast.unparse(node)
