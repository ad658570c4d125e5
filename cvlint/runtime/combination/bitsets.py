"""Decisions of many classifiers as bits, to count the samples on which two of them are both positive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORD = 64  # bits that are counted at once

Bits = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class PackedDecisions:
    """Decisions on the positives and on the negatives, one bit for each sample."""

    positives: Bits
    negatives: Bits
    """The bits of the decisions on each class, (decisions, words); the rest of the last word is 0."""
    tp: Numbers
    fp: Numbers
    """The true and false positives of each decision, (decisions,)."""

    @classmethod
    def of(cls, decisions: NDArray[np.bool_], y_true: NDArray[np.bool_]) -> PackedDecisions:
        """Pack decisions, (decisions, n), on samples whose true class is ``y_true``, (n,)."""
        positives, negatives = packed(decisions[:, y_true]), packed(decisions[:, ~y_true])
        return cls(positives, negatives, totals(positives), totals(negatives))

    @classmethod
    def joined(cls, parts: Sequence[PackedDecisions]) -> PackedDecisions:
        """Several sets of decisions on the same samples, one after the other."""
        return cls(
            np.concatenate([part.positives for part in parts]),
            np.concatenate([part.negatives for part in parts]),
            np.concatenate([part.tp for part in parts]),
            np.concatenate([part.fp for part in parts]),
        )

    def common(self, one: int, others: PackedDecisions, index: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
        """How many positives and negatives both a decision and each of some others call positive, (k,) each."""
        return (
            totals(self.positives[one] & others.positives[index]),
            totals(self.negatives[one] & others.negatives[index]),
        )


def packed(decisions: NDArray[np.bool_]) -> Bits:
    """Booleans, (m, n), as bits in words of 64, (m, words)."""
    words = -(-decisions.shape[1] // WORD)
    octets = np.zeros((len(decisions), words * WORD // 8), dtype=np.uint8)
    bits = np.packbits(decisions, axis=1)
    octets[:, : bits.shape[1]] = bits
    return octets.view(np.uint64)


def totals(bits: Bits) -> Numbers:
    """The number of set bits in each row, (m, words)."""
    return np.asarray(_ones(bits).sum(axis=1, dtype=np.int64))


def ones_by_table(bits: Bits) -> NDArray[np.uint8]:
    """The set bits in each quarter of a word, (m, 4 words), for numpy before 2, which cannot count them."""
    return ONES[bits.view(np.uint16)]


ONES: NDArray[np.uint8] = np.unpackbits(np.arange(2**16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), axis=1).sum(
    axis=1, dtype=np.uint8
)
_ones: Callable[[Bits], NDArray[Any]] = getattr(np, "bitwise_count", ones_by_table)
