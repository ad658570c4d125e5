"""The probability of a fold without positives against counting all splits, and against drawing them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives


def parts(samples: int, folds: int) -> list[list[int]]:
    return [list(part) for part in np.array_split(np.arange(samples), folds)]


@given(st.integers(2, 9), st.integers(0, 9), st.integers(2, 5))
def test_against_counting(samples: int, positives: int, folds: int) -> None:
    if folds > samples or positives > samples:
        with pytest.raises(ValueError, match="cannot be a cross-validation"):
            p_some_fold_without_positives(samples, positives, folds)
        return
    choices = [set(chosen) for chosen in combinations(range(samples), positives)]
    empty = sum(any(not chosen & set(part) for part in parts(samples, folds)) for chosen in choices)
    assert p_some_fold_without_positives(samples, positives, folds) == pytest.approx(empty / len(choices), abs=1e-12)


def test_against_drawing() -> None:
    rng = np.random.default_rng(0)
    y = np.zeros(1000, dtype=bool)
    y[:15] = True
    draws = [any(not drawn[part].any() for part in parts(1000, 10)) for drawn in (rng.permuted(y) for _ in range(400))]
    expected = p_some_fold_without_positives(1000, 15, 10)
    assert abs(np.mean(draws) - expected) < 4 * np.sqrt(expected * (1 - expected) / 400)


def test_large_numbers_stay_exact() -> None:
    assert p_some_fold_without_positives(100_000, 50_000, 10) == pytest.approx(0, abs=1e-300)
    assert p_some_fold_without_positives(1000, 0, 10) == 1
    assert p_some_fold_without_positives(1000, 9, 10) == 1
