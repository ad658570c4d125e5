"""Group recorded calls of measures into experiments, and find the fold that each call tested."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.call_sites import CallSite
from cvlint.recording.fold_assignment import AssignedCall, assign_folds, collect_labels, repeats_of
from cvlint.recording.records import MAIN, MeasureOptions, RecordedCall, RecordedSplit


@dataclass(frozen=True, eq=False, slots=True)
class RecordedFold:
    """The test part of one fold: arrays of one length, or None for unknown values."""

    fold: int
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None = None
    y_score: NDArray[Any] | None = None
    sample_id: NDArray[Any] | None = None
    weight: NDArray[Any] | None = None
    group: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Measurement:
    """A call site that computed a measure of an experiment."""

    site: CallSite
    function: str
    measure: str
    options: MeasureOptions
    """The properties of its calls."""
    values: tuple[float | None, ...]
    """The results of the calls: a number for each fold, or a single one for pooled folds; empty if unknown."""
    pooled: bool
    """Whether one call measured all folds together."""


@dataclass(frozen=True, eq=False, slots=True)
class Experiment:
    """The folds of one cross-validation, and the measures computed from them.

    ``repeats`` counts how often the folds test all samples; ``caution`` is a sentence about anything doubtful.
    """

    measurements: tuple[Measurement, ...]
    folds: tuple[RecordedFold, ...]
    repeats: int = 1
    split: RecordedSplit | None = None
    occurrence: int = 0
    number: int = 1
    caution: str = ""
    label_names: tuple[str, ...] = ()
    """The names of the labels of multilabel data; empty where the script does not say them to a measure."""


def experiments_of(calls: Sequence[RecordedCall], splits: Sequence[RecordedSplit]) -> tuple[Experiment, ...]:
    """Sort recorded calls into experiments, in the order of their first calls.

    Calls of one call site belong together if they test the folds of one split: the first call in each fold, the second
    call in each fold, and so on. Without a known splitter, a call site that measures the same labels again begins a new
    experiment. Call sites that measure the same predictions, or labels and scores of the same folds, share an
    experiment.
    """
    collect_labels(calls)
    placed = [assign_folds(call, visible_splits(call, splits)) for call in calls]
    groups: dict[tuple[Any, ...], list[AssignedCall]] = {}
    for key, several in by_call_site(placed).items():
        for turn, group in enumerate(occurrences(several)):
            groups[(*key, turn)] = group
    found = [experiment_of_calls(group, key[-1]) for key, group in groups.items()]
    return numbered(merged(found))


def visible_splits(call: RecordedCall, splits: Sequence[RecordedSplit]) -> Sequence[RecordedSplit]:
    """The splits that can have made the folds of a call: those of other worker processes cannot."""
    if call.process == MAIN:
        return splits
    return [split for split in splits if split.process in (MAIN, call.process) and split.begun <= call.time]


def by_call_site(placed: Iterable[AssignedCall]) -> dict[tuple[Any, ...], list[AssignedCall]]:
    """Group calls by call site, measure, and the split that made their folds."""
    groups: dict[tuple[Any, ...], list[AssignedCall]] = defaultdict(list)
    for one in placed:
        call = one.call
        split = None if one.split is None else id(one.split)
        groups[call.site, call.name, call.function, call.options, split, one.pooled].append(one)
    return groups


def occurrences(several: Sequence[AssignedCall]) -> list[list[AssignedCall]]:
    """Group the calls of one call site: the first call of every fold, the second call of every fold, and so on."""
    if several[0].pooled:
        return [[one] for one in several]
    key = [one.fold if one.split is not None else id(one.call.y_true) for one in several]
    counts = Counter(key)
    if several[0].split is None and len(set(counts.values())) > 1:
        return [list(several)]  # the labels do not distinguish the folds
    seen: Counter[Any] = Counter()
    found: list[list[AssignedCall]] = [[] for _ in range(max(counts.values()))]
    for k, one in zip(key, several, strict=True):
        found[seen[k]].append(one)
        seen[k] += 1
    return found


def experiment_of_calls(group: Sequence[AssignedCall], turn: int) -> Experiment:
    """Build the experiment of a group of calls."""
    if group[0].split is not None:
        group = sorted(group, key=lambda one: one.fold)
    first = group[0]
    call, split = first.call, first.split
    values = tuple(one.call.value for one in group)
    measurement = Measurement(call.site, call.function, call.measure, call.options, values, first.pooled)
    if first.rows is not None:
        parts = [part_of(call, i, rows, split) for i, rows in enumerate(first.rows)]
    else:
        parts = [part_of(one.call, i if split is None else one.fold, None, split) for i, one in enumerate(group)]
    repeats = 1 if split is None else repeats_of([split.test_rows[part.fold] for part in parts])
    caution = ""
    if split is not None and len(parts) < len(split.test_rows):
        caution = f"Only {len(parts)} of {len(split.test_rows)} folds were recorded."
    names = next((one.call.label_names for one in group if one.call.label_names), ())
    return Experiment((measurement,), tuple(parts), repeats, split, turn, caution=caution, label_names=names)


def part_of(call: RecordedCall, fold: int, rows: NDArray[Any] | None, split: RecordedSplit | None) -> RecordedFold:
    """Cut one fold out of a call: all its samples, or some rows."""
    test = None if split is None else split.test_rows[fold]

    def taken(values: NDArray[Any] | None) -> NDArray[Any] | None:
        return values if values is None or rows is None else values[rows]

    y_true = call.y_true if rows is None else call.y_true[rows]
    ids = test if test is not None and test.ndim == 1 and test.dtype.kind in "iu" else None
    groups = None if split is None else groups_of(split, ids)
    return RecordedFold(fold, y_true, taken(call.y_pred), taken(call.y_score), ids, taken(call.weight), groups)


def groups_of(split: RecordedSplit, rows: NDArray[Any] | None) -> NDArray[Any] | None:
    """The groups of some rows of the data that were split; None where they are not known."""
    if split.groups is None or rows is None or split.groups.ndim > 1 or len(split.groups) <= int(rows.max(initial=0)):
        return None
    return np.asarray(split.groups[rows])


def merged(found: Sequence[Experiment]) -> list[Experiment]:
    """Join experiments of the same folds that do not contradict each other."""
    turns_at: Counter[tuple[Any, ...]] = Counter(
        (id(e.split), e.measurements[0].site, e.measurements[0].function) for e in found
    )
    kept: list[Experiment] = []
    for one in found:
        for i, other in enumerate(kept):
            same_turns = one.occurrence == other.occurrence and (
                turns_at[id(one.split), one.measurements[0].site, one.measurements[0].function]
                == turns_at[id(other.split), other.measurements[0].site, other.measurements[0].function]
            )
            joint = joined_experiment(other, one, same_turns)
            if joint is not None:
                kept[i] = joint
                break
        else:
            kept.append(one)
    return kept


def joined_experiment(one: Experiment, other: Experiment, same_turns: bool) -> Experiment | None:
    """Join two experiments; None if their folds or predictions differ."""
    if one.split is not other.split or len(one.folds) != len(other.folds):
        return None
    parts = []
    for a, b in zip(one.folds, other.folds, strict=True):
        if a.fold != b.fold or not equal(a.y_true, b.y_true) or not equal(a.weight, b.weight):
            return None
        for left, right in ((a.y_pred, b.y_pred), (a.y_score, b.y_score)):
            if left is not None and right is not None and not equal(left, right):
                return None
        shared = (a.y_pred is not None and b.y_pred is not None) or (a.y_score is not None and b.y_score is not None)
        if not shared and not (same_turns and one.split is not None):
            return None
        pred, score = (a.y_pred if b.y_pred is None else b.y_pred), (a.y_score if b.y_score is None else b.y_score)
        parts.append(replace(a, y_pred=pred, y_score=score))
    names = one.label_names or other.label_names
    return replace(one, measurements=one.measurements + other.measurements, folds=tuple(parts), label_names=names)


def equal(left: NDArray[Any] | None, right: NDArray[Any] | None) -> bool:
    """Whether two arrays are equal; None equals only None."""
    if left is None or right is None:
        return left is right
    return left is right or np.array_equal(left, right)


def numbered(found: Iterable[Experiment]) -> tuple[Experiment, ...]:
    """Number the experiments of each call site from 1."""
    counts: Counter[Any] = Counter()
    named = []
    for one in found:
        where = tuple(
            sorted(
                {
                    (measurement.site.path, measurement.site.cell or 0, measurement.site.line)
                    for measurement in one.measurements
                }
            )
        )
        counts[where] += 1
        named.append(replace(one, number=counts[where]))
    return tuple(named)
