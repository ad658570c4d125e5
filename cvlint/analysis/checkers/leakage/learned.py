"""What was learned from all the data, or resampled, before the data are split.

``X = StandardScaler().fit_transform(X)``, ``X -= X.mean(axis=0)`` or ``X, y = SMOTE().fit_resample(X, y)``, and later
``train_test_split(X, y)``. Scalers, statistics and resampling put *taint labels* on data (see `cvlint.analysis.taint`),
which go wherever the data go. Where labelled data are split, the test parts know what was learned from all of them.
Event ``fit``: CVL302 (``how="resampled"``), CVL303 (``how="learned"``).
"""

from __future__ import annotations

import ast
import re

from cvlint.analysis.checkers.leakage.true_labels import are_true_labels, learned_by_labels
from cvlint.analysis.checkers.leakage.unevaluated_splits import are_unread, is_training_part, makes_features_only
from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel, sorted_labels
from cvlint.analysis.domain.trace import Step, Trace
from cvlint.analysis.domain.value import Measure
from cvlint.analysis.events import Event
from cvlint.analysis.inference.loop_axes import counts_rows, goes_through_columns
from cvlint.analysis.inference.loop_dependence import is_empty_list, is_loop_invariant
from cvlint.analysis.label_columns import entry_key, without_columns
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, root_name, row_keys
from cvlint.analysis.taint import add_taint, bind_taint, constant_columns, remove_columns, taint_at, taint_of_objects
from cvlint.source.parsing import walk

THINNED = "thinned"  # positives that are made rarer on purpose: a condition of the experiment
ONE_CLASS = "one class"  # a sample of one class balances nothing before it is joined with the other classes
LEAKING_KINDS = ("learned", "resampled")  # taint labels that spoil a split
# Taint labels that a list takes from its entries.
COLLECTED_KINDS = (*LEAKING_KINDS, "measured", "chosen", "cut", "swept", "statistic")
RESTORED = "restored"  # a file's rows, cut again out of all files' rows: the other files may have no labels
INNER_FOLDS = "inner folds"  # of a training part: they are no fault where they only choose a model
CUT_AGAIN = "cut again"  # two files, joined for what was learned of both: a fault if the second has labels
OF_COLUMNS = "of columns"  # a table is split, of which some columns were learned: a fault if a model gets them
SHOWN_FOLDS = "shown folds"  # of a training part, whose result the code shows
LONG_TRACE = 8  # steps: a helper that many places call is told with the first of them


def label_learned(
    state: AnalysisState,
    node: ast.AST,
    by: str,
    kind: str = "learned",
    of: str = "",
    fewer: bool = False,
    is_guess: bool = False,
    way: Trace = (),
    choice: str = "",
    part: str = "",
) -> Taint:
    """A transformer learns from data, or a sampler resamples them: its result gets a taint label.

    ``by`` is a sampler, or what has learned and how, up to the data: "StandardScaler is fitted to".
    """
    if kind == "resampled" and is_trial_run(state):
        return NO_TAINT
    note = f"{by} all the data here" if kind == "learned" else f"{by} draws the data anew here"
    step, axes = state.step(node, note, is_guess), loops_with_own_data(state, node)
    part = "test" if {label.part for label in state.taint if label.kind == "rows"} == {"test"} else part
    calls = state.call_trace()
    way = (*calls, *(step for step in way if step.node not in {call.node for call in calls}))
    label = TaintLabel(kind, step, by, axes, subject=of, undersampling=fewer, way=way, choice=choice, part=part)
    state.taint |= {label}
    return frozenset((label,))


def is_trial_run(state: AnalysisState) -> bool:
    """Whether the code runs only to try the program out: ``if args.quick: …``."""
    return any(state.knowledge.conforms("trial", name) for test in state.frame.guard_tests for name in names_in(test))


def loops_with_own_data(state: AnalysisState, node: ast.AST) -> Axes:
    """The loops under way that have data of their own in each pass; a loop over columns or transformers has not.

    A loop that takes all the data in each pass has not either: repeated hold-outs, or the features that are asked for.
    """
    keys_taken = [n.slice for one in given_for(state, node) for n in walk(one) if isinstance(n, ast.Subscript)]
    keys_taken = [key.elts[-1] if isinstance(key, ast.Tuple) and key.elts else key for key in keys_taken]
    keys = {name for key in keys_taken if isinstance(key, (ast.Name, ast.List)) for name in names_given(state, key)}
    match node:
        case ast.Call(func=ast.Attribute(attr="drop" | "pop")) | ast.Subscript(ctx=ast.Del()):  # a column, by its title
            keys |= names_in(node)
        case ast.Call(func=ast.Attribute(value=base)):
            keys.add(root_name(base))  # ``for step in (imputer, scaler): X = step.fit_transform(X)``
    loops = (a for a in state.active_loops if a.kind != "loop" or not goes_through_columns(a))
    own = (a for a in loops if a.kind != "loop" or not a.loop_variables & keys or counts_rows(a))
    return frozenset(a for a in own if a.kind not in ("fold", "loop", "seed") or not takes_all_data(state, node, a))


def given_for(state: AnalysisState, node: ast.AST) -> list[ast.AST]:
    """An expression, and those that its names stand for: ``column = frame[name]; impute(column)`` in a loop."""
    found, latest = [node], [node]
    for frame in reversed(state.frames):
        names = frozenset[str]().union(*map(names_in, latest))
        definitions = frame.environment.definitions
        bound = [definitions[name] for name in names & definitions.keys()]
        names = names.union(*map(names_in, bound)) - definitions.keys()
        latest = [argument for name in names if (argument := frame.argument(name)) is not None]
        found += [*bound, *latest]
    return found


def names_given(state: AnalysisState, node: ast.expr) -> frozenset[str]:
    """The names in an expression, and in the arguments that its parameters stand for."""
    return frozenset[str]().union(*map(names_in, given_for(state, node)))


def takes_all_data(state: AnalysisState, node: ast.AST, axis: Axis) -> bool:
    """Whether a call in a loop takes the same data in each pass."""
    given = node.args if isinstance(node, ast.Call) else []
    return bool(given) and all(is_loop_invariant(state, argument, axis) for argument in given)


def check_fit(state: AnalysisState, node: ast.Call, by: str, is_guess: bool = False, kept: Taint = NO_TAINT) -> None:
    """``scaler.fit(X)``, ``scaler.fit_transform(X)``: the transformer has learned from these data.

    It forgets what it learned before, but for what was ``kept`` of the arguments that it was made with. In a call for
    each sample it learns from that sample alone.
    """
    if state.frame.per_sample or any(takes_part_of_rows(state, key) for a in node.args for key in row_keys(a)):
        return
    if node.args and (are_true_labels(state, node.args[0]) or is_empty_list(node.args[0])):
        return
    is_part = any(m.kind == "part" for m in taint_at(state, *node.args))
    of = name_of_data(node.args[0]) if node.args and not is_part else ""
    learned = label_learned(state, node, f"{by} is fitted to", of=of, is_guess=is_guess)
    if kept and node.args:
        check_learned_before(state, node.args[0], kept)
    if isinstance(node.func, ast.Attribute):
        taint_of_data = taint_at(state, *node.args)
        forgotten = taint_at(state, node.func.value) - taint_of_data - kept
        state.taint -= forgotten
        bind_taint(state, node.func.value, learned | kept | frozenset(m for m in taint_of_data if m.kind != "rows"))


def check_scaling_function(state: AnalysisState, node: ast.Call, function: str) -> None:
    """``scale(X)`` learns from ``X``. ``scale(X_test)`` beside it says that ``X`` is a training part."""
    if are_true_labels(state, node.args[0]) or any(m.kind == "statistic" for m in taint_at(state, node.args[0])):
        return  # ``rankdata(-means)`` ranks results
    label_learned(state, node, f"{function}() learns from")
    alike = state.scalings.setdefault((state.environment, function), set())
    if state.knowledge.conforms("test-only", root_name(node.args[0])):
        state.training_data |= alike
    else:
        alike.add(node)


def check_construction(state: AnalysisState, node: ast.AST, by: str, parameter: str) -> None:
    """``Word2Vec(sentences)``: an object learns from its first argument, or the one of this name, when it is made."""
    given = (
        [*node.args[:1], *(k.value for k in node.keywords if k.arg == parameter)] if isinstance(node, ast.Call) else []
    )
    if not given or any(takes_part_of_rows(state, key) for key in row_keys(given[0])):
        return
    is_part = any(m.kind == "part" for m in taint_at(state, given[0]))
    label_learned(state, node, f"{by} is fitted to", of="" if is_part else root_name(given[0]))


def takes_part_of_rows(state: AnalysisState, key: ast.expr) -> bool:
    """Whether a key takes a part of the rows: the first ones, or those of the training part."""
    match key:
        case ast.Slice():
            return key.lower is not None or key.upper is not None
        case ast.Compare(comparators=[ast.Constant(value=str() as name)]):
            return state.knowledge.conforms("training", name)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return state.knowledge.conforms("training", name)
        case _:
            return False


def name_of_data(node: ast.expr) -> str:
    """The name of the data in ``X[columns]`` and in ``scaler.transform(X)``."""
    while isinstance(node, ast.Call) and "transform" in called_name(node.func) and node.args:
        node = node.args[0]
    return root_name(node)


def check_transform(state: AnalysisState, node: ast.Call) -> None:
    """``scaler.transform(X_test)``: the scaler learned from a training part, or from data that hold ``X_test``."""
    if not (isinstance(node.func, ast.Attribute) and node.args):
        return
    # and not what its data had learned before it was fitted to them
    check_learned_before(state, node.args[0], taint_at(state, node.func.value) - taint_at(state, node.args[0]))


def check_learned_before(state: AnalysisState, data: ast.expr, own: Taint) -> None:
    """A transformer with its ``own`` labels gets data: a part of what it has learned from, or further data."""
    for learned in sorted_labels(m for m in own if m.kind == "learned" and m.subject):
        if not check_part(state, data, learned) and learned.subject != name_of_data(data):
            state.training_data.add(learned.step.node)


def check_part(state: AnalysisState, data: ast.expr, learned: TaintLabel) -> bool:
    """Whether data are a part of those that something was learned from; if so, it leaks into the other part."""
    parts = sorted_labels(m for m in taint_at(state, data) if m.kind == "part" and m.subject == learned.subject)
    if not parts or learned.axes - state.active_axes:
        return False
    made = frozenset(target.id for target in state.assigned_targets if isinstance(target, ast.Name))
    if not (made and are_unread(state, made)):  # else no model sees what becomes of this part
        record_leak(state, learned, parts[0].step, "hold-out")
    return True


def check_method_call(state: AnalysisState, node: ast.Call) -> None:
    """``data.drop(columns)``, ``rows.append(data)``: the labels of what is left, or of what is added."""
    func = node.func
    if not isinstance(func, ast.Attribute):
        return
    if func.attr == "drop":
        keys = [
            key
            for k in (*node.args, *(k.value for k in node.keywords if k.arg == "columns"))
            for key in constant_columns(state, k)
        ]
        state.taint = without_columns(state.taint, keys)
        label_sum(state)  # rows of one class that are left out leave the others
        if any(k.arg == "inplace" for k in node.keywords):
            remove_columns(state, func.value, keys)
    if func.attr == "pop" and node.args:
        remove_columns(state, func.value, constant_columns(state, node.args[0]))
    if func.attr in ("append", "extend", "insert", "update"):
        added = frozenset(m for m in taint_at(state, *node.args) if m.kind in COLLECTED_KINDS)
        add_taint(state, func.value, added | sums_in(state, added))  # ``paths.append(drawn)``, which holds others


def check_split(state: AnalysisState, taint: Taint, step: Step, split: str, of_training: bool = False) -> None:
    """Data are split: the test parts know what was learned from all the data before.

    Parts of a training part only choose a model, and spoil no result unless theirs is shown (see `final_tests`).
    ``split`` is "folds", "search" or "hold-out"; ``of_training``: the data are the training part by their name.
    """
    if state.witness is not None:
        state.witness.saw_split(taint)
    kinds = leaking_kinds(state, taint, split) if taint and not makes_features_only(state, step) else ()
    class_samples = drawn_alike_in_classes(taint)
    is_restored = any(m.kind == "part" for m in taint) and "learned" in kinds
    watches = split == "hold-out" and any(m.kind == "training" for m in taint) and binds_validation_part(state)
    in_part = split != "hold-out" and "learned" not in kinds
    again = split == "hold-out" and any(m.kind == "part" and m.cause != RESTORED for m in taint)
    if again and not is_training_part(state, step.node):
        return
    for label in sorted_labels(m for m in taint if m.kind in (LEAKING_KINDS if in_part else kinds)):
        if (
            label in class_samples
            or label.step.node in state.strata
            or (again and any(event.node is label.step.node for event in state.leaks.values()))
        ):
            continue
        in_folds = {axis.step.node for axis in label.axes if axis.kind == "fold"}
        if in_folds and (label.kind == "learned" or in_folds != {step.node}):
            if split == "search" and label.kind == "resampled":
                state.search_leaks.setdefault(step.node, []).append(label)  # it spoils the search's own score alone
            continue  # it was learned in a fold, and resampled in one of another split
        if label.kind == "learned" and label.axes - state.active_axes:
            continue  # it was learned in a loop that has ended, from one sample after another
        if label.subject == ONE_CLASS and not any(m.kind == "joined" for m in taint):
            continue
        waits_for_use = in_part and label.kind == "learned"
        may_be_tested = of_training and split == "folds" and label.kind == "learned"
        if waits_for_use or may_be_tested or is_training_data(state, label) or is_restored or watches or again:
            unknown_use = any(frame.gets_unknown_data for frame in state.frames)  # its caller may test the model
            if not state.suppress_events and not (unknown_use and split == "hold-out"):
                state.waiting_leaks.append((label, step, INNER_FOLDS if waits_for_use or unknown_use else split))
            continue
        if split == "hold-out" and label.kind == "learned" and label.columns and not state.suppress_events:
            state.waiting_leaks.append((label, step, OF_COLUMNS))
            continue
        record_leak(state, label, step, split)


def is_training_data(state: AnalysisState, label: TaintLabel) -> bool:
    """Whether other data were transformed with what was learned: it was learned from training data."""
    return not state.training_data.isdisjoint((label.step.node, (state.environment, label.subject)))


def leaking_kinds(state: AnalysisState, taint: Taint, split: str) -> tuple[str, ...]:
    """The kinds of labels that spoil a split.

    A training part that is split again chooses a model; only copies of one sample in several of its folds spoil that.
    """
    if any(m.kind == "part" and m.cause != RESTORED for m in taint):
        return ("learned",) if split == "hold-out" else ("resampled",)
    return LEAKING_KINDS


def drawn_alike_in_classes(found: Taint) -> Taint:
    """Labels of samples that take the same share of rows from each class: they keep the share of positives."""
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
    """How many rows a call draws, spelled with a blank for the data; empty where it is no share of them."""
    own = root_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    given = [*node.args, *(k.value for k in node.keywords if k.arg in ("n", "frac", "fraction"))]
    share = any(is_fraction(a) or own in names_in(a) for a in given) or any(k.arg == "frac" for k in node.keywords)
    spelled = (" ".join(re.findall(r"\w+|\S", ast.unparse(argument))) for argument in given)
    return " ".join("_" if word == own else word for text in spelled for word in text.split()) if own and share else ""


def is_fraction(node: ast.expr) -> bool:
    """Whether a literal is a share of the rows: ``rows.sample(False, 0.1)``."""
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def record_leak(state: AnalysisState, taint_label: TaintLabel, step: Step, split: str) -> None:
    """Labelled data are split: the first label of its kind makes the event, later ones join its trace.

    The trace holds the calls through which the data came to a helper that learns from them.
    """
    key = (taint_label.kind, taint_label.cause, step.node, taint_label.step.owners)
    first = state.leaks.get(key)
    if first is None:
        facts = {"how": taint_label.kind, "by": taint_label.cause, "split": "folds" if split == "search" else split}
        facts["rows"] = taint_label.choice or ("fewer" if taint_label.undersampling else "more")
        facts["done"] = taint_label.choice or "fitted"
        facts["of"] = "training" if state.knowledge.conforms("training", taint_label.subject) else "all"
        source = taint_label.step
        guess = (replace(source, note=f"{taint_label.cause} learns, by its name"),) if source.heuristic else ()
        trace = (*guess, *taint_label.way, step)
        event = Event("fit", source.source, source.node, Measure("unknown"), trace=trace, note=source.note, facts=facts)
        state.leaks[key] = event
        state.record(event)
        if state.writers_running:
            state.leaks_elsewhere.setdefault(step.node, []).append(event)
        return
    known = {first.node, *(s.node for s in first.trace)}
    added = tuple(s for s in (taint_label.step, *taint_label.way) if s.node not in known)
    if added and len(first.trace) < LONG_TRACE:
        extended = replace(first, trace=(*added, *first.trace))
        state.leaks[key] = extended
        if first in state.events:
            state.events[state.events.index(first)] = extended


def check_split_arguments(
    state: AnalysisState, axis: Axis, arguments: list[ast.expr], keywords: list[ast.keyword], split: str = "folds"
) -> None:
    """A call splits its arguments into folds: ``splitter.split(X, y)``, ``cross_val_score(model, X, y)``."""
    nodes = [*arguments, *(k.value for k in keywords)]
    taint = (taint_at(state, *nodes) | taint_of_objects(state, nodes)) - learned_by_labels(state, nodes)
    check_split(state, taint, axis.step, split, any(state.knowledge.conforms("training", root_name(n)) for n in nodes))


def label_parts(state: AnalysisState, node: ast.AST, of: str = "", cause: str = "") -> None:
    """What a hold-out or a split returns are parts of the data."""
    step = state.step(node, "the data are split here")
    state.taint |= {TaintLabel("part", step, cause, state.active_axes, subject=of)}


def label_rows(state: AnalysisState, node: ast.AST, part: str, entries: range | None = None) -> None:
    """Rows are a part of a split, ``train`` or ``test``; ``entries`` are those of a tuple of parts that are."""
    columns = frozenset(map(entry_key, entries)) if entries is not None else frozenset[str]()
    step = state.step(node, "the data are split here")
    state.taint |= {TaintLabel("rows", step, part, state.active_axes, columns, part=part)}


def label_joined(state: AnalysisState, node: ast.AST, are_many: bool = False) -> None:
    """``pd.concat([train, test])``, ``train.append(test)``: a later cut restores parts that existed before.

    ``are_many``: a list of parts is joined that a loop has filled.
    """
    parts = node.args[0] if isinstance(node, ast.Call) and node.args else None
    parts = node.slice if isinstance(node, ast.Subscript) else parts  # ``np.r_[train, test]``
    several = len(parts.elts) > 1 if isinstance(parts, (ast.List, ast.Tuple)) else isinstance(parts, ast.BinOp)
    if several or are_many or (isinstance(node, ast.Call) and called_name(node.func) == "append"):
        state.taint |= {TaintLabel("joined", state.step(node, "data are put together here"), "", state.active_axes)}


def label_sum(state: AnalysisState) -> None:
    """``list(positives.index) + list(drawn.index)``: rows that were drawn of one class are joined with the others."""
    state.taint |= sums_in(state, state.taint)


def sums_in(state: AnalysisState, taint: Taint) -> Taint:
    """The label of a sum, if rows of one class are among what is put together."""
    step = next((m.step for m in sorted_labels(taint) if m.subject == ONE_CLASS), None)
    return NO_TAINT if step is None else frozenset((TaintLabel("joined", step, "", state.active_axes),))


def binds_validation_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds a name of a validation part, and none of a test part."""
    names = [name for target in state.assigned_targets for name in names_in(target)]
    known = state.knowledge
    return any(known.conforms("test-part", n) for n in names) and not any(known.conforms("test-only", n) for n in names)
