"""Run scripts before and after fixes: the faulty number becomes the right one, and all other output stays.

Each script has one fault and one obstacle for a fix: a model that is fitted again, data that change in place, or a name
that is rebound. A script that is not fixed prints the same as before; the scripts of `MUST` must be fixed.
"""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, fbeta_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.fixes.conftest import fixed

HEAD = """import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

X, y = make_classification(150, n_informative=3, weights=[0.8], flip_y=0.1, random_state=2)
cv = StratifiedKFold(3)
model = KNeighborsClassifier()
rng = np.random.default_rng(0)
view, truth = X, y


def spoil(values):
    values[:] = 0


"""
X, y = make_classification(150, n_informative=3, weights=[0.8], flip_y=0.1, random_state=2)
X_TRAIN, X_TEST, Y_TRAIN, Y_TEST = train_test_split(X, y, random_state=0, stratify=y)
MODEL, CV = KNeighborsClassifier(), StratifiedKFold(3)
PREDICTED = cross_val_predict(MODEL, X, y, cv=CV)
FITTED = KNeighborsClassifier().fit(X_TRAIN, Y_TRAIN)
GUESSED = FITTED.predict(X_TEST)
SCALED = make_pipeline(StandardScaler(), MODEL)

Printed = list[tuple[Any, ...]]


def printed(code: bytes) -> tuple[Any, Printed]:
    """The output of a script after ``result``, and its other output."""
    lines: Printed = []
    exec(compile(code, "train.py", "exec"), {"__name__": "__main__", "print": lambda *words: lines.append(words)})
    results = [words[1] for words in lines if words[0] == "result"]
    return results, [words for words in lines if words[0] != "result"]


def holds(code: str, expected: float) -> bool:
    """Compare the output of a script before and after all fixes; return whether there were any."""
    before = (HEAD + code).encode()
    after = fixed(before)
    (old,), others = printed(before)
    (new,), others_after = printed(after.data)
    assert repr(others_after) == repr(others), after.data.decode()
    assert after.problems == ()
    if after.count:
        assert new == pytest.approx(expected, abs=1e-12), after.data.decode()
    else:
        assert new == old
    return after.count > 0


LOOP = """scores = []
buffer = np.zeros(50, dtype=int)
beta = 1
kept = []
for train, test in cv.split(X, y):
    model.fit(X[train], y[train])
    {take}
    f = fbeta_score(y_true, y_pred, beta=beta)
    {between}
    scores.append(f)
    print("fold", f)
{after}
print("result", {mean})
"""
TAKE = "y_true, y_pred = y[test], model.predict(X[test])"
BUFFER = "y_true = y[test]; buffer[:] = model.predict(X[test]); y_pred = buffer"
MEAN = "np.mean(scores)"


@pytest.mark.parametrize(
    ("take", "between", "after", "mean"),
    [
        (TAKE, "pass", "", MEAN),
        (TAKE, "pass", "print(np.std(scores))", "sum(scores) / len(scores)"),
        (TAKE, "y_true, y_pred = y[train], model.predict(X[train])", "", MEAN),
        (TAKE, "y_true[:] = 0", "", MEAN),
        (TAKE, "y_pred.sort()", "print(scores)", MEAN),
        (TAKE, "rng.shuffle(y_pred)", "", MEAN),
        (TAKE, "y_pred |= 1", "", MEAN),
        (TAKE, "kept.append(y_pred)", "for one in kept: spoil(one)", MEAN),
        (BUFFER, "pass", "", MEAN),
        (TAKE.replace("y[test]", "y[test].ravel()"), "y_true[:] = 1", "print(np.std(scores))", MEAN),
        (TAKE, "pass", "y[:] = 0; model.set_params(n_neighbors=40)", "round(np.mean(scores).item(), 15)"),
        (TAKE, "pass", "", "np.array(scores).mean().tolist()"),
    ],
)
def test_loops_that_are_fixed(take: str, between: str, after: str, mean: str) -> None:
    assert holds(LOOP.format(take=take, between=between, after=after, mean=mean), f1_score(y, PREDICTED))


@pytest.mark.parametrize(
    ("between", "after"),
    [
        ("if len(scores) == 1 and not kept: kept.append(f); continue", ""),
        ("pass", "beta = 2"),
        ("pass", "scores.remove(min(scores))"),
        ("pass", "scores[0] = 0.0"),
        ("beta = 1", ""),
    ],
)
def test_loops_where_no_fix_is_right(between: str, after: str) -> None:
    assert not holds(LOOP.format(take=TAKE, between=between, after=after, mean=MEAN), float("nan"))


CHANGES = [
    "",
    "print('spread', made.std())",
    "model.set_params(n_neighbors=40)",
    "model.n_neighbors = 40",
    "X[:, 2:] = 0",
    "view[:] = 0",
    "rng.shuffle(X)",
    "model = None",
]


@pytest.mark.parametrize("change", [*CHANGES, "truth[:70] = 1", "X, y = X[:90], y[:90]"])
def test_f_of_cross_validation(change: str) -> None:
    code = f'made = cross_val_score(model, X, y, cv=cv, scoring="f1")\n{change}\nprint("result", made.mean())\n'
    assert holds(code, f1_score(y, PREDICTED))


@pytest.mark.parametrize("change", CHANGES[1::3])
def test_auc_of_cross_validation(change: str) -> None:
    code = f"""made = cross_val_predict(model, X, y, cv=cv, method="predict_proba")[:, 1]
{change}
print("result", roc_auc_score(y, made))
"""
    assert holds(code, cross_val_score(MODEL, X, y, cv=CV, scoring="roc_auc").mean())


@pytest.mark.parametrize("change", ["y[:70] = 1", "y = 1 - y"])
def test_auc_of_labels_that_change(change: str) -> None:
    code = f"""made = cross_val_predict(model, X, y, cv=cv, method="predict_proba")[:, 1]
{change}
y[0] = 1
print("result", roc_auc_score(y, made))
"""
    assert not holds(code, float("nan"))


@pytest.mark.parametrize(
    "use",
    [
        "f = {}\nprint('same', f.round(15).item() == round(float(f), 15))\nprint('result', f)",
        "out = {{'f': {}}}\nprint('digits', out['f'].dtype.kind)\nprint('result', out['f'])",
        "f = round({}, 15)\nprint('kind', f.dtype.kind)\nprint('result', f)",
        "f = 100 * {}\nprint('shape', f.shape)\nprint('result', f / 100)",
        "def mean():\n    return {}\nprint('kind', mean().dtype.kind)\nprint('result', mean())",
    ],
)
def test_the_new_mean_supports_the_uses_of_the_old_one(use: str) -> None:
    mean = 'cross_val_score(model, X, y, cv=cv, scoring="f1").mean()'
    assert holds(use.format(mean) + "\n", f1_score(y, PREDICTED))


HELD_OUT = """X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
model.fit(X_train, y_train)
guess = model.predict(X_test)
"""


@pytest.mark.parametrize(
    ("formula", "beta"),
    [
        ("2 * P * R / (P + R)", 1),
        ("1.25 * P * R / (0.25 * P + R)", 0.5),
        ("5 * P * R / (4 * P + R + 1e-9)", 2),
        ("(1 + 3**2) * (P * R) / (3**2 * P + R)", 3),
    ],
)
def test_macro_f(formula: str, beta: float) -> None:
    code = f"""{HELD_OUT}P = precision_score(y_test, guess, average="macro")
R = recall_score(y_test, guess, average="macro")
print("parts", P, R)
print("result", {formula})
"""
    assert holds(code, fbeta_score(Y_TEST, GUESSED, beta=beta, average="macro"))


@pytest.mark.parametrize("change", ["guess[:20] = 1", "spoil(guess)", "y_test = 1 - y_test"])
def test_macro_f_of_changing_values(change: str) -> None:
    code = f"""{HELD_OUT}P = precision_score(y_test, guess, average="macro")
R = recall_score(y_test, guess, average="macro")
{change}
print("result", 2 * P * R / (P + R))
"""
    assert not holds(code, float("nan"))


@pytest.mark.parametrize(
    ("change", "is_fixed"),
    [
        ("print('F', f1_score(y_test, guess))", True),
        ("print('sum', guess.sum(), len(X_test))", True),
        ("print('F', f1_score(y_test, guess)); model.set_params(n_neighbors=40).fit(X[::2], y[::2])", False),
        ("print('guess', guess); spoil(X_test)", False),
    ],
)
def test_scores_instead_of_labels(change: str, is_fixed: bool) -> None:
    code = f'{HELD_OUT}{change}\nprint("result", roc_auc_score(y_test, guess))\n'
    expected = roc_auc_score(Y_TEST, FITTED.predict_proba(X_TEST)[:, 1])
    assert holds(code, expected) is is_fixed


@pytest.mark.parametrize(
    ("change", "is_fixed"), [("", True), ("print(X.shape)", True), ("X[:] = 0", False), ("spoil(X)", False)]
)
def test_transforms_in_a_pipeline(change: str, is_fixed: bool) -> None:
    code = f"""scaled = StandardScaler().fit_transform(X)
{change}
print("result", cross_val_score(model, scaled, y, cv=cv, scoring="accuracy").mean())
"""
    assert holds(code, cross_val_score(SCALED, X, y, cv=CV).mean()) is is_fixed
