"""The drawing of the expected bias of each aggregate by prevalence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cvlint.output.evaluation.recomputed import percent, relative
from cvlint.report.drawing.inline_svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    SECOND,
    Picture,
)
from cvlint.report.figures.picture import (
    picture,
)
from cvlint.runtime.aggregates.expected_bias import Bias
from cvlint.runtime.aggregates.registry import LABELS
from cvlint.runtime.aggregates.results import Recomputed
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.simulation.monte_carlo import simulate
from cvlint.runtime.simulation.simulated_cv import Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes


TICKS = [digit * 10.0**power for power in range(-4, 2) for digit in (1, 2, 5)]
"""The percentages that an axis may name."""

REPETITIONS = 20_000
MOST_DRAWS = 1_000_000
BIASED = {
    "f_avg": (INK, "solid", r"F$_\mathrm{avg}$"),
    "f_prre": (SECOND, (0, (5, 2)), r"F$_\mathrm{pr,re}$"),
    "f_tpfp": (ACCENT, "solid", r"F$_\mathrm{tp,fp}$"),
}
VALID = {
    "f_avg_valid": (INK, (0, (1, 1.5)), r"$\mathrm{\tilde{F}_{avg}}$"),
    "f_prre_valid": (SECOND, (0, (1, 1.5)), r"$\mathrm{\tilde{F}_{pr,re}}$"),
}
"""The colour, the dashes and the label of each aggregate; aggregates over valid folds only are dotted."""


def expected_bias(key: str, recomputed: Recomputed, total: float | None, samples: int) -> Picture | None:
    """Draw the bias of each aggregate by prevalence, with a dot for an experiment; None if it is unknown.

    Parameters
    ----------
    key : str
        The beginning of the identifiers in the picture.
    recomputed : Recomputed
        The aggregates of the experiment.
    total : float or None
        The number of its positives.
    samples : int
        The number of its samples.
    """
    own = {a.name: a for a in recomputed.aggregates if a.expected_bias is not None}
    rows = recomputed.rows
    if "f_tpfp" not in own or total is None:
        return None
    tp, fp, fn = (sum(getattr(row, cell) for row in rows) for cell in ("tp", "fp", "fn"))
    precision, recall, folds = tp / (tp + fp), tp / (tp + fn), len(rows)
    curve = bias_curve(samples, int(total), folds, precision, recall, recomputed.beta)
    drawn_ones = BIASED | (VALID if not all(row.valid for row in rows) else {})

    def draw(axes: Axes) -> None:
        axes.axhline(0, color=LINE, linewidth=0.8)
        axes.axvline(100 * total / samples, color=LINE, linewidth=0.8, linestyle=(0, (2, 2)))
        for name, (colour, dashes, label) in drawn_ones.items():
            line = [(100 * p / samples, 100 * biases[name].value) for p, biases in curve if name in biases]
            axes.plot(*zip(*line, strict=True), color=colour, linestyle=dashes, label=label)
            if name in own:
                bias = 100 * (own[name].expected_bias or 0)
                axes.plot([100 * total / samples], [bias], "o", color=colour, markersize=5, markeredgecolor=PAPER)
        axes.set_xscale("log")
        ends = [100 * p / samples for p, _ in (curve[0], curve[-1])]
        ticks = [tick for tick in TICKS if ends[0] <= tick <= ends[1]]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.set(xlabel=f"positives among {samples:,} samples (%)", ylabel="expected bias (% of the true F)")
        axes.legend(loc="best", ncols=2)

    points = ", ".join(f"{own[name].label} {percent(own[name])}" for name in drawn_ones if name in own)
    says = (
        f"This is figure 5 of Forman & Scholz for {samples:,} samples, {folds} folds, precision {precision:.3f} and "
        f"recall {recall:.3f}. The dots are this experiment, with {total:g} positives, {total / folds:.1f} in "
        f"each fold: {points}. "
        "The lines show other numbers of positives, in stratified folds."
    )
    labels = [LABELS[name] for name in drawn_ones]
    head = ("positives", "in a fold", *labels)
    table = [(f"{p}", f"{p / folds:.1f}", *(percents_of(b.get(n)) for n in drawn_ones)) for p, b in curve]
    return picture(key, "Expected bias by the share of positives", says, draw, [head, *table])


def bias_curve(
    samples: int, positives: int, folds: int, precision: float, recall: float, beta: float
) -> list[tuple[int, dict[str, Bias]]]:
    """Compute the expected biases for several numbers of positives in stratified folds."""
    low, high = min(folds, positives), max(min(samples // 2, 30 * folds), positives)
    totals = np.unique(np.round(np.geomspace(low, high, 15)).astype(int))
    found = []
    for total in totals.tolist():
        try:
            setting = Setting(samples, total, folds, precision, recall, beta=beta)
        except FoldDataError:
            continue  # no classifier has such a precision with so many positives
        outcomes = simulate(setting, max(200, min(REPETITIONS, MOST_DRAWS // folds)))
        found.append((total, {o.name: Bias(o.bias, o.error) for o in outcomes if not np.isnan(o.bias)}))
    return found


def percents_of(bias: Bias | None) -> str:
    """Write a relative bias in percent."""
    return "–" if bias is None else relative(bias.value, bias.error)
