"""F over folds: the paper's tables, and agreement with scikit-learn on anything."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score

from cvlint.runtime import Counts, FoldSet, f_aggregates
from cvlint.runtime.measures.f_over_folds import f_avg, f_avg_valid, f_of_each_fold, f_prre, f_prre_valid, f_tpfp

PAPERS = Path(__file__).parents[3] / "fixtures" / "papers"


def table(number: int) -> Counts:
    with open(PAPERS / f"forman-scholz-table-{number}.csv") as file:
        rows = list(csv.DictReader(file))
    return Counts(np.array([[[float(row[name])] for row in rows] for name in ("tp", "fp", "fn", "tn")]))


def test_table_1() -> None:
    found = f_aggregates(table(1))
    percents = [round(100 * v) for v in (found.f_avg, found.f_prre, found.f_tpfp)]
    assert percents == [69, 73, 58]


def test_table_2() -> None:
    found = f_aggregates(table(2))
    values = (found.f_avg, found.f_prre, found.f_tpfp, found.f_avg_valid, found.f_prre_valid)
    assert [round(100 * v) for v in values] == [67, 68, 77, 89, 91]


def test_no_valid_fold() -> None:
    found = f_aggregates(Counts(np.array([[[0.0]], [[0.0]], [[3.0]], [[5.0]]])))
    assert (found.f_avg, found.f_prre, found.f_tpfp) == (0, 0, 0)
    assert np.isnan([found.f_avg_valid, found.f_prre_valid]).all()


@st.composite
def labelled(draw: st.DrawFn, classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Folds, true labels, predictions and weights; folds may lack a class."""
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    fold = rng.integers(0, draw(st.integers(1, 5)), n)
    shares = rng.dirichlet(np.full(classes, 0.5))
    true, pred = rng.choice(classes, n, p=shares), rng.choice(classes, n, p=shares)
    true[0], true[-1] = 0, classes - 1
    return fold, true, pred, rng.uniform(0.1, 3, n) if draw(st.booleans()) else None


def part(values: np.ndarray | None, rows: np.ndarray) -> np.ndarray | None:
    return None if values is None else values[rows]


@given(labelled(2), st.floats(0.1, 4))
def test_binary_as_scikit_learn(data: tuple[np.ndarray, ...], beta: float) -> None:
    fold, true, pred, weight = data
    counts = FoldSet.from_arrays(fold, true, pred, weight=weight).counts()
    assert counts is not None
    found = f_aggregates(counts, beta)
    whole = fbeta_score(true, pred, beta=beta, sample_weight=weight, zero_division=0)
    rows = [fold == i for i in np.unique(fold)]
    each = [
        [
            score(true[r], pred[r], sample_weight=part(weight, r), zero_division=0, **extra)
            for score, extra in ((fbeta_score, {"beta": beta}), (precision_score, {}), (recall_score, {}))
        ]
        for r in rows
    ]
    f, p, q = np.mean(each, axis=0)
    prre = (1 + beta**2) * p * q / (beta**2 * p + q) if p + q else 0.0
    assert [found.f_avg, found.f_prre, found.f_tpfp] == pytest.approx([f, prre, whole], abs=1e-12)
    valid = [i for i, r in enumerate(rows) if true[r].any() and pred[r].any()]
    if valid:
        assert found.f_avg_valid == pytest.approx(np.mean([each[i][0] for i in valid]), abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@given(data=labelled(4))
def test_classes_as_scikit_learn(average: str, data: tuple[np.ndarray, ...]) -> None:
    fold, true, pred, weight = data
    true[:3] = [0, 1, 2][: len(true)]
    assume(len(np.unique(true)) != 2 or np.isin(pred, true).all())  # a stray label among two is refused
    folds = FoldSet.from_arrays(fold, true, pred, weight=weight)
    if folds.kind != "multiclass":
        return
    counts = folds.counts()
    assert counts is not None
    found = f_aggregates(counts, average=average)  # type: ignore[arg-type]
    whole = f1_score(true, pred, average=average, sample_weight=weight, zero_division=0)
    each = [
        f1_score(true[r], pred[r], average=average, sample_weight=part(weight, r), zero_division=0)
        for r in (fold == i for i in np.unique(fold))
    ]
    assert found.f_tpfp == pytest.approx(whole, abs=1e-12)
    assert found.f_avg == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_multilabel_as_scikit_learn(average: str, seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    true, pred = (rng.random((n, 3)) < rng.random(3) for _ in range(2))
    true[0] = True  # without any positive, scikit-learn's weighted mean has no weights
    fold = np.zeros(n)
    counts = FoldSet.from_arrays(fold, true, pred).counts()
    assert counts is not None
    found = f_aggregates(counts, average=average)  # type: ignore[arg-type]
    expected = f1_score(true, pred, average=average, zero_division=0)
    assert [found.f_tpfp, found.f_avg] == pytest.approx([expected, expected], abs=1e-12)


@pytest.mark.parametrize("way", [f_avg, f_avg_valid, f_of_each_fold, f_prre, f_prre_valid, f_tpfp])
def test_of_a_single_fold_every_way_gives_its_f1(way: Callable[[Counts], np.ndarray]) -> None:
    truth, guess = np.repeat([1, 0, 1, 0], [3, 2, 7, 4]), np.repeat([1, 1, 0, 0], [3, 2, 7, 4])
    assert float(way(Counts(np.array([3.0, 2, 7, 4]).reshape(4, 1, 1))).item()) == pytest.approx(f1_score(truth, guess))
