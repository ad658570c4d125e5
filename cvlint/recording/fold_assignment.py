"""Find the fold that a recorded call measures, or the rows of each fold in a pooled call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.records import RecordedCall, RecordedSplit


@dataclass(frozen=True, eq=False, slots=True)
class AssignedCall:
    """A call and the folds that it measures."""

    call: RecordedCall
    """The call."""
    split: RecordedSplit | None = None
    """The split that made the folds; None if no splitter is known."""
    fold: int = 0
    """The fold of a call that measures a single one."""
    rows: tuple[NDArray[np.intp], ...] | None = None
    """The rows of each fold in a pooled call; None for any other call."""

    @property
    def pooled(self) -> bool:
        """Whether the call measures all folds together."""
        return self.rows is not None


def assign_folds(call: RecordedCall, splits: Sequence[RecordedSplit]) -> AssignedCall:
    """Find the fold of a call: that of the loop around it, or of the last split whose labels agree."""
    running = call.running_fold
    if running is not None and is_test_part(call, running.split, running.fold):
        return AssignedCall(call, running.split, running.fold)
    for split in reversed(splits[: call.order]):
        rows = pooled_rows(call, split)
        if rows is not None:
            return AssignedCall(call, split, rows=rows)
        if running is None and split.y is not None:
            for fold in range(len(split.test_rows)):
                if is_test_part(call, split, fold):
                    return AssignedCall(call, split, fold)
    return AssignedCall(call)


def is_test_part(call: RecordedCall, split: RecordedSplit, fold: int) -> bool:
    """Whether the labels of a call are those of a fold's test part, as far as known."""
    test = split.test_rows[fold]
    if len(test) != len(call.y_true):
        return False
    if split.y is None or test.dtype.kind not in "iu" or len(split.y) <= int(test.max(initial=0)):
        return len(test) != split.train_sizes[fold] or split.y is None
    return alike(split.y[test], call.y_true)


def collect_labels(calls: Iterable[RecordedCall]) -> None:
    """Collect the labels of splits without ``y`` from the calls in all their folds."""
    seen: dict[RecordedSplit, dict[int, NDArray[Any]]] = {}
    for call in calls:
        running = call.running_fold
        if running is not None and running.split.y is None and is_test_part(call, running.split, running.fold):
            seen.setdefault(running.split, {}).setdefault(running.fold, call.y_true)
    for split, parts in seen.items():
        every = np.concatenate(split.test_rows)
        shapes = {part.shape[1:] for part in parts.values()}
        if len(parts) == len(split.test_rows) and len(shapes) == 1 and is_each_once(every):
            labels = np.concatenate([parts[fold] for fold in range(len(parts))])
            split.collected_labels = labels[np.argsort(every)]


def is_each_once(rows: NDArray[Any]) -> bool:
    """Whether an array holds each row number from 0 on exactly once."""
    return rows.dtype.kind in "iu" and np.array_equal(np.sort(rows), np.arange(len(rows)))


def pooled_rows(call: RecordedCall, split: RecordedSplit) -> tuple[NDArray[np.intp], ...] | None:
    """The rows of each fold in a call that measures all samples, in their original order or fold after fold.

    None if the two orders differ and no labels show which one it is.
    """
    if len(split.test_rows) < 2 or any(test.dtype.kind not in "iu" for test in split.test_rows):
        return None
    every = np.concatenate(split.test_rows)
    if len(every) != len(call.y_true):
        return None
    y = split.collected_labels if split.y is None else split.y
    if y is None and not np.array_equal(every, np.arange(len(every))):
        return None
    if is_each_once(every) and (y is None or alike(y, call.y_true)):
        return tuple(test.astype(np.intp) for test in split.test_rows)
    if y is not None and len(y) > int(every.max()) and alike(y[every], call.y_true):
        ends = np.cumsum([len(test) for test in split.test_rows])
        return tuple(np.arange(end - len(test), end) for end, test in zip(ends, split.test_rows, strict=True))
    return None


def alike(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays of labels are equal up to renaming the labels."""
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
    """How often test parts cover the same samples, each time without overlap; 1 for any other parts."""
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
