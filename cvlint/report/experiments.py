"""Recompute the experiments of a report from their fold data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cvlint.output.evaluation.recomputed import in_all, share, title
from cvlint.runtime.aggregates.recompute import MOST_SIMULATED, recompute, recompute_counts
from cvlint.runtime.aggregates.registry import FAMILIES
from cvlint.runtime.aggregates.reported_match import Match, Reported, match_reported
from cvlint.runtime.aggregates.results import Aggregate, Recomputed
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.data.reading import FoldCounts
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.measures.counts import Average

Data: TypeAlias = FoldSet | FoldCounts


@dataclass(frozen=True, eq=False, slots=True)
class EvaluatedExperiment:
    """One experiment in one repetition."""

    number: int
    """The position in the file, from 1."""
    data: Data
    """The fold data, or the counts of each fold."""
    found: Recomputed
    """The recomputed aggregates."""
    matches: tuple[Match, ...] = ()
    """The published numbers, and the aggregates that they match."""

    @property
    def name(self) -> str:
        """The heading in the page."""
        return title(self.found) or "In detail"

    @property
    def samples(self) -> float | None:
        """The number of samples, or the sum of their weights; None if the negatives were not counted."""
        return in_all([row.samples for row in self.found.rows])

    @property
    def positives(self) -> float | None:
        """The number of positives; None for several classes."""
        return in_all([row.positives for row in self.found.rows])

    @property
    def headlines(self) -> tuple[Headline, ...]:
        """A headline for each measure."""
        aggregates = self.found.aggregates
        named = {a.name: a for a in aggregates}
        pairs = ((right, named.get(FAMILIES[right.family].usual)) for right in aggregates if right.right)
        return tuple(Headline(right, rival) for right, rival in pairs if rival is not None)

    def headline(self, family: str) -> Headline | None:
        """The headline of one measure; None if the data do not allow it."""
        return next((h for h in self.headlines if h.right.family == family), None)


def kind_of(experiments: Sequence[EvaluatedExperiment]) -> str:
    """Say whether several are experiments or the repetitions of one."""
    return "repetitions" if len({one.found.experiment for one in experiments}) == 1 else "experiments"


@dataclass(frozen=True, slots=True)
class Headline:
    """The aggregate of a measure to report, and the one that papers usually report instead."""

    right: Aggregate
    rival: Aggregate

    @property
    def difference(self) -> float:
        """How much larger the usual one is; NaN if either is undefined."""
        return self.rival.value - self.right.value

    @property
    def verdict(self) -> str:
        """Compare the usual aggregate with the right one, in sentences."""
        rival, right = self.rival, self.right
        says = f"{rival.label}, the {rival.meaning}, "
        if right.value != right.value:
            return f"{right.label} is undefined: {right.why['value']}. {says}is {share(rival.value)}."
        if right.vacuous:
            return f"{right.label} is {share(right.value)}: {right.note}. {says}is {share(rival.value)}."
        if rival.value != rival.value:
            return f"{says}is undefined."
        if share(rival.value) == share(right.value):
            return f"{says}is the same here."
        side = "more" if self.difference > 0 else "less"
        within = right.interval
        outside = within is not None and not within.low <= rival.value <= within.high
        where = ", outside this interval" if outside else ""
        return f"{says}is {share(rival.value)}: {abs(self.difference):.4f} {side}{where}."


def experiments_of(
    each: Iterable[tuple[Label, Data]],
    *,
    beta: float = 1.0,
    average: Average | None = None,
    k: int | None = None,
    bootstrap: Bootstrap | None = None,
    reported: Sequence[Reported] = (),
    max_fpr: float | None = None,
    gain: bool = False,
) -> list[EvaluatedExperiment]:
    """Recompute every experiment and repetition.

    Parameters
    ----------
    each
        The name and the data of each experiment, as `cvlint.runtime.data.reading.read_each` gives them.
    beta, average, k, bootstrap, max_fpr, gain
        As for `cvlint.runtime.recompute`.
    reported
        Published numbers to match with the aggregates of each experiment.

    Raises
    ------
    FoldDataError
        As `cvlint.runtime.recompute`.
    """
    experiments: list[EvaluatedExperiment] = []
    each = list(each)
    simulated = len(each) <= MOST_SIMULATED
    for name, data in each:
        match data:
            case FoldSet():
                results = recompute(
                    data,
                    beta=beta,
                    average=average,
                    k=k,
                    bootstrap=bootstrap,
                    max_fpr=max_fpr,
                    gain=gain,
                    simulated=simulated,
                )
                parts: list[Data] = [part for _, part in data.parts("repeat")]
            case FoldCounts():
                results = (
                    recompute_counts(data.counts, data.fold_names, beta=beta, bootstrap=bootstrap, simulated=simulated),
                )
                parts = [data]
        for found, part in zip(results, parts, strict=True):
            found = replace(found, experiment=name)
            matches = tuple(match_reported(found, number) for number in reported)
            experiments.append(EvaluatedExperiment(len(experiments) + 1, part, found, matches))
    return experiments
