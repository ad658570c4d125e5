"""Collect what the hooks see: in memory, or in a worker process in the file of the worker."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cvlint.recording.call_sites import CallSites
from cvlint.recording.records import MAIN, CurrentFold, RecordedCall, RecordedSplit
from cvlint.recording.spool import Spool, read_spool

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 2_000_000_000
"""The limit for stored labels and scores; later calls are not recorded, and the user is told so."""


class Recorder:
    """Collect what the hooks see in this process."""

    def __init__(self) -> None:
        self.sites = CallSites()
        self.calls: list[RecordedCall] = []
        self.splits: list[RecordedSplit] = []
        self.problems: dict[str, None] = {}
        self.is_active = True
        """Whether calls are recorded; hooks that were once installed stay for good."""
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

    def forget(self) -> None:
        """Forget all records, for a new recording."""
        with self._lock:
            for records in (self.calls, self.splits, self.problems, self._kept):
                records.clear()
            self._bytes = 0

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

    def add_workers(self, folder: Path) -> None:
        """Add what worker processes wrote into a folder."""
        splits = {split.key: split for split in self.splits}
        found: list[RecordedCall] = []
        for path in sorted(folder.glob("*.records")):
            for one in read_spool(path, splits):
                if isinstance(one, str):
                    self.trouble(one)
                elif not self.full:
                    found.append(self._kept_call(one, int(path.stem)))
        self.splits += list(splits.values())[len(self.splits) :]
        for call in sorted(found, key=lambda call: call.time):
            self.add(call)

    def _kept_call(self, call: RecordedCall, process: int) -> RecordedCall:
        """A call of a worker whose arrays are stored here; which splits it can belong to follows from its time."""
        others = ((name, getattr(call, name)) for name in ("y_pred", "y_score", "weight"))
        y_pred, y_score, weight = (None if array is None else self.keep(array, name) for name, array in others)
        y_true = self.keep(call.y_true, "y_true")
        call = replace(call, y_true=y_true, y_pred=y_pred, y_score=y_score, weight=weight)
        return replace(call, order=sys.maxsize, process=process)

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
