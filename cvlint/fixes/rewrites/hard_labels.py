"""Replace predicted labels by scores in a call of a ranking measure, ``roc_auc_score(y, model.predict(X))``."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.syntax import Code, arguments

MEASURES = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")
PROBABILITIES = {
    "sklearn.discriminant_analysis": ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"),
    "sklearn.ensemble": (
        "AdaBoostClassifier",
        "BaggingClassifier",
        "ExtraTreesClassifier",
        "GradientBoostingClassifier",
        "HistGradientBoostingClassifier",
        "RandomForestClassifier",
    ),
    "sklearn.gaussian_process": ("GaussianProcessClassifier",),
    "sklearn.linear_model": ("LogisticRegression", "LogisticRegressionCV"),
    "sklearn.naive_bayes": ("BernoulliNB", "ComplementNB", "GaussianNB", "MultinomialNB"),
    "sklearn.neighbors": ("KNeighborsClassifier",),
    "sklearn.neural_network": ("MLPClassifier",),
    "sklearn.tree": ("DecisionTreeClassifier", "ExtraTreeClassifier"),
    "catboost": ("CatBoostClassifier",),
    "lightgbm": ("LGBMClassifier",),
    "xgboost": ("XGBClassifier",),
}
"""Classes that have ``predict_proba`` with all settings; the knowledge base only describes ``predict``."""
MARGINS = {
    "sklearn.linear_model": ("PassiveAggressiveClassifier", "Perceptron", "RidgeClassifier", "SGDClassifier"),
    "sklearn.svm": ("LinearSVC", "NuSVC", "SVC"),
}
"""Classes that have ``decision_function`` with all settings."""
SEARCHES = ("sklearn.model_selection.GridSearchCV", "sklearn.model_selection.RandomizedSearchCV")


def scores_for_labels(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``roc_auc_score(y, model.predict(X))`` → ``roc_auc_score(y, model.predict_proba(X)[:, 1])``."""
    if not isinstance(place, cst.Call):
        return
    module, _, name = code.meaning(place.func).rpartition(".")
    given = arguments(place, "y_true", "y_score")
    if module != "sklearn.metrics" or name not in MEASURES or given is None or given.keys() != {"y_true", "y_score"}:
        return
    labels = given["y_score"].value
    text = _scores(code, labels)
    if text is not None:
        yield Proposal((Edit(*code.span(labels), text),))
        return
    assign = code.assigned(labels)
    variable = code.variable(labels)
    if assign is None or variable is None:
        return
    text = _scores(code, assign.value)
    if text is None or not code.once(code.statement(assign), place):
        return
    if len(variable.reads) == 1 and not is_exposed(code, labels, code.text(labels)):
        yield Proposal((Edit(*code.span(assign.value), text),))
    elif unchanged(code, assign.value, code.span(assign)[1], code.span(place)[0]):  # a second prediction gives the same
        yield Proposal((Edit(*code.span(labels), text),))


def _scores(code: Code, node: cst.BaseExpression) -> str | None:
    """The scores that replace ``model.predict(X)``, if the class of the model is known."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name() as model, attr=cst.Name(value="predict")), args=[arg]):
            module, _, kind = _class(code, model).rpartition(".")
        case _:
            return None
    if kind in PROBABILITIES.get(module, ()):
        return f"{code.text(model)}.predict_proba({code.text(arg)})[:, 1]"
    return f"{code.text(model)}.decision_function({code.text(arg)})" if kind in MARGINS.get(module, ()) else None


def _class(code: Code, node: cst.BaseExpression) -> str:
    """The class whose ``predict`` is called: the model, the estimator of a search, or the last step of a pipeline."""
    match node:
        case cst.Name():
            assign = code.assigned(node)
            return _class(code, assign.value) if assign is not None and node.value not in _read(code, assign) else ""
        case cst.Call(func=cst.Attribute(value=cst.Call() as made, attr=cst.Name(value="fit"))):
            return _class(code, made)
        case cst.Call(func=func, args=[cst.Arg(value=first, keyword=None), *_]) if code.meaning(func) in SEARCHES:
            return _class(code, first)
        case cst.Call(func=func, args=[*_, cst.Arg(value=last, keyword=None)]) if (
            code.meaning(func) == "sklearn.pipeline.make_pipeline"
        ):
            return _class(code, last)
        case cst.Call(
            func=func,
            args=[cst.Arg(value=cst.List(elements=[*_, cst.Element(value=cst.Tuple(elements=[_, last]))])), *_],
        ) if code.meaning(func) == "sklearn.pipeline.Pipeline":
            return _class(code, last.value)
        case cst.Call(func=func):
            return code.meaning(func)
        case _:
            return ""


def _read(code: Code, assign: cst.Assign) -> set[str]:
    """The names that an assignment reads."""
    return {name.value for name in code.names(assign.value)}
