"""Test the fixes of transformers that learned from all data: their text, that they run, and code that stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.fixes.conftest import Fix, fixed

X, y = make_classification(n_samples=80, n_features=6, random_state=4)
HEAD = """import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.preprocessing import StandardScaler, TargetEncoder

model = LogisticRegression()
"""
SPLIT = "a, b, c, d = train_test_split({}, y, random_state=0)\nresult = accuracy_score(d, model.fit(a, c).predict(b))\n"


def held_out(*transforms: Any) -> float:
    """The accuracy on a hold-out part if the transformer learns only from the training part."""
    a, b, c, d = train_test_split(X, y, random_state=0)
    return float(make_pipeline(*transforms, LogisticRegression()).fit(a, c).score(b, d))


def cross_validated(*transforms: Any) -> float:
    return float(cross_val_score(make_pipeline(*transforms, LogisticRegression()), X, y, cv=4).mean())


def result(code: str) -> float:
    after = fixed((HEAD + code).encode())
    assert after.count
    space: dict[str, Any] = {"X": X, "y": y}
    exec(compile(after.data, "train.py", "exec"), space)
    return float(space["result"])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("Z = StandardScaler().fit_transform(X)\n" + SPLIT.format("Z"), held_out(StandardScaler())),
        ("X = StandardScaler().fit_transform(X)  # scaled\n" + SPLIT.format("X"), held_out(StandardScaler())),
        (
            "s = StandardScaler()\nZ = s.fit_transform(X)\n" + SPLIT.format("Z") + "s.transform(X)\n",
            held_out(StandardScaler()),
        ),
        (
            "Z = StandardScaler().fit_transform(X)\nZ = PCA(3).fit_transform(Z)\n" + SPLIT.format("Z"),
            held_out(StandardScaler(), PCA(3)),
        ),
        (
            "Z = PCA(2).fit_transform(X)\nresult = cross_val_score(model, Z, y, cv=4).mean()\n",
            cross_validated(PCA(2)),
        ),
        (
            "S = StandardScaler().fit_transform(X)\nZ = PCA(2).fit_transform(S)\n"
            "result = cross_val_score(model, X=Z, y=y, cv=4).mean()\n",
            cross_validated(StandardScaler(), PCA(2)),
        ),
    ],
)
def test_the_result_is_that_of_a_pipeline(code: str, expected: float) -> None:
    assert result(code) == pytest.approx(expected, abs=1e-12)


def test_the_text_of_the_fixes(fix: Fix) -> None:
    before = (
        HEAD
        + "if model:\n    X = StandardScaler().fit_transform(X)  # scaled\n    "
        + SPLIT.format("X").replace("\nresult", "  # split\n    result")
    )
    after = before.replace("X = StandardScaler().fit_transform(X)", "scaler = StandardScaler()").replace(
        "# split\n", "# split\n    a = scaler.fit_transform(a)\n    b = scaler.transform(b)\n"
    )
    assert fix(before) == after


@pytest.mark.parametrize(
    "code",
    [
        "Z = StandardScaler().fit_transform(X)\nprint(Z.mean())\n" + SPLIT.format("Z"),  # read for something else, too
        "Z = StandardScaler().fit_transform(X)\nX = X[:9]\n" + SPLIT.format("Z"),
        "s = StandardScaler()\nZ = s.fit_transform(X)\nprint(s.mean_)\n" + SPLIT.format("Z"),
        "s = StandardScaler()\nZ = s.fit_transform(X)  # so\n" + SPLIT.format("Z"),  # where would the comment go?
        "Z = StandardScaler().fit_transform(load(X))\n" + SPLIT.format("Z"),
        "Z = StandardScaler().fit_transform(X)\nparts = train_test_split(Z, y)\n" + SPLIT.format("*parts[:2]"),
        "s = StandardScaler()\nZ = s.fit_transform(X)\nprint(cross_val_score(model, Z, y).mean())\ns.transform(X)\n",
        "Z = StandardScaler().fit_transform(X)\nprint(cross_val_score(model, Z, y, params={'w': 1}).mean())\n",
        "Z = StandardScaler().fit_transform(X)\nfor i in range(3):\n    print(cross_val_score(model, Z, y).mean())\n",
        "Z = TargetEncoder().fit_transform(X, y)\n" + SPLIT.format("Z"),
    ],
)
def test_code_that_is_not_fixed(code: str, fix: Fix) -> None:
    assert fix(HEAD + code) == HEAD + code


MACRO = """from sklearn.metrics import precision_score, recall_score

p = precision_score(y, guess, average="macro")
r = recall_score(y, guess, average="macro")
result = 2 * p * r / (p + r)
"""


def test_macro_f(fix: Fix) -> None:
    from sklearn.metrics import f1_score

    after = fix(MACRO)
    assert after.endswith('\nresult = f1_score(y, guess, average="macro")\n')
    truth = np.arange(60) % 3
    guess = np.where(np.arange(60) < 40, truth, 0)
    values: list[float] = []
    for code in (MACRO, after):
        space: dict[str, Any] = {"y": truth, "guess": guess}
        exec(code, space)
        values.append(space["result"])
    assert values[0] != pytest.approx(values[1])
    assert values[1] == f1_score(truth, guess, average="macro")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r = recall_score(y, guess", "r = recall_score(y, other"),
        (
            'r = recall_score(y, guess, average="macro")',
            'guess = f(guess)\nr = recall_score(y, guess, average="macro")',
        ),
        ("result =", "guess = f(guess)\nresult ="),
        ('y, guess, average="macro"', 'y, model.predict(X), average="macro"'),
        ("result =", "r = r / 2\nresult ="),
    ],
)
def test_macro_f_that_is_not_fixed(old: str, new: str, fix: Fix) -> None:
    assert fix(MACRO.replace(old, new)) == MACRO.replace(old, new)
