"""Experiments that are drawn from one distribution, to see how often their intervals hold what they are about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from cvlint.runtime import FoldSet
from cvlint.runtime.intervals.bootstrap import ClassSizes
from cvlint.runtime.measures.counts import f_from_rates
from cvlint.runtime.measures.ranking import Ranking

GROUP, ALIKE = 4, 0.3  # samples of a group, and the share of the variance of their scores that they have in common
FOLDS = 10


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

    def truth(self, rng: np.random.Generator, several: bool = False) -> np.ndarray:
        """True classes, two or ``several``, the folds of which `fold` makes stratified."""
        shares = np.array([1 - self.prior, self.prior / 2, self.prior / 2] if several else [1 - self.prior, self.prior])
        if self.class_sizes == "random":
            sizes = np.zeros(len(shares), dtype=np.int64)
            while not sizes.all():  # without a sample of a class the experiment has another number of classes
                sizes = rng.multinomial(self.samples, shares)
        else:
            sizes = np.round(self.samples * shares).astype(int)
            sizes[0] += self.samples - sizes.sum()
        return np.repeat(np.arange(len(shares)), sizes)

    def experiment(self, rng: np.random.Generator) -> FoldSet:
        """The fold data of one experiment."""
        columns, (score,) = self.drawn(rng, (self.separation,), self.kind)
        if self.kind == "thresholds":  # calibrated probabilities
            odds = self.prior / (1 - self.prior) * np.exp(self.separation * (score - self.separation / 2))
            return FoldSet.from_arrays(**columns, y_score=odds / (1 + odds))
        ranked = score if score.ndim == 1 else None  # several columns have no interval of a ranking
        return FoldSet.from_arrays(**columns, y_pred=self.decided(score), y_score=ranked)

    def decided(self, score: np.ndarray) -> np.ndarray:
        """The labels, or indicators, that follow from scores."""
        if self.kind.endswith("multiclass"):
            return np.asarray((score + self.threshold * (np.arange(score.shape[1]) == 0)).argmax(axis=1))
        return score > self.threshold

    def drawn(
        self, rng: np.random.Generator, separations: tuple[float, ...], kind: str, common: float = 0.0
    ) -> tuple[dict[str, Any], list[np.ndarray]]:
        """The samples of one experiment, and the scores of models whose classes lie so far apart.

        ``common`` is the share of the variance of scores that is common to the models.
        """
        n = self.samples
        fold, columns = np.arange(n)[::-1] % FOLDS, {}
        if kind == "multilabel":
            true = rng.random((n, 3)) < self.prior
        elif kind == "groups":
            group = np.arange(n) // GROUP
            true, fold, columns = rng.random(n) < self.prior, group % FOLDS, {"group": group}
        else:  # the classes one after the other: their folds differ by one
            true = self.truth(rng, kind == "multiclass")
        if kind == "weighted":
            columns = {"weight": rng.uniform(0.5, 2, n)}
        belongs = true[:, None] == np.arange(3) if kind == "multiclass" else true
        shifts = np.random.default_rng(1).normal(size=FOLDS) * self.jitter  # of the models: alike in all experiments
        shared = noise(rng, belongs.shape, kind) if common else 0.0
        scores = []
        for separation in separations:
            own = common**0.5 * shared + (1 - common) ** 0.5 * noise(rng, belongs.shape, kind)
            scores.append(own + separation * belongs + (shifts[fold] if belongs.ndim == 1 else 0.0))
        return {"fold": fold, "y_true": true, **columns}, scores


def noise(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
    """Standard normal numbers, alike within groups."""
    own = rng.normal(size=shape)
    if kind != "groups":
        return own
    group = np.arange(shape[0]) // GROUP
    return np.asarray(ALIKE**0.5 * rng.normal(size=group.max() + 1)[group] + (1 - ALIKE) ** 0.5 * own)


def upper(x: float) -> float:
    """The share of standard normal numbers above ``x``."""
    return 1 - NormalDist().cdf(x)
