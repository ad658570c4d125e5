"""The sentences that warn of folds: which fold, what is wrong with it, and of which classes."""

from __future__ import annotations

import numpy as np

from cvlint.runtime.aggregates.count_aggregates import count_aggregates
from cvlint.runtime.aggregates.fold_warnings import fold_anomalies, set_anomalies
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.measures.counts import Counts


def counts(true_positives: list[list[int]], false_positives: list[list[int]], misses: list[list[int]]) -> Counts:
    return Counts(np.array([true_positives, false_positives, misses, misses], dtype=float))


def test_a_fold_without_positives_or_predictions_is_named() -> None:
    one_class = counts([[1], [0], [0]], [[0], [2], [0]], [[0], [0], [3]])
    assert [anomaly.message for anomaly in fold_anomalies(one_class, ("a", "b", "c"), ("yes",))] == [
        "Fold b holds no positives: recall is undefined there.",
        "Fold c has nothing predicted positive: precision is undefined there.",
    ]


def test_of_several_classes_the_first_five_are_named() -> None:
    for missing, named in ((5, ""), (6, " and 1 more"), (8, " and 3 more")):
        rows = [[0] * missing + [1]]
        found = fold_anomalies(counts(rows, rows, rows), (1,), tuple(range(missing + 1)))
        five = ", ".join(f"class {label}" for label in range(5))
        assert [anomaly.message for anomaly in found] == [
            f"Fold 1 holds no positives of {five}{named}: recall is undefined there.",
            f"Fold 1 has nothing predicted positive of {five}{named}: precision is undefined there.",
        ]


def kinds(folds: FoldSet) -> list[tuple[str, object]]:
    return [(anomaly.kind, anomaly.fold) for anomaly in set_anomalies(folds)]


def test_folds_of_one_class() -> None:
    """That a fold holds no positives is said with its counts, unless there are scores alone."""
    fold, y = ["a", "a", "b", "b", "c", "c"], [0, 0, 1, 1, 0, 1]
    assert kinds(FoldSet.from_arrays(fold, y, y)) == [("one-class", "b")]
    assert kinds(FoldSet.from_arrays(fold, y, None, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])) == [
        ("one-class", "a"),
        ("one-class", "b"),
    ]


def test_folds_of_one_sample_and_of_unequal_size() -> None:
    y = np.arange(7) % 2
    assert kinds(FoldSet.from_arrays([1, 1, 1, 1, 2, 2, 2], y, y)) == []
    assert ("unequal-folds", None) in kinds(FoldSet.from_arrays([1, 1, 1, 1, 1, 2, 2], y, y))
    assert ("one-sample", 2) in kinds(FoldSet.from_arrays([1, 1, 1, 1, 1, 1, 2], y, y))


def test_folds_are_unequal_from_one_and_a_half_times_the_smallest_on() -> None:
    def of_sizes(one: int, other: int) -> FoldSet:
        y = np.arange(one + other) % 2
        return FoldSet.from_arrays([1] * one + [2] * other, y, y)

    assert kinds(of_sizes(10, 14)) == []
    assert kinds(of_sizes(10, 15)) == [("unequal-folds", None)]


def test_of_groups_in_two_folds_three_are_named() -> None:
    for split, how_many, named in ((2, "2 of 4", "a, b"), (3, "3 of 5", "a, b, c"), (4, "4 of 6", "a, b, c …")):
        fold = [1] * split + [2] * split + [1, 2]
        group = [*"abcd"[:split] * 2, "y", "z"]
        y = np.arange(len(fold)) % 2
        (found,) = (
            a for a in set_anomalies(FoldSet.from_arrays(fold, y, y, group=group)) if a.kind.startswith("group")
        )
        assert found.message.startswith(f"{how_many} groups are in more than one test fold ({named}):")


def test_what_skips_folds_says_how_many_of_them() -> None:
    def notes(cells: Counts) -> set[str]:
        rows = count_aggregates(cells, 1.0, "binary" if cells.tp.shape[1] == 1 else "macro", {}, simulated=False)
        return {row.note for row in rows if row.name in ("f_avg_valid", "f_prre_valid")}

    assert notes(counts([[1], [0], [0], [2]], [[0], [2], [0], [0]], [[0], [0], [3], [1]])) == {"2 of 4 folds left out"}
    assert notes(counts([[1], [2]], [[0], [2]], [[1], [0]])) == {""}
    assert notes(counts([[1, 0], [2, 1]], [[0, 1], [2, 0]], [[1, 0], [0, 1]])) == {""}  # a fold may count for a class
