"""Experiments out of records: which calls belong together, and which fold each one tested."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.call_sites import Site
from cvlint.recording.fold_assignment import Placed, learn_labels, place, repeats_of
from cvlint.recording.records import Call, Options, Split


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """The test part of one fold; arrays of one length, or None where nothing is known."""

    fold: int
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None = None
    y_score: NDArray[Any] | None = None
    sample_id: NDArray[Any] | None = None
    weight: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Use:
    """A place that computed a measure of an experiment.

    Attributes
    ----------
    site, function, measure, options
        As of its calls.
    values
        What the calls returned: a number a fold, or a single one when all folds were pooled; empty where unknown.
    pooled
        Whether it was called once for all folds together.
    """

    site: Site
    function: str
    measure: str
    options: Options
    values: tuple[float | None, ...]
    pooled: bool


@dataclass(frozen=True, eq=False, slots=True)
class Experiment:
    """The folds of one run through them, and what was computed of them.

    ``repeats`` tells how many times over the folds test all samples; ``caution`` is a sentence on what is doubtful.
    """

    uses: tuple[Use, ...]
    parts: tuple[Part, ...]
    repeats: int = 1
    split: Split | None = None
    turn: int = 0
    number: int = 1
    caution: str = ""


def experiments_of(calls: Sequence[Call], splits: Sequence[Split]) -> tuple[Experiment, ...]:
    """Sort recorded calls into experiments, in the order of their first calls.

    Calls of one place belong together when they test the folds of one run through a splitter, the first call in each
    fold, the second in each, and so on. Where no splitter is known, a place that sees the same labels again begins
    anew. Places that measure the same predictions, or labels and scores of the same folds, share an experiment.
    """
    learn_labels(calls)
    placed = [place(call, splits) for call in calls]
    groups: dict[tuple[Any, ...], list[Placed]] = {}
    for key, several in by_place(placed).items():
        for turn, group in enumerate(turns(several)):
            groups[(*key, turn)] = group
    found = [made(group, key[-1]) for key, group in groups.items()]
    return numbered(merged(found))


def by_place(placed: Iterable[Placed]) -> dict[tuple[Any, ...], list[Placed]]:
    """Calls by their place, what they compute, and the split that made their folds."""
    groups: dict[tuple[Any, ...], list[Placed]] = defaultdict(list)
    for one in placed:
        call = one.call
        split = None if one.split is None else id(one.split)
        groups[call.site, call.name, call.function, call.options, split, one.pooled].append(one)
    return groups


def turns(several: Sequence[Placed]) -> list[list[Placed]]:
    """Calls of one place: the first of every fold, the second of every fold, and so on."""
    if several[0].pooled:
        return [[one] for one in several]
    key = [one.fold if one.split is not None else id(one.call.y_true) for one in several]
    counts = Counter(key)
    if several[0].split is None and len(set(counts.values())) > 1:
        return [list(several)]  # labels do not tell the folds apart
    seen: Counter[Any] = Counter()
    found: list[list[Placed]] = [[] for _ in range(max(counts.values()))]
    for k, one in zip(key, several, strict=True):
        found[seen[k]].append(one)
        seen[k] += 1
    return found


def made(group: Sequence[Placed], turn: int) -> Experiment:
    """The experiment of some calls of one place."""
    if group[0].split is not None:
        group = sorted(group, key=lambda one: one.fold)
    first = group[0]
    call, split = first.call, first.split
    values = tuple(one.call.value for one in group)
    use = Use(call.site, call.function, call.measure, call.options, values, first.pooled)
    if first.rows is not None:
        parts = [part_of(call, i, rows, None if split is None else split.tests[i]) for i, rows in enumerate(first.rows)]
    else:
        parts = [
            part_of(one.call, i if split is None else one.fold, None, None if split is None else split.tests[one.fold])
            for i, one in enumerate(group)
        ]
    repeats = 1 if split is None else repeats_of([split.tests[part.fold] for part in parts])
    caution = ""
    if split is not None and len(parts) < len(split.tests):
        caution = f"Only {len(parts)} of {len(split.tests)} folds were recorded."
    return Experiment((use,), tuple(parts), repeats, split, turn, caution=caution)


def part_of(call: Call, fold: int, rows: NDArray[Any] | None, test: NDArray[Any] | None) -> Part:
    """One fold of a call: all its samples, or some rows of them."""

    def taken(values: NDArray[Any] | None) -> NDArray[Any] | None:
        return values if values is None or rows is None else values[rows]

    y_true = call.y_true if rows is None else call.y_true[rows]
    ids = test if test is not None and test.ndim == 1 and test.dtype.kind in "iu" else None
    return Part(fold, y_true, taken(call.y_pred), taken(call.y_score), ids, taken(call.weight))


def merged(found: Sequence[Experiment]) -> list[Experiment]:
    """Experiments with those joined that are of the same folds and do not contradict each other."""
    turns_at: Counter[tuple[Any, ...]] = Counter((id(e.split), e.uses[0].site, e.uses[0].function) for e in found)
    kept: list[Experiment] = []
    for one in found:
        for i, other in enumerate(kept):
            same_turns = one.turn == other.turn and (
                turns_at[id(one.split), one.uses[0].site, one.uses[0].function]
                == turns_at[id(other.split), other.uses[0].site, other.uses[0].function]
            )
            joint = together(other, one, same_turns)
            if joint is not None:
                kept[i] = joint
                break
        else:
            kept.append(one)
    return kept


def together(one: Experiment, other: Experiment, same_turns: bool) -> Experiment | None:
    """Two experiments as one; None where they are of other folds or of other predictions."""
    if one.split is not other.split or len(one.parts) != len(other.parts):
        return None
    parts = []
    for a, b in zip(one.parts, other.parts, strict=True):
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
    return replace(one, uses=one.uses + other.uses, parts=tuple(parts))


def equal(left: NDArray[Any] | None, right: NDArray[Any] | None) -> bool:
    """Whether two arrays hold the same; None equals None alone."""
    if left is None or right is None:
        return left is right
    return left is right or np.array_equal(left, right)


def numbered(found: Iterable[Experiment]) -> tuple[Experiment, ...]:
    """Experiments with numbers that tell those of one place apart, from 1."""
    counts: Counter[Any] = Counter()
    named = []
    for one in found:
        where = tuple(sorted({(use.site.path, use.site.cell or 0, use.site.line) for use in one.uses}))
        counts[where] += 1
        named.append(replace(one, number=counts[where]))
    return tuple(named)
