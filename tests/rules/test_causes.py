"""Which findings of real code are one fault, and which are not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from cvlint.findings.faults import Fault, faults_of
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

HEAD = """\
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score, roc_curve
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score, train_test_split
from sklearn.preprocessing import MinMaxScaler, StandardScaler
"""


def faults(severity: str = "", **files: str) -> list[Fault]:
    """The faults of a severity in the given files; by default all but the notes."""
    options = CheckOptions(frozenset(rule.name for rule in load_rules()), confidence="low")
    found = []
    for name, text in files.items():
        data = (HEAD + dedent(text)).encode()
        found += check_bytes(data, Path(f"{name}.py"), f"{name}.py", options).findings
    told = [(fault, fault.shown.severity) for fault in faults_of(found)]
    return [fault for fault, own in told if (own == severity if severity else own != "note")]


def places(**files: str) -> list[tuple[str, int]]:
    """The rule and the number of places of each fault."""
    return [(fault.shown.rule, len(fault.findings)) for fault in faults(**files)]


LABELS = """
model = LogisticRegression().fit(X_train, y_train)
y_pred = model.predict(X_test)
"""


@pytest.mark.parametrize(
    "text",
    [
        "print(roc_auc_score(y_test, y_pred))\nfpr, tpr, _ = roc_curve(y_test, y_pred)\n",
        "print(roc_auc_score(y_test, y_score=y_pred))\nfpr, tpr, _ = roc_curve(y_test.ravel(), y_pred.ravel())\n",
        "print(roc_auc_score(y_test, y_pred))\nprint('AP')\nprint(average_precision_score(y_test, y_pred))\n",
    ],
)
def test_two_measures_of_the_same_labels_are_one_fault(text: str) -> None:
    assert places(a=LABELS + text) == [("auc-hard-labels", 2)]


@pytest.mark.parametrize(
    "between",
    ["y_pred = other.predict(X_test) > 0.5\n", "y_pred[:5] = 0\n", "for y_pred in (y_pred > 0, y_pred > 1):\n  pass\n"],
)
def test_labels_that_were_bound_anew_are_another_fault(between: str) -> None:
    text = f"{LABELS}print(roc_auc_score(y_test, y_pred))\n{between}fpr, tpr, _ = roc_curve(y_test, y_pred)\n"
    assert places(a=text) == [("auc-hard-labels", 1), ("auc-hard-labels", 1)]


def test_labels_of_two_models_are_two_faults() -> None:
    text = LABELS + LABELS.replace("y_pred", "y_other")
    text += "print(roc_auc_score(y_test, y_pred))\nprint(roc_auc_score(y_test, y_other))\n"
    assert places(a=text) == [("auc-hard-labels", 1), ("auc-hard-labels", 1)]


POOLED = """
scores = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")
positive = scores[:, 1]
print(roc_auc_score(y, positive))
print(roc_auc_score(y, scores[:, 1]))
"""


def test_scores_that_were_pooled_once_are_one_fault_under_any_name() -> None:
    assert places(a=POOLED) == [("auc-merge", 2)]


def test_scores_that_were_pooled_twice_are_two_faults() -> None:
    second = POOLED.replace("scores", "others").replace("positive", "positive2")
    assert places(a=POOLED + second) == [("auc-merge", 2), ("auc-merge", 2)]


METRICS = """
from keras import backend as K

def precision_m(y_true, y_pred):
    tp = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    return tp / (K.sum(K.round(K.clip(y_pred, 0, 1))) + K.epsilon())

def recall_m(y_true, y_pred):
    tp = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    return tp / (K.sum(K.round(K.clip(y_true, 0, 1))) + K.epsilon())

first.compile(loss="mse", metrics=["acc", precision_m, recall_m])
second.compile(loss="mse", metrics=[precision_m])
"""


def test_metrics_in_one_list_are_one_fault() -> None:
    assert places(a=METRICS) == [("mean-of-batch-f", 2), ("mean-of-batch-f", 1)]


HELPER = """
def mean_ci(values):
    return np.mean(values), np.std(values)

print(mean_ci(cross_val_score(LogisticRegression(), X, y, scoring="f1", cv=5)))
print(mean_ci(cross_val_score(model, X, y, scoring="f1", cv=5)))
print(mean_ci(cross_val_score(model, X, y, scoring="f1_macro", cv=5)))
"""


def test_calls_of_a_helper_with_the_same_measure_are_one_fault() -> None:
    found = faults(a=HELPER)
    assert [len(fault.findings) for fault in found] == [2, 1]
    assert (found[0].kind, found[1].shown.message[:8]) == ("call", "Macro F1")


def test_means_without_a_helper_are_faults_of_their_own() -> None:
    text = 'print(cross_val_score({}, X, y, scoring="f1").mean())\n'
    assert len(faults(a=text.format("first") + text.format("second"))) == 2


LOOP = """
first, second = [], []

def measure(y_true, y_pred):
    return f1_score(y_true, y_pred)

for train, test in StratifiedKFold(5).split(X, y):
    first.append(measure(y[test], a.fit(X[train], y[train]).predict(X[test])))
    second.append(measure(y[test], b.fit(X[train], y[train]).predict(X[test])))
print(np.mean(first))
print(np.mean(second))
"""


def test_one_measurement_of_several_models_in_one_loop_is_one_fault() -> None:
    assert places(a=LOOP) == [("mean-of-fold-f", 2)]


def test_two_measurements_in_one_loop_are_two_faults() -> None:
    text = LOOP.replace("second.append(measure(", "second.append(f1_score(")
    assert places(a=text) == [("mean-of-fold-f", 1), ("mean-of-fold-f", 1)]


CHAIN = """
scaler, other = StandardScaler(), MinMaxScaler()
X_scaled = scaler.fit_transform(X)
{between}X_scaled = other.fit_transform({data})
X_train, X_test, y_train, y_test = train_test_split(X_scaled, y)
model = LogisticRegression().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
"""


@pytest.mark.parametrize(
    ("between", "data", "expected"),
    [
        ("", "X_scaled", [2]),
        ("other = MinMaxScaler()\n", "X_scaled", [2]),
        ("print(X_scaled)\n", "X_scaled", [1, 1]),
    ],
)
def test_fits_that_follow_each_other_are_one_fault(between: str, data: str, expected: list[int]) -> None:
    found = faults(a=CHAIN.format(between=between, data=data))
    assert [len(fault.findings) for fault in found] == expected
    assert {fault.shown.rule for fault in found} == {"preprocess-before-split"}


BEST = """
best = []
for model in models:
    scores = model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    values = [f1_score(y_test, scores > t) for t in np.arange(0, 1, 0.01)]
    best.append(max(values))
    print(max(values))
print(max(best))
"""


def test_the_best_of_the_best_is_one_fault() -> None:
    assert places(a=BEST) == [("threshold-on-test", 3)]


def test_thresholds_of_two_models_are_two_faults() -> None:
    text = BEST.replace("print(max(best))\n", "").replace("    best.append(max(values))\n", "")
    second = text.replace("values", "others").replace("scores", "scores2").replace("in models", "in others2")
    assert [len(fault.findings) for fault in faults(a=text + second)] == [1, 1]


def test_a_copied_block_is_one_fault_in_all_files() -> None:
    (fault,) = faults(
        a=LABELS + "print(roc_auc_score(y_test, y_pred))\n", b=f"{LABELS}print(roc_auc_score(y_test, y_pred))"
    )
    assert [one.location.path for one in fault.findings] == ["a.py", "b.py"]
    assert fault.kind == "copy"


@pytest.mark.parametrize("changed", ["LogisticRegression(C=2)", "model.predict(X_other)"])
def test_an_edited_block_is_no_copy(changed: str) -> None:
    text = LABELS + "print(roc_auc_score(y_test, y_pred))\n"
    old = "LogisticRegression()" if "Logistic" in changed else "model.predict(X_test)"
    assert text.replace(old, changed) != text
    assert len(faults(a=text, b=text.replace(old, changed))) == 2


def test_comments_and_formatting_do_not_make_a_copy_another_fault() -> None:
    text = LABELS + "print(roc_auc_score(y_test, y_pred))\n"
    assert len(faults(a=text, b=text.replace("y_test, y_pred", "  y_test,\n y_pred  # labels\n"))) == 1


def test_an_equal_line_in_other_code_is_no_copy() -> None:
    ratio = "    return 2 * p * r / (p + r)\n"
    first = f"def f(p, r):\n    print('first')\n    a = 1\n    b = 2\n{ratio}"
    assert len(faults(a=first, b=first.replace("a = 1", "a = 3"))) == 2
    assert len(faults(a=first, b=first)) == 1


RATIOS = """
from counts import tp, fp, fn
print(tp / (tp + fn))
def rates(tp, fp, fn):
    return tp / (tp + fp), tp / (tp + fn)
"""


def test_ratios_of_counts_are_one_fault() -> None:
    assert [len(fault.findings) for fault in faults("note", a=RATIOS)] == [3]
