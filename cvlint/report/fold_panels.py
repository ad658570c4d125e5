"""The counts of each fold, as small pictures beside each other on one scale; of several classes, each in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cvlint.runtime.aggregates.fold_warnings import Anomaly
from cvlint.runtime.aggregates.results import FoldRow, Recomputed
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label

MOST_PANELS = 40
MOST_CLASSES = 30
WIDEST = 4.0
"""How much wider than the positives a bar may become by false positives; one that is longer is cut, and marked so."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The counts of a fold as stretches of a line.

    Attributes
    ----------
    row
        The counts.
    notes
        What is odd about the fold, in sentences.
    start
        Where the positives that were found begin, in percent of the width: the same in all panels.
    missed, hit, wrong
        How wide the false negatives (left of the start), the true positives and the false positives (right of it) are.
    cut
        Whether the false positives would reach further.
    """

    row: FoldRow
    notes: tuple[str, ...]
    start: float
    missed: float
    hit: float
    wrong: float
    cut: bool


def panels(found: Recomputed) -> list[Panel]:
    """The panels of the folds of a binary task: all odd ones and the first of the others, in their order.

    Nothing where no counts are known, or all are 0.
    """
    rows = [row for row in found.rows if row.tp is not None]
    left = max((row.fn or 0 for row in rows), default=0.0)
    positives = max((row.positives or 0 for row in rows), default=0.0)
    right = max(((row.tp or 0) + (row.fp or 0) for row in rows), default=0.0)
    right = min(right, WIDEST * max(positives, 1))
    if left + right == 0:
        return []
    scale = 100 / (left + right)
    odd = {anomaly.fold for anomaly in found.anomalies if anomaly.fold is not None}
    kept = sorted(range(len(rows)), key=lambda i: (rows[i].fold not in odd, i))[:MOST_PANELS]
    return [panel(rows[i], found.anomalies, left, right, scale) for i in sorted(kept)]


def panel(row: FoldRow, anomalies: Sequence[Anomaly], left: float, right: float, scale: float) -> Panel:
    """One panel, so much of it left and right of the start."""
    tp, fp, fn = (float(value or 0) for value in (row.tp, row.fp, row.fn))
    notes = tuple(a.message for a in anomalies if a.fold is not None and a.fold == row.fold)
    wrong = min(fp, right - tp)
    return Panel(row, notes, left * scale, fn * scale, tp * scale, wrong * scale, wrong < fp)


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One of several classes.

    Attributes
    ----------
    label
        The class.
    positives, tp, fp, fn
        Summed over the folds.
    f
        Of the summed counts, from 0 to 1; NaN where there are neither positives nor predicted ones, and it is 0 / 0.
    fold_f
        Of each fold that defines it.
    undefined
        In how many folds it is 0 / 0.
    """

    label: Label
    positives: float
    tp: float
    fp: float
    fn: float
    f: float
    fold_f: tuple[float, ...]
    undefined: int


def class_rows(data: object, beta: float) -> list[ClassRow]:
    """The classes of a task with several; nothing where there are no predicted labels, or the task is binary."""
    if not isinstance(data, FoldSet) or data.kind == "binary":
        return []
    counts = data.counts()
    if counts is None:
        return []
    total, whole, each = counts.summed(), counts.summed().f(beta)[0], counts.f(beta)
    rows = []
    for j, label in enumerate(data.classes[:MOST_CLASSES]):
        defined = counts.positives[:, j] + counts.predicted[:, j] > 0
        f = float(whole[j]) if defined.any() else float("nan")
        sums = [float(values[0, j]) for values in (total.positives, total.tp, total.fp, total.fn)]
        row = ClassRow(
            label, sums[0], sums[1], sums[2], sums[3], f, tuple(each[defined, j].tolist()), int(np.sum(~defined))
        )
        rows.append(row)
    return rows
