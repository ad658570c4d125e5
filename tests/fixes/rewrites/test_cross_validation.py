"""cross_val_score and cross_val_predict change places."""

from __future__ import annotations

import pytest

from tests.fixes.conftest import Fix

HEAD = "from sklearn.model_selection import cross_val_score\n"


def test_the_mean_of_f_becomes_one_f(fix: Fix) -> None:
    text = f'{HEAD}print(cross_val_score(model, X, y, scoring="f1", cv=10).mean())\n'
    assert fix(text) == (
        "from sklearn.metrics import f1_score\n"
        "from sklearn.model_selection import cross_val_predict\n"
        "print(f1_score(y, cross_val_predict(model, X, y, cv=10)))\n"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.mean(cross_val_score(m, X, y, cv=5, scoring='f1'))", "f1_score(y, cross_val_predict(m, X, y, cv=5))"),
        (
            "cross_val_score(m, X, y=y, scoring='f1_macro', n_jobs=-1).mean()",
            'f1_score(y, cross_val_predict(m, X, y=y, n_jobs=-1), average="macro")',
        ),
        (
            "cross_val_score(m, X, df['y'], cv=StratifiedKFold(5), scoring='f1_weighted').mean()",
            "f1_score(df['y'], cross_val_predict(m, X, df['y'], cv=StratifiedKFold(5)), average=\"weighted\")",
        ),
        ("cross_val_score(m, X, y, scoring='f1').mean()", "f1_score(y, cross_val_predict(m, X, y))"),
    ],
)
def test_spellings(fix: Fix, old: str, new: str) -> None:
    imports = "import numpy as np\nfrom sklearn.model_selection import StratifiedKFold, cross_val_score\n"
    assert fix(f"{imports}result = {old}\n").endswith(f"result = {new}\n")


def test_the_layout_of_the_arguments_stays(fix: Fix) -> None:
    text = f"""{HEAD}
score = cross_val_score(
    model,  # a forest
    X,
    y,
    scoring="f1",
    cv=10,
).mean()
"""
    assert fix(text).endswith("""
score = f1_score(y, cross_val_predict(
    model,  # a forest
    X,
    y,
    cv=10,
))
""")


def test_a_variable_goes_when_nothing_else_reads_it(fix: Fix) -> None:
    text = f'{HEAD}scores = cross_val_score(model, X, y, scoring="f1")\nprint(scores.mean())\n'
    assert fix(text).endswith(
        "cross_val_predict\npooled_f = f1_score(y, cross_val_predict(model, X, y))\nprint(pooled_f)\n"
    )


def test_a_variable_stays_when_something_else_reads_it(fix: Fix) -> None:
    text = f'{HEAD}scores = cross_val_score(model, X, y, scoring="f1")\nprint(scores.mean(), scores.std())\n'
    after = fix(text)
    assert 'scores = cross_val_score(model, X, y, scoring="f1")\n' in after
    assert after.endswith("\npooled_f = f1_score(y, cross_val_predict(model, X, y))\nprint(pooled_f, scores.std())\n")


def test_all_means_of_a_variable(fix: Fix) -> None:
    text = f'{HEAD}s = cross_val_score(m, X, y, scoring="f1"); print(s)  #\nprint(s.mean())\nprint(sum(s) / len(s))\n'
    assert fix(text).endswith(
        's = cross_val_score(m, X, y, scoring="f1"); pooled_f = f1_score(y, cross_val_predict(m, X, y)); print(s)  #\n'
        "print(pooled_f)\nprint(pooled_f)\n"
    )


@pytest.mark.parametrize(
    "splitter", ["RepeatedStratifiedKFold(n_splits=5)", "StratifiedShuffleSplit(10)", "chosen", "make_splitter()"]
)
def test_no_fix_if_a_sample_may_be_tested_twice(fix: Fix, splitter: str) -> None:
    text = f"""from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit, cross_val_score
print(cross_val_score(model, X, y, cv={splitter}, scoring="f1").mean())
"""
    assert fix(text) == text


@pytest.mark.parametrize(
    "expression",
    [
        "cross_val_score(model, X, load(), cv=5, scoring='f1').mean()",
        "cross_val_score(*args, scoring='f1').mean()",
        "cross_val_score(model, X, y, cv=5, scoring='f1', error_score=0).mean()",
    ],
)
def test_unknown_code_is_not_fixed(fix: Fix, expression: str) -> None:
    text = f"{HEAD}print({expression})\n"
    assert fix(text) == text


@pytest.mark.parametrize("change", ["X = load()", "m.set_params(C=9)", "y[:] = 0", "spoil(X)"])
def test_f_is_computed_before_anything_changes(fix: Fix, change: str) -> None:
    text = f'{HEAD}scores = cross_val_score(m, X, y, scoring="f1")\n{change}\nprint(scores.mean())\n'
    assert fix(text).endswith(f"pooled_f = f1_score(y, cross_val_predict(m, X, y))\n{change}\nprint(pooled_f)\n")


def test_no_fix_if_the_name_is_taken(fix: Fix) -> None:
    text = f'{HEAD}f1_score = cross_val_score(m, X, y, scoring="f1").mean()\n'
    assert fix(text) == text


def test_quotes_in_an_f_string(fix: Fix) -> None:
    text = f"{HEAD}print(f\"{{cross_val_score(m, X, y, scoring='f1_macro').mean():.3f}}\")\n"
    assert "{f1_score(y, cross_val_predict(m, X, y), average='macro'):.3f}\"" in fix(text)


RANKING = """from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
"""


def test_auc_of_pooled_scores_becomes_a_mean(fix: Fix) -> None:
    text = f'{RANKING}print(roc_auc_score(y, cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 1]))\n'
    assert fix(text) == (
        "from sklearn.model_selection import cross_val_score\n"
        'print(cross_val_score(m, X, y, cv=5, scoring="roc_auc").mean())\n'
    )


def test_scores_in_a_variable(fix: Fix) -> None:
    text = f"""{RANKING}
margin = cross_val_predict(m, X, y, method="decision_function", cv=5)
print(roc_auc_score(y, margin))
"""
    assert fix(text).endswith(
        '\nmean_roc_auc = cross_val_score(m, X, y, scoring="roc_auc", cv=5).mean()\nprint(mean_roc_auc)\n'
    )


@pytest.mark.parametrize("change", ["y = load()", "y[:9] = 1", "spoil(y)"])
def test_no_fix_for_auc_of_changing_labels(fix: Fix, change: str) -> None:
    text = f"""{RANKING}
margin = cross_val_predict(m, X, y, method="decision_function", cv=5)
{change}
print(roc_auc_score(y, margin))
"""
    assert fix(text) == text


@pytest.mark.parametrize(
    "expression",
    [
        'roc_auc_score(z, cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 1])',
        'roc_auc_score(y, cross_val_predict(m, X, y, cv=LeaveOneOut(), method="predict_proba")[:, 1])',
        'roc_auc_score(y, cross_val_predict(m, X, y, method="predict_proba"), multi_class="ovr")',
        'roc_auc_score(y, cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 0])',
    ],
)
def test_no_fix_for_other_aucs(fix: Fix, expression: str) -> None:
    text = f"{RANKING}from sklearn.model_selection import LeaveOneOut\nprint({expression})\n"
    assert fix(text) == text
