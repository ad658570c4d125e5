"""A method is called better only where other training data leave no doubt; trained models are told apart before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cvlint.runtime import FoldSet
from cvlint.runtime.comparison.compare import ONE_FOLD, compare
from cvlint.runtime.comparison.other_training import with_other_training
from cvlint.runtime.comparison.pairing import Pair, paired
from cvlint.runtime.comparison.results import Difference
from cvlint.runtime.intervals.bootstrap import Bootstrap, Interval


def pair(more: float, folds: int = 5, n: int = 600) -> Pair:
    """The second experiment decides a share of ``more`` further samples right."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 4 == 0
    sides = [np.where(rng.random(n) < right, y, ~y) for right in (0.7, 0.7 + more)]
    return paired(*(FoldSet.from_arrays(np.arange(n) // 7 % folds, y, p) for p in sides))


def test_the_variance_is_that_of_nadeau_and_bengio() -> None:
    """Where the variance over samples is the k-th part of that of a fold, it is the corrected one."""
    of_folds = [0.01, -0.02, 0.05, 0.03, 0.04, 0.0, 0.02, 0.06, -0.01, 0.03]
    variance = float(np.var(of_folds, ddof=1))
    own = Difference("f_tpfp", "F", "f", True, 0.5, 0.521, Interval(0.01, 0.03, 0.95), error=np.sqrt(variance / 10))
    reach = 1.959964 * np.sqrt((1 / 10 + 1 / 9) * variance)
    for value, stays in ((reach * 1.0001, True), (reach * 0.9999, False), (-reach * 1.0001, True)):
        ends = sorted((np.sign(value) * 0.01, np.sign(value) * 0.05))
        one = replace(own, second=0.5 + value, interval=Interval(*ends, 0.95))
        assert with_other_training(one, of_folds, 10, 1 / 9, 0.95).stays is stays
        assert with_other_training(one, [], 10, 1 / 9, 0.95).stays is stays  # no folds: the variance over samples alone
    hidden = replace(own, second=0.9, interval=Interval(-0.01, 0.9, 0.95))
    assert with_other_training(hidden, of_folds, 10, 1 / 9, 0.95).stays is False


@pytest.mark.parametrize(
    ("more", "verdict", "says"),
    [
        (0.03, "no difference shown", "positives are needed"),
        (0.05, "trained models better", "This does not show that the method is"),
        (0.2, "better", "The difference stays if other training data are allowed for."),
    ],
)
def test_what_is_said_of_a_difference(more: float, verdict: str, says: str) -> None:
    found = compare(pair(more), bootstrap=Bootstrap(500))
    assert found.verdict == verdict
    assert says in found.sentence
    assert found.chosen.stays is (verdict == "better")
    back = compare(paired(pair(more).second, pair(more).first), bootstrap=Bootstrap(500))
    assert back.verdict == verdict.replace("better", "worse")


def test_one_fold_says_nothing_about_the_method() -> None:
    found = compare(pair(0.3, folds=1), bootstrap=Bootstrap(500))
    assert found.verdict == "trained models better"
    assert found.sentence.endswith(f"Whether the method is, cannot be said: {ONE_FOLD}.")


def test_the_error_of_average_precision_is_that_of_the_bootstrap() -> None:
    rng = np.random.default_rng(1)
    y, fold = np.arange(400) % 5 == 0, np.arange(400) // 5 % 4
    sides = [FoldSet.from_arrays(fold, y, y_score=rng.normal(size=400) + 1.5 * y) for _ in range(2)]
    found = {d.name: d for d in compare(paired(*sides), bootstrap=Bootstrap(0)).differences}
    rows = [np.flatnonzero((y == side) & (fold == f)) for side in (True, False) for f in range(4)]
    values = []
    for _ in range(300):
        drawn = np.concatenate([rng.choice(one, len(one)) for one in rows])
        again = [FoldSet.from_arrays(fold[drawn], y[drawn], y_score=side.scores(0)[drawn]) for side in sides]
        each = [np.mean([r.average_precision() for r in side.fold_rankings(0)]) for side in again]
        values.append(each[1] - each[0])
    assert found["ap_avg"].method == "jackknife"
    assert found["ap_avg"].error == pytest.approx(np.std(values), rel=0.2)
