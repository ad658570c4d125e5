"""Lay out the counts of each fold as small panels on one scale, and the counts of each class as rows."""

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
"""The greatest width of a bar in units of the positives; longer bars are cut, and the page says so."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The counts of a fold as segments of a bar."""

    row: FoldRow
    """The counts."""
    notes: tuple[str, ...]
    """Warnings about the fold, in sentences."""
    start: float
    """The position where the true positives begin, in percent of the width; the same in all panels."""
    missed: float
    hit: float
    wrong: float
    """The widths of the false negatives (left of the start), and of the true and false positives (right of it)."""
    cut: bool
    """Whether the bar of the false positives is cut."""


def panels(found: Recomputed) -> list[Panel]:
    """Lay out the folds of a binary task in their order: all folds with warnings, and the first of the others.

    The list is empty if no counts are known or all are 0.
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
    """Lay out one panel; ``left`` and ``right`` are the counts for which it has room on each side of the start."""
    tp, fp, fn = (float(value or 0) for value in (row.tp, row.fp, row.fn))
    notes = tuple(a.message for a in anomalies if a.fold is not None and a.fold == row.fold)
    wrong = min(fp, right - tp)
    return Panel(row, notes, left * scale, fn * scale, tp * scale, wrong * scale, wrong < fp)


@dataclass(frozen=True, slots=True)
class ClassRow:
    """The counts of one of several classes."""

    label: Label
    """The class."""
    positives: float
    tp: float
    fp: float
    fn: float
    """The counts, summed over the folds."""
    f: float
    """F of the summed counts, from 0 to 1; NaN for 0 / 0, without positives and predicted positives."""
    fold_f: tuple[float, ...]
    """F of each fold that defines it."""
    undefined: int
    """The number of folds in which F is 0 / 0."""


def class_rows(data: object, beta: float) -> list[ClassRow]:
    """List the classes of a multiclass task; empty for a binary task, and without predicted labels."""
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
