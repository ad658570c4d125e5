"""Whether a difference is also shown if other training data are allowed for.

The interval of a bootstrap, and DeLong's, are about the models as they were trained. The models of a cross-validation
share most of their training data, so that what these data have in common, and with other data would be different, is in
all folds alike and shows in none. Nadeau & Bengio (2003) add n_test / n_train of the variance of one fold to that of
the mean. So does this: to the variance over samples it adds that share of the variance of one fold, which is the larger
one of the variance between the folds and of the folds' share in the variance over samples.

One cross-validation has no unbiased estimate of that variance (Bengio & Grandvalet 2004), so that no interval by it
holds just what it says with every learner: with linear discriminants, which hardly change with their training data,
intervals of 95 % held the mean difference in 97 to 100 %. So no interval is given, but a cautious answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from cvlint.runtime.comparison.results import Difference


def with_other_training(
    own: Difference, of_folds: Sequence[float], folds: int, ratio: float | str, level: float
) -> Difference:
    """The difference, with whether it is shown if other training data are allowed for, or why that is not known.

    Parameters
    ----------
    own
        A difference, with its interval for the models as they were trained.
    of_folds
        The difference in each fold of each repetition; empty where the measure is not known there.
    folds
        Of each repetition.
    ratio
        n_test / n_train, or why it is not known.
    level
        Of the interval: the answer is wrong in at most the rest of all experiments.
    """
    if own.interval is None:
        return own
    if isinstance(ratio, str):
        return replace(own, why_untrained=ratio)
    between = float(np.var(of_folds, ddof=1)) if len(of_folds) > 1 else 0.0
    error = math.sqrt(own.error**2 + ratio * max(between, folds * own.error**2))
    reach = NormalDist().inv_cdf((1 + level) / 2) * error
    return replace(own, stays=bool(own.shown and abs(own.value) > reach))
