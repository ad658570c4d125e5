"""Student's t distribution, from the regularised incomplete beta function."""

from __future__ import annotations

import math
from statistics import NormalDist

MOST_STEPS = 10_000
TINY = 1e-300
MOST_FREEDOM = 1e4  # Student's t with more is the normal distribution


def incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b), the regularised incomplete beta function.

    Parameters
    ----------
    a, b
        Above 0.
    x
        From 0 to 1.

    References
    ----------
    Abramowitz & Stegun 1964, 26.5.8: the continued fraction, evaluated by the method of Lentz (1976).
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, MOST_STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            c, d = nonzero(1 + factor / c), 1 / nonzero(1 + factor * d)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * value / a


def nonzero(value: float) -> float:
    """A number that can be divided by."""
    return value if abs(value) > TINY else TINY


def t_cdf(t: float, freedom: float) -> float:
    """The probability that Student's t with some degrees of freedom is at most ``t``."""
    tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_density(t: float, freedom: float) -> float:
    """The density of Student's t."""
    log_top = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    return math.exp(log_top - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def t_quantile(p: float, freedom: float) -> float:
    """The value that Student's t stays below with the probability ``p``, above 0 and below 1.

    Newton's steps from the quantile of the normal distribution, which lies nearer to 0, come from one side.
    """
    if p <= 0.5:
        return -t_quantile(1 - p, freedom) if p < 0.5 else 0.0
    t = NormalDist().inv_cdf(p)
    for _ in range(MOST_STEPS):
        step = (p - t_cdf(t, freedom)) / t_density(t, freedom)
        t += step
        if abs(step) < 1e-9 * t:
            break
    return t


def half_width(level: float, freedom: float) -> float:
    """How many standard errors an interval of ``level`` reaches to either side; normal with very many degrees."""
    p = (1 + level) / 2
    return NormalDist().inv_cdf(p) if freedom > MOST_FREEDOM else t_quantile(p, freedom)


def p_value(t: float, freedom: float) -> float:
    """The probability of a value as far from 0 as ``t``: below 1 - level just where `half_width` is below ``t``."""
    return math.erfc(abs(t) / math.sqrt(2)) if freedom > MOST_FREEDOM else 2 * t_cdf(-abs(t), freedom)
