"""Confidence intervals of aggregates by a bootstrap that keeps each fold's class sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.counts import Average, FAggregates, Floats, Kind, counts_of, f_aggregates, over_classes
from cvlint.runtime.ranking import Ranking

CELLS = 2_000_000  # drawn at a time: bounds the memory
MOST_SAMPLES = 100_000  # a ranking of more is not resampled: its interval is narrow, and takes minutes


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How many sets are drawn (0: none), what share of them an interval holds, and where random numbers start."""

    replicates: int = 2_000
    level: float = 0.95
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``low`` to ``high``, holding the middle ``level`` of the bootstrap's replicates."""

    low: float
    high: float
    level: float


def f_intervals(
    tables: NDArray[np.float64], kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> dict[str, Interval]:
    """Intervals of the five aggregates of F.

    Parameters
    ----------
    tables
        Confusion tables (folds, true, predicted) in whole numbers.
    kind
        "binary", the last class being the positive one, or "multiclass".
    beta, average
        As for `f_aggregates`.
    bootstrap
        How to draw.

    Returns
    -------
    dict
        An interval by the aggregate's name; none where a replicate leaves the aggregate undefined.
    """
    found: dict[str, list[float]] = {f.name: [] for f in fields(FAggregates)}
    for table in drawn_tables(tables, bootstrap):
        values = f_aggregates(counts_of(table, kind), beta, average)
        for name, several in found.items():
            several.append(getattr(values, name))
    return {name: interval for name, several in found.items() if (interval := middle(several, bootstrap.level))}


def tpfp_interval(
    tables: NDArray[np.float64], kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> Interval | None:
    """The interval of F_tp,fp alone, the same as that of `f_intervals`, in a hundredth of the time."""
    pooled = counts_of(drawn_tables(tables, bootstrap).sum(axis=1), kind)  # each replicate stands where a fold does
    pooled = pooled.micro() if average == "micro" else pooled
    return middle(over_classes(pooled.f(beta), pooled, average), bootstrap.level)


def drawn_tables(tables: NDArray[np.float64], bootstrap: Bootstrap) -> NDArray[np.int64]:
    """Confusion tables that are drawn from those given, (replicates, folds, true, predicted)."""
    rng = np.random.default_rng(bootstrap.seed)
    k, c, _ = tables.shape
    sizes = tables.sum(axis=2)
    shares = np.divide(tables, sizes[:, :, None], out=np.full(tables.shape, 1 / c), where=sizes[:, :, None] > 0)
    return rng.multinomial(sizes.astype(np.int64), shares, size=(bootstrap.replicates, k, c))


def middle(values: Sequence[float] | Floats, level: float) -> Interval | None:
    """The interval that holds the middle ``level`` of ``values``; None when one of them is undefined."""
    if not len(values) or np.isnan(values).any():
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def auc_intervals(
    parts: Sequence[Ranking], whole: Ranking, bootstrap: Bootstrap
) -> tuple[Interval | None, Interval | None]:
    """Intervals of AUC_avg (over folds with both classes) and of AUC_merge, from the same draws."""
    if sum(len(p.positives) + len(p.negatives) for p in parts) > MOST_SAMPLES or not parts:
        return None, None
    averages: list[Floats] = []
    merges: list[Floats] = []
    order = [
        np.argsort(np.concatenate([getattr(p, n) for p in parts]), kind="stable") for n in ("positives", "negatives")
    ]
    places = Places.of(whole)
    each = [Places.of(p) for p in parts]
    for positive, negative in draws(parts, bootstrap):
        aucs = [place.auc(a, b) for place, a, b in zip(each, positive, negative, strict=True) if place.defined]
        if aucs:
            averages.append(np.mean(aucs, axis=0))
        if places.defined:
            merges.append(
                places.auc(np.concatenate(positive, axis=1)[:, order[0]], np.concatenate(negative, axis=1)[:, order[1]])
            )
    return tuple(middle(np.concatenate(v), bootstrap.level) if v else None for v in (averages, merges))  # type: ignore[return-value]


def draws(parts: Sequence[Ranking], bootstrap: Bootstrap) -> Iterator[tuple[list[Floats], list[Floats]]]:
    """How often each positive and each negative of each fold is drawn: (block of replicates, samples) arrays."""
    rng = np.random.default_rng(bootstrap.seed)
    samples = sum(len(p.positives) + len(p.negatives) for p in parts)
    block = max(1, CELLS // max(samples, 1))
    for start in range(0, bootstrap.replicates, block):
        size = min(block, bootstrap.replicates - start)
        yield tuple(  # type: ignore[misc]
            [
                rng.multinomial(n, np.full(n, 1 / n), size=size).astype(np.float64) if n else np.zeros((size, 0))
                for n in sizes
            ]
            for sizes in ([len(p.positives) for p in parts], [len(p.negatives) for p in parts])
        )


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """Where each positive stands among the negatives: below it, and not above it."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    negatives: int

    @classmethod
    def of(cls, ranking: Ranking) -> Places:
        """Look every positive up."""
        left, right = (np.searchsorted(ranking.negatives, ranking.positives, side) for side in ("left", "right"))
        return cls(left, right, len(ranking.negatives))

    @property
    def defined(self) -> bool:
        """Whether both classes are there."""
        return bool(len(self.left) and self.negatives)

    def auc(self, positive: Floats, negative: Floats) -> Floats:
        """AUC of each replicate, from how often each sample is drawn."""
        mass = np.concatenate((np.zeros((len(negative), 1)), np.cumsum(negative, axis=1)), axis=1)
        below = (positive * (mass[:, self.left] + mass[:, self.right])).sum(axis=1) / 2
        return np.asarray(below / (positive.sum(axis=1) * mass[:, -1]))
