"""McNemar's test: whether one of two classifiers is right more often on the same samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.comparison.fold_tests import shown_p
from cvlint.runtime.comparison.results import PairedTest
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.student_t import incomplete_beta

NAME = "mcnemar"
TITLE = "McNemar's test, exact"
REFERENCE = "McNemar 1947; Dietterich 1998"
ASSUMPTIONS = (
    "It is about accuracy, not F or AUC: whether the two are right on the same number of samples. The samples are "
    "independent, and the models are taken as they are: another training set may turn the result."
)


def mcnemar(first: FoldSet, second: FoldSet, names: tuple[str, str]) -> PairedTest:
    """Test the decisions of all folds together.

    Parameters
    ----------
    first, second
        Experiments whose rows are the same samples.
    names
        Of the two.
    """
    why = why_not(first, second)
    if why:
        return PairedTest(NAME, TITLE, "accuracy", REFERENCE, ASSUMPTIONS, why=why)
    mine, theirs = right(first), right(second)
    only_first, only_second = int((mine & ~theirs).sum()), int((theirs & ~mine).sum())
    p = exact_p(only_first, only_second)
    values = {"only_first_right": float(only_first), "only_second_right": float(only_second), "p": p}
    result = f"only {names[0]} is right on {only_first} samples, only {names[1]} on {only_second}, {shown_p(p)}"
    return PairedTest(NAME, TITLE, "accuracy", REFERENCE, ASSUMPTIONS, values, result)


def why_not(first: FoldSet, second: FoldSet) -> str:
    """Why it cannot be computed, as a half sentence; empty where it can."""
    if first.y_pred is None or second.y_pred is None:
        return "it needs predicted labels of both"
    if first.repeat is not None and len(np.unique(first.repeat[0])) > 1:
        return "the repetitions decide on each sample several times"
    if first.group is not None:
        return "the samples of a group are not independent"
    return "the samples have weights" if first.weight is not None else ""


def right(one: FoldSet) -> NDArray[np.bool_]:
    """Whether each sample is decided rightly; with several labels, whether all of them are."""
    same = np.asarray(one.y_true == one.y_pred)
    return same if same.ndim == 1 else np.asarray(same.all(axis=1))


def binomial_cdf(k: int, n: int, p: float = 0.5) -> float:
    """The probability of at most ``k`` successes in ``n`` trials."""
    return 1.0 if k >= n else incomplete_beta(n - k, k + 1, 1 - p)


def exact_p(only_first: int, only_second: int) -> float:
    """The two-sided probability of a split of the disagreements that is as uneven, if both were equally good."""
    return min(1.0, 2 * binomial_cdf(min(only_first, only_second), only_first + only_second))
