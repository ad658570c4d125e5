"""What all drawings of a report share: the picture with its description, legends, and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cvlint.report.drawing.inline_svg import (
    HEIGHT,
    WIDTH,
    Draw,
    Picture,
    drawn,
)
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.thresholds.operating_points import hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_FOLDS = 30
"""The number of folds in a drawing."""

MOST_NAME = 28
"""The number of characters of a name in a legend or on an axis."""

MOST_NAMED = 4
"""The number of experiments that a description names."""

CHANCE = "The straight line from corner to corner is chance."


def picture(
    key: str, title: str, description: str, draw: Draw, table: Sequence[Sequence[str]], height: float = HEIGHT
) -> Picture:
    """Draw a picture; the page shows the title, so the drawing has none."""

    def untitled(axes: Axes) -> None:
        draw(axes)
        axes.set_title("")

    svg = drawn(key, untitled, height)
    return Picture(key, title, description.strip(), svg, (WIDTH * 72, height * 72), tuple(tuple(row) for row in table))


def with_legend(curves: Sequence[Curves], draw: Draw) -> Draw:
    """Add a legend to a drawing with several lines."""

    def both(axes: Axes) -> None:
        draw(axes)
        if len(curves) > 1:
            axes.legend(loc="best")

    return both


def outer(one: Curves) -> Curves:
    """Keep only the points of a curve that are best at some prevalence or cost."""
    return replace(one, points=hull(one.points) if len(one.points) > 1 else one.points, folds=())


def short_names(curves: Sequence[Curves]) -> list[Curves]:
    """Shorten the names of curves for a legend."""
    return [Curves(one.points, one.folds, shortened(one.name)) for one in curves]


def shortened(name: str) -> str:
    """Shorten a name for a legend or an axis."""
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def subject(one: Curves, among: Sequence[Curves]) -> str:
    """Begin a sentence about a classifier: an experiment by its name, or a class."""
    if len(among) == 1:
        return "It is"
    return f"{one.name[:1].upper()}{one.name[1:]} is" if one.target != "" else f"“{one.name}” is"


def of_class(curves: Curves) -> str:
    """Name the class of a curve, if there are several."""
    return "" if curves.target == "" else f" of class {curves.target}"


def left_out(folds: int) -> str:
    """Say that only some folds are drawn."""
    return f" The drawing shows the first {MOST_FOLDS} of {folds} folds." if folds > MOST_FOLDS else ""


def percents(value: float) -> str:
    """Write a share in percent."""
    return "undefined" if np.isnan(value) else f"{100 * value:.1f} %"
