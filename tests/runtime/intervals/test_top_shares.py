"""Precision among the first k: what lies at their border, and the interval of hits and misses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from cvlint.runtime.intervals.bootstrap import ClassSizes, Interval
from cvlint.runtime.intervals.ranking_influence import RankedGroups
from cvlint.runtime.intervals.ranking_intervals import TopShare, precision_interval, squares_of_groups, top_share
from cvlint.runtime.intervals.truncated_binomial import TruncatedBinomial
from cvlint.runtime.measures.ranking import Ranking

TRUTH = np.array([True, True, False, True, False, False, True, False])  # from the highest score on
SCORE = np.arange(8.0)[::-1]


@pytest.mark.parametrize(("k", "border", "hits"), [(1, 2, 2), (2, 2, 1), (3, 2, 1), (7, 2, 1)])
def test_the_border_is_at_least_the_last_place_and_the_next(k: int, border: int, hits: int) -> None:
    """It is the k-th sample and the one after it, as long as a quarter of k is no more than one."""
    found = top_share(Ranking.of(TRUTH, SCORE), k, "fixed")
    assert found is not None
    assert (found.taken, found.hits) == (k, TRUTH[:k].sum())
    assert (found.border, found.border_hits) == (border, pytest.approx(hits))


def test_groups_differ_by_their_hits_and_their_samples_among_the_first() -> None:
    """The sums of g groups are enlarged by g / (g - 1), as those of samples are for a variance."""
    group = np.array([0, 0, 1, 0, 2, 1, 3, 3])
    hits, taken = (np.bincount(group[:4], mass, 4) for mass in (TRUTH[:4].astype(float), None))
    covariance = 4 * np.cov(hits, taken)  # of the first four
    found = squares_of_groups(Ranking.of(TRUTH, SCORE), 4, RankedGroups.of(TRUTH, SCORE, group))
    assert found == pytest.approx((covariance[0, 0], covariance[0, 1], covariance[1, 1]))


@pytest.mark.parametrize("class_sizes", ["fixed", "random"])
def test_the_interval_of_the_misses_is_that_of_the_hits_turned_round(class_sizes: ClassSizes) -> None:
    hits = precision_interval([TopShare(40, 15, 300, 500, 20, 4, False)], 0.95, class_sizes)
    misses = precision_interval([TopShare(40, 25, 500, 300, 20, 16, False)], 0.95, class_sizes)
    assert isinstance(hits, Interval) and isinstance(misses, Interval)
    assert (misses.low, misses.high) == pytest.approx((1 - hits.high, 1 - hits.low), abs=1e-6)


@pytest.mark.parametrize("hits", [2, 5, 7])
def test_numbers_that_are_as_likely_as_the_one_found_count_half(hits: int) -> None:
    """Of ten, for a share of a half: 7 is as likely as 3."""
    chance = binom.pmf(np.arange(11), 10, 0.5)
    rarer, alike = chance < chance[hits] - 1e-12, np.isclose(chance, chance[hits])
    found = TruncatedBinomial.of(hits, 0, 10, 1.0, 10).rarity(math.log(1))
    assert found == pytest.approx(chance[rarer].sum() + chance[alike].sum() / 2)
