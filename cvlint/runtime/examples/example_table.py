"""A counter-example to show: its setting, a small table, and a conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from cvlint.runtime.measures.counts import Floats


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


def shown_rows(heads: Iterable[object], measures: Iterable[Iterable[float]]) -> tuple[tuple[str, ...], ...]:
    """Rows of measures with two decimals, each with its head in front."""
    return tuple((str(head), *shown(*row)) for head, row in zip(heads, measures, strict=True))


def mean_over_data_sets(measures: Callable[[int], Floats], number: int) -> Floats:
    """The mean of measures over random data sets, because one alone may be lucky; their seeds count from 0."""
    return np.asarray(np.mean([measures(seed) for seed in range(number)], axis=0))


def whole(*values: float) -> tuple[str, ...]:
    """Counts as cells, with separators of thousands."""
    return tuple(f"{value:,.0f}" for value in values)
