"""Rows that are cut into a training and a test part.

``X[:n]`` and ``X[n:]``, ``X[drawn]`` and ``X[~drawn]``, ``df[df.year < 2015]`` and ``df[df.year >= 2015]``. Two parts
of one whole are a split where the keys prove that they are its two sides, and else where both names say so, or a model
is fitted to the one and predicts for the other.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple

from cvlint.analysis.checkers.leakage.cut_keys import Cut, cut_at, parts_taken
from cvlint.analysis.checkers.leakage.learned import (
    CUT_AGAIN,
    LEAKING_KINDS,
    RESTORED,
    check_split,
    label_parts,
    label_rows,
)
from cvlint.analysis.checkers.leakage.unevaluated_splits import are_unread
from cvlint.analysis.domain.axis import Axes, sorted_axes
from cvlint.analysis.domain.taint_label import Taint, TaintLabel, sorted_labels
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import Data
from cvlint.analysis.inference.rows_left_out import is_kept_anew, part_left_out, prove_held_out
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import (
    called_name,
    is_same_code,
    kept_in_node,
    names_bound_by,
    names_in,
    nodes_in,
    root_name,
    row_keys,
)
from cvlint.analysis.taint import taint_at, taint_of_objects
from cvlint.source.parsing import walk

MOST_HALVES = 20  # so many parts of one whole are compared with a new one


class Half(NamedTuple):
    """A part that is cut out of a whole with that name, and the names that it is bound to."""

    node: ast.expr
    whole: ast.expr
    name: str
    cut: Cut
    names: frozenset[str]


def check_cut(state: AnalysisState, node: ast.Subscript) -> None:
    """``train = X[:n]`` and ``test = X[n:]`` cut labelled data into a training and a test part."""
    key = row_keys(node)[0]
    if (part := part_left_out(key)) is not None:
        check_rest(state, node, node.value, part)
        return
    check_part(state, node, node.value, key, cut_at(state, key))


def check_part_taken(state: AnalysisState, node: ast.Call) -> None:
    """``train = df.query("year < 2015")``, ``test = groups.get_group("test")``, ``train = df.head(100)``."""
    match node.func:
        case ast.Attribute(value=whole, attr=attr) if attr in state.knowledge.groups["cuts-rows"]:
            check_part(state, node, whole, node, Cut(ast.unparse(node), True, False))


def check_part(state: AnalysisState, node: ast.expr, whole: ast.expr, key: ast.expr, cut: Cut | None) -> None:
    """A part of data is taken, which may be one side of a cut."""
    if cut is None or any(axis.loop_variables & names_in(key) for axis in state.active_loops):
        return  # no cut, or windows, which move on
    if isinstance(key, ast.Name) and is_part_of_splitter(state, key.id):
        return
    taint, name = taint_of_whole(state, whole), root_name(whole)
    is_resampled = any(m.kind == "resampled" for m in taint)
    if any(m.kind == "statistic" for m in taint) and not is_resampled:
        return  # ``order[:30]``: columns in the order of a statistic
    if not any(m.kind in LEAKING_KINDS for m in taint):
        if isinstance(key, ast.Slice) and key.upper is not None and binds_training_part(state):
            joined = any(m.kind == "joined" for m in taint)
            label_parts(state, node, name, RESTORED if joined else "")
    elif any(m.kind == "joined" for m in taint) and not is_resampled:
        is_second = not cut.is_first if cut.is_slice else binds_test_part(state)
        if is_second and not any(m.kind == "part" for m in taint):
            note_cut_again(state, node, taint)
    elif not any(m.kind == "part" for m in taint):
        check_halves(state, Half(node, whole, name, cut, names_of_half(state, node, key)))


def binds_training_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds a name of a training part."""
    return any(
        state.knowledge.conforms("training", name) for target in state.assigned_targets for name in names_in(target)
    )


def taint_of_whole(state: AnalysisState, whole: ast.expr) -> Taint:
    """The taint of data, or of an object that holds them, of which a part is taken."""
    held = taint_of_objects(state, [whole])
    return taint_at(state, whole) | {m for m in held if m.kind not in ("statistic", "joined")}


def check_identifiers(state: AnalysisState, node: ast.Subscript, taint: Taint) -> None:
    """``X[ids[train]]``, ``df[df.patient.isin(train_patients)]``: who is in which part was split, and not the data.

    ``taint`` is that of the data, which are cut here.
    """
    if any(m.kind in ("rows", "part") for m in taint) or not any(m.kind in LEAKING_KINDS for m in taint):
        return
    key = row_keys(node)[0]
    of_data = taint_at(state, *columns_read(key, node.value))  # a part of a split all along: ``table[table.f1 > .5]``
    for part in sorted_labels(m for m in taint_at(state, key) if m.kind == "rows" and m not in of_data):
        folds = [axis for axis in sorted_axes(part.axes) if axis.kind == "fold"]
        check_split(state, taint, folds[0].step if folds else part.step, "folds" if folds else "hold-out")
        label_parts(state, node, root_name(node.value))
        label_rows(state, node, part.part)


def without_training_rows(state: AnalysisState, taint: Taint, axes: Axes) -> Taint:
    """The labels of data without those of what was learned from the training rows of a split: ``scaler.fit(X[a])``.

    ``axes`` are those of the numbers of its rows.
    """
    return frozenset(
        m for m in taint if m.kind not in LEAKING_KINDS or index_learned(state, m, axes) != {"train-indices"}
    )


def index_learned(state: AnalysisState, label: TaintLabel, axes: Axes) -> set[str]:
    """The rows that something was learned from, as far as numbers of rows with these axes select them."""
    parts = (node for step in (label.step, *label.way) for node in walk(step.node) if isinstance(node, ast.Subscript))
    names = {n.id for part in parts for key in row_keys(part)[:1] for n in walk(key) if isinstance(n, ast.Name)}
    held = [state.environment.lookup(name) for name in sorted(names)]
    return {v.index for v in held if isinstance(v, Data) and v.index.endswith("-indices") and v.axes == axes}


def check_single_split(state: AnalysisState, key: ast.expr, taint: Taint) -> None:
    """``train, test = next(cv.split(X))``, and then ``X`` learns from all rows before its parts are taken.

    What it had learned before is told at the splitter.
    """
    made = state.environment.definitions.get(key.id) if isinstance(key, ast.Name) else None
    if made is not None:
        told = {event.node for event in state.leaks.values()}
        new = frozenset(m for m in taint if m.step.node not in told)
        check_split(state, new, state.step(made, "the data are split here"), "hold-out")


def columns_read(key: ast.expr, data: ast.expr) -> list[ast.expr]:
    """The columns of the data that a key reads: ``df.patient`` of ``df.patient.isin(train_patients)``."""
    read: list[ast.Attribute | ast.Subscript] = [*nodes_in(key, ast.Attribute), *nodes_in(key, ast.Subscript)]
    return [column for column in read if is_same_code(column.value, data)]


def note_cut_again(state: AnalysisState, node: ast.expr, taint: Taint) -> None:
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
    """Whether something was learned, or the function that does so was called, further down than a step of the file.

    A step of another script, whose data a file has brought, was there before.
    """
    lines = [getattr(s.node, "lineno", 0) for s in (label.step, *label.way) if s.source is step.source]
    return not lines or max(lines) > getattr(step.node, "lineno", 0)


def is_part_of_splitter(state: AnalysisState, name: str) -> bool:
    """Whether a name holds the rows of a part that a splitter has made."""
    held = state.environment.lookup(name)
    return isinstance(held, Data) and held.index in ("train-indices", "test-indices")


def check_halves(state: AnalysisState, half: Half) -> None:
    """Check for leaks once both sides of a cut are taken, and one is for training and the other for a test."""
    before = state.halves.setdefault(half.name, [])
    other = next((one for one in before if is_other_half(state, one, half)), None)
    if len(before) < MOST_HALVES:
        before.append(half)
    if other is None:
        return
    step = state.step(other.node, "the data are cut into parts here")
    if any(decides_by_gaps(state, part) for part in (half, other)):
        learned = [m for m in sorted_labels(taint_at(state, half.whole)) if m.kind == "learned" and not m.axes]
        state.waiting_leaks += [(m, step, CUT_AGAIN) for m in learned]
    else:
        taint = taint_of_whole(state, half.whole)
        taint = frozenset(m for m in taint if not is_of_training_half(state, m, half, other))
        check_split(state, taint, step, "hold-out")


def is_of_training_half(state: AnalysisState, label: TaintLabel, half: Half, other: Half) -> bool:
    """Whether something was learned from the rows of the training part alone: ``scaler.fit(X[year < 2015])``."""
    training, rest = (half, other) if is_for_training(state, half, other) else (other, half)
    if not is_for_training(state, training, rest):
        return False
    nodes = [node for step in (label.step, *label.way) for node in walk(step.node)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    bound = (state.environment.definitions.get(name) for name in names)
    nodes += (node for definition in bound if isinstance(definition, ast.Subscript) for node in walk(definition))
    cuts = [cut_at(state, key) for node in nodes if isinstance(node, ast.Subscript) for key in row_keys(node)[:1]]
    is_of_rest = rest.cut in cuts or names & (rest.names - training.names)
    return not is_of_rest and (training.cut in cuts or bool(names & (training.names - rest.names)))


def is_for_training(state: AnalysisState, half: Half, other: Half) -> bool:
    """Whether a part is for training, as its names say or the model that is fitted to it, and the other one is not."""
    test_part, training = names_of_parts(state, half.names)
    if test_part or training:
        return bool(training) and not test_part
    fitted, _ = fitted_and_judged(state, (half, other))
    own, rest = ({one.node, *one.names} & fitted for one in (half, other))
    return bool(own - rest) and not rest - own


def is_other_half(state: AnalysisState, one: Half, other: Half) -> bool:
    """Whether two parts of data are the training and the test part of a split."""
    test_part, training = names_of_parts(state, one.names | other.names)
    if (one.cut.at, one.cut.is_first) == (other.cut.at, other.cut.is_first):
        return False
    if test_part and are_unread(state, test_part):
        return False
    is_other_side = one.cut.at == other.cut.at and (one.cut.is_slice or bool(test_part))
    if is_other_side and (test_part or training):
        return True
    if one.names & other.names and one.names != other.names:  # ``train, test = df[early], df[late]``
        return False
    is_one_of_each = one.names == other.names or are_apart(state, one.names, other.names)
    return (bool(test_part and training) and is_one_of_each) or is_one_held_out(state, (one, other))


def are_apart(state: AnalysisState, one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether some names are those of a training part, and others those of a test part."""
    parts = [names_of_parts(state, names) for names in (one, other)]
    return any(bool(a[0]) and not a[1] and bool(b[1]) and not b[0] for a, b in (parts, parts[::-1]))


def names_of_parts(state: AnalysisState, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of test or validation parts among some names, and those of training parts."""
    test_part = frozenset(n for n in names if state.knowledge.conforms("test-part", n))
    return test_part, frozenset(n for n in names if state.knowledge.conforms("training", n))


def decides_by_gaps(state: AnalysisState, half: Half) -> bool:
    """Whether a part holds the rows with, or without, a value: a file of a competition without labels, perhaps."""
    return not names_in(half.node).isdisjoint(state.knowledge.groups["tests-missing"])


def check_rest(state: AnalysisState, node: ast.AST, whole: ast.expr, part: str) -> None:
    """``train = data.sample(frac=0.8)`` and ``test = data.drop(train.index)``: the rest is the other part."""
    drawn = state.environment.definitions.get(part)
    if isinstance(drawn, ast.Call) and root_name(drawn) == root_name(whole):
        check_split(state, taint_at(state, whole), state.step(node, "the data are split here"), "hold-out")


def check_rows_dropped(state: AnalysisState, node: ast.Call) -> None:
    """``train = frame.drop(frame.index[a:b])`` in a loop: each pass holds out the rows that go.

    What is left of a test part trains no model: a jackknife measures it.
    """
    match node:
        case ast.Call(
            func=ast.Attribute(value=whole, attr="drop"),
            args=[ast.Subscript(value=ast.Attribute(value=same, attr="index"), slice=held)],
        ) if is_same_code(whole, same):
            if is_kept_anew(state, whole) or state.knowledge.conforms("test-only", root_name(whole)):
                return
            if (of_folds := prove_held_out(state, held)) is not None:
                check_split(state, taint_at(state, whole), of_folds.step, "folds")
        case _:
            return


def binds_test_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds a name of a test or validation part."""
    return any(
        state.knowledge.conforms("test-part", name) for target in state.assigned_targets for name in names_in(target)
    )


def names_bound(state: AnalysisState, node: ast.expr | None = None) -> frozenset[str]:
    """The names that the statement under way binds, or those of them that it binds to what is made of ``node``."""
    targets = state.assigned_targets
    if node is not None and any(isinstance(target, ast.Tuple) for target in targets):
        statement = next((a for a in nodes_in(state.frame.node, ast.Assign) if a.targets is targets), None)
        pairs = names_bound_by(statement) if statement is not None else []
        if own := frozenset(target.id for target, value in pairs if node in walk(value)):
            return own
    return frozenset[str]().union(*map(names_in, targets))


def names_of_half(state: AnalysisState, node: ast.expr, key: ast.expr) -> frozenset[str]:
    """The names that a part is bound to; where these say no part, as in ``loss(out[train_mask], …)``, that of its key.

    In a function that gets the key, ``Rows(X, train_idx)``, they are the names that its caller has for it.
    """
    given = state.frame.argument(key.id) if isinstance(key, ast.Name) else None
    if given is not None:
        return names_in(given)
    bound = names_bound(state, node)
    if not calls_a_model(state, node) and any(names_of_parts(state, bound)):
        return bound
    match key:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.UnaryOp(operand=ast.Name(id=name)):
            of_key = frozenset[str]().union(*names_of_parts(state, frozenset((name,))))
        case _:
            of_key = frozenset[str]()
    return of_key if of_key or calls_a_model(state, node) else bound


def is_one_held_out(state: AnalysisState, halves: Collection[Half]) -> bool:
    """Whether a model is fitted to a part, and predicts for another: ``fit(a, c)``, ``predict(b)``; ``fit(X[:n])``."""
    fitted, predicted = fitted_and_judged(state, halves)
    return bool(fitted and predicted - fitted)


def fitted_and_judged(state: AnalysisState, halves: Collection[Half]) -> tuple[set[object], set[object]]:
    """The parts, by their names or where they are taken, that a model is fitted to, and those that it is judged on."""
    fitted, predicted = set[object](), set[object]()
    names = frozenset[str]().union(*(half.names for half in halves))
    for call in nodes_in(state.frame.node, ast.Call) if names else ():
        given = names & frozenset[str]().union(*map(names_in, call.args))
        name = called_name(call.func) if given else ""
        if name == "fit":
            fitted |= given
        elif is_judging(state, name):
            predicted |= given
    for half in halves:
        if name := calls_a_model(state, half.node):
            (fitted if name == "fit" else predicted).add(half.node)
    return fitted, predicted


def is_judging(state: AnalysisState, name: str) -> bool:
    """Whether a method predicts, or measures a model: ``predict``, ``score``."""
    return name in state.knowledge.groups["predicts"] or name in state.knowledge.groups["measures-itself"]


def calls_a_model(state: AnalysisState, part: ast.expr) -> str:
    """The method of a model that gets a part in brackets at once: ``fit`` for ``X[:n]`` in ``model.fit(X[:n])``."""
    names = calls_by_part(state.frame.node).get(part, ())
    return next((name for name in reversed(names) if name == "fit" or is_judging(state, name)), "")


@kept_in_node
def calls_by_part(code: ast.AST) -> dict[ast.AST, list[str]]:
    """The names of the calls that get parts of data in brackets, or what is made of them, outermost first."""
    found: dict[ast.AST, list[str]] = {}
    for call in nodes_in(code, ast.Call):
        for part in (part for argument in call.args for part in parts_taken(argument)):
            found.setdefault(part, []).append(called_name(call.func))
    return found
