"""Draw curves with matplotlib: ROC, precision and recall, cost space, F-measure space.

Each function draws several experiments on given axes and labels them. The colours are those of Okabe and Ito, which
people with a colour vision deficiency can distinguish; line styles differ, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cvlint.output.shared.locations import printable
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.spaces.costspace import brier_cost, cost_envelope, expected_cost
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.spaces.fspace import f_at, f_envelope
from cvlint.runtime.thresholds.operating_points import OperatingPoints, hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
FAINT: dict[str, Any] = {"linewidth": 0.7, "alpha": 0.35, "zorder": 1}
TRIVIAL: dict[str, Any] = {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (2, 3)), "zorder": 0}
DENSE = np.union1d(np.linspace(0, 1, 501), np.geomspace(1e-4, 1, 200))  # F curves are steep where P(+) is small
MOST = 60  # curves of single thresholds behind their envelope


def draw_roc(axes: Axes, curves: Sequence[Curves]) -> None:
    """Draw ROC space: faint folds, a line for all folds together, and the convex hull of a single experiment."""
    axes.plot([0, 1], [0, 1], **TRIVIAL)
    for one, style in styled(curves):
        for points in defined_folds(one):
            axes.plot(points.fpr, points.tpr, **style | FAINT)
        marked(axes, one.points.fpr, one.points.tpr, one, style)
        if len(curves) == 1 and len(one.points) > 1:
            outer = hull(one.points)
            axes.plot(outer.fpr, outer.tpr, color=style["color"], linewidth=0.9, linestyle=(0, (1, 2)))
    framed(axes, "ROC", "FPR", "TPR")


def draw_precision_recall(axes: Axes, curves: Sequence[Curves], prevalence: float | None = None) -> None:
    """Draw precision over recall at a prevalence, by default that of the samples, for experiments and their folds.

    The curve is a step function: no threshold reaches the straight line between two points.
    """
    for one, style in styled(curves):
        share = one.points.prevalence if prevalence is None else prevalence
        axes.axhline(share, **TRIVIAL)
        for points in defined_folds(one):
            axes.plot(points.tpr, points.precision(share), **style | FAINT, drawstyle="steps-pre")
        marked(axes, one.points.tpr, one.points.precision(share), one, style, drawstyle="steps-pre")
    at = "" if prevalence is None else f" at P(+) = {prevalence:g}"
    framed(axes, f"Precision and recall{at}", "recall", "precision")


def draw_cost(axes: Axes, curves: Sequence[Curves], *, brier: bool = False) -> None:
    """Draw cost space: the lower envelope over PC(+), and for a single experiment the lines behind it.

    With ``brier`` a thin line shows the cost of using the probabilities directly: the Brier curve.
    """
    axes.plot([0, 0.5, 1], [0, 0.5, 0], **TRIVIAL)
    highest = 1.01 if any(len(one.points) == 1 for one in curves) else 0.5
    for one, style in styled(curves):
        envelope = cost_envelope(one.points.tpr, one.points.fpr)
        if len(curves) == 1:
            for i in envelope.index[:: stride(len(envelope.index))]:
                axes.plot([0, 1], [one.points.fpr[i], 1 - one.points.tpr[i]], **style | FAINT)
        best = envelope.best(envelope.bounds)
        cost = expected_cost(one.points.tpr[best], one.points.fpr[best], envelope.bounds)
        axes.plot(envelope.bounds, cost, label=shown(one.name), **style)
        if brier and one.points.has_probabilities:
            used = brier_cost(one.points, DENSE)
            highest = max(highest, 1.01 * float(used.max()))
            axes.plot(DENSE, used, color=style["color"], linewidth=0.9, linestyle=(0, (1, 2)))
    framed(axes, "Cost space", "PC(+)", "normalised expected cost")
    axes.set_ylim(0, highest)


def draw_f(axes: Axes, curves: Sequence[Curves], alpha: float = 0.5, prevalence: float | None = None) -> None:
    """Draw F-measure space: the upper envelope over P(+), and for a single experiment the curves behind it."""
    everything = f_at(1.0, 1.0, DENSE, alpha)
    axes.plot(DENSE, everything, **TRIVIAL)
    for one, style in styled(curves):
        envelope = f_envelope(one.points.tpr, one.points.fpr, alpha)
        if len(curves) == 1:
            for i in envelope.index[:: stride(len(envelope.index))]:
                axes.plot(DENSE, f_at(one.points.tpr[i], one.points.fpr[i], DENSE, alpha), **style | FAINT)
        x = np.union1d(DENSE, envelope.bounds)
        best = envelope.best(x)
        axes.plot(x, f_at(one.points.tpr[best], one.points.fpr[best], x, alpha), label=shown(one.name), **style)
    if prevalence is not None:
        axes.axvline(prevalence, **TRIVIAL)
    framed(axes, rf"F-measure space, $\alpha$ = {alpha:g}", "P(+)", r"$F_\alpha$")


def drawn(curves: Sequence[Curves], alpha: float = 0.5, prevalence: float | None = None) -> Figure:
    """Draw the four spaces side by side in one figure; curves without one of the classes are left out.

    Parameters
    ----------
    curves
        The curves of each experiment.
    alpha
        The weight of precision in F, from 0 to 1.
    prevalence
        P(+) for precision and recall, also marked in F-measure space; by default that of each experiment's samples.
    """
    from matplotlib.figure import Figure

    usable = [one for one in curves if one.points.defined]
    figure = Figure(figsize=(17, 4.8), layout="constrained")
    roc, pr, cost, f = figure.subplots(1, 4)
    draw_roc(roc, usable)
    draw_precision_recall(pr, usable, prevalence)
    draw_cost(cost, usable, brier=True)
    draw_f(f, usable, alpha, prevalence)
    if len(usable) == 1 and (usable[0].experiment, usable[0].repeat, usable[0].target) != ("", "", ""):
        figure.suptitle(shown(usable[0].name))
    elif len(usable) > 1:
        handles, labels = roc.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(len(usable), 4), frameon=False)
    return figure


def styled(curves: Sequence[Curves]) -> Iterator[tuple[Curves, dict[str, Any]]]:
    """Give each experiment with both classes, with its colour and line style."""
    for number, one in enumerate(curves):
        if one.points.defined:
            yield (
                one,
                {
                    "color": COLOURS[number % len(COLOURS)],
                    "linestyle": DASHES[number % len(DASHES)],
                    "linewidth": 1.8,
                    "zorder": 2,
                },
            )


def defined_folds(one: Curves) -> Iterator[OperatingPoints]:
    """Give the points of the folds that form a curve."""
    return (points for _, points in one.folds if points.defined and len(points) > 1)


def marked(axes: Axes, x: Floats, y: Floats, one: Curves, style: dict[str, Any], **more: Any) -> None:
    """Draw a curve, or the single point of decisions without scores."""
    single = len(x) == 1
    axes.plot(x, y, label=shown(one.name), marker="o" if single else "", clip_on=not single, **style, **more)


def stride(count: int) -> int:
    """The step with which to skip curves, so that not too many are drawn."""
    return max(1, -(-count // MOST))


def framed(axes: Axes, title: str, x: str, y: str) -> None:
    """Set the title, the labels and the range from 0 to 1."""
    axes.set(title=title, xlabel=x, ylabel=y, xlim=(0, 1), ylim=(0, 1.01))
    axes.grid(visible=True, linewidth=0.4, alpha=0.4)
    axes.spines[["top", "right"]].set_visible(False)


def shown(name: str) -> str:
    """Escape a name for matplotlib, where a dollar begins a formula and a leading underscore hides a label."""
    safe = printable(name).replace("$", r"\$")
    return f" {safe}" if safe.startswith("_") else safe
