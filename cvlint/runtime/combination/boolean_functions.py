"""The ten Boolean functions of two classifiers, and their rates where only the rates of the two are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats

Dependence: TypeAlias = Literal["positive", "any"]


class Cells(NamedTuple):
    """The truth table of a function of the decisions a and b."""

    neither: bool
    only_b: bool
    only_a: bool
    both: bool


@dataclass(frozen=True, slots=True)
class BooleanFunction:
    """A Boolean function of two decisions."""

    name: str
    """The formula that users read, such as "a AND NOT b"."""
    cells: Cells

    def decide(self, a: NDArray[np.bool_], b: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The function of two arrays of decisions of the same shape."""
        return np.asarray(np.array(self.cells)[2 * a.astype(np.intp) + b])

    def count(self, total: Any, a: Any, b: Any, both: Any) -> Any:
        """The number of samples on which the function is true.

        Parameters
        ----------
        total, a, b, both
            The number of samples, and of those on which a, b, and both are true: numbers or arrays, counts or shares
            of a class (then ``total`` is 1).

        Returns
        -------
        number or ndarray
            Linear in each argument: the four cases are disjoint, and their sizes are ``both``, ``a - both``,
            ``b - both`` and ``total - a - b + both``.
        """
        c = self.cells
        alone = c.neither * total + (c.only_a - c.neither) * a + (c.only_b - c.neither) * b
        return alone + (c.neither - c.only_b - c.only_a + c.both) * both


def _function(name: str, neither: int, only_b: int, only_a: int, both: int) -> BooleanFunction:
    return BooleanFunction(name, Cells(bool(neither), bool(only_b), bool(only_a), bool(both)))


FUNCTIONS = (
    _function("a AND b", 0, 0, 0, 1),
    _function("NOT a AND b", 0, 1, 0, 0),
    _function("a AND NOT b", 0, 0, 1, 0),
    _function("NOT (a AND b)", 1, 1, 1, 0),
    _function("a OR b", 0, 1, 1, 1),
    _function("NOT a OR b", 1, 1, 0, 1),
    _function("a OR NOT b", 1, 0, 1, 1),
    _function("NOT (a OR b)", 1, 0, 0, 0),
    _function("a XOR b", 0, 1, 1, 0),
    _function("a EQUALS b", 1, 0, 0, 1),
)
"""Those of Soleymani et al., Algorithm 1, B1 to B10. The other six of all sixteen do not need both decisions."""

BY_NAME = {function.name: function for function in FUNCTIONS}
AND, OR = BY_NAME["a AND b"], BY_NAME["a OR b"]


def independent_rate(function: BooleanFunction, a: ArrayLike, b: ArrayLike) -> Floats:
    """The rate of a combination of two classifiers that are conditionally independent, given the class.

    Parameters
    ----------
    function
        The function that combines them.
    a, b
        The rates of the two in one class, both TPR or both FPR: from 0 to 1; arrays that broadcast.

    Returns
    -------
    ndarray
        The same rate of the combination; both are true with probability ``a b``.

    Raises
    ------
    FoldDataError
        When a rate is not from 0 to 1.

    References
    ----------
    Soleymani et al., appendix A.1, equations A.1 to A.4.
    """
    first, second = checked_rates(a, b)
    return np.asarray(function.count(1.0, first, second, first * second))


def rate_bounds(
    function: BooleanFunction, a: ArrayLike, b: ArrayLike, dependence: Dependence = "any"
) -> tuple[Floats, Floats]:
    """The bounds of the rate of a combination of two dependent classifiers; both bounds can occur.

    Parameters
    ----------
    function, a, b
        As for `independent_rate`.
    dependence
        "positive": where one is right in this class, the other is right more often than elsewhere (the paper's
        assumption), so both are true with a probability from ``a b`` to ``min(a, b)``. "any": the bounds of Fréchet,
        from ``max(0, a + b - 1)``.

    Returns
    -------
    low, high : ndarray
        The rate of every function is linear in the probability that both are true, so the bounds are at its ends.

    Raises
    ------
    FoldDataError
        When a rate is not from 0 to 1.

    Notes
    -----
    Misprints in the paper, found by derivation. It prints < where it should print <=. The upper bound of the
    FPR of AND is printed as ``a + b - 1 + min(a, b)``, which is below 0 for two small rates; both classifiers are right
    on a negative with a probability of at most ``min(1 - a, 1 - b)``, which makes ``a + b - 1 + min(1 - a, 1 - b)``,
    or ``min(a, b)``, as for the TPR. In A.5 and A.6 the bound is one of P(+), not PC(+), which has m in it already, and
    the difference of the TPRs has the wrong sign. For A.7 and A.8 see `cvlint.runtime.spaces.fspace`.

    References
    ----------
    Soleymani et al., appendix A.2, equations A.9 to A.13; Fréchet 1935 for "any".
    """
    first, second = checked_rates(a, b)
    fewest = first * second if dependence == "positive" else np.maximum(0.0, first + second - 1)
    ends = [function.count(1.0, first, second, both) for both in (fewest, np.minimum(first, second))]
    return np.minimum(*ends), np.maximum(*ends)


def checked_rates(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Two arrays of rates; raises unless they are from 0 to 1."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    for values in (first, second):
        if not ((values >= 0) & (values <= 1)).all():
            raise FoldDataError("a rate is not from 0 to 1: TPR or FPR of a classifier is needed.")
    return first, second
