"""Pieces of code for advices that a call or a loop in the author's code gives alone: see `cvlint.rules.own_names`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cvlint.findings.code_block import function_of
from cvlint.findings.fingerprint import parents_of, statement_of
from cvlint.rules.bindings import path_of

if TYPE_CHECKING:
    from cvlint.analysis.events import Event

LONGEST_PART = 40
"""The characters of the longest argument that an advice repeats."""
MARGINS = frozenset(
    ("LinearSVC", "NuSVC", "PassiveAggressiveClassifier", "Perceptron", "RidgeClassifier", "SGDClassifier", "SVC")
)
"""Classifiers that have no ``predict_proba``, or not with all settings."""
STRATIFIED = {
    "KFold": "StratifiedKFold",
    "RepeatedKFold": "RepeatedStratifiedKFold",
    "ShuffleSplit": "StratifiedShuffleSplit",
}
KERAS = {
    "precision": "keras.metrics.Precision()",
    "recall": "keras.metrics.Recall()",
    "roc-auc": "keras.metrics.AUC()",
    "average-precision": 'keras.metrics.AUC(curve="PR")',
    "f-measure": "keras.metrics.F1Score(threshold=0.5)",
}
OF_SPARK = ("inputCol", "inputCols")
"""Settings of transformers that no pipeline of scikit-learn takes."""
RANKINGS = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")
F_SCORES = ("f1_score", "fbeta_score")
CROSS_VALIDATIONS = ("cross_val_score", "cross_validate", "cross_val_predict")


def cross_validated(event: Event, blank: str) -> Iterator[tuple[str, str]]:
    """One call for a measure in cross-validation: F of all folds' predictions, or the mean of the folds' AUC."""
    steps = [step for step in (*(axis.step for axis in event.axes), *event.trace) if step.source is event.source]
    calls = [s.node for s in steps if isinstance(s.node, ast.Call) and called(s.node) in CROSS_VALIDATIONS]
    splitters = [axis.splitter for axis in event.axes if axis.splitter is not None]
    repeats = any("Repeated" in one.name or "Shuffle" in one.name for one in splitters)
    if len({id(one) for one in calls}) != 1 or repeats:
        return
    call = calls[0]
    given = dict(zip(("estimator", "X", "y"), call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg in ("estimator", "X", "y", "cv", "groups")}
    if not {"estimator", "X", "y"} <= given.keys() or not is_short(*given.values()) or len(call.args) > 3:
        return
    model, data, truth = (ast.unparse(given[key]) for key in ("estimator", "X", "y"))
    rest = "".join(f", {key}={ast.unparse(given[key])}" for key in ("groups", "cv") if key in given)
    if blank == "fold_scores" and event.measure.kind == "roc-auc":
        yield blank, f'cross_val_score({model}, {data}, {truth}{rest}, scoring="roc_auc").mean()'
    elif blank == "pooled" and (f := f_call(event)):
        yield blank, f"{f[0]}({truth}, cross_val_predict({model}, {data}, {truth}{rest}){f[1]})"


def gives_probabilities(node: ast.Call) -> bool:
    """Whether a classifier is told to learn probabilities beside its margins: ``SVC(probability=True)``."""
    told = {k.arg: k.value for k in node.keywords}
    match told.get("probability"), told.get("loss"):
        case ast.Constant(value=True), _:
            return True
        case _, ast.Constant(value="log_loss" | "log" | "modified_huber"):
            return True
        case _:
            return False


def settings_of(splitter: ast.Call) -> list[ast.keyword]:
    """The keywords of a splitter for one that stratifies: a ``random_state`` is refused where nothing is shuffled."""
    names = [k.arg for k in splitter.keywords]
    if called(splitter) != "KFold" or "random_state" not in names or len(splitter.args) > 1:
        return splitter.keywords
    others = [k for k in splitter.keywords if k.arg != "shuffle"]
    at = names.index("shuffle") if "shuffle" in names else names.index("random_state")
    return [*others[:at], ast.keyword("shuffle", ast.Constant(True)), *others[at:]]


def scores_behind(labels: ast.expr) -> str:
    """The name of the scores that labels are made of: ``p > 0.5``, ``np.argmax(p, axis=1)`` or ``p.round()``."""
    match labels:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE()]):
            return path_of(left)
        case ast.Call(func=ast.Attribute(value=value, attr="astype" | "ravel" | "flatten" | "reshape")):
            return scores_behind(value)
        case ast.Call(func=ast.Attribute(value=value, attr="round" | "argmax"), args=[] | [ast.Constant()]):
            return path_of(value)
        case ast.Call(func=ast.Attribute(attr="round" | "rint" | "argmax"), args=[value, *_]):
            return path_of(value)
        case _:
            return ""


def fold_loop(event: Event) -> str:
    """The head of the loop over the folds whose scores were pooled, in the same function as the measure."""
    parents = parents_of(event.source.tree)
    loops = {
        loop
        for axis in event.axes
        if axis.kind == "fold" and axis.step.source is event.source
        for loop in [statement_of(axis.step.node, parents)]
        if isinstance(loop, ast.For) and function_of(loop, parents) is function_of(event.node, parents)
    }
    if len(loops) != 1:
        return ""
    (loop,) = loops
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    return f"for {', '.join(map(ast.unparse, targets))} in {ast.unparse(loop.iter)}"


def f_call(event: Event) -> tuple[str, str] | None:
    """The function that computes the F of an event, and its last argument; None if that is not known."""
    label, average = event.measure.label.lower(), event.measure.average
    if event.measure.kind != "f-measure" or not label.endswith("f1"):
        return None
    return "f1_score", f', average="{average}"' if average in ("macro", "weighted", "micro") else ""


def loop_names(event: Event) -> Iterator[tuple[str, str]]:
    """The labels and predictions that a loop over folds computes its measure of, and the function that does so."""
    first = event.trace[0] if event.trace else None
    if first is None or first.source is not event.source or not any(axis.kind == "fold" for axis in event.axes):
        return
    match first.node:
        case ast.Call(args=[truth, predictions, *_]) as call if called(call) in F_SCORES:
            parents = parents_of(event.source.tree)
            if function_of(call, parents) is function_of(event.node, parents) and is_short(truth, predictions):
                yield "loop_truth", ast.unparse(truth)
                yield "loop_predictions", ast.unparse(predictions)
                yield "loop_call", ast.unparse(call.func)
        case _:
            pass


def keras_names(event: Event) -> Iterator[tuple[str, str]]:
    """The metric in ``compile(metrics=[…])``, and Keras' own one that counts over all batches."""
    parents = parents_of(event.source.tree)
    listed = parents.get(event.node)
    if isinstance(parents.get(listed) if listed is not None else None, ast.keyword) and path_of(event.node):
        yield "metric", path_of(event.node)
        yield "keras_metric", KERAS.get(event.measure.kind, "")


def held_out(event: Event) -> str:
    """``cross_val_predict(model, X, y, cv=5)`` for the data that a model was fitted to."""
    match event.trace[0].node:
        case ast.Call(func=ast.Attribute(value=model, attr="fit"), args=[data, truth], keywords=[]) if path_of(
            model
        ) and is_short(data, truth):
            return f"cross_val_predict({path_of(model)}, {ast.unparse(data)}, {ast.unparse(truth)}, cv=5)"
        case _:
            return ""


def transformer_names(event: Event) -> Iterator[tuple[str, str]]:
    """The methods of a transformer to call after the split, and for folds the transformer to put into a pipeline."""
    match event.node:
        case ast.Call(func=ast.Attribute(value=owner, attr="fit_transform" | "fit" as method)) if name := path_of(
            owner
        ):
            if event.facts.get("split") in ("folds", "shown folds"):
                yield "fold_transformer", name
            else:
                yield "fit_name", f"{name}.{method}"
                yield "transform_name", f"{name}.transform"
        case ast.Call(func=ast.Attribute(value=ast.Call() as made, attr="fit_transform" | "fit")) if is_short(made):
            if called(made)[:1].isupper() and not any(k.arg in OF_SPARK for k in made.keywords):
                yield "step", ast.unparse(made)
        case _:
            pass


def called(node: ast.AST) -> str:
    """The last name of the function or class that a call calls."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case _:
            return ""


def counts(node: ast.expr) -> bool:
    """Whether an expression counts: ``np.sum(…)``, ``len(…)`` or ``cm[1, 1]``."""
    match node:
        case (
            ast.Call(func=ast.Name(id="len" | "sum" | "int" | "float"))
            | ast.Call(func=ast.Attribute(attr="sum"), keywords=[])
        ):
            return True
        case ast.Call():
            return called(node) in ("precision_score", "recall_score")
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Constant(), ast.Constant()])):
            return True
        case _:
            return False


def is_short(*nodes: ast.AST) -> bool:
    """Whether the text of each expression is short."""
    return all(len(ast.unparse(node)) <= LONGEST_PART for node in nodes)
