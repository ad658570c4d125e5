"""Monte Carlo of the five aggregates of F: their bias and spread in a cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import FAggregates, Floats, f_from_counts, f_from_rates, quotient
from cvlint.runtime.simulation.exact_expectations import expected_f_avg, expected_f_avg_valid, expected_f_tpfp
from cvlint.runtime.simulation.simulated_cv import Setting, hypergeometric, likely_successes

BLOCK = 20_000  # repetitions at a time: what is made on the way stays in the cache
MOST_CELLS = 2**21  # outcomes of folds for which a table is made; for more, each number is drawn on its own
MOST_SUMMED = 2**21  # outcomes that an exact mean is summed over
MOST_TRIALS = 500_000  # of which the numbers of successes are listed
MOST_TOGETHER = 2**12  # outcomes of several folds that are drawn at once
FRACTION = np.uint64(2**52)


@dataclass(frozen=True, slots=True)
class Simulated:
    """One aggregate in many repetitions.

    Attributes
    ----------
    name
        As in `FAggregates`.
    bias, spread
        Relative to the true F: of the mean, and the standard deviation (0.01 is 1 %).
    error
        Standard error of ``bias``; 0 where the mean was computed exactly.
    undefined
        The share of repetitions without a value, which do not enter.
    """

    name: str
    bias: float
    spread: float
    error: float
    undefined: float


@dataclass(frozen=True, eq=False, slots=True)
class Alias:
    """Draws from several discrete distributions in constant time (Walker 1977; Vose 1991).

    Attributes
    ----------
    bar, other
        Shape (distributions, cells), the number of cells a power of 2: a cell is kept below its bar, and
        exchanged for another otherwise.
    """

    bar: NDArray[np.uint64]
    other: NDArray[np.uint32]

    @classmethod
    def of(cls, chances: list[Floats]) -> Alias:
        """Prepare to draw from distributions, each over 0, 1, …."""
        cells = 1 << max(1, max(len(c) for c in chances) - 1).bit_length()
        tables = [alias_table(np.pad(c, (0, cells - len(c)))) for c in chances]
        return cls(np.stack([t[0] for t in tables]), np.stack([t[1] for t in tables]))

    def draw(self, random: NDArray[np.uint64], which: NDArray[np.intp] | int) -> NDArray[np.uint32]:
        """One outcome for each random number, of the distribution ``which``."""
        cells = self.bar.shape[1]
        cell = (random & np.uint64(cells - 1)).astype(np.uint32)
        place = cell.astype(np.intp) + which * cells if isinstance(which, np.ndarray) or which else cell
        keep = (random >> np.uint64(12)) < self.bar.reshape(-1)[place]
        return np.where(keep, cell, self.other.reshape(-1)[place])


def alias_table(chances: Floats) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Bars (of 2^52) and exchanges of one distribution."""
    cells = len(chances)
    mass = (chances / chances.sum() * cells).tolist()
    other = list(range(cells))
    small = [i for i, m in enumerate(mass) if m < 1]
    large = [i for i, m in enumerate(mass) if m >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        other[low] = high
        mass[high] -= 1 - mass[low]
        if mass[high] < 1:
            small.append(large.pop())
    for rest in (*small, *large):
        mass[rest] = 1.0
    bars = np.minimum(np.array(mass), 1.0) * float(FRACTION)
    return bars.astype(np.uint64), np.array(other, dtype=np.uint32)


@dataclass(frozen=True, eq=False, slots=True)
class Folds:
    """The outcomes of several kinds of folds: how to draw them, and what each is worth."""

    alias: Alias
    worth: Floats  # (kinds * cells, 6): F, precision, recall, valid, TP, FP

    @classmethod
    def of(cls, kinds: list[tuple[Floats, Floats]]) -> Folds:
        """Folds of the given kinds, each the chances of its outcomes and their worth."""
        alias = Alias.of([chances for chances, _ in kinds])
        cells = alias.bar.shape[1]
        padded = [np.pad(worth, ((0, cells - len(worth)), (0, 0))) for _, worth in kinds]
        return cls(alias, np.ascontiguousarray(np.concatenate(padded)))

    def draw(self, rng: np.random.Generator, count: int, which: NDArray[np.intp] | int) -> Floats:
        """What ``count`` folds are worth, each of the kind ``which``: (count, 6)."""
        cell = self.alias.draw(rng.integers(2**64, size=count, dtype=np.uint64), which)
        return np.asarray(np.take(self.worth, cell.astype(np.intp) + which * self.alias.bar.shape[1], axis=0))


def fold_outcomes(setting: Setting, positives: int, negatives: int) -> tuple[Floats, Floats]:
    """The chances of what can come out of a fold, (outcomes,), and its worth, (outcomes, 6)."""
    tp, p_tp = likely_successes(positives, setting.recall)
    fp, p_fp = likely_successes(negatives, setting.false_alarm_rate)
    hits, alarms = (grid.reshape(-1) for grid in np.meshgrid(tp, fp, indexing="ij"))
    return np.outer(p_tp, p_fp).reshape(-1), worth_of(hits, alarms, np.full(len(hits), float(positives)), setting.beta)


def worth_of(tp: Floats, fp: Floats, positives: Floats, beta: float) -> Floats:
    """F, precision, recall, validity, TP and FP of folds, (folds, 6); 0 where undefined."""
    valid = ((tp + fp > 0) & (positives > 0)).astype(np.float64)
    f = f_from_counts(tp, fp, positives - tp, beta)
    return np.stack((f, quotient(tp, tp + fp, 0.0), quotient(tp, positives, 0.0), valid, tp, fp), axis=1)


def together(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Two independent folds drawn at once: the chances of their outcomes, and their worth together."""
    worth = one[1][:, None, :] + other[1][None, :, :]
    return np.outer(one[0], other[0]).reshape(-1), worth.reshape(-1, worth.shape[-1])


def simulate(setting: Setting, repetitions: int = 100_000, seed: int = 0) -> tuple[Simulated, ...]:
    """Repeat a cross-validation and measure each aggregate's bias and spread.

    Parameters
    ----------
    setting
        What is cross-validated.
    repetitions
        How often, at least 2.
    seed
        Where the random numbers start; the same seed gives the same result.

    Returns
    -------
    tuple of Simulated
        In the order of `FAggregates`. The means of F_tp,fp and F_avg, and of a stratified F~avg, are exact sums,
        not simulated, unless there are too many samples to sum over.

    References
    ----------
    Forman & Scholz 2010, section 4.2 and figures 4 to 8.
    """
    names = [f.name for f in fields(FAggregates)]
    rng = np.random.default_rng(seed)
    count, total, squares = np.zeros(5), np.zeros(5), np.zeros(5)
    for values in blocks(setting, repetitions, rng):
        known = ~np.isnan(values)
        off = np.where(known, values - setting.f, 0.0)  # from the truth: no digits are lost in the squares
        count += known.sum(axis=1)
        total += off.sum(axis=1)
        squares += (off * off).sum(axis=1)
    mean = quotient(total, count, np.nan)
    variance = np.maximum(quotient(squares, count, np.nan) - mean**2, 0)
    exact = exact_means(setting)
    found = []
    for i, name in enumerate(names):
        spread = float(np.sqrt(variance[i])) / setting.f
        bias = (exact[name] - setting.f if name in exact else float(mean[i])) / setting.f
        error = 0.0 if name in exact else spread / float(np.sqrt(max(count[i], 1)))
        found.append(Simulated(name, bias, spread, error, 1 - float(count[i]) / repetitions))
    return tuple(found)


def shares_of_scores(setting: Setting, bins: int, repetitions: int = 100_000, seed: int = 0) -> Floats:
    """The distribution of each aggregate over the repetitions of a cross-validation.

    Parameters
    ----------
    setting, repetitions, seed
        As for `simulate`.
    bins
        How many intervals of equal width 0 to 1 is cut into; the last one holds 1.

    Returns
    -------
    ndarray
        The share of the repetitions in each interval, (5, bins), aggregates in the order of `FAggregates`; a
        repetition without a value is in none.
    """
    rng = np.random.default_rng(seed)
    found = np.zeros((5, bins))
    for values in blocks(setting, repetitions, rng):
        for i, known in enumerate(row[~np.isnan(row)] for row in values):
            place = np.minimum(np.floor(known * bins + 1e-9), bins - 1)  # 0.29 * 100 is a little below 29
            found[i] += np.bincount(place.astype(np.intp), minlength=bins)
    return found / repetitions


def exact_means(setting: Setting) -> dict[str, float]:
    """The means that are computed as sums over all outcomes; each only as far as these are not too many."""
    found = {}
    if outcomes(setting.positives, setting.negatives, setting) <= MOST_SUMMED:
        found["f_tpfp"] = expected_f_tpfp(setting)
    if cells(setting) <= MOST_SUMMED:
        found["f_avg"] = expected_f_avg(setting)
        if setting.stratified:
            found["f_avg_valid"] = expected_f_avg_valid(setting)
    return found


def blocks(setting: Setting, repetitions: int, rng: np.random.Generator) -> Iterator[Floats]:
    """The five aggregates of a block of repetitions, (5, repetitions)."""
    if cells(setting) > MOST_CELLS:
        draw = direct_draw(setting)
    else:
        draw = stratified_draw(setting) if setting.stratified else random_draw(setting)
    for start in range(0, repetitions, BLOCK):
        sums = np.zeros((min(BLOCK, repetitions - start), 6))
        for worth in draw(rng, len(sums)):
            sums += worth
        yield aggregated(setting, sums)


def aggregated(setting: Setting, sums: Floats) -> Floats:
    """The five aggregates of the folds' sums of F, precision, recall, validity, TP and FP: (5, repetitions)."""
    f, precision, recall, valid, tp, fp = np.ascontiguousarray(sums.T)
    k = setting.folds
    prre = f_from_rates(precision / k, recall / k, setting.beta)
    tpfp = f_from_counts(tp, fp, setting.positives - tp, setting.beta)
    # An invalid fold has no true positive, so that its precision and recall add nothing to the sums.
    f_valid, p_valid, r_valid = (quotient(values, valid, np.nan) for values in (f, precision, recall))
    prre_valid = np.where(valid > 0, f_from_rates(p_valid, r_valid, setting.beta), np.nan)
    return np.stack((f / k, prre, tpfp, f_valid, prre_valid))


Draw: TypeAlias = Callable[[np.random.Generator, int], Iterator[Floats]]


def stratified_draw(setting: Setting) -> Draw:
    """Draw the folds of a stratified cross-validation."""
    folds = list(zip(setting.fold_positives, setting.fold_negatives, strict=True))
    known = {fold: fold_outcomes(setting, *fold) for fold in set(folds)}
    groups: list[tuple[Floats, Floats]] = []
    for outcome in (known[fold] for fold in sorted(folds)):
        if groups and len(groups[-1][0]) * len(outcome[0]) <= MOST_TOGETHER:
            groups[-1] = together(groups[-1], outcome)
        else:
            groups.append(outcome)
    drawn = [Folds.of([group]) for group in groups]

    def draw(rng: np.random.Generator, count: int) -> Iterator[Floats]:
        return (group.draw(rng, count, 0) for group in drawn)

    return draw


def random_draw(setting: Setting) -> Draw:
    """Draw the folds of an unstratified cross-validation, the numbers of positives first, one fold after the other."""
    sizes = setting.sizes
    left = [sum(sizes[i:]) for i in range(len(sizes))]
    allot = [
        Alias.of([hypergeometric(left[i], marked, sizes[i]) for marked in range(min(setting.positives, left[i]) + 1)])
        for i in range(len(sizes) - 1)
    ]
    most = min(setting.positives, max(sizes))
    folds = {
        size: Folds.of([fold_outcomes(setting, p, size - p) for p in range(min(most, size) + 1)]) for size in set(sizes)
    }

    def draw(rng: np.random.Generator, count: int) -> Iterator[Floats]:
        remaining = np.full(count, setting.positives, dtype=np.intp)
        for i, size in enumerate(sizes):
            if i < len(allot):
                random = rng.integers(2**64, size=count, dtype=np.uint64)
                here = allot[i].draw(random, remaining).astype(np.intp)
            else:
                here = remaining
            yield folds[size].draw(rng, count, here)
            remaining = remaining - here

    return draw


def direct_draw(setting: Setting) -> Draw:
    """Draw true and false positives as numbers, where tables of their outcomes would be too large."""

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
            yield worth_of(tp, fp, positives.astype(np.float64), setting.beta)

    return draw


def cells(setting: Setting) -> int:
    """About how many outcomes tables of all kinds of folds would hold."""
    if setting.stratified:
        folds = set(zip(setting.fold_positives, setting.fold_negatives, strict=True))
        return sum(outcomes(*fold, setting) for fold in folds)
    size = max(setting.sizes)
    positives = min(size, setting.positives)
    return 2 * (positives + 1) * outcomes(positives, size, setting)


def outcomes(positives: int, negatives: int, setting: Setting) -> int:
    """About how many outcomes a fold has that are likelier than nothing."""
    return width(positives, setting.recall) * width(negatives, setting.false_alarm_rate)


def width(trials: int, chance: float) -> int:
    """About how many numbers of successes are likelier than nothing; of very many trials all, for they are listed."""
    if trials > MOST_TRIALS:
        return trials
    return min(trials + 1, int(18 * (trials * chance * (1 - chance)) ** 0.5) + 40)
