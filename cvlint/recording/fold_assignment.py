"""Which fold's test part a recorded call measures, or how it pools the folds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.records import Call, Split


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """A call and the folds it is of.

    Attributes
    ----------
    split
        Whose folds; None where no splitter is known.
    fold
        The fold, of a call for one.
    rows
        For a call that pools the folds, the rows of each; else None.
    """

    call: Call
    split: Split | None = None
    fold: int = 0
    rows: tuple[NDArray[np.intp], ...] | None = None

    @property
    def pooled(self) -> bool:
        """Whether the call is for all folds together."""
        return self.rows is not None


def place(call: Call, splits: Sequence[Split]) -> Placed:
    """Find the folds of a call: those of the loop it was made in, else of the last split whose labels agree."""
    mark = call.mark
    if mark is not None and tests(call, mark.split, mark.fold):
        return Placed(call, mark.split, mark.fold)
    for split in reversed(splits[: call.order]):
        rows = pooled_rows(call, split)
        if rows is not None:
            return Placed(call, split, rows=rows)
        if mark is None and split.y is not None:
            for fold in range(len(split.tests)):
                if tests(call, split, fold):
                    return Placed(call, split, fold)
    return Placed(call)


def tests(call: Call, split: Split, fold: int) -> bool:
    """Whether the labels of a call are those of a fold's test part, as far as they are known."""
    test = split.tests[fold]
    if len(test) != len(call.y_true):
        return False
    if split.y is None or test.dtype.kind not in "iu" or len(split.y) <= int(test.max(initial=0)):
        return len(test) != split.trained[fold] or split.y is None
    return alike(split.y[test], call.y_true)


def learn_labels(calls: Iterable[Call]) -> None:
    """Let splits that were given no labels know those that calls in all of their folds measured."""
    seen: dict[Split, dict[int, NDArray[Any]]] = {}
    for call in calls:
        mark = call.mark
        if mark is not None and mark.split.y is None and tests(call, mark.split, mark.fold):
            seen.setdefault(mark.split, {}).setdefault(mark.fold, call.y_true)
    for split, parts in seen.items():
        every = np.concatenate(split.tests)
        shapes = {part.shape[1:] for part in parts.values()}
        if len(parts) == len(split.tests) and len(shapes) == 1 and is_each_once(every):
            labels = np.concatenate([parts[fold] for fold in range(len(parts))])
            split.learned = labels[np.argsort(every)]


def is_each_once(rows: NDArray[Any]) -> bool:
    """Whether these are the numbers of rows from 0 on, each once."""
    return rows.dtype.kind in "iu" and np.array_equal(np.sort(rows), np.arange(len(rows)))


def pooled_rows(call: Call, split: Split) -> tuple[NDArray[np.intp], ...] | None:
    """The rows of each fold, in a call that measures all samples in their order, or fold after fold.

    None where these differ, and no labels tell which it is.
    """
    if len(split.tests) < 2 or any(test.dtype.kind not in "iu" for test in split.tests):
        return None
    every = np.concatenate(split.tests)
    if len(every) != len(call.y_true):
        return None
    y = split.learned if split.y is None else split.y
    if y is None and not np.array_equal(every, np.arange(len(every))):
        return None
    if is_each_once(every) and (y is None or alike(y, call.y_true)):
        return tuple(test.astype(np.intp) for test in split.tests)
    if y is not None and len(y) > int(every.max()) and alike(y[every], call.y_true):
        ends = np.cumsum([len(test) for test in split.tests])
        return tuple(np.arange(end - len(test), end) for end, test in zip(ends, split.tests, strict=True))
    return None


def alike(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays of labels are the same up to the names of the labels."""
    if one.shape != other.shape:
        return False
    if one.ndim > 1:
        return np.array_equal(one, other)
    if one.dtype.kind == other.dtype.kind and np.array_equal(one, other):
        return True
    left, right = (np.unique(values, return_inverse=True)[1] for values in (one, other))
    pairs = np.unique(left.astype(np.int64) * (int(right.max(initial=0)) + 1) + right)
    return len(pairs) == len(np.unique(left)) == len(np.unique(right))


def repeats_of(parts: Sequence[NDArray[Any]]) -> int:
    """How many times over test parts cover the same samples, each time in parts that do not overlap; 1 if not so."""
    rounds: list[set[int]] = []
    sizes: list[int] = []
    for part in parts:
        if part.dtype.kind not in "iu":
            return 1
        samples = set(part.tolist())
        if not rounds or rounds[-1] & samples:
            rounds.append(set())
            sizes.append(0)
        rounds[-1] |= samples
        sizes[-1] += 1
    same = len(set(sizes)) == 1 and all(each == rounds[0] for each in rounds)
    return len(rounds) if same and sizes[0] > 1 else 1
