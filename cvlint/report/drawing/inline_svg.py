"""Turn matplotlib drawings into SVG that takes its colours and fonts from the page around it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from cvlint.report.drawing import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, FAINT, LINE, ACCENT, SECOND, PAPER = "#000101", "#000202", "#000303", "#000404", "#000505", "#000606"
"""Colours to draw with; `INKS` maps each to a variable of the page's style."""

INKS = {
    INK: "var(--ink)",
    FAINT: "var(--faint)",
    LINE: "var(--line)",
    ACCENT: "var(--accent)",
    SECOND: "var(--second)",
    PAPER: "var(--paper)",
    plots.TRIVIAL["color"]: "var(--faint)",
    **{colour.lower(): f"var(--s{n})" for n, colour in enumerate(plots.COLOURS, start=1)},
}
WIDTH, HEIGHT = 4.0, 3.1
"""The size in inches of 72 units: narrow, so that text stays legible on a narrow screen."""

Draw: TypeAlias = "Callable[[Axes], object]"
"""Draws on the given axes, in the colours of `INKS`."""

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text
    "font.size": 9,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that the layout is the same everywhere
    "mathtext.fontset": "dejavusans",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": LINE,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "figure.facecolor": "none",
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": FAINT,
    "ytick.labelcolor": FAINT,
    "grid.color": LINE,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.2,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, its description, and its data."""

    key: str
    """The id of the drawing, unique in the page."""
    title: str
    description: str
    """A line, and whole sentences about the data, for readers with and without the drawing."""
    svg: str
    """The drawing without its outermost element."""
    size: tuple[float, float]
    """The width and height of the drawing in its own units."""
    table: tuple[tuple[str, ...], ...] = ()
    """The data with a header row; empty if a table next to the drawing shows them."""


def drawn(key: str, draw: Draw, height: float = HEIGHT, width: float = WIDTH) -> str:
    """Draw with a function, and give the inside of an ``svg`` element.

    Parameters
    ----------
    key
        The prefix of the ids in this drawing, which makes them unique in the page.
    draw
        Draws on the axes in the colours of `INKS`.
    height, width
        The size in inches of 72 units.

    Returns
    -------
    str
        Equal drawings give equal text: it holds no date and no random id.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context({**STYLE, "svg.hashsalt": key}):
        figure = Figure((width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return inlined(stream.getvalue(), key)


def inlined(svg: str, key: str) -> str:
    """Reduce an SVG file to the inside of an element: without declarations, styles and fonts of its own."""
    inside = svg.partition("<svg")[2].partition(">")[2].rpartition("</svg>")[0]
    inside = re.sub(r"<!--.*?-->|<(metadata|style)\b.*?</\1>", "", inside, flags=re.DOTALL)
    inside = re.sub(r"<[^>]*>", lambda found: own_tag(found[0], key), re.sub(r"\s+", " ", inside))
    return re.sub(r"> <(?!/?tspan)", "><", without_idle_groups(inside)).strip()


def own_tag(tag: str, key: str) -> str:
    """Give a tag the ids, colours and fonts of the page, and only as many digits as are visible."""
    tag = re.sub(r'(?<=<g) id="[^"]*"', "", tag.replace("xlink:href", "href"))
    tag = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{key}-", tag)
    tag = re.sub(r"font: (?:\w+ )*([\d.]+px) [^;\"]*", r"font-size: \1", tag)
    tag = re.sub(r"font-family: [^;\"]*;? ?", "", tag)
    tag = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", tag)
    return re.sub(r"#[0-9a-f]{6}\b", lambda found: INKS.get(found[0], found[0]), tag)


def without_idle_groups(svg: str) -> str:
    """Remove groups without attributes from SVG: fewer elements make a browser faster."""
    kept: list[bool] = []

    def idle(found: re.Match[str]) -> str:
        if not found[0].startswith("</"):
            kept.append(found[0] != "<g>")
            return found[0] if kept[-1] else ""
        return found[0] if kept.pop() else ""

    return re.sub(r"<g\b[^>]*(?<!/)>|</g>", idle, svg)
