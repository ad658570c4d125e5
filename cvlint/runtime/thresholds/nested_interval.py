"""The interval of F with thresholds that are chosen on the other folds, which also shows that they would be others.

Samples drawn for one another leave the thresholds as they are, so that the variance by the bootstrap is too small: its
intervals of 95 % held F in 87 to 94 % of the experiments. Where each of ten groups of samples is left out in turn, the
thresholds are chosen anew. The variance by this jackknife is too large on average (Efron & Stein 1981): its intervals
held F in 94 to 98 %. The mean of both lies between, and `tests/benchmarks/coverage.py` says how often it holds F.

References
----------
Efron & Stein 1981, The jackknife estimate of variance; Shao & Wu 1989, for groups in place of single samples.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.intervals.bootstrap import CERTAIN, FEW, LEAST, ClassSizes, Interval
from cvlint.runtime.intervals.truncated_binomial import expit
from cvlint.runtime.measures.counts import Floats, f_from_counts

GROUPS = 10
CELLS = 400_000  # of folds × thresholds: bounds the memory, and the time
MOST_THRESHOLDS = 2_000
FOLDS = f"there are more than {CELLS // 100:,} folds"


def nested_interval(
    value: float,
    drawn: Floats,
    fold: NDArray[np.intp],
    truth: NDArray[np.bool_],
    score: Floats,
    beta: float,
    level: float,
    class_sizes: ClassSizes,
    seed: int,
) -> Interval | str:
    """The interval of the nested F, or why there is none.

    Parameters
    ----------
    value, drawn
        F, and F in each replicate of the bootstrap with these thresholds.
    fold, truth, score
        Of each sample.
    beta
        The weight of recall.
    level, class_sizes, seed
        As in `cvlint.runtime.intervals.bootstrap.Bootstrap`.
    """
    if min(truth.sum(), (~truth).sum()) < LEAST:
        return FEW
    if fold.max() >= CELLS // 100:
        return FOLDS
    variance = (float(np.var(drawn)) + jackknife_variance(fold, truth, score, beta, class_sizes, seed)) / 2
    if variance < 1e-24 or not 0 < value < 1:
        return CERTAIN
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(variance) / (value * (1 - value))
    logit = math.log(value / (1 - value))
    return Interval(expit(logit - reach), expit(logit + reach), level)


def jackknife_variance(
    fold: NDArray[np.intp], truth: NDArray[np.bool_], score: Floats, beta: float, class_sizes: ClassSizes, seed: int
) -> float:
    """The variance of the nested F from its values without each group of samples."""
    thresholds = candidates(score[truth], int(fold.max()) + 1)
    group = groups(fold, truth, class_sizes, seed)
    each = [called(fold, truth, score, thresholds, group == number) for number in range(GROUPS)]
    every = np.sum(each, axis=0)
    left = np.array([nested_f(every - one, beta) for one in each])
    return float((GROUPS - 1) / GROUPS * ((left - left.mean()) ** 2).sum())


def candidates(scores: Floats, folds: int) -> Floats:
    """Thresholds to choose from, rising: the scores of positives, evenly thinned out; the best F is always at one."""
    distinct = np.unique(scores)
    most = max(2, min(MOST_THRESHOLDS, CELLS // folds))
    if len(distinct) <= most:
        return distinct
    return np.asarray(distinct[np.linspace(0, len(distinct) - 1, most).astype(np.intp)])


def groups(fold: NDArray[np.intp], truth: NDArray[np.bool_], class_sizes: ClassSizes, seed: int) -> NDArray[np.intp]:
    """A group of each sample; each group has its share of each fold, and of each class where their sizes are fixed."""
    rng = np.random.default_rng(seed)
    order = np.lexsort((rng.random(len(fold)), fold))
    if class_sizes == "fixed":
        order = order[np.argsort(truth[order], kind="stable")]
    found = np.empty(len(fold), dtype=np.intp)
    found[order] = np.arange(len(fold)) % GROUPS
    return found


def called(
    fold: NDArray[np.intp], truth: NDArray[np.bool_], score: Floats, thresholds: Floats, chosen: NDArray[np.bool_]
) -> Floats:
    """How many positives and negatives each threshold calls positive in each fold: (class, folds, thresholds).

    A last threshold calls all of them positive.
    """
    folds, width = int(fold.max()) + 1, len(thresholds) + 1
    place = np.searchsorted(thresholds, score[chosen], "right")  # so many thresholds call the sample positive
    code = ((~truth[chosen]).astype(np.intp) * folds + fold[chosen]) * width + place
    numbers = np.bincount(code, minlength=2 * folds * width).reshape(2, folds, width)
    return np.asarray(numbers[..., ::-1].cumsum(axis=2), dtype=np.float64)


def nested_f(numbers: Floats, beta: float) -> float:
    """F of the summed counts, with the threshold of each fold that is best on the other folds."""
    positives = numbers[0, :, -1]
    others = numbers.sum(axis=1, keepdims=True) - numbers
    tp, fp = others[..., :-1]
    f = f_from_counts(tp, fp, (positives.sum() - positives)[:, None] - tp, beta)
    best, row = f.argmax(axis=1), np.arange(len(positives))
    tp, fp = (float(side[row, best].sum()) for side in numbers)
    return float(f_from_counts(tp, fp, float(positives.sum()) - tp, beta))
