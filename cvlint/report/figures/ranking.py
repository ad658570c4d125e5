"""Drawings of rankings: ROC curves of folds and experiments, and the ranks of the folds' scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from cvlint.output.evaluation.recomputed import share
from cvlint.report.drawing import plots
from cvlint.report.drawing.inline_svg import (
    ACCENT,
    FAINT,
    INK,
    LINE,
    PAPER,
    Picture,
)
from cvlint.report.drawing.score_ranks import FoldRanks, score_ranks
from cvlint.report.drawing.thinning import thinned
from cvlint.report.figures.picture import (
    CHANCE,
    MOST_FOLDS,
    left_out,
    of_class,
    percents,
    picture,
    short_names,
    shortened,
    with_legend,
)
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.thresholds.operating_points import OperatingPoints

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_DOTS = 40
DOTS = np.arange(0.025, 1, 0.05)
"""The quantiles that stand for more than `MOST_DOTS` positives."""

RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""The false positive rates at which a table gives the true positive rate."""


def roc(key: str, curves: Curves) -> Picture:
    """Draw the ROC curve of each fold and of all scores merged."""
    shown = replace(curves, points=thinned(curves.points), folds=tuple(thin_folds(curves)))
    areas = {name: area(points) for name, points in curves.folds if points.defined}
    lowest, highest = min(areas, key=lambda n: areas[n], default=None), max(areas, key=lambda n: areas[n], default=None)
    says = "Each thin line is the curve of a fold; the thick line is the curve of all scores in one ranking. "
    if lowest is not None and highest is not None:
        mean = float(np.mean(list(areas.values())))
        says += (
            f"The areas of the folds range from {areas[lowest]:.3f} (fold {lowest}) to {areas[highest]:.3f} (fold "
            f"{highest}); their mean, AUC_avg, is {mean:.4f}. "
        )
    says += f"The area under the merged curve, AUC_merge, is {area(curves.points):.4f}. "
    says += f"The dotted line is its convex hull. {CHANCE}"
    says += left_out(len(curves.folds))
    head = ("curve", *(f"TPR at FPR {rate:g}" for rate in RATES), "area")
    rows = [(f"fold {name}", *reached(p), share(area(p))) for name, p in islice(curves.folds, MOST_FOLDS)]
    rows.append(("merged", *reached(curves.points), share(area(curves.points))))
    return picture(
        key, f"ROC curves{of_class(curves)}", says, lambda axes: plots.draw_roc(axes, [shown]), [head, *rows]
    )


def merged_roc(key: str, curves: Sequence[Curves], what: str) -> Picture | None:
    """Draw the merged ROC curves of several experiments or repetitions."""
    usable = [replace(one, points=thinned(one.points), folds=()) for one in curves if one.points.defined]
    if not usable:
        return None
    says = f"Each line is one of the {what}, with the scores of all its folds in one ranking. " + " ".join(
        f"“{one.name}” has the area {area(one.points):.3f}." for one in usable
    )
    says += f" {CHANCE}"
    head = ("classifier", *(f"TPR at FPR {rate:g}" for rate in RATES), "area")
    rows = [(one.name, *reached(one.points), share(area(one.points))) for one in usable]
    draw = with_legend(usable, lambda axes: plots.draw_roc(axes, short_names(usable)))
    return picture(key, f"ROC curves of the {what}", says, draw, [head, *rows])


def thin_folds(curves: Curves) -> Iterator[tuple[Label, OperatingPoints]]:
    """Thin out the curves of the first folds."""
    return ((name, thinned(points)) for name, points in islice(curves.folds, MOST_FOLDS))


def area(points: OperatingPoints) -> float:
    """The area under a curve; NaN if a class is absent."""
    return float(np.sum(np.diff(points.fpr) * (points.tpr[1:] + points.tpr[:-1]) / 2)) if points.defined else np.nan


def reached(points: OperatingPoints) -> list[str]:
    """The highest TPR at each of `RATES`."""
    if not points.defined:
        return ["undefined"] * len(RATES)
    return [share(float(points.tpr[np.searchsorted(points.fpr, rate, "right") - 1])) for rate in RATES]


def score_ranks_picture(key: str, data: FoldSet, column: int, name: str) -> Picture | None:
    """Draw the ranks of each fold's scores among the negatives of all folds; None for a single fold."""
    found = score_ranks(data, column, MOST_FOLDS)
    if found is None or data.folds < 2:
        return None
    defined = [f for f in found.folds if not np.isnan(f.negatives[2])]
    says = (
        "The rank of a score is the share of all folds' negatives below it; the merged curve compares scores by this "
        "rank. A grey bar shows the middle half of a fold's negatives, with a tick at their median; each dot is a "
        "positive. If the models of all folds used one scale, every grey bar would reach from 25 to 75 % with its tick "
        "at 50 %, except for ties. "
    )
    if defined:
        furthest = max(defined, key=lambda f: abs(f.negatives[2] - 0.5))
        says += f"Fold {furthest.fold} deviates most: its median is at {100 * furthest.negatives[2]:.0f} %. "
    says += (
        f"{100 * found.across:.0f} % of the pairs that AUC_merge compares come from two different folds."
        + left_out(data.folds)
    )
    head = ("fold", "negatives: lower quartile", "median", "upper quartile", "positives: lowest", "median", "highest")
    rows = [(f"{f.fold}", *map(percents, f.negatives[1:4]), *map(percents, ends(f.positives))) for f in found.folds]
    height = max(2.0, 0.75 + 0.19 * len(found.folds))
    title = f"Ranks of the folds’ scores{name}"
    return picture(key, title, says, lambda axes: draw_ranks(axes, found.folds), [head, *rows], height)


def draw_ranks(axes: Axes, folds: Sequence[FoldRanks]) -> None:
    """Draw a line for each fold: the middle half of its negatives, and its positives."""
    for x in (25, 50, 75):
        axes.axvline(x, color=LINE, linewidth=0.6, zorder=0)
    for i, fold in enumerate(folds):
        _, low, middle, high, _ = (100 * q for q in fold.negatives)
        axes.plot([low, high], [i, i], color=FAINT, linewidth=5, alpha=0.4, solid_capstyle="butt")
        axes.plot([middle], [i], marker="|", markersize=8, markeredgewidth=1.6, color=INK)
        dots = fold.positives if len(fold.positives) <= MOST_DOTS else np.quantile(fold.positives, DOTS)
        at = np.full(len(dots), float(i))
        axes.plot(100 * dots, at, "o", markersize=3.6, color=ACCENT, markeredgecolor=PAPER, markeredgewidth=0.4)
    axes.set(xlabel="rank among the negatives of all folds (%)", xlim=(-2, 102), ylim=(len(folds) - 0.5, -0.5))
    axes.set_yticks(range(len(folds)), [plots.shown(shortened(f"fold {fold.fold}")) for fold in folds])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def ends(values: Floats) -> tuple[float, float, float]:
    """The minimum, median and maximum of sorted values; NaN if there are none."""
    return (np.nan,) * 3 if not len(values) else (float(values[0]), float(np.median(values)), float(values[-1]))
