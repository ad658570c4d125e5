"""The drawings of a report, each with its description in words and its data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from cvlint.output.evaluation.recomputed import percent, relative, share
from cvlint.output.evaluation.thresholds import fold_table
from cvlint.report.drawing import plots
from cvlint.report.drawing.inline_svg import (
    ACCENT,
    FAINT,
    HEIGHT,
    INK,
    LINE,
    PAPER,
    SECOND,
    WIDTH,
    Draw,
    Picture,
    drawn,
)
from cvlint.report.drawing.score_places import FoldPlaces, score_places
from cvlint.report.drawing.thinning import thinned
from cvlint.report.experiments import Experiment
from cvlint.runtime.aggregates.expected_bias import Bias
from cvlint.runtime.aggregates.registry import LABELS
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.simulation.monte_carlo import simulate
from cvlint.runtime.simulation.simulated_cv import Setting
from cvlint.runtime.spaces.costspace import operating_range
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.spaces.fspace import best_f, f_at
from cvlint.runtime.thresholds.operating_points import OperatingPoints, hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds

CHANCE = "The straight line from corner to corner is chance."
MOST_FOLDS = 30
MOST_NAME = 28
MOST_TOLD = 4
MOST_DOTS = 40
DOTS = np.arange(0.025, 1, 0.05)
"""Of more positives than `MOST_DOTS`, these quantiles are drawn."""

RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8)
TICKS = [digit * 10.0**power for power in range(-4, 2) for digit in (1, 2, 5)]
"""Percentages that an axis names."""

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
"""Of each aggregate the colour, the dashes and the name in a drawing; those over valid folds only are dotted."""


def roc(key: str, curves: Curves) -> Picture:
    """The ROC curve of each fold and of all scores merged."""
    shown = replace(curves, points=thinned(curves.points), folds=tuple(thin_folds(curves)))
    areas = {name: area(points) for name, points in curves.folds if points.defined}
    lowest, highest = min(areas, key=lambda n: areas[n], default=None), max(areas, key=lambda n: areas[n], default=None)
    says = "Each thin line is the curve of a fold, the strong one that of all folds' scores merged into one ranking. "
    if lowest is not None and highest is not None:
        mean = float(np.mean(list(areas.values())))
        says += (
            f"The areas of the folds go from {areas[lowest]:.3f} (fold {lowest}) to {areas[highest]:.3f} (fold "
            f"{highest}); their mean, AUC_avg, is {mean:.4f}. "
        )
    says += (
        f"The area under the merged curve, AUC_merge, is {area(curves.points):.4f}. Dotted is its convex hull. {CHANCE}"
    )
    says += left_out(len(curves.folds))
    head = ("curve", *(f"TPR at FPR {rate:g}" for rate in RATES), "area")
    rows = [(f"fold {name}", *reached(p), share(area(p))) for name, p in islice(curves.folds, MOST_FOLDS)]
    rows.append(("merged", *reached(curves.points), share(area(curves.points))))
    return picture(key, f"ROC curves{of(curves)}", says, lambda axes: plots.draw_roc(axes, [shown]), [head, *rows])


def thin_folds(curves: Curves) -> Iterator[tuple[Label, OperatingPoints]]:
    """The first folds, with fewer points."""
    return ((name, thinned(points)) for name, points in islice(curves.folds, MOST_FOLDS))


def area(points: OperatingPoints) -> float:
    """The area under a curve; NaN where a class is absent."""
    return float(np.sum(np.diff(points.fpr) * (points.tpr[1:] + points.tpr[:-1]) / 2)) if points.defined else np.nan


def reached(points: OperatingPoints) -> list[str]:
    """The highest TPR at each of `RATES`."""
    if not points.defined:
        return ["undefined"] * len(RATES)
    return [share(float(points.tpr[np.searchsorted(points.fpr, rate, "right") - 1])) for rate in RATES]


def places(key: str, data: FoldSet, column: int, name: str) -> Picture | None:
    """Where each fold's scores stand among the negatives of all folds; None for a single fold."""
    found = score_places(data, column, MOST_FOLDS)
    if found is None or data.folds < 2:
        return None
    defined = [f for f in found.folds if not np.isnan(f.negatives[2])]
    says = (
        "A score's place is the share of all folds' negatives below it; the merged curve compares by this place. Grey "
        "is each fold's negatives (middle half, and a tick at the median), each dot a positive. If the folds' models "
        "gave scores on one scale, every grey bar would reach from 25 to 75 %, its tick at 50 % (but for scores that "
        "tie). "
    )
    if defined:
        furthest = max(defined, key=lambda f: abs(f.negatives[2] - 0.5))
        says += f"Furthest off is fold {furthest.fold}: its median is at {100 * furthest.negatives[2]:.0f} %. "
    says += f"{100 * found.across:.0f} % of the pairs that AUC_merge compares are of two folds." + left_out(data.folds)
    head = ("fold", "negatives: lower quartile", "median", "upper quartile", "positives: lowest", "median", "highest")
    rows = [(f"{f.fold}", *map(percents, f.negatives[1:4]), *map(percents, ends(f.positives))) for f in found.folds]
    height = max(2.0, 0.75 + 0.19 * len(found.folds))
    title = f"Where the folds’ scores{name} stand"
    return picture(key, title, says, lambda axes: draw_places(axes, found.folds), [head, *rows], height)


def draw_places(axes: Axes, folds: Sequence[FoldPlaces]) -> None:
    """A line a fold: the middle of its negatives, and its positives."""
    for x in (25, 50, 75):
        axes.axvline(x, color=LINE, linewidth=0.6, zorder=0)
    for i, fold in enumerate(folds):
        _, low, middle, high, _ = (100 * q for q in fold.negatives)
        axes.plot([low, high], [i, i], color=FAINT, linewidth=5, alpha=0.4, solid_capstyle="butt")
        axes.plot([middle], [i], marker="|", markersize=8, markeredgewidth=1.6, color=INK)
        dots = fold.positives if len(fold.positives) <= MOST_DOTS else np.quantile(fold.positives, DOTS)
        at = np.full(len(dots), float(i))
        axes.plot(100 * dots, at, "o", markersize=3.6, color=ACCENT, markeredgecolor=PAPER, markeredgewidth=0.4)
    axes.set(xlabel="place among the negatives of all folds (%)", xlim=(-2, 102), ylim=(len(folds) - 0.5, -0.5))
    axes.set_yticks(range(len(folds)), [plots.shown(shortened(f"fold {fold.fold}")) for fold in folds])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def ends(values: Floats) -> tuple[float, float, float]:
    """Lowest, median and highest; NaN of nothing."""
    return (np.nan,) * 3 if not len(values) else (float(values[0]), float(np.median(values)), float(values[-1]))


def percents(value: float) -> str:
    """A share in percent."""
    return "undefined" if np.isnan(value) else f"{100 * value:.1f} %"


def expected_bias(key: str, experiment: Experiment) -> Picture | None:
    """The bias of each aggregate by the share of positives, with this experiment's own point; None where unknown."""
    own = {a.name: a for a in experiment.found.aggregates if a.expected_bias is not None}
    total, samples, rows = experiment.positives, int(experiment.samples or 0), experiment.found.rows
    if "f_tpfp" not in own or total is None:
        return None
    tp, fp, fn = (sum(getattr(row, cell) for row in rows) for cell in ("tp", "fp", "fn"))
    precision, recall, folds = tp / (tp + fp), tp / (tp + fn), len(rows)
    curve = bias_curve(samples, int(total), folds, precision, recall, experiment.found.beta)
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
        f"As in figure 5 of Forman & Scholz, but for {samples:,} samples, {folds} folds, precision {precision:.3f} and "
        f"recall {recall:.3f}. The dots are this experiment, with {total:g} positives, {total / folds:.1f} a fold: "
        f"{points}. "
        "The lines show other numbers of positives in stratified folds."
    )
    labels = [LABELS[name] for name in drawn_ones]
    head = ("positives", "in a fold", *labels)
    table = [(f"{p}", f"{p / folds:.1f}", *(percents_of(b.get(n)) for n in drawn_ones)) for p, b in curve]
    return picture(key, "Expected bias by the share of positives", says, draw, [head, *table])


def bias_curve(
    samples: int, positives: int, folds: int, precision: float, recall: float, beta: float
) -> list[tuple[int, dict[str, Bias]]]:
    """The expected biases for several numbers of positives, stratified, at the same precision and recall."""
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
    """A relative bias in percent."""
    return "–" if bias is None else relative(bias.value, bias.error)


def f_space(key: str, curves: Sequence[Curves], alpha: float) -> Picture | None:
    """F-measure space: what F the best threshold gives at other shares of positives."""
    usable = [outer(one) for one in curves if one.points.defined]
    if not usable:
        return None
    several, ranked = len(usable) > 1, all(len(one.points) > 1 for one in usable)
    reaches = "the highest F that some threshold reaches" if ranked else "the F that is reached"
    says = (
        f"{'The lines are' if several else 'The line is'} {reaches} where the data have another share of positives, "
        "P(+), with TPR and FPR as they are here. "
    )
    for one in usable[:MOST_TOLD]:
        own_share, elsewhere = one.points.prevalence, other_shares(one.points.prevalence)
        at = np.array([own_share, *elsewhere.values()])
        f, *others = (float(v) for v in best_f(one.points, at, alpha)[1])
        there = " and ".join(f"{value:.3f} at {name}" for name, value in zip(elsewhere, others, strict=True))
        says += f"{subject(one, usable)} {f:.3f} at its own P(+) of {percents(own_share)}, {there} of that. "
    if ranked:
        says += "The threshold is chosen on the samples it is measured on, and so F is too high for others. "
    says += "Dotted: all is called positive"
    says += "." if several else ", and upright the P(+) of the samples."
    head = ("classifier", *(f"F at P(+) = {p:g}" for p in SHARES))
    rows = [(one.name, *(share(float(f)) for f in best_f(one.points, np.array(SHARES), alpha)[1])) for one in usable]
    rows.append(("everything positive", *(share(float(f)) for f in f_at(1.0, 1.0, np.array(SHARES), alpha))))
    own = usable[0].points.prevalence if len(usable) == 1 else None
    draw = with_legend(usable, lambda axes: plots.draw_f(axes, short_names(usable), alpha, own))
    return picture(key, f"F-measure space{of(usable[0]) if len(usable) == 1 else ''}", says, draw, [head, *rows])


def other_shares(own: float) -> dict[str, float]:
    """Shares of positives to compare with, by what they are of one's own: none is above 1."""
    return {"twice": 2 * own, "half": own / 2} if 2 * own < 1 else {"half": own / 2, "a tenth": own / 10}


def cost_space(key: str, curves: Sequence[Curves]) -> Picture | None:
    """Cost space: what the best threshold costs."""
    usable = [outer(one) for one in curves if one.points.defined]
    if not usable:
        return None
    ranked = all(len(one.points) > 1 for one in usable)
    says = (
        f"The lower, the better: the expected cost{' of the best threshold' if ranked else ''}, over PC(+), which "
        "joins the share of positives and the costs of both kinds of error. Dotted: to predict always the same class. "
    )
    head, rows = ("classifier", *(f"cost at PC(+) = {p:g}" for p in SHARES)), []
    for one in usable:
        low, high = operating_range(one.points.tpr, one.points.fpr)
        if len(usable) <= MOST_TOLD:
            where = "nowhere" if low != low else f"from PC(+) = {low:.3f} to {high:.3f}"
            says += f"{subject(one, usable, 'beats')} that {where}. "
        costs = [float(np.min(one.points.fpr + (1 - one.points.tpr - one.points.fpr) * p)) for p in SHARES]
        rows.append((one.name, *map(share, costs)))
    draw = with_legend(usable, lambda axes: plots.draw_cost(axes, short_names(usable)))
    return picture(key, f"Cost space{of(usable[0]) if len(usable) == 1 else ''}", says.strip(), draw, [head, *rows])


def merged_roc(key: str, curves: Sequence[Curves], what: str) -> Picture | None:
    """The ROC curves of several experiments, or of what else they are, each of all its folds."""
    usable = [replace(one, points=thinned(one.points), folds=()) for one in curves if one.points.defined]
    if not usable:
        return None
    says = f"Each line is one of the {what}, all its folds' scores in one ranking. " + " ".join(
        f"“{one.name}” has the area {area(one.points):.3f}." for one in usable
    )
    says += f" {CHANCE}"
    head = ("classifier", *(f"TPR at FPR {rate:g}" for rate in RATES), "area")
    rows = [(one.name, *reached(one.points), share(area(one.points))) for one in usable]
    draw = with_legend(usable, lambda axes: plots.draw_roc(axes, short_names(usable)))
    return picture(key, f"ROC curves of the {what}", says, draw, [head, *rows])


def thresholds(key: str, chosen: ExperimentThresholds) -> Picture | None:
    """The threshold of each fold that is best there, and the one best on the others; None of several classes."""
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

    says = "Filled: the threshold that is best on all other folds; hollow: the one that is best in the fold itself. "
    if len(finite):
        says += f"The latter go from {finite.min():.4g} to {finite.max():.4g}: "
        says += "the wider apart, the less a threshold of one fold means. "
    says += f"The dashed line, {found.pooled.threshold:.4g}, is best for all folds together."
    says += left_out(len(found.rows))
    table = fold_table(rows)
    height = max(2.0, 0.95 + 0.19 * len(rows))
    return picture(key, "The threshold of each fold", says, draw, table, height)


def picture(
    key: str, title: str, description: str, draw: Draw, table: Sequence[Sequence[str]], height: float = HEIGHT
) -> Picture:
    """Draw; the title stands in the page, and not again in the drawing."""

    def untitled(axes: Axes) -> None:
        draw(axes)
        axes.set_title("")

    svg = drawn(key, untitled, height)
    return Picture(key, title, description.strip(), svg, (WIDTH * 72, height * 72), tuple(tuple(row) for row in table))


def with_legend(curves: Sequence[Curves], draw: Draw) -> Draw:
    """A drawing that says which line is which, where there are several."""

    def both(axes: Axes) -> None:
        draw(axes)
        if len(curves) > 1:
            axes.legend(loc="best")

    return both


def outer(one: Curves) -> Curves:
    """Curves with the points that are best somewhere, and those that a single decision is."""
    return replace(one, points=hull(one.points) if len(one.points) > 1 else one.points, folds=())


def short_names(curves: Sequence[Curves]) -> list[Curves]:
    """Curves with names that a legend has room for."""
    return [Curves(one.points, one.folds, shortened(one.name)) for one in curves]


def shortened(name: str) -> str:
    """A name for a legend or an axis."""
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def subject(one: Curves, among: Sequence[Curves], verb: str = "is") -> str:
    """A classifier at the beginning of a sentence: an experiment by its name, or a class."""
    if len(among) == 1:
        return f"It {verb}"
    return f"{one.name[:1].upper()}{one.name[1:]} {verb}" if one.target != "" else f"“{one.name}” {verb}"


def of(curves: Curves) -> str:
    """Which class a picture is of, if there are several."""
    return "" if curves.target == "" else f" of class {curves.target}"


def left_out(folds: int) -> str:
    """That not all folds are drawn, if so."""
    return f" Drawn are the first {MOST_FOLDS} of {folds} folds." if folds > MOST_FOLDS else ""
