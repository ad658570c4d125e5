"""The ROC convex hull of rules, in whole numbers of TP and FP, and the rules on it that are best somewhere.

Which rules can be best? With p = P(+), q = 1 - p and a = alpha, F of a rule is p TPR / (a (p TPR + q FPR) + (1 - a) p).
For 0 < a < 1 and 0 < p < 1 the divisor is above 0, and

1.  F >= c holds where (1 - a c) p TPR - a c q FPR >= (1 - a) c p. For every c that is a half-plane of ROC space: level
    sets are straight lines, all through the point (FPR, TPR) = (-(1 - a) p / (a q), 0), and F is quasi-linear. On the
    way between two points it only rises or only falls, so that on a polygon it is greatest at a vertex.
2.  F grows with TPR (c <= 1, so 1 - a c > 0) and falls with FPR. So a point on or below the upper hull of (0, 0) and
    the others, the ROC convex hull, is never better than the best vertex of that hull.

So every rule on or below the hull can be dropped at once: the envelope stays the same at every P(+) and for every
alpha. Conversely, every vertex but (0, 0) is best at some P(+): as P(+) grows, the lines turn about a point that moves
from (0, 0) to the left without end, and they touch one vertex after the other. So Algorithm 1 of the paper stores for F
the same rules as the same search in ROC space, and alpha and P(+) choose among them. (For alpha = 1, precision, this
is true of all rules but those without a positive decision, whose precision is undefined; for alpha = 0, F is TPR.)

The hull is in whole numbers, TP over FP, and every comparison with it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.combination.bitsets import Numbers
from cvlint.runtime.combination.decision_rules import Rule, Scores, is_finite, rule_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.spaces.fspace import f_at, f_envelope
from cvlint.runtime.thresholds.operating_points import checked_prevalence, hull_index


@dataclass(frozen=True, slots=True)
class Combination:
    """A rule, its rates on the samples that it was chosen on, and the P(+) at which it is the best."""

    rule: Rule
    """The thresholds and Boolean functions that decide."""
    tpr: float
    fpr: float
    """The rates on the samples that it was chosen on, from 0 to 1."""
    best_from: float
    best_to: float
    """From which to which P(+) no other rule of the search has a higher F on these samples."""

    def __str__(self) -> str:
        return str(self.rule)

    def decide(self, scores: Scores) -> NDArray[np.bool_]:
        """Which samples are positive, (n,), from the scores of each classifier; raises as `Threshold.decide` does."""
        return self.rule.decide(scores)

    def f(self, prevalence: ArrayLike, alpha: float = 0.5) -> Floats:
        """F at each ``prevalence``, from the rates on the samples that the rule was chosen on."""
        return f_at(self.tpr, self.fpr, prevalence, alpha)

    def as_object(self) -> dict[str, Any]:
        """For JSON; `combination_of` reads it."""
        rates = {"tpr": self.tpr, "fpr": self.fpr, "best_from": self.best_from, "best_to": self.best_to}
        return {**rates, "text": str(self), "rule": self.rule.as_object()}


def combination_of(document: Any) -> Combination:
    """Read a combination that ``cvlint combine --output FILE`` wrote.

    Parameters
    ----------
    document
        What `Combination.as_object` gives, read from JSON: ``json.load(file)["best"]``.

    Returns
    -------
    Combination
        Its method ``decide`` applies it to new scores.

    Raises
    ------
    FoldDataError
        When the document is no combination.
    """
    match document:
        case {"rule": rule, "tpr": tpr, "fpr": fpr, "best_from": low, "best_to": high} if all(
            is_finite(share) and 0 <= share <= 1 for share in (tpr, fpr, low, high)
        ):
            return Combination(rule_of(rule), float(tpr), float(fpr), float(low), float(high))
        case _:
            raise FoldDataError(f"this is no combination that cvlint combine wrote: {str(document)[:60]!r}.")


@dataclass(frozen=True, slots=True, eq=False)
class RocHull:
    """The vertices of the ROC convex hull of all rules of a search, by rising FP; (0, 0) is left out."""

    rules: tuple[Rule, ...]
    """The rule of each vertex."""
    tp: Numbers
    fp: Numbers
    """The true and false positives of each, (vertices,)."""
    positives: int
    negatives: int
    """How many samples of each class there are."""

    def roof(self) -> Numbers:
        """The height of the hull at each FP from 0 to ``negatives``, rounded down, (negatives + 1,).

        A whole number of TP is above the hull if, and only if, it is above this height.
        """
        x, y = np.append(0, self.fp), np.append(0, self.tp)
        at = np.arange(self.negatives + 1)
        left = np.searchsorted(x, at, "right") - 1
        right = np.minimum(left + 1, len(x) - 1)
        rise, run = y[right] - y[left], np.maximum(x[right] - x[left], 1)
        return np.asarray(y[left] + rise * (at - x[left]) // run)

    def raised(self, rules: Sequence[Rule], tp: Numbers, fp: Numbers) -> RocHull:
        """The hull with more rules; an earlier rule stays where a new one is not better."""
        x, y = np.concatenate(([0], self.fp, fp)), np.concatenate(([0], self.tp, tp))
        every = [*self.rules, *rules]
        vertices = hull_index(x, y)
        index = vertices[y[vertices] > y[np.append(0, vertices[:-1])]]  # neither (0, 0) nor the end of a flat edge
        return RocHull(tuple(every[i - 1] for i in index), y[index], x[index], self.positives, self.negatives)

    @property
    def tpr(self) -> Floats:
        """The true positive rate of each vertex, (vertices,), from 0 to 1."""
        return self.tp / self.positives

    @property
    def fpr(self) -> Floats:
        """The false positive rate of each vertex, (vertices,), from 0 to 1."""
        return self.fp / self.negatives

    def combinations(self, alpha: float = 0.5) -> tuple[Combination, ...]:
        """The rules that are best somewhere in the F-measure space, by rising P(+); takes an alpha from 0 to 1."""
        return tuple(
            Combination(self.rules[i], float(self.tpr[i]), float(self.fpr[i]), low, high)
            for i, low, high in f_envelope(self.tpr, self.fpr, alpha).pieces()
        )

    def best(self, prevalence: float, alpha: float = 0.5) -> Combination:
        """The rule with the highest F at a P(+) and an alpha, both from 0 to 1."""
        p = checked_prevalence(prevalence)
        return next(combination for combination in self.combinations(alpha) if p <= combination.best_to)

    def area(self) -> float:
        """The area below the hull, from 0 to 1."""
        x = np.concatenate(([0], self.fp, [self.negatives]))
        y = np.concatenate(([0], self.tp, [self.positives]))
        return float(((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum()) / (2 * self.positives * self.negatives)
