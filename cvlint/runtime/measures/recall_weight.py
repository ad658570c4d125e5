"""The weight of recall in F, which every computation of F checks."""

from __future__ import annotations

import math

from cvlint.runtime.errors import FoldDataError

MOST_BETA = 1_000_000  # its square is exact, and F already equals the recall


def checked_beta(beta: float, most: float = MOST_BETA) -> float:
    """A weight of recall; raises unless it is from 0 to ``most``."""
    if not 0 <= beta <= most:
        upto = "0 or more" if most == math.inf else f"a number from 0 to {most:,.0f}"
        raise FoldDataError(f"beta cannot be {beta:g}: the weight of recall is {upto}.")
    return abs(float(beta))  # -0.0 is 0
