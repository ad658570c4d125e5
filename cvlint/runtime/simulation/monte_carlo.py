"""Monte Carlo of the five aggregates of F: their bias and spread in a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cvlint.runtime.measures.counts import Floats, f_from_counts, f_from_rates, quotient
from cvlint.runtime.simulation.exact_expectations import expected_f_avg, expected_f_avg_valid, expected_f_tpfp
from cvlint.runtime.simulation.fold_draws import fold_draw, outcome_cells, outcome_count
from cvlint.runtime.simulation.simulated_cv import Setting

BLOCK = 20_000  # repetitions at a time, so that the intermediate arrays stay in the cache
FIRST = 2_500  # repetitions of a block where few may be enough
MOST_SUMMED = 2**21  # outcomes that an exact mean is summed over
SIMULATED = ("f_avg", "f_prre", "f_tpfp", "f_avg_valid", "f_prre_valid")
"""The aggregates that are simulated, in the order of the rows of `aggregates_of_sums`."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """One aggregate in many repetitions."""

    name: str
    """One of `SIMULATED`."""
    bias: float
    spread: float
    """The bias of the mean and the standard deviation, relative to the true F (0.01 is 1 %)."""
    error: float
    """The standard error of ``bias``; 0 where the mean is an exact sum."""
    undefined: float
    """The share of repetitions in which the aggregate is undefined; bias and spread leave them out."""


def simulate(
    setting: Setting, repetitions: int = 100_000, seed: int = 0, enough: float | None = None
) -> tuple[Simulated, ...]:
    """Repeat a cross-validation and measure each aggregate's bias and spread.

    Parameters
    ----------
    setting
        The cross-validation.
    repetitions
        How often it is repeated, at least 2.
    seed
        The seed of the random numbers; the same seed gives the same result.
    enough
        Fewer repetitions are drawn where they leave no larger standard error of a bias than this.

    Returns
    -------
    tuple of Simulated
        In the order of `SIMULATED`. The means of F_tp,fp and F_avg, and of a stratified F~avg, are exact sums,
        not simulated, unless there are too many samples to sum over.

    References
    ----------
    Forman & Scholz 2010, section 4.2 and figures 4 to 8.
    """
    rng = np.random.default_rng(seed)
    count, total, squares = np.zeros((3, len(SIMULATED)))
    drawn = 0
    for values in blocks(setting, repetitions, rng, BLOCK if enough is None else FIRST):
        drawn += values.shape[1]
        known = ~np.isnan(values)
        off = np.where(known, values - setting.f, 0.0)  # from the true F, so that the squares lose no digits
        count += known.sum(axis=1)
        total += off.sum(axis=1)
        squares += (off * off).sum(axis=1)
        mean = quotient(total, count, np.nan)
        variance = np.maximum(quotient(squares, count, np.nan) - mean**2, 0)
        if enough is not None and bool((variance <= count * (enough * setting.f) ** 2).all()):
            break
    exact = exact_means(setting)
    found = []
    for i, name in enumerate(SIMULATED):
        spread = float(np.sqrt(variance[i])) / setting.f
        bias = (exact[name] - setting.f if name in exact else float(mean[i])) / setting.f
        error = 0.0 if name in exact else spread / float(np.sqrt(max(count[i], 1)))
        found.append(Simulated(name, bias, spread, error, 1 - float(count[i]) / drawn))
    return tuple(found)


def shares_of_scores(setting: Setting, bins: int, repetitions: int = 100_000, seed: int = 0) -> Floats:
    """The distribution of each aggregate over the repetitions of a cross-validation.

    Parameters
    ----------
    setting, repetitions, seed
        As for `simulate`.
    bins
        The number of intervals of equal width from 0 to 1; the last one includes 1.

    Returns
    -------
    ndarray
        The share of the repetitions in each interval, (aggregates, bins), aggregates in the order of `SIMULATED`;
        a repetition in which the aggregate is undefined is in none.
    """
    rng = np.random.default_rng(seed)
    found = np.zeros((len(SIMULATED), bins))
    for values in blocks(setting, repetitions, rng):
        for i, known in enumerate(row[~np.isnan(row)] for row in values):
            place = np.minimum(np.floor(known * bins + 1e-9), bins - 1)  # 0.29 * 100 is a little below 29
            found[i] += np.bincount(place.astype(np.intp), minlength=bins)
    return found / repetitions


def exact_means(setting: Setting) -> dict[str, float]:
    """The means of the aggregates that an exact sum gives, as long as it has not too many terms."""
    found = {}
    if outcome_count(setting.positives, setting.negatives, setting) <= MOST_SUMMED:
        found["f_tpfp"] = expected_f_tpfp(setting)
    if outcome_cells(setting) <= MOST_SUMMED:
        found["f_avg"] = expected_f_avg(setting)
        if setting.stratified:
            found["f_avg_valid"] = expected_f_avg_valid(setting)
    return found


def blocks(setting: Setting, repetitions: int, rng: np.random.Generator, block: int = BLOCK) -> Iterator[Floats]:
    """The aggregates in a block of repetitions after the other, (aggregates, repetitions)."""
    draw = fold_draw(setting)
    for start in range(0, repetitions, block):
        sums = np.zeros((min(block, repetitions - start), 6))
        for measures in draw(rng, len(sums)):
            sums += measures
        yield aggregates_of_sums(setting, sums)


def aggregates_of_sums(setting: Setting, sums: Floats) -> Floats:
    """The aggregates, (aggregates, repetitions), from the sums over folds that `fold_measures` gives one by one."""
    f, precision, recall, valid, tp, fp = np.ascontiguousarray(sums.T)
    k = setting.folds
    prre = f_from_rates(precision / k, recall / k, setting.beta)
    tpfp = f_from_counts(tp, fp, setting.positives - tp, setting.beta)
    # An invalid fold has no true positive, so its precision and recall add nothing to the sums.
    f_valid, p_valid, r_valid = (quotient(values, valid, np.nan) for values in (f, precision, recall))
    prre_valid = np.where(valid > 0, f_from_rates(p_valid, r_valid, setting.beta), np.nan)
    return np.stack((f / k, prre, tpfp, f_valid, prre_valid))
