"""Simulated aggregates as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from cvlint.runtime.aggregates import F_LABELS
from cvlint.runtime.crossvalidation import Setting
from cvlint.runtime.figures import Bar
from cvlint.runtime.simulation import Simulated

COLUMNS = (
    "figure", "samples", "positives", "folds", "stratified", "precision", "recall", "f", "aggregate",
    "relative_bias", "standard_error", "relative_deviation", "undefined",
)  # fmt: skip


def render_text(setting: Setting, outcomes: Sequence[Simulated], others: Iterable[str]) -> str:
    """A table of the aggregates, and sentences after it."""
    how = "stratified" if setting.stratified else "unstratified"
    lines = [
        f"{setting.samples} samples, {setting.positives} positives, {setting.folds} folds, {how}; "
        f"true precision {setting.precision:g}, recall {setting.recall:g}, F {setting.f:.4g}.",
        "",
        "aggregate  relative bias             relative deviation",
    ]
    for outcome in sorted(outcomes, key=lambda o: list(F_LABELS).index(o.name)):
        bias = f"{100 * outcome.bias:+.2f} %".replace("-", "−")
        known = "exact" if not outcome.error else f"± {100 * outcome.error:.2g} %"
        undefined = f"  undefined in {100 * outcome.undefined:.2g} % of runs" if outcome.undefined else ""
        lines.append(
            f"{F_LABELS[outcome.name]:9}  {bias:>9}  {known:12}  {100 * outcome.spread:8.1f} %{undefined}".rstrip()
        )
    return "\n".join([*lines, *(f"\n{text}" for text in others)]) + "\n"


def render_json(setting: Setting, outcomes: Sequence[Simulated], others: dict[str, float]) -> str:
    """The same for programs; what is undefined is null."""
    aggregates = {
        outcome.name: {
            "relative_bias": known(outcome.bias),
            "relative_sd": known(outcome.spread),
            "exact": outcome.error == 0,
            "standard_error": known(outcome.error),
            "undefined": known(outcome.undefined),
        }
        for outcome in outcomes
    }
    document = {"version": 1, "setting": {**asdict(setting), "f": setting.f}, "aggregates": aggregates, **others}
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def known(value: float) -> float | None:
    """A value, or None for NaN."""
    return None if math.isnan(value) else value


def render_csv(rows: Iterable[tuple[int | str, Setting, Simulated]]) -> str:
    """One line a setting and aggregate; biases and deviations relative to the true F."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for figure, s, o in rows:
        numbers = [f"{v:.6g}" if not math.isnan(v) else "" for v in (o.bias, o.error, o.spread, o.undefined)]
        how = "yes" if s.stratified else "no"
        writer.writerow(
            [figure, s.samples, s.positives, s.folds, how, s.precision, s.recall, f"{s.f:.6g}", o.name, *numbers]
        )
    return file.getvalue()


def render_bars(bars: Iterable[Bar]) -> str:
    """The distributions of figure 4: one line a setting, aggregate and interval of scores."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*COLUMNS[:9], "from", "to", "share"])
    for bar in bars:
        s, how = bar.setting, "yes" if bar.setting.stratified else "no"
        place = [4, s.samples, s.positives, s.folds, how, s.precision, s.recall, f"{s.f:.6g}", bar.name]
        writer.writerow([*place, f"{bar.low:.6g}", f"{bar.high:.6g}", f"{bar.share:.6g}"])
    return file.getvalue()
