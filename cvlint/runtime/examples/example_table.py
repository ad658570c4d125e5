"""A counter-example as it is shown: what is set up, a small table, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A small experiment in which what a rule finds goes wrong.

    Attributes
    ----------
    title
        What is set up, as one sentence.
    columns
        The heads of the table.
    rows
        Its rows, each with one cell a column.
    conclusion
        What the numbers say, with the numbers.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    conclusion: str


def shown(*values: float) -> tuple[str, ...]:
    """Measures with two decimals, as cells; NaN as "NaN"."""
    return tuple("NaN" if value != value else f"{value:.2f}" for value in values)


def whole(*values: float) -> tuple[str, ...]:
    """Counts as cells, thousands set apart."""
    return tuple(f"{value:,.0f}" for value in values)
