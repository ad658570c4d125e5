"""Simulated aggregates as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from cvlint.output.evaluation.json_document import document
from cvlint.runtime.aggregates.registry import LABELS
from cvlint.runtime.simulation.monte_carlo import Simulated
from cvlint.runtime.simulation.paper_figures import Bar
from cvlint.runtime.simulation.simulated_cv import Setting

PLACE = ("figure", "samples", "positives", "folds", "stratified", "precision", "recall", "f", "aggregate")
COLUMNS = (*PLACE, "relative_bias", "standard_error", "relative_deviation", "undefined")
SHARE = ("from", "to", "share")


def render_text(setting: Setting, outcomes: Sequence[Simulated], others: Iterable[str]) -> str:
    """A table of the aggregates, followed by sentences."""
    how = "stratified" if setting.stratified else "unstratified"
    lines = [
        f"{setting.samples} samples, {setting.positives} positives, {setting.folds} folds, {how}; "
        f"true precision {setting.precision:g}, recall {setting.recall:g}, F {setting.f:.4g}.",
        "",
        "aggregate  relative bias             relative deviation",
    ]
    for outcome in sorted(outcomes, key=lambda o: list(LABELS).index(o.name)):
        bias = f"{100 * outcome.bias:+.2f} %".replace("-", "−")
        known = "exact" if not outcome.error else f"± {100 * outcome.error:.2g} %"
        undefined = f"  undefined in {100 * outcome.undefined:.2g} % of runs" if outcome.undefined else ""
        lines.append(
            f"{LABELS[outcome.name]:9}  {bias:>9}  {known:12}  {100 * outcome.spread:8.1f} %{undefined}".rstrip()
        )
    return "\n".join([*lines, *(f"\n{text}" for text in others)]) + "\n"


def render_json(setting: Setting, outcomes: Sequence[Simulated], others: dict[str, float]) -> str:
    """The same as JSON; undefined values are null."""
    aggregates = {
        outcome.name: {
            "relative_bias": outcome.bias,
            "relative_sd": outcome.spread,
            "exact": outcome.error == 0,
            "standard_error": outcome.error,
            "undefined": outcome.undefined,
        }
        for outcome in outcomes
    }
    return document({"setting": {**asdict(setting), "f": setting.f}, "aggregates": aggregates, **others})


def render_csv(rows: Iterable[tuple[int | str, Setting, Simulated]]) -> str:
    """CSV with one line for each setting and aggregate; biases and deviations are relative to the true F."""
    return table(COLUMNS, map(point_row, rows))


def render_bars(bars: Iterable[Bar]) -> str:
    """The distributions of figure 4: one line for each setting, aggregate and interval of scores."""
    return table((*PLACE, *SHARE), map(bar_row, bars))


def render_figures(bars: Iterable[Bar], rows: Iterable[tuple[int | str, Setting, Simulated]]) -> str:
    """All figures in one table; a cell is empty where a figure does not have that column."""
    blank = [""] * (len(COLUMNS) - len(PLACE))
    first = ([*row[: len(PLACE)], *blank, *row[len(PLACE) :]] for row in map(bar_row, bars))
    return table((*COLUMNS, *SHARE), chain(first, ([*row, *[""] * len(SHARE)] for row in map(point_row, rows))))


def table(header: Sequence[str], rows: Iterable[list[Any]]) -> str:
    """Rows as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()


def place(figure: int | str, s: Setting, name: str) -> list[Any]:
    """The cells of a row that name its figure, setting and aggregate."""
    how = "yes" if s.stratified else "no"
    return [figure, s.samples, s.positives, s.folds, how, s.precision, s.recall, f"{s.f:.6g}", name]


def point_row(row: tuple[int | str, Setting, Simulated]) -> list[Any]:
    """One aggregate of a setting."""
    figure, setting, o = row
    numbers = [f"{v:.6g}" if not math.isnan(v) else "" for v in (o.bias, o.error, o.spread, o.undefined)]
    return [*place(figure, setting, o.name), *numbers]


def bar_row(bar: Bar) -> list[Any]:
    """One interval of scores."""
    return [*place(4, bar.setting, bar.name), f"{bar.low:.6g}", f"{bar.high:.6g}", f"{bar.share:.6g}"]
