"""Draws from discrete distributions in constant time, by the alias method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Floats

FRACTION = np.uint64(2**52)  # a bar of this height is a probability of 1


@dataclass(frozen=True, eq=False, slots=True)
class AliasSampler:
    """Several discrete distributions, prepared for draws in constant time.

    References
    ----------
    Walker 1977; Vose 1991.
    """

    bar: NDArray[np.uint64]
    other: NDArray[np.uint32]
    """Shape (distributions, cells); the number of cells is a power of 2. A draw picks a cell at random, keeps it with
    the probability of its bar, and takes the other cell otherwise.
    """

    @classmethod
    def of(cls, distributions: list[Floats]) -> AliasSampler:
        """Prepare distributions, each given by the probabilities of 0, 1, …."""
        cells = 1 << max(1, max(len(p) for p in distributions) - 1).bit_length()
        tables = [alias_table(np.pad(p, (0, cells - len(p)))) for p in distributions]
        return cls(np.stack([t[0] for t in tables]), np.stack([t[1] for t in tables]))

    def draw(self, random: NDArray[np.uint64], which: NDArray[np.intp] | int) -> NDArray[np.uint32]:
        """One outcome of the distribution ``which`` for each random number of 64 bits."""
        cells = self.bar.shape[1]
        cell = (random & np.uint64(cells - 1)).astype(np.uint32)
        place = cell.astype(np.intp) + which * cells if isinstance(which, np.ndarray) or which else cell
        keep = (random >> np.uint64(12)) < self.bar.reshape(-1)[place]
        return np.where(keep, cell, self.other.reshape(-1)[place])


def alias_table(probabilities: Floats) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """The bars, in units of 1 / `FRACTION`, and the other cells of one distribution."""
    cells = len(probabilities)
    mass = (probabilities / probabilities.sum() * cells).tolist()
    other = list(range(cells))
    small = [i for i, m in enumerate(mass) if m < 1]
    large = [i for i, m in enumerate(mass) if m >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        other[low] = high
        mass[high] -= 1 - mass[low]
        if mass[high] < 1:
            small.append(large.pop())
    for rest in (*small, *large):
        mass[rest] = 1.0
    bars = np.minimum(np.array(mass), 1.0) * float(FRACTION)
    return bars.astype(np.uint64), np.array(other, dtype=np.uint32)
