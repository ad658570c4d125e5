"""Resampling by a library or by hand. Effects: ``resampler``, ``draw``.

``SMOTE().fit_resample(X, y)``, ``sklearn.utils.resample(minority)``, ``frame[frame.y == 0].sample(n)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from cvlint.analysis.checkers.formulas.terms import last_name
from cvlint.analysis.checkers.leakage.learned import ONE_CLASS, THINNED, label_learned, label_parts, record_leak
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.taint_label import TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, Const, Data, axes_of
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.class_rows import bound_rows, is_library_call, tells_class, tests_rows, whole_of_class
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import called_name, is_same_code, names_in, nodes_in, root_name
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.schema import Entry


def resample(state: AnalysisState, node: ast.Call, by: str, fewer: bool) -> None:
    """``SMOTE().fit_resample(X, y)``.

    Resampling a training part stays in that part; resampling a test part is an event at once.
    """
    name = root_name(node.args[0]) if node.args else ""
    labels = label_learned(state, node, by, "resampled", fewer=fewer)
    if state.knowledge.conforms("training", name):
        label_parts(state, node)
    elif state.knowledge.conforms("test-only", name) or any(
        rows_of(state, [argument]) == {"test"} for argument in node.args
    ):
        step = call_given(state, name) or state.step(node, f"{by} draws the data anew here")
        for taint_label in labels:
            record_leak(state, replace(taint_label, step=step), step, "test part")


def rows_of(state: AnalysisState, nodes: Iterable[ast.expr]) -> set[str]:
    """The parts of a split that the rows of data belong to."""
    return {m.part for m in taint_at(state, *nodes) if m.kind == "rows"}


def call_given(state: AnalysisState, name: str) -> Step | None:
    """The call that gave the present function its parameter ``name``: a helper is not at fault."""
    if len(state.frames) < 2 or not isinstance(state.frame.call, ast.Call) or state.frame.argument(name) is None:
        return None
    caller = state.frames[-2].module.source
    return replace(state.step(state.frame.call, "a test part is drawn anew here"), source=caller)


def note_balancing(state: AnalysisState, entry: Entry, node: ast.AST) -> None:
    """``frame[frame.y == 0].sample(n)`` draws rows of one class, to bring it to the size of another."""
    if not isinstance(node, ast.Call) or (is_shuffle(node) and not any(literals_of_replace(state, node))):
        return
    sources = node.args[:1] + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    data_names = [data_name for source in sources if (data_name := whole_of_class(state, source, 2))]
    if is_same_share(node) and any(are_groups(state, source, 2) for source in sources):
        return
    fewer = not draws_with_replacement(state, entry, node)
    part = "test" if any(state.knowledge.conforms("test-only", name) for name in data_names) else ""
    balances = any(state.knowledge.conforms("balancing", name) for name in names_in(node) | {state.target})
    if balances and not part:  # a test part is told where it is measured
        label_learned(state, node, "the sampling of rows", "resampled", fewer=fewer)
    elif data_names and not fewer and keeps_size(node, sources):  # each class in its own size
        label_learned(state, node, "the sampling of rows with replacement", "resampled")
    elif data_names:
        choice = THINNED if fewer and thins_positives(state, node, sources) else ""
        by = "the sampling of rows"
        label_learned(state, node, by, "resampled", ONE_CLASS, fewer, choice=choice, part=part)
    elif fewer and entry.facts.get("of_rows") and is_cut_to_size_of_another(state, node):
        label_learned(state, node, "the sampling of rows", "resampled", of=ONE_CLASS, fewer=True)
    elif entry.facts.get("of_rows") and surely_draws_again(state, entry, node):  # whatever their class
        label_learned(state, node, "the sampling of rows with replacement", "resampled")
    if any(state.knowledge.conforms("training", data_name) for data_name in data_names):
        state.taint |= {TaintLabel("training", state.step(node, "a training part, by its name", heuristic=True))}


def keeps_size(node: ast.Call, sources: Sequence[ast.expr]) -> bool:
    """Whether as many rows are drawn as there are: ``rng.choice(rows, size=len(rows), replace=True)``."""
    sizes = [*node.args[1:2], *(k.value for k in node.keywords if k.arg in ("size", "n", "n_samples"))]
    counted = [c.args[0] for size in sizes for c in nodes_in(size, ast.Call) if counts_rows(c)]
    return any(is_same_code(one, source) for one in counted for source in sources)


def is_cut_to_size_of_another(state: AnalysisState, node: ast.Call) -> bool:
    """``others.sample(len(cases))``, ``n = min(len(cases), len(others))``: the files of two classes get one size."""
    own = root_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    sizes = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("n", "n_samples"))]
    defined = [state.environment.definitions.get(s.id) if isinstance(s, ast.Name) else s for s in sizes]
    counted = {root_name(c.args[0]) for s in defined if s is not None for c in nodes_in(s, ast.Call) if counts_rows(c)}
    return bool(own) and bool(counted - {own, ""})


def counts_rows(call: ast.Call) -> bool:
    """Whether a call is ``len(rows)``."""
    return isinstance(call.func, ast.Name) and call.func.id == "len" and bool(call.args)


def thins_positives(state: AnalysisState, node: ast.Call, sources: list[ast.expr]) -> bool:
    """Whether a stated number of positives is drawn, ``frame[frame.y == 1].sample(50)``, or a share of them."""
    followed = [state.environment.definitions.get(name) for source in sources for name in sorted(names_in(source))]
    tests = [test for part in (*sources, *followed) if part is not None for test in nodes_in(part, ast.Compare)]
    of_positives = [t for t in tests if isinstance(t.ops[0], ast.Eq) and is_positive(t.comparators[0])]
    size = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("n", "frac"))]
    return len(of_positives) == len(tests) == 1 and not any(counts_class(state, bound) for bound in size)


def is_positive(node: ast.expr) -> bool:
    """Whether a literal is the label of the positive class."""
    return isinstance(node, ast.Constant) and node.value in (1, "1")


def note_copies(state: AnalysisState, node: ast.AST) -> None:
    """``pd.concat([frame] + [positives] * 5)``: the rows of a class are copied, to bring it to the size of another.

    ``frame.append(positives)`` and ``pairs + positives`` copy them as well.
    """
    parts = parts_joined(node)
    products = [operation for part in parts for operation in nodes_in(part, ast.BinOp)]
    copied = [entry for operation in products for entry in repeated_entries(operation)]
    if not any(selected_from(state, entry, 2) for entry in (*parts, *copied)):
        return  # as of most sums
    spelled = [ast.unparse(entry) for entry in parts]
    copied += [entry for entry, text in zip(parts, spelled, strict=True) if spelled.count(text) > 1]
    roots = {entry.id for entry in parts if isinstance(entry, ast.Name)}
    for entry in parts:
        own = {entry.id} if isinstance(entry, ast.Name) else frozenset[str]()
        copied += [entry] if selected_from(state, entry, 2) in roots - own else []
    kinds = {m.kind for entry in copied if not isinstance(entry, ast.Name) for m in taint_at(state, entry)}
    if "resampled" not in kinds and any(selected_from(state, entry, 2) for entry in copied):
        state.taint -= {m for m in taint_at(state, *copied) if m.subject == ONE_CLASS}  # they are drawn to be copied
        label_learned(state, node, "the copying of rows", "resampled", of=ONE_CLASS)


def selected_from(state: AnalysisState, node: ast.expr, depth: int) -> str:
    """The name of the data of which an expression holds the rows of a class, or those that a comparison chooses."""
    match node:
        case ast.Subscript(value=ast.Name(id=whole), slice=ast.Compare() as condition):
            return "" if tests_rows(state, condition) else whole
        case ast.BinOp(op=ast.Mult(), left=part, right=ast.Constant()):  # ``positives * 2``, of a list
            return selected_from(state, part, depth)
        case ast.Name(id=name) if depth and isinstance(bound := bound_rows(state, name), ast.Subscript):
            return selected_from(state, bound, depth - 1) or whole_of_class(state, node, depth)
        case _:
            return whole_of_class(state, node, depth)


def parts_joined(node: ast.AST) -> list[ast.expr]:
    """What code puts together: the entries of ``pd.concat([a, b])``, of ``a + b + c``, or of ``a.append(b)``."""
    match node:
        case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]):
            return parts
        case (
            ast.Call(func=ast.Attribute(value=base, attr="append"), args=[part])
            | ast.BinOp(op=ast.Add(), left=base, right=part)
            | ast.AugAssign(op=ast.Add(), target=base, value=part)
        ):
            return [*(parts_joined(base) or [base]), part]
        case ast.Call(args=[part, *_]):
            return [part]
        case _:
            return []


def note_repeated(state: AnalysisState, node: ast.AST) -> None:
    """``np.repeat(X[positives], 5, axis=0)``, ``positives.index.repeat(5)``: the rows of a class are copied."""
    if not isinstance(node, ast.Call):
        return
    is_method = isinstance(node.func, ast.Attribute) and not is_library_call(state, node.func)
    copied = [node.func.value] if is_method and isinstance(node.func, ast.Attribute) else node.args[:1]
    if any(whole_of_class(state, entry, 2) for entry in copied):
        label_learned(state, node, "the copying of rows", "resampled", of=ONE_CLASS)


def repeated_entries(node: ast.BinOp) -> list[ast.expr]:
    """The entries of a list that is repeated: ``[positives] * 5``."""
    if not isinstance(node.op, ast.Mult):
        return []
    return [entry for side in (node.left, node.right) if isinstance(side, ast.List) for entry in side.elts]


def literals_of_replace(state: AnalysisState, node: ast.Call) -> list[bool]:
    """What ``replace=`` is where that is written out."""
    values = [state.evaluate_optional(k.value) for k in node.keywords if k.arg == "replace"]
    return [bool(v.value) for v in values if isinstance(v, Const)]


def draws_with_replacement(state: AnalysisState, entry: Entry, node: ast.Call) -> bool:
    """Whether a row may be drawn twice: as ``replace=`` says, else by the default of the function."""
    if literals := literals_of_replace(state, node):
        return literals[0]
    is_told = any(k.arg == "replace" for k in node.keywords)
    return bool(is_told or entry.facts.get("again") or is_generated(state, node))


def surely_draws_again(state: AnalysisState, entry: Entry, node: ast.Call) -> bool:
    """Whether ``replace=`` says that a row may be drawn twice; where it is left out, whether that is the default."""
    is_told = any(k.arg in ("replace", None) for k in node.keywords)
    return any(literals_of_replace(state, node)) if is_told else bool(entry.facts.get("again"))


def is_generated(state: AnalysisState, node: ast.Call) -> bool:
    """Whether rows come from a generator, ``CTGAN().sample(100)``, and not from data."""
    receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
    definition = state.environment.definitions.get(receiver.id) if isinstance(receiver, ast.Name) else receiver
    return isinstance(definition, ast.Call) and last_name(definition.func)[:1].isupper()


def is_shuffle(node: ast.Call) -> bool:
    """Whether as many rows are drawn as there are, mostly all in another order: ``frame.sample(frac=1)``."""
    return any(k.arg == "frac" and isinstance(k.value, ast.Constant) and k.value.value == 1 for k in node.keywords)


def is_same_share(node: ast.Call) -> bool:
    """Whether a share of the rows is drawn that is no entry of a table of shares: ``sample(frac=0.1)``."""
    again = any(k.arg == "replace" for k in node.keywords)
    return not again and any(k.arg == "frac" and isinstance(k.value, (ast.Constant, ast.Name)) for k in node.keywords)


def are_groups(state: AnalysisState, node: ast.expr, depth: int) -> bool:
    """Whether rows are those of each group in turn: ``frame.groupby("y")``, or a name that is bound to such rows."""
    groups_rows = state.knowledge.groups["groups-rows"]
    if any(called_name(call.func) in groups_rows for call in nodes_in(node, ast.Call)):
        return True
    definition = bound_rows(state, root_name(node)) if depth else None
    return definition is not None and are_groups(state, definition, depth - 1)


def note_thinned(state: AnalysisState, node: ast.Subscript | ast.Call) -> None:
    """``negatives[:len(positives)]``, ``negatives.head(n)``: a class is cut to the size of another.

    The rest of it is not used.
    """
    match node:
        case ast.Subscript(value=ast.Attribute(value=rows) | rows, slice=ast.Slice(lower=lower, upper=upper)):
            given = [bound for bound in (lower, upper) if bound is not None]
        case ast.Call(func=ast.Attribute(value=rows), args=args, keywords=keywords):
            given = [*args, *(k.value for k in keywords)]
        case _:
            return
    bounds = [bound for bound in given if not (isinstance(bound, ast.Constant) and bound.value == 0)]  # ``rows[0:n]``
    if len(bounds) != 1 or is_cut_in_two(state, root_name(rows), node):
        return
    (bound,) = bounds
    if is_size_of_smaller(state, bound, root_name(rows)) or (
        whole_of_class(state, rows, 3) and (counts_class(state, bound) or tells_class(state, rows))
    ):
        label_learned(state, node, "the choice of rows", "resampled", of=ONE_CLASS, fewer=True)


def is_size_of_smaller(state: AnalysisState, bound: ast.expr, own: str) -> bool:
    """Whether a bound is the size of the smaller of two data: ``n = min(len(cases), len(others))``."""
    definition = state.environment.definitions.get(bound.id) if isinstance(bound, ast.Name) else bound
    match definition:
        case ast.Call(func=ast.Name(id="min"), args=[_, *_] as sizes):
            counted = {root_name(size.args[0]) for size in sizes if isinstance(size, ast.Call) and counts_rows(size)}
            return own in counted and len(counted) == len(sizes) > 1
        case _:
            return False


def is_cut_in_two(state: AnalysisState, name: str, node: ast.AST) -> bool:
    """Whether the code takes other slices of the same rows, too: for a training and a test part of each class."""
    others = (other for other in nodes_in(state.frame.node, ast.Subscript) if isinstance(other.slice, ast.Slice))
    return not name or any(other is not node and root_name(other) == name for other in others)


def counts_class(state: AnalysisState, bound: ast.expr) -> bool:
    """Whether a bound is the size of a class: ``len(positives)``, ``positives.shape[0]``, or a multiple of it."""
    definition = state.environment.definitions.get(bound.id) if isinstance(bound, ast.Name) else bound
    counted = nodes_in(definition, ast.Name) if definition is not None else ()
    return any(whole_of_class(state, one, 2) for one in counted if isinstance(one.ctx, ast.Load))


def draw_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``resample(rows)``, ``rng.choice(n, n)``: drawn rows, under which an array keeps its dimensions."""
    note_balancing(state, entry, node)
    return Data(state.active_axes.union(*(axes_of(v) for v in arguments[0])), index="indices")


def draw_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.sample(n)``: some of the rows, of one class perhaps."""
    note_balancing(state, entry, node)
    if isinstance(base, HeapObject) and measures_in(base):
        return base  # some rows of a table of results
    return unknown_result(state, arguments, base)
