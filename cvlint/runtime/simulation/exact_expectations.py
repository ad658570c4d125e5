"""Exact expectations: of aggregates of F, as sums over all outcomes, and of the AUC of shifted scores."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, f_from_counts
from cvlint.runtime.simulation.simulated_cv import NEGLIGIBLE, Setting, hypergeometric, likely_successes


@dataclass(frozen=True, slots=True)
class ExpectedFold:
    """The expected F of one fold (0 where it is invalid), and the probability that it is valid."""

    f: float
    valid: float


def expected_fold(setting: Setting, positives: int, negatives: int) -> ExpectedFold:
    """The expectations for one fold with so many positives and negatives."""
    tp, p_tp = likely_successes(positives, setting.recall)
    fp, p_fp = likely_successes(negatives, setting.false_alarm_rate)
    f = f_from_counts(tp[:, None], fp[None, :], positives - tp[:, None], setting.beta)
    empty = float(p_tp[tp == 0].sum() * p_fp[fp == 0].sum())  # nothing is predicted positive
    return ExpectedFold(float(p_tp @ f @ p_fp), 1 - empty if positives else 0.0)


def expected_f_tpfp(setting: Setting) -> float:
    """The expectation of F_tp,fp: the folds' counts add up to those of one test of all samples."""
    return expected_fold(setting, setting.positives, setting.negatives).f


def expected_f_avg(setting: Setting) -> float:
    """The expectation of F_avg: the mean of the folds' expected F; without stratification, over random positives."""
    if setting.stratified:
        return float(np.mean([o.f for o in expected_stratified_folds(setting)]))
    each: dict[int, float] = {}
    for size in set(setting.sizes):
        chances = hypergeometric(setting.samples, setting.positives, size)
        likely = np.flatnonzero(chances > NEGLIGIBLE)
        each[size] = sum(chances[k] * expected_fold(setting, int(k), size - int(k)).f for k in likely)
    return float(np.mean([each[size] for size in setting.sizes]))


def expected_stratified_folds(setting: Setting) -> list[ExpectedFold]:
    """The expectations for each fold; equal folds are computed once."""
    folds = list(zip(setting.fold_positives, setting.fold_negatives, strict=True))
    known = {fold: expected_fold(setting, *fold) for fold in set(folds)}
    return [known[fold] for fold in folds]


def expected_f_avg_valid(setting: Setting) -> float:
    """The expectation of F~avg of a stratified cross-validation, given that some fold is valid.

    Raises
    ------
    FoldDataError
        Without stratification, because the folds then depend on each other.

    Notes
    -----
    Folds are independent, so it is the sum over folds of E[F_i] E[1 / (1 + number of other valid folds)],
    divided by the probability that some fold is valid.
    """
    if not setting.stratified:
        raise FoldDataError("F~avg has no closed sum without stratification: simulate it.")
    folds = expected_stratified_folds(setting)
    total = 0.0
    for fold in set(folds):
        rest = list(folds)
        rest.remove(fold)
        others = valid_fold_distribution([o.valid for o in rest])
        total += folds.count(fold) * fold.f * float((others / np.arange(1, len(others) + 1)).sum())
    return total / (1 - float(np.prod([1 - o.valid for o in folds])))


def valid_fold_distribution(chances: list[float]) -> Floats:
    """The probabilities that 0, 1, … of independent folds are valid."""
    found = np.ones(1)
    for chance in chances:
        found = np.convolve(found, (1 - chance, chance))
    return found


def expected_auc(setting: Setting, auc: float, shift: float) -> tuple[float, float]:
    """The expectations of AUC_avg and AUC_merge when each fold's scores are shifted at random.

    Parameters
    ----------
    setting
        A stratified cross-validation.
    auc
        The true AUC of each fold's model, above 0 and below 1.
    shift
        The standard deviation of the folds' shifts, in standard deviations of one class's scores.

    Returns
    -------
    tuple of float
        AUC_avg and AUC_merge. The scores of each class are normal with equal spread. Two samples of one fold compare
        as ``auc`` says; for two samples of different folds, the difference of the shifts is added.

    References
    ----------
    Forman & Scholz 2010, sections 2.4 and 3.2 (there by an example).
    """
    if not (0 < auc < 1 and shift >= 0):
        raise FoldDataError("the AUC must lie between 0 and 1, and the shift must not be below 0.")
    normal = NormalDist()
    distance = normal.inv_cdf(auc) * 2**0.5  # between the means of the classes
    across = normal.cdf(distance / (2 + 2 * shift**2) ** 0.5)
    folds = zip(setting.fold_positives, setting.fold_negatives, strict=True)
    within = sum(p * n for p, n in folds) / (setting.positives * setting.negatives)
    return auc, within * auc + (1 - within) * across
