"""Fixes for ``cross_val_score`` and ``cross_val_predict``, where scikit-learn makes the folds.

F is computed once from cross-validated predictions; AUC and AP are computed in each fold and then averaged.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal, edited
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, Variable, arguments, inside
from cvlint.fixes.rewrites.fold_averages import averaged_value, means_after, replaced_mean
from cvlint.records import dataclass

SELECTION = "sklearn.model_selection"
METRICS = "sklearn.metrics"
PARTITIONS = ("KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "LeaveOneOut", "LeaveOneGroupOut")
"""Splitters that test each sample exactly once, which ``cross_val_predict`` requires."""
SINGLES = ("LeaveOneOut", "LeaveOneGroupOut")
"""Splitters whose folds may hold only one class, for which AUC is undefined."""
AVERAGES = {"f1": "", "f1_macro": "macro", "f1_micro": "micro", "f1_weighted": "weighted"}
SCORERS = {"roc_auc_score": "roc_auc", "average_precision_score": "average_precision"}
SHARED = frozenset({"estimator", "X", "y", "groups", "cv", "n_jobs", "verbose", "params", "fit_params", "pre_dispatch"})
"""Arguments of both cross_val_score and cross_val_predict."""


@dataclass(frozen=True, slots=True)
class ScoreSource:
    """The call that scores or predictions come from."""

    call: cst.Call
    """The call of scikit-learn."""
    assign: cst.Assign | None = None
    variable: Variable | None = None
    """The assignment of the result, and its variable; None if the result is used directly."""


def pooled_f(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``cross_val_score(…, scoring="f1").mean()`` → ``f1_score(y, cross_val_predict(…))``.

    If a variable holds the scores, F is computed at that assignment, because model and data may change later.
    """
    made = _made(code, averaged_value(code, place), place)
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
    option = f', average="{average}"' if average else ""
    inner = _rewritten(code, made.call, predict[0], given["scoring"])
    text = f"{measure[0]}({code.argument(given['y'].value)}, {inner}{option})"
    computed = _computed(code, made, text, "pooled_f", kept)
    replaced = [replaced_mean(code, mean, computed[0]) for mean in means] if computed is not None else []
    if computed is not None and None not in replaced:
        edits = [edit for one in replaced for edit in one or ()]
        yield Proposal((*edits, *computed[1], *measure[1], *predict[1]))


def mean_of_ranking(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``roc_auc_score(y, cross_val_predict(…))`` → ``cross_val_score(…, scoring="roc_auc").mean()``."""
    if not isinstance(place, cst.Call):
        return
    module, _, name = code.meaning(place.func).rpartition(".")
    inputs = arguments(place, "y_true", "y_score")
    if module != METRICS or name not in SCORERS or inputs is None or inputs.keys() != {"y_true", "y_score"}:
        return
    source = inputs["y_score"].value
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
    same = code.text(labels) == code.text(inputs["y_true"].value)
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


def _made(code: Code, source: cst.BaseExpression | None, place: cst.BaseExpression) -> ScoreSource | None:
    """Find the call that a value comes from, directly or in an earlier assignment."""
    match source:
        case cst.Call() | cst.Subscript(value=cst.Call()):
            made = _called(code, source)
            return None if made is None else ScoreSource(made)
        case cst.Name():
            assign, variable = code.assigned(source), code.variable(source)
        case _:
            return None
    call = _called(code, assign.value) if assign is not None else None
    line = code.parent(assign) if assign is not None else None
    if call is None or not isinstance(line, cst.SimpleStatementLine) or not code.once(line, place):
        return None
    return ScoreSource(call, assign, variable)


def _means(code: Code, made: ScoreSource, place: cst.BaseExpression) -> tuple[list[cst.BaseExpression], int]:
    """Find the means of the scores, and count the other reads."""
    if made.assign is None or made.variable is None:
        return [place], 0
    return means_after(code, made.variable, code.statement(made.assign))


def _is_kept(code: Code, made: ScoreSource) -> bool:
    """Whether code that is not visible here may read the variable."""
    if made.assign is None:
        return False
    name = made.assign.targets[0].target
    return is_exposed(code, made.assign, code.text(name))


def _computed(code: Code, made: ScoreSource, text: str, name: str, kept: bool) -> tuple[str, tuple[Edit, ...]] | None:
    """Give the expression for the places that read a value, and the edits that compute it at the original call."""
    if made.assign is None:
        return text, ()
    fresh = code.fresh(name)
    line = code.statement(made.assign)
    if not kept:
        return fresh, (Edit(*code.span(made.assign), f"{fresh} = {text}"),)
    if not isinstance(line, cst.SimpleStatementLine) or "#" in text:  # it would duplicate a comment
        return None
    if len(line.body) > 1:
        at = code.span(made.assign)[1]
        return fresh, (Edit(at, at, f"; {fresh} = {text}"),)
    return fresh, (Edit(end := code.lines(line)[1], end, f"\n{code.indent(line)}{fresh} = {text}"),)


def _called(code: Code, node: cst.BaseExpression) -> cst.Call | None:
    """A call, or the call inside ``call(…)[:, 1]``."""
    value = node.value if isinstance(node, cst.Subscript) and _second(code, node) else node
    return value if isinstance(value, cst.Call) else None


def _given(code: Code, call: cst.Call, function: str, extra: set[str]) -> dict[str, cst.Arg] | None:
    """The arguments of a cross-validation, if all are supported and y is a plain name, column or attribute."""
    if code.meaning(call.func) != f"{SELECTION}.{function}":
        return None
    given = arguments(call, "estimator", "X", "y")
    if given is None or "y" not in given or not given.keys() <= SHARED | extra:
        return None
    return None if any(isinstance(node, cst.Call) for node in inside(given["y"])) else given


def _literal(node: cst.BaseExpression) -> str:
    """The value of a string literal; empty for anything else."""
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return value if isinstance(value, str) else ""


def _splitter(code: Code, cv: cst.Arg | None) -> str:
    """The splitter class of ``cv=``; a number and None mean stratified folds; empty if uncertain."""
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
    """The text of a call with another function and with one argument replaced or removed; the rest stays."""
    start, _ = code.span(call)
    number = call.args.index(dropped)
    first, last = code.span(dropped)
    if not added and number:
        first = code.span(call.args[number - 1])[1]
    elif not added and len(call.args) > 1:
        last = code.span(call.args[1])[0]
    spans = [(*code.span(call.func), function), (first, last, added)]
    return edited(code.text(call), [Edit(a - start, b - start, text) for a, b, text in spans])
