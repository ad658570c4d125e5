"""Splitters and hold-outs. Effects: ``splitter``, ``hold-out``, ``parts``, ``rest``, ``split``.

``KFold(5)``, ``StratifiedKFold(5).split(X, y)``, ``train_test_split(X, y)``, ``np.array_split(rows, 5)``,
``np.setdiff1d(rows, test_rows)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from cvlint.analysis.checkers.leakage.learned import (
    LEAKING_KINDS,
    check_split,
    check_split_arguments,
    label_parts,
    label_rows,
)
from cvlint.analysis.checkers.leakage.true_labels import learned_by_labels
from cvlint.analysis.checkers.leakage.unevaluated_splits import is_test_part_unread
from cvlint.analysis.checkers.selections import MOST_DEFINITIONS
from cvlint.analysis.domain.axis import Axis, Splitter
from cvlint.analysis.domain.codomain import Codomain, Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import is_prediction, options
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, MeasureValue, axes_of
from cvlint.analysis.inference.data_names import without_conversions
from cvlint.analysis.inference.loop_axes import prove_fold_loop
from cvlint.analysis.inference.repeated_hold_outs import prove_repeated_hold_out
from cvlint.analysis.inference.rows_left_out import is_kept_anew, prove_held_out
from cvlint.analysis.models.arguments import argument_named, first_argument, unknown_result
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import called_name, names_in, root_name
from cvlint.analysis.taint import taint_at, taint_of_objects
from cvlint.knowledge.schema import Entry
from cvlint.source.parsing import walk

MOST_PARTS = 16  # what a hold-out returns: two parts of each of its arguments
HOLDING = ("frame", "container", "same")  # effects of calls that only hold what they are given
MOST_SHARES = 3  # so many parts of a frame are a training, a validation and a test part; more are folds


def splitter_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``StratifiedKFold(n_splits=5)``: its facts say whether it stratifies, and how many folds it makes."""
    folds = arguments[1].get("n_splits", arguments[0][0] if arguments[0] else Const(value=5))
    facts = {
        "count": folds.value if isinstance(folds, Const) and isinstance(folds.value, int) else None,
        "style": entry.facts["style"],
        "labels": entry.facts.get("labels", "one"),
        "stratified": entry.facts["stratified"],
        "step": state.step(node, "this splitter makes the folds"),
    }
    return LibraryObject(role="splitter", name=entry.name.rpartition(".")[2], facts=facts)


def known_size(data: Iterable[AnyValue | None]) -> tuple[int, int] | None:
    """The numbers of samples and positives of the data that are split, where the code says them."""
    return next((v.size for v in data if isinstance(v, Data) and v.size is not None), None)


def hold_out_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``train_test_split(X, y)``: pairs of parts; in a loop each pass has its own parts."""
    prove_repeated_hold_out(state, node, entry.name.rpartition(".")[2])
    for axis in state.active_loops:
        if axis.kind == "fold" and axis.splitter is None and axis.heuristic:
            axis.splitter = LibraryObject(role="splitter", name="train_test_split", facts={"style": "hold-out"})
    check_hold_out(state, node, {"train": range(0, MOST_PARTS, 2), "test": range(1, MOST_PARTS, 2)})
    parts = Data(state.active_axes, origin="parts")
    nodes = node.args if isinstance(node, ast.Call) else []
    numbers = [are_row_numbers(state, value, given) for value, given in zip(arguments[0], nodes, strict=False)]
    return parts_of_numbers(state, numbers) if any(numbers) else parts


def check_hold_out(
    state: AnalysisState, node: ast.AST, entries: dict[str, range], data: Sequence[ast.expr] | None = None
) -> None:
    """Data are split once: what was learned from all of them spoils the test parts, at these ``entries`` of a tuple.

    ``data``: the expressions of the data, which are the arguments of the call unless its receiver is split.
    """
    data = data or (node.args if isinstance(node, ast.Call) else [])
    settings = [k.value for k in node.keywords] if isinstance(node, ast.Call) and data else []
    state.taint -= taint_at(state, *settings) - taint_at(state, *data)  # ``stratify=clusters`` are no features
    taint = (state.taint | taint_of_objects(state, data)) - learned_by_labels(state, data, settings)
    if any(taint_label.kind in LEAKING_KINDS for taint_label in taint):
        if is_test_part_unread(state, node):
            return  # the training part stands for all the data, until it is split itself
        check_split(state, taint, state.step(node, "the data are split here"), "hold-out")
    label_parts(state, node, root_name(data[0]) if data else "")
    for part, numbers in entries.items():
        label_rows(state, node, part, numbers)


def are_row_numbers(state: AnalysisState, value: AnyValue, node: ast.expr) -> bool:
    """Whether the numbers of rows are split, ``np.arange(len(X))`` or ``frame.index``, and not the rows themselves."""
    return is_index(state, node, MOST_DEFINITIONS) or (isinstance(value, LibraryObject) and value.role == "range")


def is_index(state: AnalysisState, node: ast.expr, depth: int) -> bool:
    """Whether an expression is the index of a frame, in whatever container: ``pd.Series(frame.index)``."""
    match without_conversions(state, node):
        case ast.Attribute(attr="index"):
            return True
        case ast.Call(func=called, args=[inner]) if depth:
            target = state.evaluate(state, called)
            entry = state.knowledge.entry(target.name) if isinstance(target, LibraryName) else None
            return entry is not None and entry.effect in HOLDING and is_index(state, inner, depth - 1)
        case ast.Name(id=name) if depth and (bound := state.environment.definitions.get(name)) is not None:
            return is_index(state, bound, depth - 1)
        case _:
            return False


def parts_of_numbers(state: AnalysisState, numbers: list[bool], count: int = 2) -> HeapObject:
    """The ``count`` parts that a hold-out makes of each argument, where some arguments are the numbers of rows."""
    data = Data(state.active_axes, origin="data")
    indices = ["train-indices", *["test-indices"] * (count - 1)]
    split = [replace(data, origin="", index=index) for index in indices]
    parts: list[AnyValue] = [part for is_number in numbers for part in (split if is_number else [data] * count)]
    return HeapObject("tuple", dict(enumerate(parts)), allocation_loops=state.active_axes)


def parts_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.array_split(rows, 5)``: a list of parts that a loop holds out one after another.

    The parts of a test part, or of predictions, are batches. ``train, test = random_split(data, [800, 200])`` binds the
    parts of a hold-out; so do few sizes anywhere.
    """
    if arguments[0] and isinstance(arguments[0][0], MeasureValue):
        return HeapObject("list", elements=arguments[0][0], allocation_loops=state.allocation_loops)  # of results
    is_tuple = bool(state.assigned_targets) and isinstance(state.assigned_targets[0], ast.Tuple)
    sizes = [n for n in node.args[1:2] if isinstance(n, (ast.List, ast.Tuple))] if isinstance(node, ast.Call) else []
    if is_tuple or any(1 < len(n.elts) <= MOST_SHARES for n in sizes):
        if (seeded_by := entry.facts.get("seeded_by")) is not None:  # which rows each part gets is drawn
            prove_repeated_hold_out(state, node, entry.name.rpartition(".")[2], seeded_by)
        check_hold_out(state, node, {"train": range(1), "test": range(1, MOST_PARTS)})
        if sizes and isinstance(node, ast.Call) and are_row_numbers(state, first_argument(arguments), node.args[0]):
            return parts_of_numbers(state, [True], len(sizes[0].elts))
        return Data(state.active_axes, origin="parts")
    cut = node.args[:1] if isinstance(node, ast.Call) else []
    is_tested = any(label.kind == "rows" and label.part == "test" for n in cut for label in taint_at(state, n))
    is_tested |= any(is_prediction(option) for value in arguments[0][:1] for option in options(value))
    axis = Axis("batch" if is_tested else "fold", state.step(node, "the data are cut into parts here"))
    if axis.kind == "fold":
        state.cut_axes[axis] = state.active_axes
    return Data(state.active_axes | {axis}, origin="fold-pieces")


def parts_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.randomSplit([0.8, 0.2])``: the parts of a hold-out, or many parts of equal size, which are folds."""
    shares = first_argument(arguments)
    is_tuple = bool(state.assigned_targets) and isinstance(state.assigned_targets[0], ast.Tuple)
    few = isinstance(shares, HeapObject) and shares.elements is None and len(shares.fields) <= MOST_SHARES
    if not isinstance(node.func, ast.Attribute) or not (is_tuple or few):
        return parts_call(state, entry, arguments, node)
    check_hold_out(state, node, {"train": range(1), "test": range(1, MOST_PARTS)}, [node.func.value])
    return Data(state.active_axes, origin="parts")


def split_of_groups(splitter: Splitter) -> LibraryObject:
    """``KFold().split(range(n_drugs))`` splits groups, not samples: there are no classes to stratify by."""
    return LibraryObject(
        role="splitter", name=splitter.name, facts={**splitter.facts, "style": "groups", "stratified": True}
    )


def rest_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.setdiff1d(all_rows, test_rows)``: all rows but a part, which a loop holds out if the part varies with it."""
    if arguments[0] and isinstance(arguments[0][0], MeasureValue):
        return arguments[0][0]  # ``np.delete(scores, worst)``: the other results
    if is_counted(node):
        return unknown_result(state, arguments)
    if len(arguments[0]) > 1 and isinstance(arguments[0][1], Data):
        prove_fold_loop(state, arguments[0][1], by_element=True)
    if isinstance(node, ast.Call) and len(node.args) > 1 and not is_kept_anew(state, node.args[0]):
        of_columns = argument_named(arguments, 2, "axis")
        if not (isinstance(of_columns, Const) and of_columns.value in (1, -1)):
            prove_held_out(state, node.args[1])
    return unknown_result(state, arguments)


def is_counted(node: ast.AST) -> bool:
    """Whether the rows that ``np.delete(X, np.s_[len(X) - len(more):])`` removes are only counted, from either end.

    Such rows may differ in number between the passes of a loop; they do not stand for the pass.
    """
    match node:
        case ast.Call(args=[_, ast.Subscript(slice=ast.Slice() as rows), *_]):
            counts = [c for c in walk(rows) if isinstance(c, ast.Call) and called_name(c.func) == "len"]
            counted = {id(name) for count in counts for name in walk(count)}
            return bool(counts) and not any(isinstance(n, ast.Name) and id(n) not in counted for n in walk(rows))
        case _:
            return False


def split_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``splitter.split(X, y)``; of an unknown object it may make folds, too."""
    match base:
        case LibraryObject(role="splitter"):
            state.taint = NO_TAINT
            if len(arguments[0]) == 1 and is_range_of_groups(state, arguments[0][0]):
                base = split_of_groups(base)
            axis = Axis(
                "fold", state.step(node, "the data are split into folds here"), base, size=known_size(arguments[0])
            )
            check_split_arguments(state, axis, node.args[:2], [k for k in node.keywords if k.arg != "groups"])
            return LibraryObject(role="folds", facts={"axis": axis, "data": arguments[0]})
        case Const() | Data(codomain=Codomain(kind=Kind.TEXT)):
            return Data(origin="text-parts")
        case MeasureValue() if is_text_split(arguments):  # a text that numbers were written to
            return HeapObject("list", elements=base, allocation_loops=state.allocation_loops)
        case HeapObject(kind="list" | "file") if is_text_split(arguments):
            return base
        case _ if any(isinstance(v, Const) for v in arguments[0]) or not arguments[0]:
            return Data(axes_of(base) | state.active_axes, opaque=True)
        case _:
            heuristic = state.step(node, "folds come from this splitter, which could not be followed", heuristic=True)
            return LibraryObject(role="folds", facts={"axis": Axis("fold", heuristic), "maybe": True})


def is_text_split(arguments: Arguments) -> bool:
    """Whether a text is split: at a literal, at spaces or at the ends of its lines."""
    return not arguments[1] and all(isinstance(v, Const) and isinstance(v.value, str) for v in arguments[0])


def is_range_of_groups(state: AnalysisState, data: AnyValue) -> bool:
    """Whether the numbers of groups are split, ``range(n_drugs)``, and not of samples, ``range(len(y))``."""
    if not (isinstance(data, LibraryObject) and data.role == "range"):
        return False
    for child in walk(data.facts["node"]):
        match child:
            case ast.Call(func=ast.Name(id="len"), args=[counted]):
                if any(state.knowledge.conforms("truth", name) for name in names_in(counted)):
                    return False
    return True
