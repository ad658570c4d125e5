"""The operating points of an experiment: of each fold alone, and of all folds under one threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.data.reading import FoldCounts
from cvlint.runtime.measures.counts import Counts
from cvlint.runtime.thresholds.operating_points import OperatingPoints, crisp_point, points_of


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The operating points of one class against the rest, in one repetition of one experiment."""

    points: OperatingPoints
    """Those of the samples of all folds together: all folds share each threshold, and TP, FP and FN are summed over
    them, as for F_tp,fp. Without scores there is one point, that of the decisions, with a threshold of NaN.
    """
    folds: tuple[tuple[Label, OperatingPoints], ...] = ()
    """The name of each fold and its own points; for pictures, and to see how far one threshold suits all folds."""
    experiment: Label = ""
    repeat: Label = ""
    target: Label = ""
    """The names of the experiment, the repetition and the class; "" where there is only one."""
    classes: tuple[Label, Label] | None = None
    """The negative and the positive label of a binary task, as `FoldSet.unclear_classes`."""
    source: tuple[FoldSet, int] | None = None
    """The samples, and the column of the class; None where only counts are known."""

    @property
    def name(self) -> str:
        """Its name in a sentence or a legend."""
        parts = ("", self.experiment), ("repeat ", self.repeat), ("class ", self.target)
        return ", ".join(f"{what}{label}" for what, label in parts if label != "") or "the experiment"


def curves_of(data: FoldSet | FoldCounts, experiment: Label | None = None) -> Iterator[Curves]:
    """The curves of every experiment, repetition and class in fold data.

    Parameters
    ----------
    data
        Scores give a curve by falling threshold; predicted labels or counts alone give one point. For counts without
        any true negatives, the number of negatives and the false positive rate are unknown: NaN.
    experiment
        The name of the experiment; by default the name in the data.
    """
    if isinstance(data, FoldCounts):
        found = point_curves(data.counts, data.fold_names, 0)
        if not data.counts.tn.any():
            found = replace(found, points=without_negatives(found.points), folds=())
        yield replace(found, experiment="" if experiment is None else experiment)
        return
    for own, ours in data.parts("experiment"):
        for repeat, part in ours.parts("repeat"):
            each = map(partial(ranking_curves, part), range(len(part.targets)))
            several = each if part.y_score is not None else decision_curves(part)
            for column, (target, one) in enumerate(zip(part.targets, several, strict=True)):
                named = replace(one, repeat=repeat, target="" if part.kind == "binary" else target)
                named = replace(named, classes=part.unclear_classes, source=(part, column))
                yield replace(named, experiment=own if experiment is None else experiment)


def ranking_curves(part: FoldSet, column: int) -> Curves:
    """The curves of one column of scores."""
    folds = tuple(zip(part.fold_names, map(points_of, part.fold_rankings(column)), strict=True))
    return Curves(points_of(part.whole_ranking(column)), folds)


def decision_curves(part: FoldSet) -> Iterator[Curves]:
    """The points of each class from predicted labels; none without these."""
    counts = part.counts()
    return iter(()) if counts is None else map(partial(point_curves, counts, part.fold_names), range(len(part.targets)))


def point_curves(counts: Counts, names: tuple[Label, ...], column: int) -> Curves:
    """The operating points of decisions, from the counts of one class."""
    folds = tuple(
        (name, crisp_point(tp, fp, fn, tn))
        for name, (tp, fp, fn, tn) in zip(names, counts.cells[:, :, column].T.tolist(), strict=True)
    )
    return Curves(crisp_point(*counts.cells[:, :, column].sum(axis=1).tolist()), folds)


def without_negatives(points: OperatingPoints) -> OperatingPoints:
    """The points, with an unknown number of negatives and an unknown false positive rate."""
    return replace(points, fpr=points.fpr * float("nan"), negatives=float("nan"))
