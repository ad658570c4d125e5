"""Records of a run: calls of measures, and the folds that splitters made."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cvlint.recording.call_sites import CallSite, CallSites
from cvlint.recording.spool import MAIN, Spool

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 2_000_000_000
"""The limit for stored labels and scores; later calls are not recorded, and the user is told so."""


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


class Recorder:
    """Collect what the hooks see in this process."""

    def __init__(self) -> None:
        self.sites = CallSites()
        self.calls: list[RecordedCall] = []
        self.splits: list[RecordedSplit] = []
        self.problems: dict[str, None] = {}
        self.spool: Spool | None = None
        """The file to which a worker process writes its records; None in the process that writes the report."""
        self._bytes = 0
        self._kept: dict[bytes, NDArray[Any]] = {}
        self._lock = threading.RLock()
        self._local = threading.local()

    @property
    def running_folds(self) -> list[CurrentFold]:
        """The folds whose loop bodies run in this thread, the innermost one last."""
        try:
            found: list[CurrentFold] = self._local.running_folds
        except AttributeError:
            found = self._local.running_folds = []
        return found

    @property
    def running_fold(self) -> CurrentFold | None:
        """The innermost fold whose loop body runs."""
        return self.running_folds[-1] if self.running_folds else None

    @property
    def full(self) -> bool:
        """Whether the limit for stored values is reached."""
        return self._bytes > MOST_BYTES

    def keep(self, values: Any, name: str) -> NDArray[Any]:
        """Copy values into a small array; equal arrays are stored once.

        Raises
        ------
        FoldDataError
            If the values do not form an array.
        """
        from cvlint.recording.compact_arrays import compact

        array = compact(values, name)
        key = hashlib.blake2b(array.tobytes(), digest_size=16, person=array.dtype.str[:16].encode()).digest()
        if self.spool is not None:  # a worker writes them, and keeps nothing
            self._bytes += array.nbytes
            return array
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known.shape == array.shape:
                return known
            self._bytes += array.nbytes
            self._kept[key] = array
        return array

    def add(self, call: RecordedCall) -> None:
        """Store a call."""
        with self._lock:
            if self.spool is None:
                self.calls.append(call)
            else:
                self.spool.write(call)

    def begin(self, split: RecordedSplit) -> None:
        """Store a split, which grows while its folds run."""
        with self._lock:
            split.key = (MAIN if self.spool is None else self.spool.process, len(self.splits))
            self.splits.append(split)
            if self.spool is not None:
                self.spool.begin(split)

    def trouble(self, message: str) -> None:
        """Store a sentence about something that could not be recorded; each is shown once."""
        with self._lock:
            if self.spool is not None and message not in self.problems:
                self.spool.trouble(message)
            self.problems.setdefault(message)

    @contextmanager
    def harmless(self, what: str) -> Iterator[None]:
        """Turn an error into a sentence, because recording must never stop an experiment."""
        try:
            yield
        except Exception as error:
            self.trouble(f"{what} could not be recorded: {type(error).__name__}: {error}".rstrip(".") + ".")
