"""Two experiments on the same samples and folds, matched row by row; anything else is refused in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Codes, Label, joined, spelling
from cvlint.runtime.errors import FoldDataError

ONLY = "only experiments on the same samples and folds can be compared."
SHOWN = 10


@dataclass(frozen=True, eq=False, slots=True)
class Pair:
    """Two experiments whose rows are the same samples in the same order."""

    names: tuple[str, str]
    """What users call the two."""
    first: FoldSet
    second: FoldSet
    """The experiments; their true labels, folds, repetitions, weights and groups are equal."""
    sample: Codes | None = None
    """The identity of each row, (n,), codes from 0; None where the samples have none."""
    notes: tuple[str, ...] = ()
    """Sentences about what was taken from one of the two for both."""

    @property
    def matched_by(self) -> str:
        """How the rows were matched."""
        return "sample_id" if self.sample is not None else "row"

    @property
    def identical(self) -> bool:
        """Whether the two predict the same for every sample."""
        return all(
            left is right if left is None or right is None else np.array_equal(left, right)
            for left, right in ((self.first.y_pred, self.second.y_pred), (self.first.y_score, self.second.y_score))
        )


def paired(first: FoldSet, second: FoldSet, names: tuple[str, str] = ("A", "B")) -> Pair:
    """Match two experiments: by the identity of their samples, or row by row where the samples have none.

    Parameters
    ----------
    first, second
        One experiment each, perhaps in several repetitions.
    names
        What error messages call them.

    Raises
    ------
    FoldDataError
        When they do not hold the same samples with the same true labels, folds, repetitions, weights and groups, or
        when no aggregate is defined for both.
    """
    check_tasks(first, second, names)
    named = first.sample_id is not None and second.sample_id is not None  # what differs can be named below
    if len(first) != len(second) and not named:
        raise FoldDataError(f"{names[0]} has {len(first)} samples and {names[1]} has {len(second)}: {ONLY}", None)
    for what in ("repeat", "weight"):
        if (getattr(first, what) is None) != (getattr(second, what) is None):
            having, lacking = names if getattr(first, what) is not None else names[::-1]
            raise FoldDataError(f"{having} has a column {what} and {lacking} has none: {ONLY}")
    if not named:
        check_rows(first, second, names)
        return grouped_alike(Pair(names, first, second))
    return by_sample(first, second, names)


def check_tasks(first: FoldSet, second: FoldSet, names: tuple[str, str]) -> None:
    """Refuse experiments with other labels, or without a kind of prediction in common."""
    for one, name in ((first, names[0]), (second, names[1])):
        if one.experiment is not None and len(np.unique(one.experiment[0])) > 1:
            raise FoldDataError(f"{name} holds several experiments: choose one.")
    mine, theirs = ({spelling(label): label for label in one.classes} for one in (first, second))
    for one, own, other, having, lacking in ((first, mine, theirs, *names), (second, theirs, mine, *names[::-1])):
        only = [label for key, label in own.items() if key not in other]
        if only and first.kind != "multilabel":
            raise FoldDataError(
                f"{having} has the label {only[0]!r} ({first_with(one, only[0])}), and {lacking} does not have it: its "
                f"labels are {', '.join(map(repr, list(other.values())[:SHOWN]))}. Only experiments with the same "
                "labels can be compared."
            )
    if mine.keys() != theirs.keys() or first.kind != second.kind:
        raise FoldDataError(
            f"the labels of {names[0]} are {listed(first)}, and those of {names[1]} are {listed(second)}: only "
            "experiments with the same labels can be compared."
        )
    if [spelling(label) for label in first.classes] != [spelling(label) for label in second.classes]:
        raise FoldDataError(
            f"the labels of {names[0]} are {listed(first)}, and those of {names[1]} are {listed(second)}: write both "
            "alike, and name one positive label for both."
        )
    if not (first.y_pred is not None and second.y_pred is not None) and (
        first.y_score is None or second.y_score is None
    ):
        labels, scores = names if first.y_score is None else names[::-1]
        raise FoldDataError(
            f"{labels} has predicted labels only and {scores} has scores only: no measure can be computed of both."
        )


def first_with(one: FoldSet, label: Label) -> str:
    """The first row that has a label, and whether it is true or predicted there."""
    code = one.classes.index(label)
    for values, what in ((one.y_true, "true"), (one.y_pred, "predicted")):
        rows = np.flatnonzero(values == code) if values is not None else np.zeros(0, dtype=np.intp)
        if len(rows):
            return f"{what} for {called(one, int(rows[0]))}"
    return "of no sample"


def called(one: FoldSet, row: int) -> str:
    """What a sentence calls a row."""
    if one.sample_id is None or one.sample_names is None:
        return f"sample {row + 1} in the order of the file"
    return f"sample {one.sample_names.tolist()[one.sample_id[row]]!r}"


def listed(one: FoldSet) -> str:
    """The labels of an experiment in a sentence."""
    return ", ".join(map(repr, one.classes[:SHOWN])) + (" …" if len(one.classes) > SHOWN else "")


def by_sample(first: FoldSet, second: FoldSet, names: tuple[str, str]) -> Pair:
    """Match the rows by repetition and sample."""
    (mine, theirs), samples = joined_names(first, second)
    keys = []
    repeats, labels = repeats_of(first, second)
    for name, sample, repeat in zip(names, (mine, theirs), repeats, strict=True):
        key = repeat.astype(np.int64) * len(samples) + sample
        ordered = np.sort(key)
        twice = np.flatnonzero(ordered[1:] == ordered[:-1])
        if len(twice):
            number, again = divmod(int(ordered[twice[0]]), len(samples))
            within = "" if labels[number] == "" else f" in repetition {labels[number]}"
            raise FoldDataError(
                f"{name}: sample {samples[again]!r} occurs twice{within}; each sample may occur once, and repetitions "
                "need a column repeat."
            )
        keys.append(key)
    lacking = np.setxor1d(keys[0], keys[1])
    if len(lacking):
        having, other = names if lacking[0] in keys[0] else names[::-1]
        lost = samples[int(lacking[0]) % len(samples)]
        sizes = f"{names[0]} has {len(first)} samples and {names[1]} has {len(second)}; "
        before = sizes if len(first) != len(second) else ""
        others = f" (and {len(lacking) - 1} more in one only)" if len(lacking) > 1 else ""
        raise FoldDataError(f"{before}sample {lost!r} is in {having} and not in {other}{others}: {ONLY}")
    order = np.argsort(keys[1], kind="stable")[np.argsort(np.argsort(keys[0], kind="stable"))]
    moved = second.rows(order)
    compare_columns(first, moved, names, lambda row: called(first, row))
    return grouped_alike(Pair(names, first, moved, mine))


def joined_names(first: FoldSet, second: FoldSet) -> tuple[list[Codes], tuple[Label, ...]]:
    """The identities of the samples of both, as codes of the same names."""
    each = []
    for one in (first, second):
        if one.sample_id is None or one.sample_names is None:
            raise ValueError("the samples have no identity")
        each.append((one.sample_id, tuple(one.sample_names.tolist())))
    codes, names = joined(*each)
    return [code.astype(np.int64) for code in codes], names


def repeats_of(first: FoldSet, second: FoldSet) -> tuple[list[Codes], tuple[Label, ...]]:
    """The repetitions of both, as codes of the same names."""
    if first.repeat is None or second.repeat is None:
        return [np.zeros(len(one), dtype=np.int64) for one in (first, second)], ("",)
    return joined(first.repeat, second.repeat)


def check_rows(first: FoldSet, second: FoldSet, names: tuple[str, str]) -> None:
    """Refuse rows that differ, where the samples have no identity by which they could be matched."""
    lacking = [name for name, one in zip(names, (first, second), strict=True) if one.sample_id is None]
    hint = f" (no sample_id in {' and '.join(lacking)}, so that samples are matched row by row)"
    mine, theirs = repeats_of(first, second)[0]
    refuse_first(mine != theirs, "repetition", names, lambda row: called(first, row), hint)
    compare_columns(first, second, names, lambda row: called(first, row), hint)


def compare_columns(first: FoldSet, second: FoldSet, names: tuple[str, str], called: Any, hint: str = "") -> None:
    """Refuse two sets of rows in which a true label, the folds, the weights, the groups or the features differ."""
    different = first.y_true != second.y_true
    refuse_first(different.any(axis=1) if different.ndim > 1 else different, "true label", names, called, hint)
    refuse_first(other_folds(first, second), "fold", names, called, hint)
    for what in ("weight", "row_hash"):
        mine, theirs = getattr(first, what), getattr(second, what)
        if mine is not None and theirs is not None:
            shown = "weight" if what == "weight" else "row of features"
            refuse_first(mine != theirs, shown, names, called, hint)
    if first.group is not None and second.group is not None:
        (mine, theirs), _ = joined(first.group, second.group)
        refuse_first(mine != theirs, "group", names, called, hint)


def refuse_first(different: NDArray[np.bool_], what: str, names: tuple[str, str], called: Any, hint: str) -> None:
    """Refuse where some rows differ, and name the first."""
    rows = np.flatnonzero(different)
    if len(rows):
        others = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
        raise FoldDataError(
            f"{called(int(rows[0]))} has another {what} in {names[1]} than in {names[0]}{others}{hint}: {ONLY}"
        )


def other_folds(first: FoldSet, second: FoldSet) -> NDArray[np.bool_]:
    """The rows whose fold is another one; folds may have other names in the second set, if they hold the same rows."""
    mine, theirs = in_repetitions(first), in_repetitions(second)
    width = int(theirs.max()) + 1
    pairs = np.unique(mine * width + theirs)
    alike = len(pairs) == len(np.unique(mine)) == len(np.unique(theirs))
    if alike:
        return np.zeros(len(first), dtype=np.bool_)
    (left, right), _ = joined((first.fold, first.fold_names), (second.fold, second.fold_names))
    named = np.asarray(left != right)
    if named.any() and not named.all():
        return named
    counts = np.bincount(mine * width + theirs, minlength=(int(mine.max()) + 1) * width).reshape(-1, width)
    return np.asarray((counts.argmax(axis=1)[mine] != theirs) | (counts.argmax(axis=0)[theirs] != mine))


def in_repetitions(one: FoldSet) -> NDArray[np.int64]:
    """The fold of each row, told apart by repetition, from 0."""
    codes = one.fold.astype(np.int64)
    return codes if one.repeat is None else one.repeat[0].astype(np.int64) * one.folds + codes


def grouped_alike(pair: Pair) -> Pair:
    """The pair with the groups of one experiment for both, where the other has none: the samples are the same."""
    first, second = pair.first, pair.second
    if (first.group is None) == (second.group is None):
        return pair
    having, lacking = pair.names if first.group is not None else pair.names[::-1]
    note = f"{lacking} has no column group: the groups of {having} are taken for both, as their samples are the same."
    group = first.group or second.group
    return replace(pair, first=replace(first, group=group), second=replace(second, group=group), notes=(note,))
