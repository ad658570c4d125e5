"""Drawings of F-measure space and cost space: other prevalences and other costs of errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cvlint.output.evaluation.recomputed import share
from cvlint.report.drawing import plots
from cvlint.report.drawing.inline_svg import (
    Picture,
)
from cvlint.report.figures.picture import (
    MOST_NAMED,
    of_class,
    outer,
    percents,
    picture,
    short_names,
    subject,
    with_legend,
)
from cvlint.runtime.spaces.costspace import operating_range
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.spaces.fspace import best_f, f_at

if TYPE_CHECKING:
    pass

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8)
"""The prevalences, or values of PC(+), that a table lists."""


def f_space(key: str, curves: Sequence[Curves], alpha: float) -> Picture | None:
    """Draw F-measure space: F of the best threshold at other prevalences."""
    usable = [outer(one) for one in curves if one.points.defined]
    if not usable:
        return None
    several, ranked = len(usable) > 1, all(len(one.points) > 1 for one in usable)
    reached = "the highest F of any threshold" if ranked else "the F of the predictions"
    says = (
        f"{'The lines show' if several else 'The line shows'} {reached} for data with another share of positives, "
        "P(+), and the same TPR and FPR. "
    )
    for one in usable[:MOST_NAMED]:
        own_share, elsewhere = one.points.prevalence, other_shares(one.points.prevalence)
        at = np.array([own_share, *elsewhere.values()])
        f, *others = (float(v) for v in best_f(one.points, at, alpha)[1])
        there = " and ".join(f"{value:.3f} at {name}" for name, value in zip(elsewhere, others, strict=True))
        says += f"{subject(one, usable)} {f:.3f} at its own P(+) of {percents(own_share)}, {there} of that. "
    if ranked:
        says += "The threshold is chosen on the same samples, so F is too high for new samples. "
    says += "The dotted line predicts everything as positive"
    says += "." if several else "; the vertical line is the P(+) of the samples."
    head = ("classifier", *(f"F at P(+) = {p:g}" for p in SHARES))
    rows = [(one.name, *(share(float(f)) for f in best_f(one.points, np.array(SHARES), alpha)[1])) for one in usable]
    rows.append(("everything positive", *(share(float(f)) for f in f_at(1.0, 1.0, np.array(SHARES), alpha))))
    own = usable[0].points.prevalence if len(usable) == 1 else None
    draw = with_legend(usable, lambda axes: plots.draw_f(axes, short_names(usable), alpha, own))
    return picture(key, f"F-measure space{of_class(usable[0]) if len(usable) == 1 else ''}", says, draw, [head, *rows])


def other_shares(own: float) -> dict[str, float]:
    """Choose prevalences to compare with, named relative to the own one; none is above 1."""
    return {"twice": 2 * own, "half": own / 2} if 2 * own < 1 else {"half": own / 2, "a tenth": own / 10}


def cost_space(key: str, curves: Sequence[Curves]) -> Picture | None:
    """Draw cost space: the cost of the best threshold."""
    usable = [outer(one) for one in curves if one.points.defined]
    if not usable:
        return None
    ranked = all(len(one.points) > 1 for one in usable)
    says = (
        f"The lines show the expected cost{' of the best threshold' if ranked else ''}; lower is better. PC(+) "
        "combines the share of positives with the costs of both kinds of error. The dotted line always predicts "
        "the same class. "
    )
    head, rows = ("classifier", *(f"cost at PC(+) = {p:g}" for p in SHARES)), []
    for one in usable:
        low, high = operating_range(one.points.tpr, one.points.fpr)
        if len(usable) <= MOST_NAMED:
            where = "nowhere" if low != low else f"from PC(+) = {low:.3f} to {high:.3f}"
            says += f"{subject(one, usable)} below this line {where}. "
        costs = [float(np.min(one.points.fpr + (1 - one.points.tpr - one.points.fpr) * p)) for p in SHARES]
        rows.append((one.name, *map(share, costs)))
    draw = with_legend(usable, lambda axes: plots.draw_cost(axes, short_names(usable)))
    return picture(
        key, f"Cost space{of_class(usable[0]) if len(usable) == 1 else ''}", says.strip(), draw, [head, *rows]
    )
