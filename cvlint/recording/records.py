"""Records of a run: calls of measures, and the folds that splitters made."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cvlint.recording.call_sites import CallSite

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAIN = 0
"""Stands for the process that writes the report, where a split or a call says which process made it."""

CAPTURE = "capture"
"""The function of a call that hands a fold over, which measures nothing."""


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """How a call computes its measure: average over classes, positive label, beta, and the classes it includes."""

    average: str = "binary"
    positive: Any = None
    beta: float = 1.0
    labels: tuple[Any, ...] | None = None


@dataclass(eq=False, slots=True)
class RecordedSplit:
    """One pass through the folds of a splitter."""

    site: CallSite | None
    """The call site; None if the user did not call the splitter."""
    y: NDArray[Any] | None
    """The labels passed to the splitter, (n,), or None."""
    test_rows: list[NDArray[Any]] = field(default_factory=list)
    train_sizes: list[int] = field(default_factory=list)
    """The test rows and the number of training rows of each fold so far."""
    collected_labels: NDArray[Any] | None = None
    """Without ``y``: the labels that calls in the folds measured, (n,); None until they are complete."""
    groups: NDArray[Any] | None = None
    """The groups passed to the splitter or the cross-validation, (n,), or None."""
    key: tuple[int, int] = (MAIN, -1)
    """The process that made it, and its number among the splits of that process."""
    begun: float = field(default_factory=time.time)
    """When it began; calls in worker processes belong to splits that began before."""

    @property
    def process(self) -> int:
        """The worker process that made it; `MAIN` for the process that writes the report."""
        return self.key[0]


@dataclass(frozen=True, eq=False, slots=True)
class CurrentFold:
    """The fold whose loop body runs."""

    split: RecordedSplit
    fold: int


@dataclass(frozen=True, eq=False, slots=True)
class RecordedCall:
    """One call of a measure."""

    site: CallSite
    name: str
    """The call site; ``name`` distinguishes the scorers of one site."""
    function: str
    measure: str
    """The function, "f1_score", and its measure, "f-measure"."""
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None
    y_score: NDArray[Any] | None
    weight: NDArray[Any] | None
    """Copies of the arguments, (n,) or (n, classes); equal arrays are stored once, so that ``is`` compares them."""
    options: MeasureOptions
    """How it computes the measure."""
    value: float | None
    """The returned number; None if the call returned something else."""
    running_fold: CurrentFold | None
    """The fold whose loop body called it; None outside of such loops."""
    order: int
    """The number of splits that had begun before."""
    process: int = MAIN
    """The worker process that made the call."""
    time: float = field(default_factory=time.time)
    label_names: tuple[str, ...] = ()
    """The names of the labels of a table of 0 and 1, one for each column; empty where the call does not say them."""
