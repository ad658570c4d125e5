"""A counter-example to show: its setting, a small table, and a conclusion."""

from __future__ import annotations

from cvlint.records import dataclass


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A small experiment that shows the fault that a rule finds."""

    title: str
    """The setting, as one sentence."""
    columns: tuple[str, ...]
    """The headings of the table."""
    rows: tuple[tuple[str, ...], ...]
    """Its rows, with one cell for each column."""
    conclusion: str
    """The conclusion, with the numbers."""


def shown(*values: float) -> tuple[str, ...]:
    """Measures with two decimals, as cells; NaN as "NaN"."""
    return tuple("NaN" if value != value else f"{value:.2f}" for value in values)


def whole(*values: float) -> tuple[str, ...]:
    """Counts as cells, with separators of thousands."""
    return tuple(f"{value:,.0f}" for value in values)
