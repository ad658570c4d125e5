"""What all bootstrap intervals share: how to draw, the interval of the replicates, and why there is none.

An interval is about the mean of its aggregate over experiments whose folds have the same sizes. For F_tp,fp and AUC
that is almost their true value; F_avg of folds with few positives has a bias of its own, which an interval does not
show. The interval of AP is about AP without its bias, where that can be estimated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from cvlint.runtime.measures.counts import Floats

CELLS = 2_000_000  # drawn at a time: bounds the memory
MOST_SAMPLES = 100_000  # more are not drawn one by one: it takes minutes, and their interval is narrow
TOO_MANY = f"there are more than {MOST_SAMPLES:,} samples to be drawn"
MOST_DRAWN = 400_000_000  # samples in all replicates, or what takes as long: about 20 seconds
TOO_LONG = "it takes too long to draw so many samples, folds and classes; fewer replicates take less"
NOT_ASKED = "no bootstrap was asked for"
UNDEFINED = "it is undefined in some of the samples drawn"
LONE = "a fold holds a single sample of a true class, which does not show how far such samples differ"
LONE_CLASS = "a true class has a single sample, which does not show how far such samples differ"
LEAST = 10  # samples of each class: with fewer, intervals of 95 % are known to hold less than 90
FEW = f"a true class has fewer than {LEAST} samples, too few for an interval that holds what it says"
FEW_OTHERS = f"all true classes but the largest have fewer than {LEAST} samples together, too few for such an interval"
FEW_OF_LABEL = f"fewer than {LEAST} samples have one of the labels, or lack it: too few for such an interval"
FEW_LABELS = f"the samples have, or lack, fewer than {LEAST} labels together: too few for such an interval"
FEW_HOLDING = f"fewer than {LEAST} groups hold samples of a true class, too few for an interval that holds what it says"
LONE_IN_FOLD = "a fold holds a single sample of a true class, and with other class sizes it may hold none"
EACH_FOLD = 3  # groups of a class, for a mean over folds: the few results with two that get an interval are lucky ones
FEW_IN_FOLDS = (
    f"fewer than {EACH_FOLD} groups a fold hold samples of a true class, too few to show how far the folds differ"
)
LONE_GROUP = "in a fold a single group holds samples of a true class, which does not show how far such groups differ"
CERTAIN = "its estimated variance is 0, which does not make it certain"
EQUAL = "it is the same in all samples drawn, which does not make it certain"

ClassSizes: TypeAlias = Literal["fixed", "random"]
CLASS_SIZES: tuple[ClassSizes, ...] = ("fixed", "random")


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How confidence intervals are made.

    Attributes
    ----------
    replicates
        How many sets of samples are drawn; 0 for no intervals.
    level
        The share of experiments in which an interval holds the mean of its aggregate.
    seed
        The seed of the random numbers.
    class_sizes
        What other experiments have in common with this one. "fixed": the numbers of positives and negatives (of samples
        of each class). "random": the number of samples only, so that the intervals also hold the uncertainty about how
        many of them are positive.
    """

    replicates: int = 2_000
    level: float = 0.95
    seed: int = 0
    class_sizes: ClassSizes = "fixed"


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval from ``low`` to ``high`` that holds the mean of its aggregate in ``level`` of all experiments."""

    low: float
    high: float
    level: float
    unbiased: float | None = None
    """For an interval about the true value instead of the mean: the estimate of it, which is the aggregate without its
    bias. None for others.
    """


Intervals: TypeAlias = dict[str, Interval | str]
"""By the aggregate's key an interval, or why there is none."""


def replicate_blocks(bootstrap: Bootstrap, samples: int) -> Iterator[int]:
    """The sizes of the blocks in which the replicates are drawn, so that no more than `CELLS` are in memory."""
    block = max(1, CELLS // max(samples, 1))
    for start in range(0, bootstrap.replicates, block):
        yield min(block, bootstrap.replicates - start)


def percentile_interval(values: Sequence[float] | Floats, level: float) -> Interval | str:
    """The interval with the middle ``level`` of ``values``, or why there is none: one of them is undefined."""
    if not len(values) or np.isnan(values).any():
        return UNDEFINED
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def measure_interval(values: Sequence[float] | Floats, level: float) -> Interval | str:
    """As `percentile_interval`, for values of a measure: equal replicates say nothing about its uncertainty."""
    return EQUAL if len(values) > 1 and np.ptp(values) < 1e-12 else percentile_interval(values, level)


def shifted_interval(
    value: float, values: Sequence[float] | Floats, level: float, lowest: float = 0.0, scale: float = 1.0
) -> Interval | str:
    """The interval of a measure whose replicates ``values`` lie around another mean than ``value``.

    Values of other experiments lie ``scale`` times as far from their mean as they do from theirs. The measure is
    from ``lowest`` to 1.
    """
    found = measure_interval(values, level)
    if isinstance(found, str):
        return found
    mean = float(np.mean(values))
    low, high = (value + scale * (end - mean) for end in (found.low, found.high))
    return Interval(max(lowest, low), min(1.0, high), level)
