"""How often the intervals that cvlint prints hold what they are about: ``python coverage.py``.

Experiments are drawn again and again from one distribution: ten folds, scores that are normal within each class, and
decisions at the threshold with the highest F. For each interval the table says in how many of the experiments it holds
the mean of its aggregate over all of them, and, where the aggregate estimates a value of the distribution itself (F,
AUC, AP), in how many it holds that one. The interval of AP is about the true value, that of the others about the mean.
It also counts the experiments without an interval: their reason is printed below. A nominal 95 % interval holds its
mean in 95 % of them; 1,000 repetitions tell that up to 1.4 points.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import Pool
from statistics import NormalDist
from typing import Any

import numpy as np

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.aggregates import count_aggregates
from cvlint.runtime.intervals.bootstrap import CLASS_SIZES, ClassSizes, Interval
from cvlint.runtime.measures.counts import Average, f_from_rates
from cvlint.runtime.measures.ranking import Ranking
from cvlint.runtime.thresholds.optimism import optimism

GROUP, ALIKE = 4, 0.3  # samples of a group, and the share of the variance of their scores that they have in common
PRIORS, SIZES, FOLDS = (0.5, 0.1, 0.01), (500, 2_000, 5_000), 10
KINDS = ("binary", "weighted", "multiclass", "multilabel", "groups", "thresholds")
AVERAGES: dict[str, tuple[Average, ...]] = {
    "multiclass": ("macro", "weighted", "micro"),
    "multilabel": ("macro", "weighted", "micro"),
}


@dataclass(frozen=True)
class Setting:
    """A distribution of experiments, and how their intervals are computed."""

    kind: str
    prior: float
    samples: int
    separation: float
    replicates: int
    class_sizes: ClassSizes
    k: int
    jitter: float

    @cached_property
    def threshold(self) -> float:
        """The threshold with the highest F among all samples of the distribution."""
        steps = np.linspace(-3, self.separation + 3, 400)
        recall, alarms = (np.array([upper(t - shift) for t in steps]) for shift in (self.separation, 0.0))
        precision = self.prior * recall / (self.prior * recall + (1 - self.prior) * alarms)
        return float(steps[f_from_rates(precision, recall).argmax()])

    @cached_property
    def true_values(self) -> dict[str, float]:
        """The values of the distribution that aggregates estimate."""
        if self.kind not in ("binary", "weighted", "groups") or self.jitter:
            return {}
        recall, alarms = upper(self.threshold - self.separation), upper(self.threshold)
        share = round(self.samples * self.prior) / self.samples
        precision = share * recall / (share * recall + (1 - share) * alarms)
        auc = NormalDist().cdf(self.separation / 2**0.5)
        quantiles = np.array([NormalDist().inv_cdf(q) for q in (np.arange(20_000) + 0.5) / 20_000])
        weight = np.repeat((share, 1 - share), 20_000)
        both = np.concatenate((quantiles + self.separation, quantiles))
        ap = Ranking.of(np.arange(40_000) < 20_000, both, weight).average_precision()
        found = {"f_tpfp": float(f_from_rates(precision, recall)), "auc_avg": auc, "auc_merge": auc}
        return found | {"ap_avg": ap, "ap_merge": ap}

    def truth(self, rng: np.random.Generator) -> np.ndarray:
        """True classes, the folds of which `fold` makes stratified."""
        several = self.kind == "multiclass"
        shares = np.array([1 - self.prior, self.prior / 2, self.prior / 2] if several else [1 - self.prior, self.prior])
        if self.class_sizes == "random":
            sizes = rng.multinomial(self.samples, shares)
        else:
            sizes = np.round(self.samples * shares).astype(int)
            sizes[0] += self.samples - sizes.sum()
        return np.repeat(np.arange(len(shares)), sizes)

    def experiment(self, rng: np.random.Generator) -> FoldSet:
        """The fold data of one experiment."""
        shifts = np.random.default_rng(1).normal(size=FOLDS) * self.jitter  # of the models: the same in all experiments
        if self.kind == "multilabel":
            fold = np.arange(self.samples) % FOLDS
            true = rng.random((self.samples, 3)) < self.prior
            return FoldSet.from_arrays(
                fold, true, rng.normal(size=true.shape) + self.separation * true > self.threshold
            )
        if self.kind == "groups":
            group = np.arange(self.samples) // GROUP
            true = rng.random(self.samples) < self.prior
            common = rng.normal(size=group.max() + 1)[group]
            score = ALIKE**0.5 * common + (1 - ALIKE) ** 0.5 * rng.normal(size=self.samples) + self.separation * true
            return FoldSet.from_arrays(group % FOLDS, true, score > self.threshold, score, group=group)
        true = self.truth(rng)
        fold = np.arange(self.samples)[::-1] % FOLDS  # the classes one after the other: their folds differ by one
        if self.kind == "multiclass":
            score = rng.normal(size=(self.samples, 3)) + self.separation * np.eye(3)[true]
            score[:, 0] += self.threshold
            return FoldSet.from_arrays(fold, true, score.argmax(axis=1))
        score = rng.normal(size=self.samples) + self.separation * true + shifts[fold]
        if self.kind == "thresholds":  # calibrated probabilities
            odds = self.prior / (1 - self.prior) * np.exp(self.separation * (score - self.separation / 2))
            return FoldSet.from_arrays(fold, true, None, odds / (1 + odds))
        weight = rng.uniform(0.5, 2, self.samples) if self.kind == "weighted" else None
        return FoldSet.from_arrays(fold, true, score > self.threshold, score, weight=weight)


def upper(x: float) -> float:
    """The share of standard normal numbers above ``x``."""
    return 1 - NormalDist().cdf(x)


def measured(folds: FoldSet, setting: Setting, seed: int) -> Iterator[tuple[str, float, Interval | str]]:
    """Every interval of one experiment, or why there is none, with the value that it is around.

    With one seed, experiments would share the chance by which some hundred replicates are too close or too far.
    """
    bootstrap = Bootstrap(setting.replicates, seed=seed, class_sizes=setting.class_sizes)
    if setting.kind == "thresholds":
        found = optimism(folds, bootstrap=bootstrap)
        for way, interval in found.intervals.items():
            value = found.f[way] - (0 if way == "nested" else found.f["nested"])
            yield way, value, interval
        return
    for average in AVERAGES.get(setting.kind, ("binary",)):
        (result,) = recompute(folds, average=average, k=setting.k, bootstrap=bootstrap)
        for a in result.aggregates:
            name = a.name if average == "binary" else f"{a.name} {average}"
            yield name, a.value, a.interval or a.why.get("interval", a.why.get("value", ""))


def run(task: tuple[Setting, int, int]) -> list[list[tuple[str, float, Interval | str]]]:
    """Some experiments of one setting."""
    count_aggregates.expected_biases = lambda *_: "it is left out"  # simulated, slow, and no part of an interval
    setting, seed, times = task
    rng = np.random.default_rng(seed)
    return [list(measured(setting.experiment(rng), setting, seed * times + n)) for n in range(times)]


def table(setting: Setting, every: list[list[tuple[str, float, Interval | str]]]) -> Iterator[str]:
    """The lines of one setting."""
    whys: Counter[str] = Counter()
    for name in dict.fromkeys(name for one in every for name, _, _ in one):
        rows = [(value, interval) for one in every for own, value, interval in one if own == name]
        mean = float(np.nanmean([value for value, _ in rows])) if any(v == v for v, _ in rows) else float("nan")
        known = [interval for _, interval in rows if isinstance(interval, Interval)]
        whys.update(f"{name}: {interval}" for _, interval in rows if isinstance(interval, str))
        truth = setting.true_values.get(name)
        shown = [share(known, mean), "     " if truth is None else share(known, truth)]
        width = f"{np.mean([i.high - i.low for i in known]):.3f}" if known else "     "
        yield f"  {name:22} {mean:6.3f}   {shown[0]}   {shown[1]}   {width}   {len(rows) - len(known):6}"
    for why, times in whys.most_common(4):
        yield f"    no interval {times} times of {why}"


def share(known: list[Interval], value: float) -> str:
    """The share of the intervals that hold a value."""
    return f"{np.mean([i.low <= value <= i.high for i in known]):5.3f}" if known else "     "


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add: Any = parser.add_argument
    add("--repetitions", type=int, default=1_000, help="experiments of each setting; default: 1000")
    add("--replicates", type=int, default=1_000, help="replicates of each bootstrap; default: 1000")
    add("--prior", type=float, action="append", help="P(+); default: .5, .1 and .01; may be repeated")
    add("--samples", type=int, action="append", help="default: 500, 2000 and 5000; may be repeated")
    add("--separation", type=float, default=2.0, help="of the classes, in standard deviations; default: 2, AUC .921")
    add("--class-sizes", choices=CLASS_SIZES, default="fixed", help="of the experiments and of the intervals")
    add("--kind", choices=KINDS, default="binary", help="of task; default: binary")
    add("--k", type=int, default=10, help="of precision at k; default: 10")
    add("--jitter", type=float, default=0.0, help="how far the models of the folds differ; default: 0")
    add("--jobs", type=int, default=2)
    given = parser.parse_args()
    started = time.perf_counter()
    with Pool(given.jobs) as pool:
        for prior in given.prior or PRIORS:
            for samples in given.samples or SIZES:
                setting = Setting(
                    given.kind,
                    prior,
                    samples,
                    given.separation,
                    given.replicates,
                    given.class_sizes,
                    given.k,
                    given.jitter,
                )
                sizes = [given.repetitions // 20] * 19
                sizes.append(given.repetitions - sum(sizes))
                tasks = [(setting, seed, times) for seed, times in enumerate(sizes) if times]
                every = [one for part in pool.map(run, tasks, chunksize=1) for one in part]
                rare = samples * prior / FOLDS / (2 if given.kind == "multiclass" else 1)
                of_class = " of each rare class" if given.kind == "multiclass" else ""
                print(f"P(+) {prior:g}, {samples} samples, {rare:g} positives a fold{of_class}")
                print("  interval of              mean   holds it   true   width   without")
                print("\n".join(table(setting, every)), flush=True)
    print(f"{given.repetitions} repetitions of each setting: {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
