"""The expected F-measure of decisions about samples with known probabilities, and the decisions that maximise it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.data.arrays import array_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.recall_weight import checked_beta
from cvlint.runtime.simulation.simulated_cv import NEGLIGIBLE


@dataclass(frozen=True, eq=False, slots=True)
class Decisions:
    """Which samples to call positive."""

    positive: NDArray[np.bool_]
    """For each sample, (n,), in the order given."""
    expected_f: float
    """The expected F-measure of these decisions, from 0 to 1."""
    lowest: float
    """The lowest probability that is called positive; infinity when no sample is."""


def expected_f(probability: ArrayLike, positive: ArrayLike, beta: float = 1.0, undefined: float = 0.0) -> float:
    """The expectation of F_beta of given decisions, exact except for rounding.

    Parameters
    ----------
    probability
        The probability of each sample to be positive, (n,), calibrated and independent.
    positive
        Whether each sample is called positive, (n,).
    beta
        The weight of recall against precision, from 0 to 1,000,000.
    undefined
        The value of F where no sample is positive or called positive: 0 as everywhere in cvlint; some authors use 1.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    FoldDataError
        When the lengths differ, there are no samples, a probability is not from 0 to 1, or for such a beta.

    Notes
    -----
    With S positives and d positive decisions, F = (1 + beta²) tp / (beta² S + d), and tp is a sum over samples.
    So its expectation is (1 + beta²) sum over s of (sum over the d samples of P(positive, S = s)) / (beta² s + d).

    References
    ----------
    Jansche 2007 (the expectation for independent labels); Dembczyński et al. 2011 (its form as a sum over S).
    """
    p, decided = probabilities(probability), array_of(positive, "positive").astype(np.bool_)
    if decided.shape != p.shape:
        raise FoldDataError(f"{len(p)} probabilities and {decided.size} decisions are given: one each is needed.")
    d, square = int(decided.sum()), checked_beta(beta) ** 2
    if d == 0:
        return undefined * float(np.prod(1 - p))
    total = sum(float(joint[decided].sum()) / (square * s + d) for s, joint in with_positives(p))
    return (1 + square) * total


def best_decisions(probability: ArrayLike, beta: float = 1.0, undefined: float = 0.0) -> Decisions:
    """The decisions about a batch of samples that maximise the expectation of F_beta, exact except for rounding.

    Parameters
    ----------
    probability, beta, undefined
        As for `expected_f`.

    Returns
    -------
    Decisions
        The samples with the highest probabilities; their number depends on the whole batch. Among equal probabilities
        the first samples are taken; among equal expectations the fewest positive decisions.

    Raises
    ------
    FoldDataError
        When there are no samples, a probability is not from 0 to 1, or for such a beta.

    Notes
    -----
    For a given number d of positive decisions those with the d highest probabilities are best (Lewis 1995; Jansche
    2007), so only d has to be searched. The algorithm of Ye et al. 2012 needs O(n²) steps for a rational beta². This
    one needs O(n²) steps for any beta: the sum over d samples that `expected_f` has for each S becomes a running sum,
    which gives all d at once. Values of S that do not change a digit are skipped. That leaves about n to the power of
    1.5 steps, besides the O(n²) multiplications for the distribution of S.

    References
    ----------
    Ye, Chai, Lee & Chieu 2012; Jansche 2007; Quevedo, Luaces & Bahamonde 2012; Lipton et al. 2014, section 5.
    """
    p, square = probabilities(probability), checked_beta(beta) ** 2
    order = np.argsort(-p, kind="stable")
    size = np.arange(1, len(p) + 1)
    f = np.zeros(len(p) + 1)
    f[0] = undefined * float(np.prod(1 - p))
    for s, joint in with_positives(p[order]):
        f[1:] += np.cumsum(joint) / (square * s + size)
    f[1:] *= 1 + square
    best = int(np.flatnonzero(f >= f.max() * (1 - 1e-12))[0])  # equal except for rounding
    positive = np.zeros(len(p), dtype=np.bool_)
    positive[order[:best]] = True
    return Decisions(positive, float(f[best]), float(p[order[best - 1]]) if best else np.inf)


def uninformative_f(prevalence: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta where all samples are called positive: the best expected F of uninformative scores.

    Parameters
    ----------
    prevalence
        The base rate b, from 0 to 1; any shape.
    beta
        The weight of recall against precision.

    Returns
    -------
    ndarray
        (1 + beta²) b / (1 + beta² b), which is 2b / (1 + b) for F1; 0 for b = 0.

    Notes
    -----
    This is exact for b n positives among n samples. Where each sample is positive by chance, their number varies, and
    F is concave in it: the expectation is a little less (`expected_f` has it).

    References
    ----------
    Lipton et al. 2014, theorem 2 and figure 6.
    """
    b, square = np.asarray(prevalence, dtype=np.float64), checked_beta(beta) ** 2
    return np.asarray((1 + square) * b / (1 + square * b))


def probabilities(values: ArrayLike) -> Floats:
    """The probabilities of samples as an array, (n,); raises unless they are from 0 to 1."""
    p = array_of(values, "probability")
    if p.ndim != 1 or not len(p):
        raise FoldDataError(f"probability has the shape {p.shape}: one value a sample, and at least one, is needed.")
    if p.dtype.kind not in "biuf" or not ((p >= 0) & (p <= 1)).all():
        raise FoldDataError("probability holds something that is not from 0 to 1: calibrated probabilities are needed.")
    return np.asarray(p, dtype=np.float64)


def positives_distribution(p: Floats) -> Floats:
    """The probabilities of 0, 1, … n positives among independent samples, (n + 1,), by halves: a Poisson binomial."""
    if len(p) == 1:
        return np.array([1 - p[0], p[0]])
    half = len(p) // 2
    return np.convolve(positives_distribution(p[:half]), positives_distribution(p[half:]))


def with_positives(p: Floats) -> Iterator[tuple[int, Floats]]:
    """For numbers s of positives, the probability of each sample to be positive while there are s, (n,).

    A number may occur twice, once for the samples with small and once for those with large probability. The
    distribution of the other samples comes from that of all by removing one sample. This is numerically stable upwards
    from s = 0 where p <= 1/2, and downwards from s = n elsewhere: each step then multiplies rounding errors by at most
    1.
    """
    f = positives_distribution(p)
    likely = np.flatnonzero(f > NEGLIGIBLE)
    first, last = int(likely[0]), int(likely[-1])
    small = p <= 0.5
    ratio = np.where(small, p / np.where(small, 1 - p, 1), (1 - p) / np.where(small, 1, p))
    if small.any():
        others = np.zeros(len(p))  # P(s - 1 positives among the others)
        for s in range(first, last + 1):
            if s > 0:
                yield s, np.where(small, p * others, 0.0)
            others = np.where(small, f[s] / np.where(small, 1 - p, 1) - ratio * others, 0.0)
    if not small.all():
        others = np.zeros(len(p))  # P(s positives among the others)
        for s in range(last, 0, -1):
            if s < first:
                break
            others = np.where(small, 0.0, f[s] / np.where(small, 1, p) - ratio * others)
            yield s, np.where(small, 0.0, p * others)
