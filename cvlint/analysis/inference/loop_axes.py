"""Which axis does a loop run along? By the names in its head, or by what its body proves.

Names are a convention, so at most medium confidence; ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold a part of the
data out, whatever the names.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.domain.value import AnyValue, Axes, Axis, Data, LibraryObject, axes_of
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

SPLIT = "the data are split into folds here"


PARTS = "each pass of this loop holds out a part of the data"


BY_NAME = "this loop runs over folds, by its names"


PLURALS = {"batch": "batches"}


def by_names(state: AnalysisState, iter_node: ast.expr, target: ast.expr | None, place: ast.AST) -> Axis:
    """A new axis, of the kind that the names in the loop's head speak of."""
    known = state.knowledge
    heads = names_in(iter_node)
    targets = (
        frozenset[str]() if target is None else frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))
    )
    of_heads, of_targets = known.loop_conventions(heads), known.loop_conventions(targets)
    parts = {"train-part", "test-part"} <= of_targets
    if "fold-number" in of_targets or (parts and "splits" in of_heads) or is_fold_count(state, iter_node):
        return Axis("fold", state.step(place, BY_NAME, heuristic=True))
    followed = of_heads | of_targets
    if "batch" in followed:
        followed = followed - {"batch"} | known.loop_conventions((heads | targets) - entries_of_one(state, iter_node))
    for kind in ("epoch", "batch", "seed", "prior"):
        if kind in followed:
            return Axis(kind, state.step(place, f"a loop over {PLURALS.get(kind, kind + 's')}"))
    return Axis("loop", state.step(place, "a loop"))


def entries_of_one(state: AnalysisState, iter_node: ast.expr) -> frozenset[str]:
    """The name of one batch whose entries a loop runs through: ``for item in batch``, ``range(len(batch))``."""
    match iter_node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return frozenset((name,)) if state.knowledge.conforms("one-batch", name) else frozenset()
        case ast.Call(func=ast.Name(id="enumerate" | "range" | "len" | "zip" | "tqdm"), args=args):
            return frozenset[str]().union(*(entries_of_one(state, arg) for arg in args))
        case _:
            return frozenset()


def is_fold_count(state: AnalysisState, iter_node: ast.expr) -> bool:
    """Whether a loop counts up to a number of folds: ``range(n_folds)``, ``while fold < k``."""
    match iter_node:
        case (
            ast.Call(func=ast.Name(id="range" | "xrange" | "trange") | ast.Attribute(attr="arange"), args=args)
            | ast.Compare(comparators=args)
        ):
            return any(state.knowledge.conforms("fold", n) for a in args for n in stems(state, a))
        case ast.Call(func=ast.Name(id="tqdm" | "enumerate" | "list"), args=[first, *_]):
            return is_fold_count(state, first)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return state.knowledge.conforms("splits", name)
        case _:
            return False


def stems(state: AnalysisState, node: ast.expr) -> frozenset[str]:
    """The names in an expression, and in what these names are entries of (``results = fold_results[key]``).

    Not those that only pick an entry: ``range(len(scores[fold]))`` counts no folds.
    """
    picked = frozenset[str]().union(*(names_in(n.slice) for n in ast.walk(node) if isinstance(n, ast.Subscript)))
    found = names_in(node) - picked
    for name in list(found):
        definition = state.scope.definitions.get(name)
        if isinstance(definition, ast.Subscript | ast.Attribute):
            found |= names_in(definition)
    return found


def held_out(state: AnalysisState, value: AnyValue, by_element: bool = False) -> None:
    """The body of a loop takes a part of the data by the loop's index: it is a loop over folds.

    ``by_element``: the part is what is equal to the loop's element, and its negation the rest; that proves it
    only where the value varies over no other loop.
    """
    if by_element and (len(value.axes) != 1 or over_classes(state, value)):
        return
    for axis in value.axes:
        if any(state.knowledge.conforms("classes", name) for name in names_in(axis.step.node) | axis.targets):
            continue
        if axis in state.active and axis.kind in ("loop", "fold") and (axis.heuristic or axis.kind == "loop"):
            axis.kind = "fold"
            axis.step = replace(axis.step, note=PARTS, heuristic=False)


def over_classes(state: AnalysisState, value: AnyValue) -> bool:
    """Whether the loop whose element ``value`` depends on runs over classes: ``y_true == c``, ``y_pred != c``."""
    known = state.knowledge
    return any(
        axis.labels or known.conforms("truth", axis.column) or known.conforms("prediction", axis.column)
        for axis in axes_of(value)
    )


def note_classes(left: Data, right: Data) -> None:
    """Two arrays compared with the same index and put together, ``(y_true == c) & (y_pred == c)``: it is a class."""
    for axis in left.axes & right.axes:
        axis.labels = True


def is_index(value: AnyValue) -> bool:
    """Whether ``value`` is the index of a loop."""
    return isinstance(value, Data) and value.codomain == "loop-index"


def is_loop_variable(value: AnyValue, node: ast.expr) -> bool:
    """Whether ``node`` names the index of a loop, or its element (``for subject in subjects``)."""
    element = isinstance(node, ast.Name) and isinstance(value, Data) and value.opaque and len(value.axes) == 1
    return element or is_index(value)


def one_axis(state: AnalysisState, kind: str, node: ast.AST) -> Axes:
    """A new axis that a result extends along."""
    return frozenset((Axis(kind, state.step(node, f"one value a {kind}")),))


def own_loop(state: AnalysisState, node: ast.expr) -> Axes:
    """The loop under way whose variable ``node`` is."""
    return frozenset(a for a in state.active if isinstance(node, ast.Name) and node.id in a.targets)


def either_splitter(chosen: list[LibraryObject]) -> LibraryObject:
    """One of several splitters, of which a branch chooses: a stratified one, if any, or one that knows the others."""
    splitters = [one for one in chosen if one.role == "splitter"]
    stratified = [one for one in splitters if one.facts.get("stratified")]
    if stratified or not splitters:
        return (stratified or chosen)[0]
    first, *others = splitters
    first.facts["others"] = others
    return first
