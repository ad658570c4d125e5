"""The setting of a simulated cross-validation: a classifier with a given true precision and recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, f_from_rates

NEGLIGIBLE = 1e-18  # a probability below this changes no digit of a sum


@dataclass(frozen=True, slots=True)
class Setting:
    """A cross-validation to simulate.

    Attributes
    ----------
    samples, positives
        Their numbers; at least one positive and one negative.
    folds
        From 2 to the number of samples.
    precision, recall
        Those of the classifier on the whole population, above 0 and at most 1.
    stratified
        Whether each fold gets its share of the positives, rounded to whole numbers, or a random number.
    beta
        The weight of recall in F.
    each
        The positives and negatives of each fold, where they are known; by default equal shares.

    Raises
    ------
    FoldDataError
        When the numbers cannot be a cross-validation, or no classifier can have such a precision and recall.

    References
    ----------
    Forman & Scholz 2010, section 4.2.
    """

    samples: int
    positives: int
    folds: int = 10
    precision: float = 0.8
    recall: float = 0.8
    stratified: bool = True
    beta: float = 1.0
    each: tuple[tuple[int, int], ...] | None = None

    def __post_init__(self) -> None:
        """Refuse impossible numbers."""
        if not (1 <= self.positives < self.samples and 2 <= self.folds <= self.samples):
            raise FoldDataError(
                f"{self.samples} samples, {self.positives} positives and {self.folds} folds cannot be a "
                "cross-validation: there must be positives and negatives, and from 2 folds to one for each sample."
            )
        if not (0 < self.precision <= 1 and 0 < self.recall <= 1 and self.beta >= 0):
            raise FoldDataError("precision and recall must be above 0 and at most 1, and beta at least 0.")
        if self.false_alarm_rate > 1:
            raise FoldDataError(
                f"no classifier has precision {self.precision:g} at recall {self.recall:g} here: it would need "
                f"{self.false_alarm_rate * self.negatives:.0f} false positives among {self.negatives} negatives."
            )

    @property
    def negatives(self) -> int:
        """The number of negatives."""
        return self.samples - self.positives

    @property
    def false_alarm_rate(self) -> float:
        """The share of negatives that are predicted positive."""
        return self.recall * self.positives * (1 - self.precision) / self.precision / self.negatives

    @property
    def f(self) -> float:
        """The true F."""
        return float(f_from_rates(self.precision, self.recall, self.beta))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of samples of each fold; by default they differ by at most one."""
        return shared(self.samples, self.folds) if self.each is None else tuple(p + n for p, n in self.each)

    @property
    def fold_positives(self) -> tuple[int, ...]:
        """The number of positives of each fold of a stratified cross-validation."""
        return shared(self.positives, self.folds) if self.each is None else tuple(p for p, _ in self.each)

    @property
    def fold_negatives(self) -> tuple[int, ...]:
        """The number of negatives of each fold, when stratified; folds with fewer positives get more."""
        if self.each is not None:
            return tuple(n for _, n in self.each)
        return tuple(reversed(shared(self.negatives, self.folds)))


def shared(total: int, parts: int) -> tuple[int, ...]:
    """Split a number into ``parts`` parts that differ by at most one, the larger ones first."""
    size, larger = divmod(total, parts)
    return (size + 1,) * larger + (size,) * (parts - larger)


def log_factorials(n: int) -> Floats:
    """The logarithms of 0!, 1!, …, n!."""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))


def binomial(n: int, p: float) -> Floats:
    """The probabilities of 0, 1, …, n successes in ``n`` trials of probability ``p``."""
    if p in (0.0, 1.0):
        found = np.zeros(n + 1)
        found[n if p else 0] = 1.0
        return found
    k, logs = np.arange(n + 1), log_factorials(n)
    found = np.exp(logs[n] - logs - logs[::-1] + k * np.log(p) + (n - k) * np.log1p(-p))
    return np.asarray(found / found.sum())


def likely_successes(trials: int, chance: float) -> tuple[Floats, Floats]:
    """The numbers of successes with a probability that matters, and these probabilities."""
    chances = binomial(trials, chance)
    likely = np.flatnonzero(chances > NEGLIGIBLE)
    return likely.astype(np.float64), chances[likely]


def hypergeometric(total: int, marked: int, drawn: int) -> Floats:
    """The probabilities of 0, 1, …, ``drawn`` marked items in a draw from ``total`` with ``marked`` marked ones."""
    logs = log_factorials(total)
    k = np.arange(max(0, drawn + marked - total), min(drawn, marked) + 1)
    top = logs[marked] - logs[k] - logs[marked - k]
    top += logs[total - marked] - logs[drawn - k] - logs[total - marked - drawn + k]
    found = np.zeros(drawn + 1)
    found[k] = np.exp(top - (logs[total] - logs[drawn] - logs[total - drawn]))
    return np.asarray(found / found.sum())
