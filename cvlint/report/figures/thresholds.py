"""The drawing of the best threshold of each fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cvlint.output.evaluation.thresholds import fold_table
from cvlint.report.drawing import plots
from cvlint.report.drawing.inline_svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    Picture,
)
from cvlint.report.figures.picture import (
    MOST_FOLDS,
    left_out,
    picture,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds


def fold_thresholds(key: str, chosen: ExperimentThresholds) -> Picture | None:
    """Draw each fold's best threshold, and the best one on the other folds; None for multiclass tasks."""
    if chosen.kind != "binary":
        return None
    found = chosen.labels[0].optimism
    rows = found.rows[:MOST_FOLDS]
    own = np.array([row.own.threshold for row in rows])
    finite = own[np.isfinite(own)]

    def draw(axes: Axes) -> None:
        axes.axvline(found.pooled.threshold, color=LINE, linewidth=1, linestyle=(0, (2, 2)))
        for i, row in enumerate(rows):
            axes.plot([row.nested, row.own.threshold], [i, i], color=LINE, linewidth=1)
        numbers = np.arange(len(rows), dtype=np.float64)
        axes.plot(own, numbers, "o", markersize=5, color=INK, markerfacecolor=PAPER, label="best in the fold itself")
        axes.plot([row.nested for row in rows], numbers, "o", markersize=5, color=ACCENT, label="best on the others")
        axes.set(xlabel="threshold", ylim=(len(rows) - 0.5, -0.5))
        axes.set_yticks(range(len(rows)), [plots.shown(shortened(f"fold {row.fold}")) for row in rows])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)

    says = "A filled dot is the best threshold on all other folds; a hollow dot is the best one in the fold itself. "
    if len(finite):
        says += f"The hollow dots range from {finite.min():.4g} to {finite.max():.4g}: "
        says += "the wider this range, the less the threshold of one fold means. "
    says += f"The dashed line, {found.pooled.threshold:.4g}, is the best threshold for all folds together."
    says += left_out(len(found.rows))
    table = fold_table(rows)
    height = max(2.0, 0.95 + 0.19 * len(rows))
    return picture(key, "The threshold of each fold", says, draw, table, height)
