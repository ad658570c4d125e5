"""Fixes where scikit-learn makes the folds: F of cross-validated predictions, AUC of each fold and then their mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal, edited
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, Variable, arguments, inside
from cvlint.fixes.rewrites.fold_averages import averaged, instead, means_of

SELECTION = "sklearn.model_selection"
METRICS = "sklearn.metrics"
PARTITIONS = ("KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "LeaveOneOut", "LeaveOneGroupOut")
"""Splitters that test each sample once, as ``cross_val_predict`` needs it."""
SINGLES = ("LeaveOneOut", "LeaveOneGroupOut")
"""Splitters whose folds may hold one class only, so that they have no AUC."""
AVERAGES = {"f1": "", "f1_macro": "macro", "f1_micro": "micro", "f1_weighted": "weighted"}
SCORERS = {"roc_auc_score": "roc_auc", "average_precision_score": "average_precision"}
SHARED = frozenset({"estimator", "X", "y", "groups", "cv", "n_jobs", "verbose", "params", "fit_params", "pre_dispatch"})
"""What cross_val_score and cross_val_predict both take."""


@dataclass(frozen=True, slots=True)
class Made:
    """The call that a value comes from.

    Attributes
    ----------
    call
        The call of scikit-learn.
    assign, variable
        Where a variable is bound to its value, and that variable; None where the value is used as it is made.
    """

    call: cst.Call
    assign: cst.Assign | None = None
    variable: Variable | None = None


def pooled_f(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``cross_val_score(…, scoring="f1").mean()`` → ``f1_score(y, cross_val_predict(…))``.

    Where the values have a variable, F is computed where they were, as model and data may be changed later.
    """
    made = _made(code, averaged(code, place), place)
    given = _given(code, made.call, "cross_val_score", extra={"scoring"}) if made is not None else None
    if made is None or given is None or "scoring" not in given or _splitter(code, given.get("cv")) not in PARTITIONS:
        return
    average = AVERAGES.get(_literal(given["scoring"].value))
    if average is None:
        return
    means, others = _means(code, made, place)
    kept = others > 0 or _is_kept(code, made)
    measure = imported(code, made.call, METRICS, "f1_score")
    predict = imported(code, made.call, SELECTION, "cross_val_predict", [] if kept else [made.call.func])
    if measure is None or predict is None:
        return
    told = f', average="{average}"' if average else ""
    inner = _rewritten(code, made.call, predict[0], given["scoring"])
    text = f"{measure[0]}({code.argument(given['y'].value)}, {inner}{told})"
    computed = _computed(code, made, text, "pooled_f", kept)
    replaced = [instead(code, mean, computed[0]) for mean in means] if computed is not None else []
    if computed is not None and None not in replaced:
        edits = [edit for one in replaced for edit in one or ()]
        yield Proposal((*edits, *computed[1], *measure[1], *predict[1]))


def mean_of_ranking(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``roc_auc_score(y, cross_val_predict(…))`` → ``cross_val_score(…, scoring="roc_auc").mean()``, likewise."""
    if not isinstance(place, cst.Call):
        return
    module, _, name = code.meaning(place.func).rpartition(".")
    told = arguments(place, "y_true", "y_score")
    if module != METRICS or name not in SCORERS or told is None or told.keys() != {"y_true", "y_score"}:
        return
    source = told["y_score"].value
    columns = isinstance(source, cst.Subscript)
    made = _made(code, source.value if isinstance(source, cst.Subscript) and _second(code, source) else source, place)
    if made is None:
        return
    call = made.call
    value = code.parent(call)
    columns = columns or (isinstance(value, cst.Subscript) and _second(code, value))
    given = _given(code, call, "cross_val_predict", extra={"method"})
    if given is None or "method" not in given:
        return
    splitter = _splitter(code, given.get("cv"))
    wanted = "predict_proba" if columns else "decision_function"
    if splitter not in PARTITIONS or splitter in SINGLES or _literal(given["method"].value) != wanted:
        return
    labels = given["y"].value
    same = code.text(labels) == code.text(told["y_true"].value)
    if not same or not unchanged(code, labels, code.span(call)[1], code.span(place)[0]):
        return
    kept = made.variable is not None and (len(made.variable.reads) > 1 or _is_kept(code, made))
    score = imported(code, call, SELECTION, "cross_val_score", [place.func, *([] if kept else [call.func])])
    if score is None:
        return
    scorer = SCORERS[name]
    text = _rewritten(code, call, score[0], given["method"], f'scoring="{scorer}"') + ".mean()"
    computed = _computed(code, made, text, f"mean_{scorer}", kept)
    if computed is not None:
        yield Proposal((Edit(*code.span(place), computed[0]), *computed[1], *score[1]))


def _made(code: Code, source: cst.BaseExpression | None, place: cst.BaseExpression) -> Made | None:
    """The call that a value comes from, in its place or in an assignment before."""
    match source:
        case cst.Call() | cst.Subscript(value=cst.Call()):
            made = _called(code, source)
            return None if made is None else Made(made)
        case cst.Name():
            assign, variable = code.assigned(source), code.variable(source)
        case _:
            return None
    call = _called(code, assign.value) if assign is not None else None
    line = code.parent(assign) if assign is not None else None
    if call is None or not isinstance(line, cst.SimpleStatementLine) or not code.once(line, place):
        return None
    return Made(call, assign, variable)


def _means(code: Code, made: Made, place: cst.BaseExpression) -> tuple[list[cst.BaseExpression], int]:
    """All means of what is made, and how often it is read for something else."""
    if made.assign is None or made.variable is None:
        return [place], 0
    return means_of(code, made.variable, code.statement(made.assign))


def _is_kept(code: Code, made: Made) -> bool:
    """Whether the variable of what is made may be read by something that is not seen."""
    if made.assign is None:
        return False
    name = made.assign.targets[0].target
    return is_exposed(code, made.assign, code.text(name))


def _computed(code: Code, made: Made, text: str, name: str, kept: bool) -> tuple[str, tuple[Edit, ...]] | None:
    """How a value is written in the places that read it, and the edits that compute it where the call is."""
    if made.assign is None:
        return text, ()
    fresh = code.fresh(name)
    line = code.statement(made.assign)
    if not kept:
        return fresh, (Edit(*code.span(made.assign), f"{fresh} = {text}"),)
    if not isinstance(line, cst.SimpleStatementLine) or "#" in text:  # comments are not to be there twice
        return None
    if len(line.body) > 1:
        at = code.span(made.assign)[1]
        return fresh, (Edit(at, at, f"; {fresh} = {text}"),)
    return fresh, (Edit(end := code.lines(line)[1], end, f"\n{code.indent(line)}{fresh} = {text}"),)


def _called(code: Code, node: cst.BaseExpression) -> cst.Call | None:
    """A call, also where the second column of its result is taken."""
    value = node.value if isinstance(node, cst.Subscript) and _second(code, node) else node
    return value if isinstance(value, cst.Call) else None


def _given(code: Code, call: cst.Call, function: str, extra: set[str]) -> dict[str, cst.Arg] | None:
    """The arguments of a cross-validation, if they are all known, and y is a plain name, column or attribute."""
    if code.meaning(call.func) != f"{SELECTION}.{function}":
        return None
    given = arguments(call, "estimator", "X", "y")
    if given is None or "y" not in given or not given.keys() <= SHARED | extra:
        return None
    return None if any(isinstance(node, cst.Call) for node in inside(given["y"])) else given


def _literal(node: cst.BaseExpression) -> str:
    """The text of a string that is written out."""
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return value if isinstance(value, str) else ""


def _splitter(code: Code, cv: cst.Arg | None) -> str:
    """The class that makes the folds; numbers and None mean stratified folds; empty where it is not certain."""
    value = cv.value if cv is not None else None
    for _ in range(2):  # a name may stand for a number
        assign = code.assigned(value) if isinstance(value, cst.Name) else None
        value = assign.value if assign is not None else value
    match value:
        case None | cst.Integer() | cst.Name(value="None"):
            return "StratifiedKFold"
        case cst.Call(func=func):
            module, _, name = code.meaning(func).rpartition(".")
            return name if module == SELECTION else ""
        case _:
            return ""


def _second(code: Code, node: cst.Subscript) -> bool:
    """Whether a subscript takes the second column: ``[:, 1]``."""
    start = code.span(node.value)[1]
    return code.source.text[start : code.span(node)[1]].replace(" ", "") in ("[:,1]", ")[:,1]")


def _rewritten(code: Code, call: cst.Call, function: str, dropped: cst.Arg, added: str = "") -> str:
    """The text of a call of another function, with one argument replaced or left out; the rest is as it was."""
    start, _ = code.span(call)
    number = call.args.index(dropped)
    first, last = code.span(dropped)
    if not added and number:
        first = code.span(call.args[number - 1])[1]
    elif not added and len(call.args) > 1:
        last = code.span(call.args[1])[0]
    spans = [(*code.span(call.func), function), (first, last, added)]
    return edited(code.text(call), [Edit(a - start, b - start, text) for a, b, text in spans])
