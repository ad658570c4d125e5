"""How often ``cvlint compare`` tells two classifiers apart: equally good ones, and ones that differ by .05 in F.

Run it: ``python -m tests.benchmarks.comparison_power [--pairs 400] [--replicates 1000]``. It takes some minutes. It
makes each pair, computes the differences of F_tp,fp and AUC_avg as `compare` does, and, for the power, also judges it
by a plain paired bootstrap (samples of both classes drawn together) that is written here. The last lines say whether
the figures that the project demands are reached; the exit status is 1 where they are not. Both bootstraps judge the
same pairs, so that a difference in power has an interval. Too few pairs pass nothing: the lower end of that interval
must not lie below half a point (`--power-pairs`).

The answer of ``cvlint compare`` makes two statements, and each has its own rate of errors: about the trained models
("the trained models of B are better"), and about the methods that trained them ("B is better").

- Decisions: the scores of both classifiers are normal with a shared part, cut at one threshold, so that their true F is
  known and equal, or .05 apart. Nothing is trained, so that both statements are wrong where they tell them apart.
- Learned: two linear discriminants, each trained in every fold on features of its own that tell as much as the other's.
  The methods are equally good, so that the second statement is wrong. The trained models are not: each had other luck
  with its features. Their true difference is computed, and the first statement is wrong where its interval leaves that
  out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES
from cvlint.runtime.comparison.compare import (
    f_differences,
    f_of_folds,
    of_each_fold,
    ranked,
    score_differences,
    test_to_train,
)
from cvlint.runtime.comparison.other_training import with_other_training
from cvlint.runtime.comparison.paired_bootstrap import repetitions
from cvlint.runtime.comparison.pairing import Pair, paired
from cvlint.runtime.comparison.results import Difference
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap

MOST_ALARMS = 0.07
GAP = 0.05
MARGIN = 0.005  # of power, that may be lost for all that the pairs show
NORMAL = NormalDist()
Drawn = tuple[Pair, tuple[float, float]]
"""A pair, and the true differences of F and AUC of its models."""
Draw = Callable[[np.random.Generator], Drawn]


@dataclass(frozen=True)
class Setting:
    """Samples, the share of positives, folds, the true F of the first classifier, and how alike the scores are."""

    n: int
    prevalence: float
    folds: int = 10
    f: float = 0.7
    shared: float = 0.5

    def __str__(self) -> str:
        return f"n {self.n:5}, P(+) {self.prevalence:.2f}, {self.folds} folds"


def true_f(signal: float, threshold: float, prevalence: float) -> float:
    """F of a normal score cut at a threshold."""
    tpr, fpr = NORMAL.cdf(signal - threshold), NORMAL.cdf(-threshold)
    return 2 * prevalence * tpr / (prevalence * (tpr + 1) + (1 - prevalence) * fpr)


def signal_for(f: float, threshold: float, prevalence: float) -> float:
    """The signal whose F is ``f``."""
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if true_f(middle, threshold, prevalence) < f else (low, middle)
    return low


def decided(setting: Setting, gap: float) -> Draw:
    """Pairs whose true F differs by ``gap``."""
    threshold = NORMAL.inv_cdf(1 - setting.prevalence * 0.6) if setting.prevalence < 0.4 else 0.6
    signals = [signal_for(f, threshold, setting.prevalence) for f in (setting.f, setting.f + gap)]

    def draw(rng: np.random.Generator) -> Drawn:
        y = np.arange(setting.n) < round(setting.n * setting.prevalence)
        fold = stratified(y, setting.folds, rng)
        both = rng.normal(size=setting.n) * np.sqrt(setting.shared)
        sides = []
        for signal in signals:
            score = signal * y + both + rng.normal(size=setting.n) * np.sqrt(1 - setting.shared)
            sides.append(FoldSet.from_arrays(fold, y, score > threshold, score))
        return paired(*sides), (gap, NORMAL.cdf(signals[1] / 2**0.5) - NORMAL.cdf(signals[0] / 2**0.5))

    return draw


def learned(setting: Setting, features: int = 5, distance: float = 1.6) -> Draw:
    """Pairs of discriminants that are trained in each fold on features of their own."""

    def draw(rng: np.random.Generator) -> Drawn:
        y = np.arange(setting.n) < round(setting.n * setting.prevalence)
        fold = stratified(y, setting.folds, rng)
        both = rng.normal(size=(setting.n, 1)) * np.sqrt(setting.shared)
        sides, true = [], []
        for _ in range(2):
            own = rng.normal(size=(setting.n, features))
            x = y[:, None] * distance / np.sqrt(features) + both / 3 + own
            score, known = np.zeros(setting.n), []
            for code in range(setting.folds):
                test = fold == code
                weights, offset = discriminant(x[~test], y[~test])
                score[test] = x[test] @ weights + offset
                gap = distance / np.sqrt(features) * weights.sum()
                deviation = float(np.sqrt(weights @ weights + setting.shared / 9 * weights.sum() ** 2))
                rates = (NORMAL.cdf((gap + offset) / deviation), NORMAL.cdf(offset / deviation))
                known.append((*rates, NORMAL.cdf(gap / deviation / 2**0.5)))
            sides.append(FoldSet.from_arrays(fold, y, score > 0, score))
            true.append(true_measures(np.array(known), fold, y))
        return paired(*sides), (true[1][0] - true[0][0], true[1][1] - true[0][1])

    return draw


def true_measures(known: NDArray[np.float64], fold: NDArray[np.intp], y: NDArray[np.bool_]) -> tuple[float, float]:
    """F_tp,fp and AUC_avg of trained models, from the true rates and AUC of each fold's model, (folds, 3)."""
    positives, negatives = (np.bincount(fold[chosen], minlength=len(known)) for chosen in (y, ~y))
    tp, fp = positives @ known[:, 0], negatives @ known[:, 1]
    return float(2 * tp / (positives.sum() + tp + fp)), float(known[:, 2].mean())


def discriminant(x: NDArray[np.float64], y: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """The weights and the offset of the log odds by a linear discriminant."""
    means = x[~y].mean(axis=0), x[y].mean(axis=0)
    centred = np.where(y[:, None], x - means[1], x - means[0])
    weights = np.linalg.solve(centred.T @ centred / len(x), means[1] - means[0])
    return weights, float(np.log(y.mean() / (1 - y.mean())) - (means[0] + means[1]) / 2 @ weights)


def stratified(y: NDArray[np.bool_], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Folds with equal shares of positives."""
    fold = np.zeros(len(y), dtype=np.intp)
    for side in (np.flatnonzero(y), np.flatnonzero(~y)):
        fold[rng.permutation(side)] = np.arange(len(side)) % folds
    return fold


def differences(pair: Pair, bootstrap: Bootstrap) -> list[Difference]:
    """F_tp,fp of both, and AUC_avg where there are scores, as `compare` tells them apart; the rest takes longest."""
    several = repetitions(pair)
    ratio = test_to_train(several)
    rows = [row for row in COUNT_AGGREGATES if row.right]
    (f,) = f_differences(pair, several, 1.0, "binary", bootstrap, rows)
    each = f_of_folds(several, 1.0, "binary")
    found = [with_other_training(f, each, pair.first.folds, ratio, bootstrap.level)]
    if pair.first.y_score is not None:
        sides = [ranked(several, side, None, "binary") for side in (0, 1)]
        areas = (d for d in score_differences(pair, several, sides, None, "macro", bootstrap) if d.name == "auc_avg")
        each = of_each_fold(sides, "auc")
        found += [with_other_training(d, each, pair.first.folds, ratio, bootstrap.level) for d in areas]
    return found


def errors(drawn: Drawn, bootstrap: Bootstrap) -> list[bool]:
    """Of equally good methods: whether the statements on the models are wrong in F and AUC, and on the methods."""
    pair, true = drawn
    both = differences(pair, bootstrap)
    models = [
        i is None or not i.low <= value <= i.high for i, value in zip((d.interval for d in both), true, strict=True)
    ]
    return models + [one.shown_of_methods for one in both]


def shows(drawn: Drawn, bootstrap: Bootstrap) -> list[bool]:
    """Whether F of the models is told apart, that of the methods, and that of the models by the plain bootstrap."""
    pair = replace(drawn[0], **{side: replace(getattr(drawn[0], side), y_score=None) for side in ("first", "second")})
    (found,) = differences(pair, bootstrap)
    return [found.shown, found.shown_of_methods, plain_told_apart(pair, bootstrap)]


def plain_told_apart(pair: Pair, bootstrap: Bootstrap) -> bool:
    """The same by the plain paired bootstrap: samples are drawn whatever their class and fold."""
    rng = np.random.default_rng(bootstrap.seed + 1)
    y, first, second = (np.asarray(v) for v in (pair.first.y_true, pair.first.y_pred, pair.second.y_pred))
    shares = np.bincount(y * 4 + first * 2 + second, minlength=8) / len(y)
    drawn = rng.multinomial(len(y), shares, size=bootstrap.replicates).reshape(-1, 2, 2, 2)
    f = []
    for axis in (3, 2):
        table = drawn.sum(axis=axis)
        f.append(2 * table[:, 1, 1] / (table[:, 1].sum(axis=1) + table[:, :, 1].sum(axis=1)))
    low, high = np.quantile(f[1] - f[0], [(1 - bootstrap.level) / 2, (1 + bootstrap.level) / 2])
    return not low <= 0 <= high


@dataclass(frozen=True)
class Task:
    """Pairs to be judged, as one process of several gets them."""

    make: Callable[[], Draw]
    judge: Callable[[Drawn, Bootstrap], list[bool]]
    pairs: range
    replicates: int

    def answers(self) -> list[list[bool]]:
        """The answers of the judge to each pair."""
        draw = self.make()
        drawn = (draw(np.random.default_rng((7, n))) for n in self.pairs)
        return [self.judge(one, Bootstrap(self.replicates, seed=n)) for n, one in zip(self.pairs, drawn, strict=True)]


def answers(
    pool: Executor,
    make: Callable[[], Draw],
    judge: Callable[[Drawn, Bootstrap], list[bool]],
    pairs: int,
    replicates: int,
) -> NDArray[np.bool_]:
    """The answers of the judge to each pair, (pairs, answers)."""
    tasks = [Task(make, judge, range(n, min(n + 100, pairs)), replicates) for n in range(0, pairs, 100)]
    return np.array([one for part in pool.map(Task.answers, tasks) for one in part])


def difference(ours: NDArray[np.bool_], plain: NDArray[np.bool_]) -> tuple[float, float]:
    """How much more often ours is true than the plain one, and the half width of its 95 % interval, of paired answers.

    Both are judged on the same pairs, so that only those count of which one alone is true. With few of them the
    variance is that of one pair more (Agresti & Min 2005).
    """
    only, other, number = int((ours & ~plain).sum()) + 0.5, int((plain & ~ours).sum()) + 0.5, len(ours) + 2
    variance = (only + other - (only - other) ** 2 / number) / number**2
    return float(ours.mean() - plain.mean()), NORMAL.inv_cdf(0.975) * variance**0.5


def wrong_statements(pool: Executor, settings: list[Setting], pairs: int, replicates: int) -> dict[str, float]:
    """Print how often equally good classifiers are told apart; the largest rate of each statement."""
    worst = {"models": 0.0, "methods": 0.0}
    print(f"Equally good classifiers, {pairs} pairs: wrong statements about")
    print(f"{'':46} the models    the methods")
    print(f"{'':46}      F    AUC      F    AUC")
    for name in ("decisions", "learned"):
        for setting in settings:
            make = partial(decided, setting, 0.0) if name == "decisions" else partial(learned, setting)
            found = answers(pool, make, errors, pairs, replicates).mean(axis=0)
            print(
                f"{name:10} {setting!s:35} {found[0]:6.1%} {found[1]:5.1%}  {found[2]:6.1%} {found[3]:6.1%}", flush=True
            )
            worst = {"models": max(worst["models"], *found[:2]), "methods": max(worst["methods"], *found[2:])}
    return worst


def power(
    pool: Executor, settings: list[Setting], pairs: int, power_pairs: int, replicates: int
) -> list[tuple[float, float]]:
    """Print how often a difference is shown; that of 2,000 samples less the plain bootstrap's, with half widths."""
    print(f"\nA difference of {GAP} in F, {pairs} pairs, {power_pairs} of 2,000 samples: shown")
    print(f"{'':46}  models  methods  models by the plain paired bootstrap, and the difference")
    behind = []
    for setting in settings:
        number = power_pairs if setting.n == 2_000 else pairs
        told = answers(pool, partial(decided, setting, GAP), shows, number, replicates)
        models, methods, plain = told.mean(axis=0)
        more, reach = difference(told[:, 0], told[:, 2])
        if setting.n == 2_000:
            behind.append((more, reach))
        print(
            f"{'decisions':10} {setting!s:35} {models:7.1%} {methods:8.1%} {plain:8.1%}   {more:+.2%} ± {reach:.2%}",
            flush=True,
        )
    return behind


def main() -> int:
    """Print both tables, and whether the figures are reached."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--power-pairs", type=int, default=20_000)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    settings = [Setting(n, p, f=f) for n in (500, 2_000) for p, f in ((0.5, 0.7), (0.1, 0.6))]
    with ProcessPoolExecutor(given.jobs) as pool:
        worst = wrong_statements(pool, settings, given.pairs, given.replicates)
        behind = power(pool, settings, given.pairs, given.power_pairs, given.replicates)
    for statement, rate in worst.items():
        print(f"Wrong statements about the {statement} at most: {rate:.1%} (wanted: {MOST_ALARMS:.0%} or less)")
    says = ", ".join(f"{more:+.2%} ± {reach:.2%}" for more, reach in behind)
    print(f"Power of the models at n = 2,000 beside the plain paired bootstrap's: {says}")
    print(f"(wanted: with the half width, not below −{MARGIN:.1%})")
    return 0 if max(worst.values()) <= MOST_ALARMS and all(more - reach >= -MARGIN for more, reach in behind) else 1


if __name__ == "__main__":
    sys.exit(main())
