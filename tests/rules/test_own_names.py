"""Advices in the author's own names: the code that they show, and where cvlint is not sure enough to show any."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from cvlint.findings.finding import Finding
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

HEAD = """\
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_recall_curve, roc_auc_score, roc_curve
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, KFold, RepeatedKFold, ShuffleSplit, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.model_selection import cross_val_predict, cross_val_score, train_test_split
from sklearn.preprocessing import StandardScaler, scale
from sklearn.svm import SVC
"""


def found(rule: str, text: str) -> list[Finding]:
    options = CheckOptions(frozenset(one.name for one in load_rules()), confidence="low")
    data = (HEAD + dedent(text)).encode()
    findings = check_bytes(data, Path("train.py"), "train.py", options).findings
    return [finding for finding in findings if finding.rule == rule]


def advice(rule: str, text: str) -> str:
    """The advice of the last finding of a rule, or "general" where it is that of the rule file."""
    finding = found(rule, text)[-1]
    (shipped,) = (one for one in load_rules() if one.name == rule)
    general = {shipped.docs.fix, *(variant.fix for variant in shipped.variants)}
    assert finding.fix is not None
    return "general" if finding.fix.message in general else finding.fix.message


MODEL = "clf = {model}.fit(X_tr, y_tr)\nhard = clf.predict(X_te)\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            MODEL.format(model="LogisticRegression()") + "print(roc_auc_score(y_te, hard))",
            "Give it scores: roc_auc_score(y_te, clf.predict_proba(X_te)[:, 1]).",
        ),
        (
            "clf = SVC()\nclf.fit(X_tr, y_tr)\nprint(roc_curve(y_te, clf.predict(X_te)))",
            "clf.decision_function(X_te)).",
        ),
        ("hard = np.argmax(p, axis=1)\nprint(roc_auc_score(y_te, hard))", "the scores themselves, p, and not"),
        ("hard = (p > 0.5).astype(int)\nprint(roc_auc_score(y_te, hard))", "the scores themselves, p, and not"),
        (
            "p = p > 0.5\nprint(roc_auc_score(y_te, p))",
            "Give it the scores that p holds before labels are made of them",
        ),
        (
            MODEL.format(model="GridSearchCV(SVC(), grid)") + "print(roc_auc_score(y_te, hard))",
            "clf.decision_function(",
        ),
        (
            "svc = SVC()\n" + MODEL.format(model="make_pipeline(svc)") + "print(roc_auc_score(y_te, hard))",
            "clf.decision_",
        ),
        (MODEL.format(model="SVC(probability=True)") + "print(roc_auc_score(y_te, hard))", "clf.predict_proba(X_te)"),
        (MODEL.format(model="LogisticRegression()") + "X_te = 0\nprint(roc_auc_score(y_te, hard))", "general"),
        (MODEL.format(model="SVC()") + "print(roc_auc_score(y_te, hard, average='macro'))", "general"),
        ("if a:\n    hard = p > 0.5\nelse:\n    hard = q > 0.5\nprint(roc_auc_score(y_te, hard))", "general"),
    ],
)
def test_hard_labels(text: str, said: str) -> None:
    assert said in advice("auc-hard-labels", text)


def test_repeated_hold_outs_are_no_partition() -> None:
    (finding,) = found("mean-of-fold-f", "print(cross_val_score(clf, X, y, scoring='f1', cv=ShuffleSplit()).mean())")
    assert finding.fix is not None
    assert "cross_val_predict" not in finding.fix.message


@pytest.mark.parametrize("formula", ["2 * p * r / (p + r + 1e-9)", "(1 + b**2) * p * r / (b**2 * p + r + 1e-9)"])
def test_a_curve_chooses_by_the_measure_of_its_points(formula: str) -> None:
    text = f"""
    p, r, t = precision_recall_curve(y_test, scores)
    best = np.argmax({formula})
    print(f1_score(y_test, scores >= t[best]))
    """
    (finding,) = found("threshold-on-test", text)
    assert "chosen by F" in finding.message


LOOP = """
values = []
for fit, hold in {splitter}.split(X, y):
    hard = model.fit(X[fit], y[fit]).predict(X[hold])
    values.append(f1_score(y[hold], hard))
print(np.mean(values))
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "print(cross_val_score(clf, data, labels, scoring='f1', cv=7).mean())",
            "f1_score(labels, cross_val_predict(clf, data, labels, cv=7)).",
        ),
        ("print(cross_val_score(clf, data, y=labels, scoring='f1_macro').mean())", 'labels), average="macro").'),
        ("print(cross_val_score(clf, X, y, scoring='f1', cv=RepeatedKFold()).mean())", "general"),
        ("print(cross_val_score(clf, X, y, scoring='f1', cv=ShuffleSplit()).mean())", "general"),
        (
            LOOP.format(splitter="StratifiedKFold()"),
            "Collect y[hold] and hard of all folds in two lists, and call f1_score once",
        ),
    ],
)
def test_means_of_folds(text: str, said: str) -> None:
    assert said in advice("mean-of-fold-f", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "s = cross_val_predict(clf, data, labels, cv=3, method='predict_proba')\n"
            "print(roc_auc_score(labels, s[:, 1]))",
            'cross_val_score(clf, data, labels, cv=3, scoring="roc_auc").mean().',
        ),
        (
            "out = np.zeros(len(y))\nfor fit, hold in KFold().split(X):\n"
            "    out[hold] = model.fit(X[fit], y[fit]).predict_proba(X[hold])[:, 1]\nprint(roc_auc_score(y, out))",
            "inside the loop `for fit, hold in KFold().split(X)`",
        ),
    ],
)
def test_pooled_scores(text: str, said: str) -> None:
    assert said in advice("auc-merge", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "kf = KFold(4)\nfor fit, hold in kf.split(X):\n"
            "    print(f1_score(y[hold], m.fit(X[fit], y[fit]).predict(X[hold])))",
            "Write StratifiedKFold(4), and give the labels as the second argument of kf.split(X).",
        ),
        ("print(cross_val_score(LogisticRegression(), X, y, cv=KFold(4), scoring='f1'))", "Write StratifiedKFold(4)."),
        (
            "print(cross_val_score(LogisticRegression(), X, y, cv=KFold(4, random_state=1), scoring='f1'))",
            "Write StratifiedKFold(4, shuffle=True, random_state=1).",
        ),
        (
            "print(cross_val_score(model, X, y, cv=KFold(4, shuffle=False, random_state=1), scoring='f1'))",
            "Write StratifiedKFold(4, shuffle=True, random_state=1).",
        ),
    ],
)
def test_splitters(text: str, said: str) -> None:
    assert said in advice("unstratified-folds", text)


FIT = """
std = StandardScaler()
Z = std.fit_transform(X)
{then}
"""
SPLIT = "A, B, a, b = train_test_split({data}, y)\nprint(f1_score(b, LogisticRegression().fit(A, a).predict(B)))"


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (
            SPLIT.format(data="Z"),
            "Split X first, and fit on the training part only: A = std.fit_transform(A); B = std.transform(B).",
        ),
        (
            "print(cross_val_score(LogisticRegression(), Z, y))",
            "cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), X, y).",
        ),
        (
            SPLIT.format(data="np.hstack([Z, W])"),
            "Split first; then call std.fit_transform on the training part only, and",
        ),
        (
            "for fit, hold in KFold().split(Z):\n    f1_score(y[hold], m.fit(Z[fit], y[fit]).predict(Z[hold]))",
            "Put std and",
        ),
    ],
)
def test_transforms_before_the_split(then: str, said: str) -> None:
    assert said in advice("preprocess-before-split", FIT.format(then=then))


@pytest.mark.parametrize("step", ["StandardScaler()", "TfidfVectorizer(min_df=3)"])
def test_a_transformer_without_a_name_is_a_step_of_a_pipeline(step: str) -> None:
    text = f"Z = {step}.fit_transform(X)\n{SPLIT.format(data='Z')}"
    assert f"most easily in a pipeline: make_pipeline({step}, model)." in advice("preprocess-before-split", text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Z = X.fillna(X.mean())", "SimpleImputer()"),
        ("Z = (X - X.mean(axis=0)) / X.std(axis=0)", "StandardScaler()"),
        ("Z = X.clip(upper=X.quantile(0.99))", "limits that come from the training part"),
        ("Z = X[X.columns[X.corrwith(y) > 0.1]]", "SelectKBest()"),
        (
            "import pandas as pd\nX = pd.read_csv('x.csv')\ny = X['label']\n"
            "X['b'] = X['b'].map(X.groupby('b')['label'].mean())\nZ = X[['b']]",
            "TargetEncoder()",
        ),
        ("Z = scale(X)", "as a step of a pipeline with the model"),
    ],
)
def test_the_advice_fits_what_is_done_to_the_data(text: str, says: str) -> None:
    (finding,) = found("preprocess-before-split", f"{text}\n{SPLIT.format(data='Z')}")
    assert finding.fix is not None
    assert says in finding.fix.message


COUNTS = "tp = np.sum((y == 1) & (p == 1))\nfp = np.sum((y == 0) & (p == 1))\nfn = np.sum((y == 1) & (p == 0))\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{COUNTS}P = tp / (tp + fp)\nprint(P)", "Guard the divisor: tp / (tp + fp) if tp + fp else 0.0;"),
        (
            "precision, recall, _ = precision_recall_curve(y, p)\nprint(2 * precision * recall / (precision + recall))",
            "general",
        ),
        ("def f(tp, fp, fn):\n    return tp / (tp + fp)", "general"),  # they may be arrays
    ],
)
def test_formulas(text: str, said: str) -> None:
    assert said in advice("unguarded-f", text)


def test_metrics_of_keras() -> None:
    text = """
    from keras import backend as K

    def recall_m(y_true, y_pred):
        tp = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
        return tp / (K.sum(K.round(K.clip(y_true, 0, 1))) + K.epsilon())

    net.compile(loss="mse", metrics=[recall_m])
    """
    assert "Use keras.metrics.Recall() in place of recall_m:" in advice("mean-of-batch-f", text)


def test_searches() -> None:
    text = """
    gs = GridSearchCV(LogisticRegression(), {"C": [1, 2]}, scoring="f1")
    gs.fit(data, labels)
    print(gs.best_score_)
    """
    assert (
        "search gs on data that it has not seen: f1_score(labels, cross_val_predict(gs, data, labels, cv=5))."
        in advice("search-best-f", text)
    )


def test_a_second_fit() -> None:
    text = """
    A, B, a, b = train_test_split(X, y)
    std = StandardScaler()
    A = std.fit_transform(A)
    B = std.fit_transform(B)
    print(f1_score(b, LogisticRegression().fit(A, a).predict(B)))
    """
    assert "Write std.transform(B): std keeps" in advice("refit-on-test", text)
    again = text.replace("    B = std", "    std = StandardScaler()\n    B = std")
    assert all("std.transform" not in one.fix.message for one in found("refit-on-test", again) if one.fix)


def test_long_code_is_not_repeated() -> None:
    name = "a_name_that_is_longer_than_forty_characters"
    assert advice("mean-of-fold-f", f"print(cross_val_score(clf, {name}, y, scoring='f1').mean())") == "general"
