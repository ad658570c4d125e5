"""A counter-example to show: its setting, a small table, and a conclusion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A small experiment that shows the fault that a rule finds.

    Attributes
    ----------
    title
        The setting, as one sentence.
    columns
        The headings of the table.
    rows
        Its rows, with one cell for each column.
    conclusion
        The conclusion, with the numbers.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    conclusion: str


def shown(*values: float) -> tuple[str, ...]:
    """Measures with two decimals, as cells; NaN as "NaN"."""
    return tuple("NaN" if value != value else f"{value:.2f}" for value in values)


def whole(*values: float) -> tuple[str, ...]:
    """Counts as cells, with separators of thousands."""
    return tuple(f"{value:,.0f}" for value in values)
