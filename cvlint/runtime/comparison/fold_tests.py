"""Tests of the mean difference over the folds of a cross-validation, whose models share most of their training data."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cvlint.runtime.comparison.results import PairedTest
from cvlint.runtime.intervals.student_t import t_cdf

CORRECTED = (
    "corrected-t",
    "corrected resampled t-test",
    "Nadeau & Bengio 2003, Inference for the generalization error",
    "It is about the learning algorithms: the differences of the folds are normal, and those of two folds correlate as "
    "much as their training sets overlap (n_test / n_train). It is about the mean of the folds' values, with the bias "
    "that this mean has.",
)
BAYESIAN = (
    "bayesian-t",
    "Bayesian correlated t-test",
    "Corani & Benavoli 2015, A Bayesian approach for comparing cross-validated algorithms",
    "The assumptions are those of the corrected t-test, without prior knowledge of the difference. Differences within "
    "the region of practical equivalence (--rope) count as equal.",
)


def corrected_t(differences: Sequence[float], ratio: float | str, measure: str) -> PairedTest:
    """The corrected resampled t-test of the mean difference.

    It has no interval: what one of 95 % holds depends on the learner, and with stable ones it is the mean difference in
    96 to 100 % of the experiments.

    Parameters
    ----------
    differences
        Of each fold of each repetition.
    ratio
        n_test / n_train, or why it is not known.
    measure
        The label of what is compared.
    """
    name, title, reference, assumptions = CORRECTED
    found = scaled(differences, ratio)
    if isinstance(found, str):
        return PairedTest(name, title, measure, reference, assumptions, why=found)
    mean, scale, freedom = found
    t = mean / scale
    p = 2 * t_cdf(-abs(t), freedom)
    values = {"difference": mean, "t": t, "df": float(freedom), "p": p}
    result = f"t = {t:.2f}, {freedom} degrees of freedom, {shown_p(p)}"
    return PairedTest(name, title, measure, reference, assumptions, values, result)


def bayesian_t(
    differences: Sequence[float], ratio: float | str, measure: str, rope: float, names: tuple[str, str]
) -> PairedTest:
    """The Bayesian correlated t-test: the probabilities that the first is better, both are equal, the second is better.

    Parameters
    ----------
    differences, ratio, measure
        As for `corrected_t`.
    rope
        Half the width of the region of practical equivalence.
    names
        Of the two experiments.

    Notes
    -----
    The posterior of the mean difference is Student's t with n - 1 degrees of freedom, around the mean, with the scale
    s sqrt(1 / n + rho / (1 - rho)), where rho = n_test / (n_test + n_train), so that rho / (1 - rho) is
    n_test / n_train.
    """
    name, title, reference, assumptions = BAYESIAN
    found = scaled(differences, ratio)
    if isinstance(found, str):
        return PairedTest(name, title, measure, reference, assumptions, why=found)
    mean, scale, freedom = found
    first = t_cdf((-rope - mean) / scale, freedom)
    second = t_cdf((mean - rope) / scale, freedom)
    equal = max(0.0, 1 - first - second)
    values = {"p_first": first, "p_equal": equal, "p_second": second, "rope": rope}
    result = (
        f"{names[0]} is better with probability {first:.3f}, {names[1]} with {second:.3f}, and they differ by at most "
        f"{rope:g} with {equal:.3f}"
    )
    return PairedTest(name, title, measure, reference, assumptions, values, result)


def scaled(differences: Sequence[float], ratio: float | str) -> tuple[float, float, int] | str:
    """The mean difference, its corrected standard error and the degrees of freedom, or why there are none."""
    if isinstance(ratio, str):
        return ratio
    n = len(differences)
    if n < 2:
        return "it needs two folds or more in which the measure is defined"
    deviation = float(np.std(differences, ddof=1))
    if deviation < 1e-12:
        return "the difference is the same in all folds"
    return float(np.mean(differences)), deviation * math.sqrt(1 / n + ratio), n - 1


def shown_p(p: float) -> str:
    """A p-value in a sentence."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
