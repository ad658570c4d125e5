"""Random test folds of a simulated cross-validation: their F, precision, recall, TP and FP.

Where the outcomes of a fold are few enough, they are listed with their probabilities and drawn by the alias method;
otherwise TP and FP are drawn as binomial numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Floats, f_from_counts, quotient
from cvlint.runtime.simulation.alias_sampling import AliasSampler
from cvlint.runtime.simulation.simulated_cv import Setting, hypergeometric, likely_successes

MOST_CELLS = 2**21  # outcomes of folds that are listed; for more, TP and FP are drawn as numbers
MOST_TRIALS = 500_000  # of one binomial number whose likely values are counted
MOST_TOGETHER = 2**12  # outcomes of several folds that are drawn at once

Distribution: TypeAlias = tuple[Floats, Floats]
"""The probabilities of the outcomes of a fold, (outcomes,), and their measures as in `fold_measures`, (outcomes, 6)."""

Draw: TypeAlias = Callable[[np.random.Generator, int], Iterator[Floats]]
"""Draws one fold (or a few) after the other: the measures of each in so many repetitions, (repetitions, 6)."""


@dataclass(frozen=True, eq=False, slots=True)
class FoldSampler:
    """The distributions of several kinds of folds, prepared for draws."""

    alias: AliasSampler
    measures: Floats  # (kinds * cells, 6), as in `fold_measures`

    @classmethod
    def of(cls, kinds: list[Distribution]) -> FoldSampler:
        """Prepare the distribution of each kind of fold."""
        alias = AliasSampler.of([probabilities for probabilities, _ in kinds])
        cells = alias.bar.shape[1]
        padded = [np.pad(measures, ((0, cells - len(measures)), (0, 0))) for _, measures in kinds]
        return cls(alias, np.ascontiguousarray(np.concatenate(padded)))

    def draw(self, rng: np.random.Generator, count: int, which: NDArray[np.intp] | int) -> Floats:
        """The measures of ``count`` folds, each of the kind ``which``: (count, 6)."""
        cell = self.alias.draw(rng.integers(2**64, size=count, dtype=np.uint64), which)
        return np.asarray(np.take(self.measures, cell.astype(np.intp) + which * self.alias.bar.shape[1], axis=0))


def outcome_distribution(setting: Setting, positives: int, negatives: int) -> Distribution:
    """Every likely pair of TP and FP of a fold with so many positives and negatives."""
    tp, p_tp = likely_successes(positives, setting.recall)
    fp, p_fp = likely_successes(negatives, setting.false_alarm_rate)
    hits, alarms = (grid.reshape(-1) for grid in np.meshgrid(tp, fp, indexing="ij"))
    measures = fold_measures(hits, alarms, np.full(len(hits), float(positives)), setting.beta)
    return np.outer(p_tp, p_fp).reshape(-1), measures


def fold_measures(tp: Floats, fp: Floats, positives: Floats, beta: float) -> Floats:
    """F, precision, recall, validity, TP and FP of folds, (folds, 6); 0 where undefined."""
    valid = ((tp + fp > 0) & (positives > 0)).astype(np.float64)
    f = f_from_counts(tp, fp, positives - tp, beta)
    return np.stack((f, quotient(tp, tp + fp, 0.0), quotient(tp, positives, 0.0), valid, tp, fp), axis=1)


def joint_distribution(one: Distribution, other: Distribution) -> Distribution:
    """Two independent folds that are drawn at once: the sums of their measures."""
    measures = one[1][:, None, :] + other[1][None, :, :]
    return np.outer(one[0], other[0]).reshape(-1), measures.reshape(-1, measures.shape[-1])


def fold_draw(setting: Setting) -> Draw:
    """The quickest way to draw the folds of a cross-validation."""
    if outcome_cells(setting) > MOST_CELLS:
        return direct_draw(setting)
    return stratified_draw(setting) if setting.stratified else random_draw(setting)


def stratified_draw(setting: Setting) -> Draw:
    """Draw the folds of a stratified cross-validation."""
    folds = list(zip(setting.fold_positives, setting.fold_negatives, strict=True))
    distributions = {fold: outcome_distribution(setting, *fold) for fold in set(folds)}
    groups: list[Distribution] = []
    for distribution in (distributions[fold] for fold in sorted(folds)):
        if groups and len(groups[-1][0]) * len(distribution[0]) <= MOST_TOGETHER:
            groups[-1] = joint_distribution(groups[-1], distribution)
        else:
            groups.append(distribution)
    samplers = [FoldSampler.of([group]) for group in groups]

    def draw(rng: np.random.Generator, count: int) -> Iterator[Floats]:
        return (sampler.draw(rng, count, 0) for sampler in samplers)

    return draw


def random_draw(setting: Setting) -> Draw:
    """Draw the folds of an unstratified cross-validation one after the other, the number of positives of each first."""
    sizes = setting.sizes
    left = [sum(sizes[i:]) for i in range(len(sizes))]
    positives_samplers = [
        AliasSampler.of(
            [hypergeometric(left[i], marked, sizes[i]) for marked in range(min(setting.positives, left[i]) + 1)]
        )
        for i in range(len(sizes) - 1)
    ]
    most = min(setting.positives, max(sizes))
    fold_samplers = {
        size: FoldSampler.of([outcome_distribution(setting, p, size - p) for p in range(min(most, size) + 1)])
        for size in set(sizes)
    }

    def draw(rng: np.random.Generator, count: int) -> Iterator[Floats]:
        remaining = np.full(count, setting.positives, dtype=np.intp)
        for i, size in enumerate(sizes):
            if i < len(positives_samplers):
                random = rng.integers(2**64, size=count, dtype=np.uint64)
                positives = positives_samplers[i].draw(random, remaining).astype(np.intp)
            else:
                positives = remaining
            yield fold_samplers[size].draw(rng, count, positives)
            remaining = remaining - positives

    return draw


def direct_draw(setting: Setting) -> Draw:
    """Draw TP and FP as numbers, where a list of all their outcomes would be too large."""

    def draw(rng: np.random.Generator, count: int) -> Iterator[Floats]:
        remaining = np.full(count, setting.positives)
        for i, size in enumerate(setting.sizes):
            if setting.stratified:
                positives = np.full(count, setting.fold_positives[i])
                negatives = np.full(count, setting.fold_negatives[i])
            else:
                left = sum(setting.sizes[i:])
                positives = rng.hypergeometric(remaining, left - remaining, size)
                negatives = size - positives
                remaining = remaining - positives
            tp = rng.binomial(positives, setting.recall).astype(np.float64)
            fp = rng.binomial(negatives, min(setting.false_alarm_rate, 1.0)).astype(np.float64)
            yield fold_measures(tp, fp, positives.astype(np.float64), setting.beta)

    return draw


def outcome_cells(setting: Setting) -> int:
    """About how many outcomes the lists of all kinds of folds would hold."""
    if setting.stratified:
        folds = set(zip(setting.fold_positives, setting.fold_negatives, strict=True))
        return sum(outcome_count(*fold, setting) for fold in folds)
    size = max(setting.sizes)
    positives = min(size, setting.positives)
    return 2 * (positives + 1) * outcome_count(positives, size, setting)


def outcome_count(positives: int, negatives: int, setting: Setting) -> int:
    """About how many likely outcomes a fold has."""
    return likely_count(positives, setting.recall) * likely_count(negatives, setting.false_alarm_rate)


def likely_count(trials: int, probability: float) -> int:
    """About how many likely values a binomial number has; for very many trials all of them."""
    if trials > MOST_TRIALS:
        return trials
    return min(trials + 1, int(18 * (trials * probability * (1 - probability)) ** 0.5) + 40)
