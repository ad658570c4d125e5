"""Measures of a ranking: AUC and the like over pooled scores, or of hard labels.

``roc_auc_score(y, oof)`` where ``oof[test] = scores`` pooled the scores of different folds' models;
``roc_auc_score(y, model.predict(X))`` where ``predict`` gives labels. Event ``measure``: CVL201 (ROC AUC), CVL202
(average precision and others), CVL203 (``scores="hard"``).

`cvlint.analysis.checkers.formulas.hand_written` emits this event, too, for F of counts.
"""

from __future__ import annotations

import ast

from cvlint.analysis.arms import are_apart
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.frozen import dataclass, replace
from cvlint.analysis.domain.lattice import codomain_of, entries_or_self, options
from cvlint.analysis.domain.taint_label import place_of
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import Data, LibraryName, Measure
from cvlint.analysis.inference.data_names import without_conversions
from cvlint.analysis.inference.identifier_inference import measure_of_kind
from cvlint.analysis.inference.one_model import scored_by_one_model
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import is_same_code, kept_in_node, names_in, nodes_in, root_name
from cvlint.knowledge.schema import Entry
from cvlint.source.parsing import walk

PREDICTED = ("y_pred", "y_score", "y_prob", "probas_pred")  # the parameters that take predictions
REFUSES_SCORES = ("f-measure", "precision", "recall", "accuracy", "counts")  # measures that take hard labels only

RANKING = {f"ranks-{kind}": kind for kind in ("roc-auc", "average-precision", "precision-at-k")}
RANKING_NAMES = tuple(RANKING)


def only_chooses_threshold(state: AnalysisState, entry: Entry, node: ast.AST) -> bool:
    """Whether a curve only serves to pick one of its thresholds: nothing shows, measures or returns it."""
    targets = targets_of_call(state, node)
    if "thresholds" not in entry.facts.get("parts", ()) or len(targets) != len(entry.facts["parts"]):
        return False
    thresholds = {name for name, part in zip(targets, entry.facts["parts"], strict=True) if part == "thresholds"}
    coordinates = set(targets) - thresholds - {"_"}
    function = state.frame.node
    subscripted = (s.value for s in nodes_in(function, ast.Subscript) if isinstance(s.ctx, ast.Load))
    if not any(isinstance(value, ast.Name) and value.id in thresholds for value in subscripted):
        return False
    given_away = [*(r.value for r in nodes_in(function, ast.Return) if r.value), *nodes_in(function, ast.Dict)]
    is_used = any(uses_coordinates(state, call, coordinates) for call in nodes_in(function, ast.Call))
    return not is_used and not any(contains_coordinates(value, coordinates) for value in given_away)


def shows_one_decision(state: AnalysisState, entry: Entry, node: ast.AST) -> bool:
    """Whether a curve of labels is read only at points, ``tpr[1]``: these are the true rates of the decision."""
    if not entry.facts.get("curve"):
        return False
    targets, parts = targets_of_call(state, node), entry.facts.get("parts", ())
    if len(targets) != len(parts):
        return False
    coordinates = {name for name, part in zip(targets, parts, strict=True) if part != "thresholds"} - {"_"}
    read = [n for n in nodes_in(state.frame.node, ast.Name) if n.id in coordinates and isinstance(n.ctx, ast.Load)]
    points = [s.value for s in nodes_in(state.frame.node, ast.Subscript) if isinstance(s.slice, ast.Constant)]
    return bool(read) and all(name in points for name in read)


def is_one_metric_of_many(state: AnalysisState, node: ast.AST) -> bool:
    """Whether code gives a metric, whichever it was told, labels in one place and scores in another.

    ``self.metric(y, p) if self.takes_scores else self.metric(y, p > 0.5)``
    """
    if not isinstance(node, ast.Call):
        return False
    told = isinstance(node.func, ast.Attribute) and not isinstance(state.evaluate(state, node.func.value), LibraryName)
    told = told or (isinstance(node.func, ast.Name) and node.func.id in parameter_names(state.frame.node))
    return told and sum(is_same_code(call.func, node.func) for call in nodes_in(state.frame.node, ast.Call)) > 1


def parameter_names(node: ast.AST) -> set[str]:
    """The names of a function's parameters."""
    match node:
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments) | ast.Lambda(args=arguments):
            return {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        case _:
            return set()


def targets_of_call(state: AnalysisState, node: ast.AST) -> list[str]:
    """The names to which a tuple assignment binds what a call returns."""
    for assignment in nodes_in(state.frame.node, ast.Assign):
        match assignment:
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=value) if value is node:
                return [e.id if isinstance(e, ast.Name) else "" for e in elements]
    return []


def contains_coordinates(node: ast.expr, coordinates: set[str]) -> bool:
    """Whether an expression holds the coordinates of a curve, and not only one of their points."""
    match node:
        case ast.Name(id=name):
            return name in coordinates
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return any(contains_coordinates(part, coordinates) for part in parts)
        case ast.Call(func=ast.Attribute(value=inner)):
            return contains_coordinates(inner, coordinates)
        case _:
            return False


def uses_coordinates(state: AnalysisState, node: ast.Call, coordinates: set[str]) -> bool:
    """Whether a call draws or keeps the coordinates, or takes the area under them; arithmetic does not."""
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not any(contains_coordinates(argument, coordinates) for argument in arguments):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in state.knowledge.groups["arithmetic"]:
        return False
    target = state.evaluate(state, node.func)
    entry = state.knowledge.entry(target.name) if isinstance(target, LibraryName) else None
    is_numpy = isinstance(target, LibraryName) and target.name.startswith("numpy.")
    return not is_numpy or (entry is not None and entry.effect == "area")


def check_ranking(
    state: AnalysisState,
    entry: Entry,
    node: ast.AST,
    measure: Measure,
    pooled: Axes,
    trace: Trace,
    scores: str,
    truth: ast.expr | None,
) -> None:
    """Record that a measure is computed, over ``scores`` (of what kind) that were pooled along ``pooled``.

    A curve over pooled scores that only chooses a threshold is no result, and is left out.
    """
    pooled -= scored_by_one_model(state, pooled)
    if entry.facts.get("curve") and pooled and only_chooses_threshold(state, entry, node):
        return
    if scores == "hard" and (is_one_metric_of_many(state, node) or shows_one_decision(state, entry, node)):
        return
    resampled = "yes" if pooled and truth is not None and is_resampled(state, truth) else "no"
    state.emit("measure", node, measure, pooled, trace, scores=scores, resampled=resampled)
    check_hard_labels(state, entry, predictions_in(node, truth), truth)


def is_resampled(state: AnalysisState, node: ast.expr) -> bool:
    """Whether data are rows that are drawn at random, as for an interval: ``y[drawn]``, ``resample(y)``."""
    if isinstance(node, ast.Name):
        node = state.environment.definitions.get(node.id, node)
    key = node.slice if isinstance(node, ast.Subscript) else node
    if isinstance(key, ast.Name):
        key = state.environment.definitions.get(key.id, key)
    return isinstance(key, ast.Call) and not names_in(key).isdisjoint(state.knowledge.groups["draws-rows"])


def predictions_in(node: ast.AST, truth: ast.expr | None) -> ast.expr | None:
    """The predictions among the arguments of a measure: the first one that is not the true labels."""
    if not isinstance(node, ast.Call):
        return None
    named = (keyword.value for keyword in node.keywords if keyword.arg in PREDICTED)
    return next((argument for argument in (*node.args, *named) if argument is not truth), None)


def check_hard_labels(state: AnalysisState, entry: Entry, predictions: ast.expr | None, truth: ast.expr | None) -> None:
    """Predictions that F or accuracy takes are hard labels, and so are the same model's predictions for AUC.

    Whichever call comes first, the event of AUC says ``scores="hard"`` once both are known. A measure of labels takes
    labels on both sides: ``confusion_matrix(y_pred, y_test)``.
    """
    if not entry.name.startswith("sklearn.metrics."):
        return
    is_ranking = "y_pred" not in entry.facts["params"]
    if not is_ranking and entry.facts.get("measure", "counts") not in REFUSES_SCORES:
        return
    for given in (predictions,) if is_ranking else (predictions, truth):
        found = predictions_behind(state, given)
        if found is None or given is None:
            continue
        if not is_ranking:
            note = f"the same {ast.unparse(given)} is labels here"
            state.label_predictions.setdefault(found.key, []).append((state.step(given, note), found.node))
        elif state.events:
            state.ranking_events.setdefault(found.key, []).append((state.events[-1], found.node))
        tell_same_labels(state, found)


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions that a measure gets: what tells them apart, and where the function ``tree`` gives them away."""

    key: object
    node: ast.expr
    tree: ast.AST


def tell_same_labels(state: AnalysisState, found: Predictions) -> None:
    """Predictions are labels in a step: so they are in the measures of a ranking, except in another arm of a branch."""
    waiting = []
    for event, node in state.ranking_events.pop(found.key, []):
        steps = (
            step for step, other in state.label_predictions.get(found.key, ()) if not are_apart(found.tree, node, other)
        )
        if (step := next(steps, None)) is None:
            waiting.append((event, node))
        elif event in state.events:
            facts = {**event.facts, "scores": "hard"}
            state.events[state.events.index(event)] = replace(event, facts=facts, trace=(*event.trace, step))
    if waiting:
        state.ranking_events[found.key] = waiting


def predictions_behind(state: AnalysisState, node: ast.expr | None) -> Predictions | None:
    """The predictions that an expression takes, of the model that ``model.predict(X)`` asks or with some code.

    ``out["pred"]``, ``out["pred"].values`` and the parameter of a helper that gets it are the same; ``p.astype(int)``
    is not ``p``. None for a constant.
    """
    level, written = len(state.frames) - 1, list[ast.AST | None]()
    while node is not None and not is_converted(node):
        frame = state.frames[level]
        node = without_conversions(state, node)
        written.append(last_written(frame.node, node))
        definitions = frame.environment.definitions
        name = node.id if isinstance(node, ast.Name) else ""
        is_parameter = level and name in parameter_names(frame.node) and name not in definitions
        if is_parameter and (argument := frame.argument(name)) is not None:
            node, level = argument, level - 1
            continue
        match definitions.get(name) if name else node:
            case ast.Call(func=ast.Attribute(value=model, attr="predict")) if not any(written):
                root = root_name(model)
                key = frame.environment.defining_environment(root), ast.dump(model), definitions.get(root)
                return Predictions(key, node, frame.node)
            case ast.Constant():
                return None
            case _:
                bound = tuple(definitions.get(used) for used in sorted(names_in(node)))
                holder = frame.environment.defining_environment(root_name(node))
                return Predictions((holder, ast.unparse(node), bound, *written), node, frame.node)
    return None


def is_converted(node: ast.expr) -> bool:
    """Whether numbers are made others on the way: ``p.astype(int)``."""
    return any(isinstance(part, ast.Attribute) and part.attr == "astype" for part in walk(node))


def last_written(tree: ast.AST, node: ast.expr) -> ast.AST | None:
    """The last place before an expression that writes what it reads: ``y_pred[y_pred > 0.5] = 1``, ``out["p"] = …``.

    Behind it, scores may have become labels.
    """
    written = parts_written(tree).get(root_name(node), ())
    before = [part for part in written if place_of(part) < place_of(node)]
    read = {ast.unparse(part) for part in walk(node)} if before else set[str]()
    return max((p for p in before if may_write(p, read, isinstance(node, ast.Name))), key=place_of, default=None)


@kept_in_node
def parts_written(tree: ast.AST) -> dict[str, list[ast.Subscript | ast.Attribute]]:
    """The entries and attributes that code writes, by the name of what they are parts of."""
    parts: list[ast.Subscript | ast.Attribute] = [*nodes_in(tree, ast.Subscript), *nodes_in(tree, ast.Attribute)]
    found: dict[str, list[ast.Subscript | ast.Attribute]] = {}
    for part in parts:
        if isinstance(part.ctx, ast.Store):
            found.setdefault(root_name(part), []).append(part)
    return found


def may_write(part: ast.Subscript | ast.Attribute, read: set[str], whole: bool) -> bool:
    """Whether a write to a part changes what is read: the whole, or parts with some code."""
    is_known = isinstance(part, ast.Attribute) or isinstance(part.slice, ast.Constant)
    return whole or not is_known or ast.unparse(part) in read


def check_ranking_by_name(state: AnalysisState, name: str, arguments: Arguments, node: ast.Call) -> None:
    """A function that could not be followed, and whose name says that it ranks, gets pooled scores."""
    followed = state.knowledge.those_followed(RANKING_NAMES, name)
    if not followed:
        return
    kinds = [RANKING[convention] for convention in followed]
    given = [o for value in (*arguments[0], *arguments[1].values()) for o in options(value)]
    # a list with one entry for each fold may be visited fold by fold
    parts = [NO_AXES.union(*(v.pooled for v in entries_or_self(o) if isinstance(v, Data))) for o in given]
    if any(codomain_of(option).is_hard for option, pooled in zip(given, parts, strict=True) if pooled):
        return  # predicted labels of all folds, beside the true labels
    for option, pooled in zip(given, parts, strict=True):
        if pooled := pooled - scored_by_one_model(state, pooled):
            trace = (
                *(option.trace if isinstance(option, Data) else ()),
                state.step(node, f"{name} ranks, by its name", heuristic=True),
            )
            for kind in kinds:
                state.emit("measure", node, measure_of_kind(kind), pooled, trace, scores="scores")
            return
