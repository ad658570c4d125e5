"""The interval of a share that is shown only where the number of hits lies within limits.

Limits on what was found select: an experiment that passes them by luck lies further from its mean than others, so that
a usual interval holds the mean in few of the experiments in which it is printed. The interval here follows from the
binomial distribution of the hits within the limits (of those, in turn, that are printed).

References
----------
Blaker 2000, Confidence curves and improved exact confidence intervals for discrete distributions, and the literature
there, for intervals of the shares whose least likely outcomes, the one found among them, are not rarer than 5 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cvlint.runtime.intervals.bootstrap import Interval
from cvlint.runtime.measures.counts import Floats

FURTHEST = 8.0  # standard errors of the logit, after which a share is taken for 0 or 1
HALVINGS = 20


@dataclass(frozen=True, eq=False, slots=True)
class TruncatedBinomial:
    """The numbers of hits that an experiment may have, by the share of hits."""

    outcomes: Floats
    """The possible numbers, in independent samples; the first and the last are the limits."""
    log_ways: Floats
    """The logarithm of the binomial coefficient of each."""
    found: int
    """The place of the number that was found."""

    @classmethod
    def of(cls, hits: float, lowest: float, highest: float, scale: float, independent: float) -> TruncatedBinomial:
        """The distribution of hits within limits.

        Parameters
        ----------
        hits, lowest, highest
            The number that was found, and its limits.
        scale
            How many independent samples have the variance of one.
        independent
            The number of all independent samples.
        """
        share = hits * scale / independent
        reach = (FURTHEST + 4) * math.sqrt(independent * share * (1 - share)) / scale + 10
        below, above = (math.floor(min(side, reach) + 1e-9) for side in (hits - lowest, highest - hits))
        outcomes = np.asarray((hits + np.arange(-below, above + 1)) * scale, dtype=np.float64)
        ways = [-math.lgamma(one + 1) - math.lgamma(independent - one + 1) for one in outcomes.tolist()]
        return cls(outcomes, np.array(ways), below)

    def rarity(self, logit: float) -> float:
        """How rare the number found is, and numbers that are less likely, for the share with a logit.

        Numbers that are as likely as the one found count half, as in a mid-p value.
        """
        mass = self.log_ways + self.outcomes * logit
        mass = np.exp(mass - mass.max())
        mass /= mass.sum()
        own = mass[self.found]
        rarer, alike = mass < own * (1 - 1e-9), np.abs(mass - own) <= own * 1e-9
        return float(mass[rarer].sum() + mass[alike].sum() / 2)

    def interval(self, logit: float, error: float, level: float) -> Interval | None:
        """The interval around the estimated logit with its standard error; None where no share is too rare."""
        low, high = (self.edge(logit, sign * error, level) for sign in (-1, 1))
        return None if low == -math.inf and high == math.inf else Interval(expit(low), expit(high), level)

    def edge(self, logit: float, step: float, level: float) -> float:
        """The logit furthest in the direction of ``step`` for which the number found is not too rare."""
        inside, outside = logit, logit + step * FURTHEST
        if self.rarity(outside) > 1 - level:
            return math.copysign(math.inf, step)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            if self.rarity(middle) > 1 - level:
                inside = middle
            else:
                outside = middle
        return inside


def expit(logit: float) -> float:
    """The share with this logit."""
    if logit in (-math.inf, math.inf):
        return float(logit > 0)
    return 1 / (1 + math.exp(-logit)) if logit > 0 else math.exp(logit) / (1 + math.exp(logit))
