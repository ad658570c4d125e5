"""Lists of the folds' F become lists of labels and predictions."""

from __future__ import annotations

import pytest

from tests.fixes.conftest import Fix

HEAD = """import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

"""
LOOP = """for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
"""


def test_textbook(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test]), average="macro"))
print(np.mean(scores))
"""
    assert fix(text) == (
        f"""{HEAD}true_labels, predictions = [], []
{LOOP}    true_labels.append(y[test])
    predictions.append(model.predict(X[test]))
print(f1_score(np.concatenate(true_labels), np.concatenate(predictions), average="macro"))
"""
    )


def test_a_list_that_is_read_elsewhere_stays_and_nothing_is_predicted_twice(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.mean(scores), np.std(scores))
"""
    assert fix(text) == (
        f"""{HEAD}scores, true_labels, predictions = [], [], []
{LOOP}    fold_predictions = model.predict(X[test])
    scores.append(f1_score(y[test], fold_predictions))
    true_labels.append(y[test])
    predictions.append(fold_predictions)
print(f1_score(np.concatenate(true_labels), np.concatenate(predictions)), np.std(scores))
"""
    )


def test_all_means_of_the_list(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    f = f1_score(y[test], model.predict(X[test]))
    scores.append(f)
print(np.mean(scores))
result = sum(scores) / len(scores)
"""
    after = fix(text)
    assert "scores" not in after and "f = " not in after
    assert after.count("f1_score(np.concatenate(true_labels), np.concatenate(predictions))") == 2


def test_one_of_several_lists(fix: Fix) -> None:
    text = f"""{HEAD}acc, f1 = [], []
{LOOP}    f1.append(f1_score(y[test], model.predict(X[test])))
    acc.append(1)
print(np.mean(f1), np.mean(acc))
"""
    assert "acc, true_labels, predictions = [], [], []\n" in fix(text)


def test_names_that_are_taken(fix: Fix) -> None:
    text = f"""{HEAD}true_labels = y
scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.mean(scores))
"""
    assert "true_labels_2, predictions = [], []\n" in fix(text)


def test_numpy_is_imported_where_it_is_not(fix: Fix) -> None:
    text = f"""{HEAD.removeprefix("import numpy as np")}scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test])))
print(sum(scores) / len(scores))
"""
    assert "import StratifiedKFold\nfrom numpy import concatenate\n" in fix(text)


@pytest.mark.parametrize(
    "body",
    [
        "    if len(test):\n        scores.append(f1_score(y[test], model.predict(X[test])))\n",
        "    scores.append(f1_score(y[test], model.predict(X[test]), sample_weight=w[test]))\n",
        "    scores.append(f1_score(y[test], model.predict(X[test])))\nelse:\n    pass\n",
        "    scores.append(f1_score(y[test], model.predict(X[test]))); print()\n",
        "    k = len(test)\n    scores.append(f1_score(y[test], model.predict(X[test]), pos_label=k))\n",
    ],
)
def test_not_loops_that_are_not_plain(fix: Fix, body: str) -> None:
    text = f"{HEAD}scores = []\n{LOOP}{body}print(np.mean(scores))\n"
    assert fix(text) == text


@pytest.mark.parametrize(("old", "new"), [("round(2)", ", 2)"), ("round(decimals=3)", ", 3)"), ("round()", ", 0)")])
def test_a_float_has_no_method_round(fix: Fix, old: str, new: str) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.array(scores).mean().{old})
"""
    assert fix(text).endswith(f"print(round(f1_score(np.concatenate(true_labels), np.concatenate(predictions)){new})\n")


@pytest.mark.parametrize("method", ["item()", "round(2).item()", "shape"])
def test_a_number_of_numpy_where_another_method_follows(fix: Fix, method: str) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.array(scores).mean().{method})
"""
    pooled = "f1_score(np.concatenate(true_labels), np.concatenate(predictions))"
    assert fix(text).endswith(f"print(np.float64({pooled}).{method})\n")


def test_a_measure_that_is_kept_first_is_collected_where_it_is_measured(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    truth, guess = y[test], model.predict(X[test])
    f = f1_score(truth, guess)  # of the test part
    truth, guess = y[train], model.predict(X[train])
    print(f, f1_score(truth, guess))
    scores.append(f)
print(np.mean(scores))
"""
    assert fix(text) == (
        f"""{HEAD}true_labels, predictions = [], []
{LOOP}    truth, guess = y[test], model.predict(X[test])
    f = f1_score(truth, guess)
    true_labels.append(truth)
    predictions.append(guess)  # of the test part
    truth, guess = y[train], model.predict(X[train])
    print(f, f1_score(truth, guess))
print(f1_score(np.concatenate(true_labels), np.concatenate(predictions)))
"""
    )


def test_the_list_stays_where_the_line_that_appends_has_a_comment(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    f = f1_score(y[test], model.predict(X[test]))
    scores.append(f)  # one of five
print(np.mean(scores))
"""
    after = fix(text)
    assert "scores, true_labels, predictions = [], [], []\n" in after
    assert "    scores.append(f)  # one of five\n" in after


def test_a_buffer_is_copied(fix: Fix) -> None:
    text = f"""{HEAD}scores = []
guess = np.empty(len(y) // 5)
{LOOP}    guess[:] = model.predict(X[test])
    scores.append(f1_score(y[test], guess))
print(np.mean(scores))
"""
    after = fix(text)
    assert "    true_labels.append(y[test])\n    predictions.append(np.copy(guess))\n" in after


@pytest.mark.parametrize("between", ["if f < 0.1:\n        continue", "if f < 0.1:\n        break", "scores.clear()"])
def test_not_where_a_fold_may_be_left_out(fix: Fix, between: str) -> None:
    text = f"""{HEAD}scores = []
{LOOP}    f = f1_score(y[test], model.predict(X[test]))
    {between}
    scores.append(f)
print(np.mean(scores))
"""
    assert fix(text) == text


def test_not_where_a_setting_means_something_else_at_the_mean(fix: Fix) -> None:
    text = f"""{HEAD}which = "macro"
scores = []
{LOOP}    scores.append(f1_score(y[test], model.predict(X[test]), average=which))
def report(which):
    print(which, np.mean(scores))
"""
    assert fix(text) == text
