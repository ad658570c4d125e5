"""How often ``cvlint compare`` tells two classifiers apart: equally good ones, and ones that differ by .05 in F.

Run it: ``python tests/benchmarks/comparison_power.py [--pairs 400] [--replicates 1000]``. It takes a few minutes. It
judges each pair with the functions behind ``cvlint compare`` and, for the power, also with a plain paired bootstrap
(samples of both classes drawn together) that is written here. The last lines say whether the figures that the project
demands are reached; the exit status is 1 where they are not.

- Decisions: the scores of both classifiers are normal with a shared part, cut at one threshold, so that their true F is
  known and equal, or .05 apart.
- Learned: two linear discriminants, each trained in every fold on features of its own that tell as much as the other's.
  The algorithms are equally good, the trained models are not: each had other luck with its features. Intervals and
  DeLong's test are about the models, the corrected t-test is about the algorithms.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.comparison.compare import auc_error, f_of_folds, test_to_train
from cvlint.runtime.comparison.fold_tests import corrected_t
from cvlint.runtime.comparison.paired_bootstrap import count_differences, repetitions
from cvlint.runtime.comparison.pairing import Pair, paired
from cvlint.runtime.comparison.results import Difference
from cvlint.runtime.comparison.verdict import interval_of, normal_interval
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap

MOST_ALARMS = 0.07
GAP = 0.05
NORMAL = NormalDist()
Draw = Callable[[np.random.Generator], Pair]


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

    def draw(rng: np.random.Generator) -> Pair:
        y = np.arange(setting.n) < round(setting.n * setting.prevalence)
        fold = stratified(y, setting.folds, rng)
        both = rng.normal(size=setting.n) * np.sqrt(setting.shared)
        sides = []
        for signal in signals:
            score = signal * y + both + rng.normal(size=setting.n) * np.sqrt(1 - setting.shared)
            sides.append(FoldSet.from_arrays(fold, y, score > threshold, score))
        return paired(*sides)

    return draw


def learned(setting: Setting, features: int = 5, distance: float = 1.6) -> Draw:
    """Pairs of discriminants that are trained in each fold on features of their own."""

    def draw(rng: np.random.Generator) -> Pair:
        y = np.arange(setting.n) < round(setting.n * setting.prevalence)
        fold = stratified(y, setting.folds, rng)
        both = rng.normal(size=(setting.n, 1)) * np.sqrt(setting.shared)
        sides = []
        for _ in range(2):
            own = rng.normal(size=(setting.n, features))
            x = y[:, None] * distance / np.sqrt(features) + both / 3 + own
            score = np.zeros(setting.n)
            for code in range(setting.folds):
                test = fold == code
                score[test] = discriminant(x[~test], y[~test], x[test])
            sides.append(FoldSet.from_arrays(fold, y, score > 0, score))
        return paired(*sides)

    return draw


def discriminant(x: NDArray[np.float64], y: NDArray[np.bool_], test: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log odds by a linear discriminant."""
    means = x[~y].mean(axis=0), x[y].mean(axis=0)
    centred = np.where(y[:, None], x - means[1], x - means[0])
    weights = np.linalg.solve(centred.T @ centred / len(x), means[1] - means[0])
    return (test - (means[0] + means[1]) / 2) @ weights + np.log(y.mean() / (1 - y.mean()))


def stratified(y: NDArray[np.bool_], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Folds with equal shares of positives."""
    fold = np.zeros(len(y), dtype=np.intp)
    for side in (np.flatnonzero(y), np.flatnonzero(~y)):
        fold[rng.permutation(side)] = np.arange(len(side)) % folds
    return fold


def f_told_apart(pair: Pair, bootstrap: Bootstrap) -> bool:
    """Whether the interval of the difference of F_tp,fp leaves out 0."""
    drawn = count_differences(pair, ["f_tpfp"], 1.0, "binary", bootstrap)["f_tpfp"]
    return interval_of(Difference("f_tpfp", "F_tp,fp", "f", True, 0.0, 0.0), drawn, pair, bootstrap).shown


def auc_told_apart(pair: Pair, bootstrap: Bootstrap) -> bool:
    """Whether DeLong's interval of the difference of AUC_avg leaves out 0."""
    each = [np.mean([r.roc_auc() for r in side.fold_rankings(0)]) for side in (pair.first, pair.second)]
    own = Difference("auc_avg", "AUC_avg", "auc", True, float(each[0]), float(each[1]))
    return normal_interval(own, auc_error(pair, repetitions(pair), False), pair, bootstrap.level).shown


def t_told_apart(pair: Pair, bootstrap: Bootstrap) -> bool:
    """Whether the corrected resampled t-test over the folds tells F apart, which allows for other training data."""
    several = repetitions(pair)
    found = corrected_t(f_of_folds(several, 1.0, "binary"), test_to_train(several), "F", bootstrap.level)
    return bool(found.values) and found.values["p"] < 1 - bootstrap.level


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


def share(draw: Draw, judges: Sequence[Callable[[Pair, Bootstrap], bool]], pairs: int, replicates: int) -> list[float]:
    """The share of pairs that each judge tells apart."""
    told = np.zeros(len(judges))
    for number in range(pairs):
        pair = draw(np.random.default_rng((7, number)))
        told += [judge(pair, Bootstrap(replicates, seed=number)) for judge in judges]
    return list(told / pairs)


def main() -> int:
    """Print both tables, and whether the figures are reached."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--replicates", type=int, default=1000)
    given = parser.parse_args()
    settings = [Setting(n, p, f=f) for n in (500, 2_000) for p, f in ((0.5, 0.7), (0.1, 0.6))]
    worst, trained = 0.0, 0.0
    print(f"Equally good classifiers, {given.pairs} pairs: told as different")
    print(f"{'':46}    F   AUC  F by the corrected t-test")
    for name, make in (("decisions", lambda s: decided(s, 0.0)), ("learned", learned)):
        for setting in settings:
            judges = (f_told_apart, auc_told_apart, t_told_apart)
            f, auc, t = share(make(setting), judges, given.pairs, given.replicates)
            print(f"{name:10} {setting!s:35} {f:6.1%} {auc:6.1%} {t:6.1%}", flush=True)
            if name == "decisions":
                worst = max(worst, f, auc)
            else:
                trained = max(trained, f, auc)
    print(f"\nA difference of {GAP} in F, {given.pairs} pairs: shown")
    print(f"{'':46} compare  plain paired bootstrap")
    behind = 0.0
    for setting in settings:
        ours, plain = share(decided(setting, GAP), (f_told_apart, plain_told_apart), given.pairs, given.replicates)
        behind = max(behind, plain - ours) if setting.n == 2_000 else behind
        print(f"{'decisions':10} {setting!s:35} {ours:7.1%} {plain:7.1%}", flush=True)
    print(f"\nDecisions told as different at most: {worst:.1%} (wanted: {MOST_ALARMS:.0%} or less)")
    print(f"Learned ones: {trained:.1%}; intervals are about the trained models, which are not equally good")
    print(f"Behind the plain paired bootstrap at n = 2,000 by at most: {behind:.2%} (wanted: 0)")
    return 0 if worst <= MOST_ALARMS and behind <= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
