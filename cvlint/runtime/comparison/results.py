"""What a comparison finds: a difference for each aggregate, tests, and the sentence that says it first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cvlint.runtime.intervals.bootstrap import Interval

Verdict: TypeAlias = Literal["better", "worse", "no difference shown", "equal", "undecided"]


@dataclass(frozen=True, slots=True)
class Difference:
    """An aggregate of both experiments, and how much larger it is in the second.

    Attributes
    ----------
    name, label, family, right
        As `cvlint.runtime.aggregates.results.Aggregate`.
    first, second
        Its values, from 0 to 1; the mean over the repetitions; NaN where it is undefined.
    interval
        Of the difference; None where there is none.
    error
        The standard error of the difference; NaN where it is unknown.
    method
        How the interval was made: "bootstrap", "cluster bootstrap", "DeLong"; empty without one.
    why
        Why there is no interval, as a half sentence; empty where there is one.
    """

    name: str
    label: str
    family: str
    right: bool
    first: float
    second: float
    interval: Interval | None = None
    error: float = float("nan")
    method: str = ""
    why: str = ""

    @property
    def value(self) -> float:
        """The second minus the first."""
        return self.second - self.first

    @property
    def shown(self) -> bool:
        """Whether the interval leaves out 0, so that the data show a difference."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of the difference of one measure.

    Attributes
    ----------
    name, title
        Its key in JSON ("mcnemar"), and what people call it.
    measure
        The label of what it compares: "AUC_avg", "accuracy".
    values
        Its numbers by their names, such as "p"; empty where it cannot be computed.
    result
        The numbers in a short sentence; empty where it cannot be computed.
    reference, assumptions
        Where it is from, and when it holds, as sentences.
    why
        Why it cannot be computed, as a half sentence.
    """

    name: str
    title: str
    measure: str
    reference: str
    assumptions: str
    values: dict[str, float] = field(default_factory=dict)
    result: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Needed:
    """How many positives, or samples, would show a difference of the size that was found.

    Attributes
    ----------
    what
        "positives" of a binary task, else "samples".
    now, number
        How many there are, and how many would be needed; ``number`` is None where no number is enough.
    """

    what: str
    now: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two experiments compared.

    Attributes
    ----------
    names
        What users call the two; each difference is the second minus the first.
    verdict, sentence
        Of the second experiment in the chosen measure, and the same as plain sentences.
    measure
        The key of the chosen measure.
    differences, tests
        Of all measures.
    needed
        What would show a difference of this size; None where one is shown, or where it is not known.
    samples, positives, folds, repeats, groups
        The size of the data: distinct samples; ``positives`` is None for several classes, ``groups`` without groups.
    matched_by
        "sample_id" or "row".
    notes
        Sentences about the data, such as groups in several folds.
    """

    names: tuple[str, str]
    verdict: Verdict
    sentence: str
    measure: str
    differences: tuple[Difference, ...]
    tests: tuple[PairedTest, ...]
    needed: Needed | None
    samples: int
    positives: int | None
    folds: int
    repeats: int
    groups: int | None
    matched_by: str
    notes: tuple[str, ...] = ()

    @property
    def chosen(self) -> Difference:
        """The difference that the sentence is about."""
        return next(one for one in self.differences if one.name == self.measure)
