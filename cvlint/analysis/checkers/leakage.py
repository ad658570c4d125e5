"""What was learned from all the data, or drawn anew, before they are split.

Scalers, selectors, statistics and resampling *mark* data (see `lineage`). When marked data are split, what was learned
from all of them is known to the parts that test it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import Const, Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in
from cvlint.analysis.taint import (
    add_taint,
    bind_taint,
    constant_columns,
    labels_for_columns,
    root_name,
    row_keys,
    selected_columns,
    sorted_labels,
    taint_at,
    taint_of_objects,
    without_columns,
)

ROLLING = frozenset(("rolling", "expanding", "ewm"))  # what looks backwards only
ONE_CLASS = "one class"  # rows of it alone balance nothing, but for others that they are put together with
COLLECTED_KINDS = (
    "learned",
    "resampled",
    "measured",
    "chosen",
)  # the kinds of marks that a list takes over from an entry
LEAKING_KINDS = ("learned", "resampled")  # the kinds of marks that must not go into a split
FILLING_METHODS = frozenset(
    ("fillna", "replace", "fill", "sub", "subtract", "div", "divide", "map", "clip", "where", "mask")
)


def label_learned(
    state: AnalysisState, node: ast.AST, by: str, kind: str = "learned", of: str = "", fewer: bool = False
) -> Taint:
    """Something learns from data, or draws them anew: the mark of what comes out."""
    if kind == "resampled" and is_trial_run(state):
        return NO_TAINT
    note = f"{by} learns from the data here" if kind == "learned" else f"{by} draws the data anew here"
    made = TaintLabel(
        kind, state.step(node, note), by, loops_with_own_data(state, node), subject=of, undersampling=fewer
    )
    state.taint |= {made}
    return frozenset((made,))


def is_trial_run(state: AnalysisState) -> bool:
    """Whether a place is reached only when the program is tried out: ``if args.quick: …``."""
    return any(state.knowledge.conforms("trial", name) for test in state.frame.guard_tests for name in names_in(test))


def loops_with_own_data(state: AnalysisState, node: ast.AST) -> Axes:
    """The loops around, each pass of which has data of its own; a loop over the columns of a frame is none."""
    taken = [n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript)]
    taken = [key.elts[-1] if isinstance(key, ast.Tuple) and key.elts else key for key in taken]
    keys = {name for key in taken if isinstance(key, ast.Name | ast.List) for name in names_in(key)}
    return frozenset(a for a in state.active_loops if a.kind != "loop" or not a.loop_variables & keys or counts_rows(a))


def counts_rows(axis: Axis) -> bool:
    """Whether a loop counts rows: ``for i in range(len(X))``."""
    match axis.step.node:
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Call(func=ast.Name(id="len"))]):
            return True
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Subscript(slice=ast.Constant(value=0))]):
            return True
        case _:
            return False


def check_fit(state: AnalysisState, node: ast.Call, by: str) -> None:
    """``scaler.fit(X)``, ``scaler.fit_transform(X)``: the transformer knows of the data from now on."""
    if any(takes_part_of_rows(state, key) for a in node.args for key in row_keys(a)):
        return
    apart = any(m.kind == "part" for m in taint_at(state, *node.args))
    made = label_learned(state, node, by, of=name_of_data(node.args[0]) if node.args and not apart else "")
    if isinstance(node.func, ast.Attribute):
        given = taint_at(state, *node.args)
        before = taint_at(state, node.func.value) - given  # what it had learned is forgotten
        state.taint -= before
        bind_taint(state, node.func.value, made | given)


def takes_part_of_rows(state: AnalysisState, key: ast.expr) -> bool:
    """Whether a key takes a part of the rows: the first ones, or those of the training part."""
    match key:
        case ast.Slice():
            return key.lower is not None or key.upper is not None
        case ast.Compare(comparators=[ast.Constant(value=str() as value)]):
            return state.knowledge.conforms("training", value)
        case ast.Name(id=name):
            return state.knowledge.conforms("training", name)
        case _:
            return False


def name_of_data(node: ast.expr) -> str:
    """The name of the data in ``X[columns]`` and in ``scaler.transform(X)``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "transform" in node.func.attr:
        if not node.args:
            break
        node = node.args[0]
    return root_name(node)


def check_transform(state: AnalysisState, node: ast.Call) -> None:
    """``scaler.transform(X_test)``: what it was fitted on is a training part, or the whole that these are part of."""
    if not (isinstance(node.func, ast.Attribute) and node.args):
        return
    parts = sorted_labels(m for m in taint_at(state, node.args[0]) if m.kind == "part")
    for fit in sorted_labels(m for m in taint_at(state, node.func.value) if m.kind == "learned" and m.subject):
        whole = [part for part in parts if part.subject == fit.subject]
        if whole and not fit.axes - state.active_axes:
            record_leak(state, fit, whole[0].step, "hold-out")
        elif fit.subject != name_of_data(node.args[0]):
            state.training_data.add(fit.step.node)


def label_statistic(state: AnalysisState, node: ast.AST, of: ast.expr, method: bool) -> None:
    """A mean, a median or a deviation of all the data: what is scaled or filled with it has learned from them."""
    name = root_name(of)
    if state.knowledge.conforms("truth", name) or names_in(of) & ROLLING:
        return
    if name and is_over_rows(state, node, method) and not is_written_out(state, name):
        step = state.step(node, "a statistic of the data is computed here")
        state.taint |= {TaintLabel("statistic", step, name, subject=name)}


def is_over_rows(state: AnalysisState, node: ast.AST, method: bool) -> bool:
    """Whether a statistic is of all rows: not of each row, and not of one sample after another.

    ``method``: of ``X.mean(0)`` the first argument is the axis, of ``np.mean(X, 0)`` the second.
    """
    if state.frame.per_sample or not isinstance(node, ast.Call):
        return not state.frame.per_sample
    along = [*node.args[0 if method else 1 :][:1], *(k.value for k in node.keywords if k.arg in ("axis", "dim"))]
    return all(
        isinstance(v, Const) and v.value in (0, None, "index", "rows") for v in map(state.evaluate_optional, along)
    )


def is_written_out(state: AnalysisState, name: str) -> bool:
    """Whether a name holds numbers that are written out or counted up, and no data."""
    match state.environment.definitions.get(name):
        case ast.Call(func=ast.Attribute(attr="arange" | "linspace" | "range") | ast.Name(id="range")):
            return True
        case ast.List() | ast.Call(func=ast.Attribute(attr="array"), args=[ast.List(), *_]):
            return True
        case _:
            return False


def check_own_statistic(state: AnalysisState, node: ast.AST, data: ast.expr, statistic: ast.expr) -> Taint:
    """Data are filled or scaled with a statistic of their own, if ``statistic`` is one: they have learned from it."""
    found = sorted_labels(m for m in taint_at(state, statistic) if m.kind == "statistic")
    names = names_in(data)
    own = [m for m in found if m.subject in names or name_of_whole(state, m.subject) in names]
    if not own:
        state.training_data.update(
            (state.environment, m.subject) for m in found
        )  # these are other data: those were a training part
        return NO_TAINT
    how = "the filling" if isinstance(node, ast.Call) else "the scaling"
    made = label_learned(state, node, f"{how} of {own[0].subject} with its own statistics", of=own[0].subject)
    state.taint = frozenset(m for m in state.taint if m.kind != "statistic")
    return made


def name_of_whole(state: AnalysisState, name: str) -> str:
    """The data that a name holds a part of: ``known = frame.loc[mask, "age"]``."""
    definition = state.environment.definitions.get(name)
    return root_name(definition) if isinstance(definition, ast.Subscript) else ""


def check_masked_filling(state: AnalysisState, target: ast.Subscript, source: ast.expr) -> None:
    """``frame.loc[frame.age.isna(), "age"] = frame.age.median()``: some rows get a statistic of the others."""
    rows = target.slice.elts[0] if isinstance(target.slice, ast.Tuple) and target.slice.elts else target.slice
    chosen = isinstance(rows, ast.Compare | ast.Call) or (isinstance(rows, ast.Name) and rows is not target.slice)
    if chosen and any(m.kind == "statistic" for m in taint_at(state, source)):
        made = check_own_statistic(state, ast.copy_location(ast.Call(source, [target], []), source), target, source)
        add_taint(state, target.value, labels_for_columns(made, constant_columns(state, target.slice)))


def check_augmented_scaling(state: AnalysisState, node: ast.AugAssign) -> None:
    """``X -= X.mean(axis=0)``."""
    if isinstance(node.op, ast.Sub | ast.Div):
        add_taint(state, node.target, check_own_statistic(state, node, node.target, node.value))


def check_scaling(state: AnalysisState, node: ast.BinOp) -> bool:
    """Whether data are scaled as in ``(x - x.mean()) / x.std()``."""
    again = any(m.step.node is node.left for m in state.taint)  # (x - mean) / std learns once
    if again or not isinstance(node.op, ast.Sub | ast.Div):
        return again
    return bool(check_own_statistic(state, node, node.left, node.right))


def check_method_call(state: AnalysisState, node: ast.Call) -> None:
    """``data.fillna(data.mean())``, also in place."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return
    in_place = any(k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value for k in node.keywords)
    if func.attr in FILLING_METHODS:
        for argument in (*node.args, *(k.value for k in node.keywords)):
            made = check_own_statistic(state, node, func.value, argument)
            if made and in_place:
                add_taint(state, func.value, labels_for_columns(made, selected_columns(state, func.value)))
    if func.attr == "drop":
        keys = [
            key
            for k in (*node.args, *(k.value for k in node.keywords if k.arg == "columns"))
            for key in constant_columns(state, k)
        ]
        state.taint = without_columns(state.taint, keys)
    if func.attr in ("append", "extend", "insert", "update"):
        add_taint(state, func.value, frozenset(m for m in taint_at(state, *node.args) if m.kind in COLLECTED_KINDS))


def check_split(state: AnalysisState, found: Taint, step: Step, how: str) -> None:
    """Data are split: what was learned from all of them before is known to the parts that test it.

    Parts of a training part only choose a model, and spoil no result. ``how`` is "folds", "search" or "hold-out".
    """
    kinds: tuple[str, ...] = LEAKING_KINDS
    if any(m.kind == "part" for m in found) or (
        how == "hold-out" and any(m.kind == "training" for m in found) and binds_validation_part(state)
    ):
        kinds = (
            ("resampled",) if how == "folds" else ()
        )  # its twins are in several folds, whoever holds out the test part
    thinned = drawn_alike_in_classes(found)
    for taint_label in sorted_labels(m for m in found if m.kind in kinds):
        if (
            taint_label in thinned
            or taint_label.step.node in state.training_data
            or (state.environment, taint_label.subject) in state.training_data
        ):
            continue
        left = (
            taint_label.axes - state.active_axes
        )  # of loops over samples, or over classes that are brought to one size
        if any(axis.kind == "fold" and axis.step.node is not step.node for axis in taint_label.axes):
            continue
        if left and taint_label.kind == "learned":
            continue
        if taint_label.subject == ONE_CLASS and not any(m.kind == "joined" for m in found):
            continue
        record_leak(state, taint_label, step, how)


def drawn_alike_in_classes(found: Taint) -> Taint:
    """The drawings of rows that take the same share of each class: they leave the share of positives as it is."""
    drawn: dict[str, list[TaintLabel]] = {}
    for taint_label in found:
        if (
            taint_label.subject == ONE_CLASS
            and taint_label.undersampling
            and isinstance(taint_label.step.node, ast.Call)
        ):
            drawn.setdefault(share_of_rows(taint_label.step.node), []).append(taint_label)
    return frozenset(taint_label for share, taint in drawn.items() if share and len(taint) > 1 for taint_label in taint)


def share_of_rows(node: ast.Call) -> str:
    """How many rows are drawn, spelled with a blank for the data; empty where that is no share of them."""
    own = root_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    given = [*node.args, *(k.value for k in node.keywords if k.arg in ("n", "frac"))]
    share = any(k.arg == "frac" for k in node.keywords) or any(own in names_in(argument) for argument in given)
    spelled = (" ".join(re.findall(r"\w+|\S", ast.unparse(argument))) for argument in given)
    return " ".join("_" if word == own else word for text in spelled for word in text.split()) if own and share else ""


def record_leak(state: AnalysisState, taint_label: TaintLabel, step: Step, how: str) -> None:
    """What was learned goes into a split: the first of its kind is the event, later ones join its trace."""
    key = (taint_label.kind, taint_label.cause, step.node, taint_label.step.owners)
    first = state.leaks.get(key)
    if first is None:
        facts = {"how": taint_label.kind, "by": taint_label.cause, "split": "folds" if how == "search" else how}
        facts["rows"] = "fewer" if taint_label.undersampling else "more"
        at = taint_label.step
        event = Event("fit", at.module, at.node, Measure("unknown"), trace=(step,), note=at.note, facts=facts)
        state.leaks[key] = event
        state.record(event)
    elif taint_label.step.node is not first.node and all(taint_label.step.node is not s.node for s in first.trace):
        later = replace(first, trace=(taint_label.step, *first.trace))
        state.leaks[key] = later
        if first in state.events:
            state.events[state.events.index(first)] = later


def check_split_arguments(
    state: AnalysisState, axis: Axis, given: list[ast.expr], keywords: list[ast.keyword], how: str = "folds"
) -> None:
    """The arguments of a call are split into folds."""
    nodes = [*given, *(k.value for k in keywords)]
    check_split(state, taint_at(state, *nodes) | taint_of_objects(state, nodes), axis.step, how)


def is_test_part_unread(state: AnalysisState, node: ast.AST) -> bool:
    """Whether the test parts of a hold-out are never read: no result is measured on them."""
    for assignment in nodes_in(state.frame.node, ast.Assign):
        match assignment:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is node:
                names = {t.id for t in targets[1::2] if isinstance(t, ast.Name)}
                reads = (n for n in nodes_in(state.frame.module.source.tree, ast.Name) if n.id in names)
                return bool(names) and not any(isinstance(n.ctx, ast.Load) for n in reads)
    return False


def label_parts(state: AnalysisState, node: ast.AST, of: str = "") -> None:
    """What comes out of a hold-out are parts of what was split."""
    state.taint |= {TaintLabel("part", state.step(node, "the data are split here"), "", state.active_axes, subject=of)}


def label_joined(state: AnalysisState, node: ast.AST) -> None:
    """``pd.concat([train, test])``: what is cut apart later was apart before."""
    parts = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if isinstance(parts, ast.List | ast.Tuple) and len(parts.elts) > 1:
        state.taint |= {TaintLabel("joined", state.step(node, "data are put together here"), "", state.active_axes)}


def check_slice(state: AnalysisState, node: ast.Subscript) -> None:
    """``train = X[:n]`` and ``test = X[n:]``: marked data are cut into a training and a test part by hand."""
    found, key = taint_at(state, node.value), row_keys(node)[0]
    if not isinstance(key, ast.Slice) or key.step is not None or state.active_loops:
        return
    if not any(m.kind in LEAKING_KINDS for m in found):
        if key.upper is not None and binds_training_part(state):
            label_parts(state, node, root_name(node.value))
        return
    if any(m.kind in ("part", "joined") for m in found):
        return
    name = root_name(node.value)
    from_start = key.lower is None or (isinstance(key.lower, ast.Constant) and key.lower.value == 0)
    if from_start and key.upper is not None:
        if binds_training_part(state):
            state.slice_cuts[name, bound_of_slice(key.upper)] = node
    elif key.lower is not None and (first := state.slice_cuts.get((name, bound_of_slice(key.lower)))) is not None:
        check_split(state, found, state.step(first, "the data are cut into parts here"), "hold-out")


def binds_training_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds what is called a training part."""
    return any(
        state.knowledge.conforms("training", name) for target in state.assigned_targets for name in names_in(target)
    )


def binds_validation_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds what is called a validation part, and no test part."""
    names = [name for target in state.assigned_targets for name in names_in(target)]
    known = state.knowledge
    return any(known.conforms("test-part", n) for n in names) and not any(known.conforms("test-only", n) for n in names)


def bound_of_slice(node: ast.expr) -> str:
    """What tells the bound of a slice: the name in it, or how it is written."""
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return names[0] if names else ast.unparse(node)
