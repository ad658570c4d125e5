"""What a comparison finds: a difference for each aggregate, tests, and the sentence that says it first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cvlint.runtime.intervals.bootstrap import Interval

Verdict: TypeAlias = Literal[
    "better", "worse", "trained models better", "trained models worse", "no difference shown", "equal", "undecided"
]


@dataclass(frozen=True, slots=True)
class Difference:
    """An aggregate of both experiments, and how much larger it is in the second."""

    name: str
    label: str
    family: str
    right: bool
    """As `cvlint.runtime.aggregates.results.Aggregate`."""
    first: float
    second: float
    """Its values, from 0 to 1; the mean over the repetitions; NaN where it is undefined."""
    interval: Interval | None = None
    """Of the difference; None where there is none."""
    error: float = float("nan")
    """The standard error of the difference; NaN where it is unknown."""
    freedom: float = float("inf")
    """The degrees of freedom of the standard error, where the interval follows from it by Student's t."""
    method: str = ""
    """How the interval was made: "bootstrap", "cluster bootstrap", "DeLong", "jackknife"; empty without one."""
    why: str = ""
    """Why there is no interval, as a half sentence; empty where there is one."""
    stays: bool | None = None
    """Whether it is shown even if other training data are allowed for; None where that is not known."""
    why_untrained: str = ""
    """Why there is an interval, and yet that is not known, as a half sentence."""

    @property
    def value(self) -> float:
        """The second minus the first."""
        return self.second - self.first

    @property
    def shown(self) -> bool:
        """Whether the interval leaves out 0, so that the data show a difference of the trained models."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    @property
    def shown_of_methods(self) -> bool:
        """Whether a difference of the methods is shown, on other training data, too."""
        return self.stays is True


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of the difference of one measure."""

    name: str
    title: str
    """Its key in JSON ("mcnemar"), and what people call it."""
    measure: str
    """The label of what it compares: "AUC_avg", "accuracy"."""
    reference: str
    assumptions: str
    """Where it is from, and when it holds, as sentences."""
    values: dict[str, float] = field(default_factory=dict)
    """Its numbers by their names, such as "p"; empty where it cannot be computed."""
    result: str = ""
    """The numbers in a short sentence; empty where it cannot be computed."""
    why: str = ""
    """Why it cannot be computed, as a half sentence."""


@dataclass(frozen=True, slots=True)
class Needed:
    """How many positives, or samples, would show a difference of the size that was found."""

    what: str
    """What is counted: "positives" of a binary task, else "samples"."""
    now: int
    number: int | None
    """How many there are, and how many would be needed; ``number`` is None where no number is enough."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two experiments compared."""

    names: tuple[str, str]
    """What users call the two; each difference is the second minus the first."""
    verdict: Verdict
    sentence: str
    """Of the second experiment in the chosen measure, and the same as plain sentences."""
    measure: str
    """The key of the chosen measure."""
    differences: tuple[Difference, ...]
    tests: tuple[PairedTest, ...]
    """Of all measures."""
    needed: Needed | None
    """What would show a difference of this size; None where one is shown, or where it is not known."""
    samples: int
    positives: int | None
    folds: int
    repeats: int
    groups: int | None
    """The size of the data: distinct samples; ``positives`` is None for several classes, ``groups`` without groups."""
    matched_by: str
    """"sample_id" or "row"."""
    notes: tuple[str, ...] = ()
    """Sentences about the data, such as groups in several folds."""

    @property
    def chosen(self) -> Difference:
        """The difference that the sentence is about."""
        return next(one for one in self.differences if one.name == self.measure)
