"""The simulated figures of Forman & Scholz 2010 as tables, with one row for each point and aggregate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cvlint.runtime.simulation.monte_carlo import SIMULATED, Simulated, shares_of_scores, simulate
from cvlint.runtime.simulation.simulated_cv import Setting

SAMPLES = 1000
FIGURES = (5, 6, 7, 8)
BINS = 100


def points(figure: int, repetitions: int, seed: int = 0) -> Iterator[tuple[int, Setting, Simulated]]:
    """The points of a figure: its number, a setting, and the simulated bias and spread of one aggregate.

    Parameters
    ----------
    figure
        5: bias at F = 0.8 by the share of positives, 1 to 5 %. 6 and 8: bias and spread by F, 0.60 to 0.95, at 1, 5
        and 25 % positives, stratified; both are in every row. 7: the same without stratification.
    repetitions, seed
        Those of the simulation of each point.

    References
    ----------
    Forman & Scholz 2010, section 4.3.
    """
    for setting in settings(figure):
        for outcome in simulate(setting, repetitions, seed):
            yield figure, setting, outcome


@dataclass(frozen=True, slots=True)
class Bar:
    """The share of repetitions in which an aggregate is from ``low`` to ``high`` (excluded, except for 1)."""

    setting: Setting
    name: str
    low: float
    high: float
    share: float


def bars(repetitions: int, seed: int = 0) -> Iterator[Bar]:
    """The bars of figure 4: the distribution of each aggregate at F = 0.8 and 1, 5 and 25 % positives.

    Parameters
    ----------
    repetitions, seed
        Those of the simulation of each setting.

    Notes
    -----
    The paper's text does not describe the figure; section 4.2 says that the simulation gives the distributions.

    References
    ----------
    Forman & Scholz 2010, section 4.2.
    """
    for positives in (10, 50, 250):
        setting = Setting(SAMPLES, positives)
        shares = shares_of_scores(setting, BINS, repetitions, seed)
        for name, own in zip(SIMULATED, shares, strict=True):
            for i, share in enumerate(own.tolist()):
                yield Bar(setting, name, i / BINS, (i + 1) / BINS, share)


def settings(figure: int) -> Iterator[Setting]:
    """The settings of the points of a figure."""
    if figure == 5:
        for positives in range(10, 51):
            yield Setting(SAMPLES, positives)
        return
    for positives in (10, 50, 250):
        for percent in range(60, 96, 5):
            yield Setting(SAMPLES, positives, 10, percent / 100, percent / 100, stratified=figure != 7)
