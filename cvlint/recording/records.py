"""What is recorded: calls of measures, and the folds that splitters made."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cvlint.recording.call_sites import Site, Sites

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 2_000_000_000
"""Of labels and scores that are kept; what comes after is not recorded, and that is said."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a call computes its measure: average over classes, positive label, beta, and the classes looked at."""

    average: str = "binary"
    positive: Any = None
    beta: float = 1.0
    labels: tuple[Any, ...] | None = None


@dataclass(eq=False, slots=True)
class Split:
    """One run through a splitter.

    Attributes
    ----------
    site
        Where from; None where the user did not call it.
    y
        The labels it was given, (n,); None without any.
    tests, trained
        The rows that each fold tests, and how many it trains on, of the folds so far.
    learned
        The labels of the rows that were measured fold by fold, (n,), where no ``y`` was given; None if not all are.
    """

    site: Site | None
    y: NDArray[Any] | None
    tests: list[NDArray[Any]] = field(default_factory=list)
    trained: list[int] = field(default_factory=list)
    learned: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Mark:
    """The fold whose body runs."""

    split: Split
    fold: int


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """One call of a measure.

    Attributes
    ----------
    site, name
        Where from; ``name`` tells the scorers of one site apart.
    function, measure
        "f1_score", and what it measures: "f-measure".
    y_true, y_pred, y_score, weight
        Copies of the arguments, (n,) or (n, classes); equal arrays are kept once, so that ``is`` compares them.
    value
        The number that was returned; None when it was none.
    mark
        The fold in whose body it was called; None outside of such loops.
    order
        How many splits had begun before.
    """

    site: Site
    name: str
    function: str
    measure: str
    y_true: NDArray[Any]
    y_pred: NDArray[Any] | None
    y_score: NDArray[Any] | None
    weight: NDArray[Any] | None
    options: Options
    value: float | None
    mark: Mark | None
    order: int


class Recorder:
    """Collects what the hooks see in this process."""

    def __init__(self) -> None:
        self.sites = Sites()
        self.calls: list[Call] = []
        self.splits: list[Split] = []
        self.problems: dict[str, None] = {}
        self._bytes = 0
        self._kept: dict[bytes, NDArray[Any]] = {}
        self._lock = threading.RLock()
        self._local = threading.local()

    @property
    def marks(self) -> list[Mark]:
        """The folds whose bodies run in this thread, the innermost one last."""
        try:
            found: list[Mark] = self._local.marks
        except AttributeError:
            found = self._local.marks = []
        return found

    @property
    def mark(self) -> Mark | None:
        """The innermost fold whose body runs."""
        return self.marks[-1] if self.marks else None

    @property
    def full(self) -> bool:
        """Whether no more can be kept."""
        return self._bytes > MOST_BYTES

    def keep(self, values: Any, name: str) -> NDArray[Any]:
        """A copy of some values in a small type; equal ones are kept once.

        Raises
        ------
        FoldDataError
            When they make no array.
        """
        from cvlint.recording.compact_arrays import compact

        array = compact(values, name)
        key = hashlib.blake2b(array.tobytes(), digest_size=16, person=array.dtype.str[:16].encode()).digest()
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known.shape == array.shape:
                return known
            self._bytes += array.nbytes
            self._kept[key] = array
        return array

    def add(self, call: Call) -> None:
        """Keep a call."""
        with self._lock:
            self.calls.append(call)

    def begin(self, split: Split) -> None:
        """Keep a split, which grows while it is run through."""
        with self._lock:
            self.splits.append(split)

    def trouble(self, message: str) -> None:
        """Keep a sentence on what could not be recorded; each is said once."""
        with self._lock:
            self.problems.setdefault(message)

    @contextmanager
    def harmless(self, what: str) -> Iterator[None]:
        """Recording must never stop an experiment: a failure becomes a sentence."""
        try:
            yield
        except Exception as error:
            self.trouble(f"{what} could not be recorded: {type(error).__name__}: {error}".rstrip(".") + ".")
