"""What is computed of an experiment: its aggregates, the table of its folds, and warnings about them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cvlint.runtime.aggregates.expected_bias import Bias
from cvlint.runtime.aggregates.fold_warnings import Anomaly
from cvlint.runtime.data.labels import Label
from cvlint.runtime.intervals.bootstrap import Interval
from cvlint.runtime.measures.counts import Average


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One number made of all folds."""

    name: str
    label: str
    meaning: str
    """Its key in the registry and in JSON ("f_tpfp"), its name in the paper ("F_tp,fp"), and what it is."""
    family: str
    """The measure, a key of `cvlint.runtime.aggregates.registry.FAMILIES`; aggregates of one family compete."""
    value: float
    """From 0 to 1, or NaN where it is undefined."""
    right: bool
    """Whether it is the one to report of its family, if it is defined."""
    interval: Interval | None = None
    """A confidence interval, or None."""
    note: str = ""
    """What a reader must know, such as folds that had to be left out; may be empty."""
    expected_bias: float | None = None
    expected_bias_error: float | None = None
    """Relative to the true F (0.01 is 1 %), and its standard error (0 for an exact one); None where it is not known."""
    vacuous: bool = False
    """Whether it would be the same for any scores, so that it says nothing about the classifier."""
    why: dict[str, str] = field(default_factory=dict)
    """By "value", "interval" and "expected_bias", why that is not known, as a half sentence."""

    def completed(self, interval: Interval | str, bias: Bias | str, undefined: str) -> Aggregate:
        """The aggregate with its interval and expected bias, or why there are none; ``undefined`` is why it is NaN."""
        defined = self.value == self.value
        why = {} if defined else {"value": undefined}
        why |= {"interval": interval} if isinstance(interval, str) else {}
        why |= {"expected_bias": bias} if isinstance(bias, str) else {}
        shown = interval if defined and isinstance(interval, Interval) else None
        known = None if isinstance(bias, str) else bias
        return replace(
            self,
            why=why,
            interval=shown,
            expected_bias=None if known is None else known.value,
            expected_bias_error=None if known is None else known.error,
        )


@dataclass(frozen=True, eq=False, slots=True)
class FoldRow:
    """The size, the counts and the measures of one fold: NaN where one is undefined, None where it is unknown.

    F is computed from the counts, so it is 0 where only precision or only recall is undefined (Forman & Scholz 2010,
    equation 2).
    """

    fold: Label
    samples: float | None
    positives: float | None
    tp: float | None = None
    fp: float | None = None
    fn: float | None = None
    tn: float | None = None
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    auc: float | None = None

    @property
    def valid(self) -> bool:
        """Whether precision, recall and F are defined, as far as they are known."""
        return not any(value != value for value in (self.precision, self.recall, self.f))


@dataclass(frozen=True, eq=False, slots=True)
class Recomputed:
    """All that is computed of one experiment in one repetition.

    Attributes
    ----------
    aggregates
        Every aggregate that the data allow.
    rows
        The table of the folds.
    anomalies
        What is odd about the folds.
    experiment, repeat
        The names of the experiment and of the repetition; "" where there is only one.
    average, beta
        How classes are averaged, and the weight of recall in F.
    classes
        The negative and the positive label, as `FoldSet.unclear_classes`.
    """

    aggregates: tuple[Aggregate, ...]
    rows: tuple[FoldRow, ...]
    anomalies: tuple[Anomaly, ...]
    experiment: Label = ""
    repeat: Label = ""
    average: Average = "binary"
    beta: float = 1.0
    classes: tuple[Label, Label] | None = None

    def value(self, name: str) -> float:
        """The value of an aggregate by its key, such as "f_tpfp".

        Raises
        ------
        KeyError
            When the data do not allow an aggregate of that key.
        """
        return {a.name: a.value for a in self.aggregates}[name]
