"""The F-measure by beta and by alpha, and van Rijsbergen's effectiveness E, from which both come.

Every function raises `FoldDataError` for an alpha, the weight of precision, outside 0 to 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.measures.recall_weight import checked_beta


def alpha_of(beta: float) -> float:
    """The weight of precision, alpha = 1 / (beta² + 1), from 0 to 1, for a beta from 0 to infinity.

    F_{alpha=0.5} is F_{beta=1}; the usual name F_1 is by beta.

    Raises
    ------
    FoldDataError
        For a negative beta, and NaN.

    References
    ----------
    Sasaki 2007, equation 1.
    """
    beta = checked_beta(beta, math.inf)
    return float(1 / (1 + beta * beta))  # ** overflows


def beta_of(alpha: float) -> float:
    """The beta of a weight of precision: sqrt((1 - alpha) / alpha), infinity for 0.

    It is the ratio R / P at which precision and recall change E equally: by `effectiveness_gradient`,
    alpha R² = (1 - alpha) P² there. (Van Rijsbergen's book prints beta = P / R; the derivation gives R / P, as
    Sasaki's footnote 2 supposes.)

    References
    ----------
    Sasaki 2007, section 3.
    """
    checked_alpha(alpha)
    return math.sqrt((1 - alpha) / alpha) if alpha > 0 else math.inf


def f_alpha(precision: ArrayLike, recall: ArrayLike, alpha: float = 0.5) -> Floats:
    """F_alpha = 1 / (alpha / P + (1 - alpha) / R), the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    precision, recall
        From 0 to 1, of any shapes that broadcast; NaN where undefined.
    alpha
        The weight of precision, from 0 (F is the recall) to 1 (F is the precision).

    Returns
    -------
    ndarray
        From 0 to 1; 0 where both are 0, NaN where one with a weight above 0 is NaN.

    References
    ----------
    Sasaki 2007, section 2; Soleymani et al., equation 3.
    """
    checked_alpha(alpha)
    p, r = np.broadcast_arrays(np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64))
    if alpha in (0, 1):  # the limits: a rate without weight does not matter, even if it is undefined
        return (p if alpha else r).copy()
    return quotient(p * r, alpha * r + (1 - alpha) * p, 0.0)


def f_beta(precision: ArrayLike, recall: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta = (beta² + 1) P R / (beta² P + R), for a beta from 0 (the precision) to infinity (the recall).

    Arguments and result are as for `f_alpha`. For a finite beta, `cvlint.runtime.measures.counts.f_from_rates` is the
    same.

    References
    ----------
    Sasaki 2007, section 2.
    """
    return f_alpha(precision, recall, alpha_of(beta))


def f_alpha_from_counts(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, alpha: float = 0.5) -> Floats:
    """F_alpha from counts: TP / (alpha (TP + FP) + (1 - alpha) (TP + FN)), from 0 to 1; 0 where that is 0 / 0.

    With alpha = 1 / (beta² + 1) it is `cvlint.runtime.measures.counts.f_from_counts`; counts broadcast.
    """
    checked_alpha(alpha)
    tp = np.asarray(tp, dtype=np.float64)
    return quotient(tp, tp + alpha * np.asarray(fp) + (1 - alpha) * np.asarray(fn), 0.0)


def effectiveness(precision: ArrayLike, recall: ArrayLike, alpha: float = 0.5) -> Floats:
    """Van Rijsbergen's E = 1 - F_alpha: 0 is best, 1 is worst; the arguments are those of `f_alpha`.

    References
    ----------
    Sasaki 2007, section 2.
    """
    return np.asarray(1 - f_alpha(precision, recall, alpha))


def effectiveness_gradient(precision: ArrayLike, recall: ArrayLike, alpha: float = 0.5) -> tuple[Floats, Floats]:
    """How E changes with precision and with recall: ∂E/∂P = -alpha R² / g², ∂E/∂R = -(1 - alpha) P² / g².

    Here g = alpha R + (1 - alpha) P. The two are equal where R / P = beta: compare `beta_of`. NaN where g is 0.

    References
    ----------
    Sasaki 2007, section 3.
    """
    checked_alpha(alpha)
    p, r = np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64)
    square = (alpha * r + (1 - alpha) * p) ** 2
    return quotient(-alpha * r * r, square, np.nan), quotient(-(1 - alpha) * p * p, square, np.nan)


def checked_alpha(alpha: float) -> float:
    """A weight of precision; raises unless it is from 0 to 1."""
    if not 0 <= alpha <= 1:
        raise FoldDataError(f"alpha cannot be {alpha:g}: the weight of precision is from 0 to 1.")
    return alpha
