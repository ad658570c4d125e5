"""Pairs of experiments on the same samples, and the intervals of their differences.

The first of two models separates the classes by `GAP` less than the second, and half of the variance of their scores is
common to both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cvlint.runtime import Bootstrap, FoldSet
from cvlint.runtime.comparison.compare import compare
from cvlint.runtime.comparison.curve_bands import difference_bands
from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.intervals.bootstrap import Interval
from cvlint.runtime.measures.counts import Average, Floats
from cvlint.runtime.spaces.curves import curves_of
from tests.benchmarks.drawn.experiments import Setting

GAP, COMMON, REPEATS = 0.3, 0.5, 3
OF_FOLDS = 0.25  # the share of the variance of scores that is not the same in all repetitions
COMPARED = ("binary", "weighted", "multiclass", "multilabel", "groups", "repeats")
CURVES = ("curves", "curves-weighted", "curves-groups", "curves-alone")


@dataclass(frozen=True)
class Band:
    """A band around a curve, which holds another one only if it does at every place."""

    low: Floats
    high: Floats


Row = tuple[str, float | Floats, Interval | Band | str]
"""What an interval is of, the value that it is around, and the interval, or why there is none."""


def pair_of(setting: Setting, kind: str, rng: np.random.Generator) -> tuple[FoldSet, FoldSet]:
    """Two experiments on the same samples."""
    separations = (setting.separation - GAP, setting.separation)
    if kind == "repeats":
        return repeated_pair(setting, separations, rng)
    columns, scores = setting.drawn(rng, separations, kind, COMMON)
    first, second = (FoldSet.from_arrays(**columns, y_pred=setting.decided(s), y_score=s) for s in scores)
    return first, second


def repeated_pair(
    setting: Setting, separations: tuple[float, float], rng: np.random.Generator
) -> tuple[FoldSet, FoldSet]:
    """Two experiments that test each sample once in each of several repetitions, whose models differ."""
    columns, scores = setting.drawn(rng, separations, "binary", COMMON)
    n, true = setting.samples, np.tile(columns["y_true"], REPEATS)
    every = {
        "fold": np.concatenate([np.roll(columns["fold"], 7 * i) for i in range(REPEATS)]),
        "y_true": true,
        "repeat": np.repeat(np.arange(REPEATS), n),
        "sample_id": np.tile(np.arange(n), REPEATS),
    }
    sides = []
    for score, separation in zip(scores, separations, strict=True):
        kept = np.tile(score, REPEATS) - separation * true
        mixed = (1 - OF_FOLDS) ** 0.5 * kept + OF_FOLDS**0.5 * rng.normal(size=len(true)) + separation * true
        sides.append(FoldSet.from_arrays(**every, y_pred=setting.decided(mixed), y_score=mixed))
    return sides[0], sides[1]


def difference_rows(setting: Setting, bootstrap: Bootstrap, rng: np.random.Generator) -> Iterator[Row]:
    """The differences that ``cvlint compare`` prints, with their intervals for the models as they were trained."""
    kind = setting.kind.removeprefix("compare-")
    pair = paired(*pair_of(setting, kind, rng))
    averages: tuple[Average, ...] = ("macro", "weighted", "micro") if kind.startswith("multi") else ("binary",)
    bare = replace(pair, first=replace(pair.first, y_score=None), second=replace(pair.second, y_score=None))
    for average in averages:
        both = pair if average in ("binary", "macro") else bare  # others have no interval of a ranking
        found = compare(both, average=average, k=setting.k or None, bootstrap=bootstrap)
        for one in found.differences:
            name = one.name if average == "binary" else f"{one.name} {average}"
            yield name, one.value, one.interval or one.why


def band_rows(setting: Setting, bootstrap: Bootstrap, rng: np.random.Generator) -> Iterator[Row]:
    """The bands around the difference of the curves of the best F and the lowest cost, as ``cvlint curves`` has them.

    In "curves-alone" the two experiments have other samples.
    """
    kind = setting.kind.removeprefix("curves").removeprefix("-") or "binary"
    alone = kind == "alone"
    first, second = pair_of(setting, "binary" if alone else kind, rng)
    if alone:
        second = pair_of(setting, "binary", rng)[1]
    sides = [next(curves_of(one)) for one in (first, second)]
    bands = difference_bands(sides[0], sides[1], 0.5, bootstrap, together=not alone)
    for name, band in zip(("best F", "lowest cost"), (bands, bands) if isinstance(bands, str) else bands, strict=True):
        if isinstance(band, str):
            yield name, float("nan"), band
        elif np.isnan(band.reach).all():
            yield name, float("nan"), "too few missed positives or false alarms decide at every place"
        else:
            reach = np.where(np.isnan(band.reach), np.inf, band.reach)
            yield name, band.gap, Band(band.gap - reach, band.gap + reach)
