"""Files by which worker processes hand their records to the process that writes the report."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cvlint.recording.records import RecordedCall, RecordedSplit, Recorder

MAIN = 0
"""Stands for the process that writes the report, where a split says which process made it."""


class Spool:
    """The file of one worker: calls, each after the split that made its fold; whole after every record."""

    def __init__(self, folder: Path) -> None:
        self.process = os.getpid()
        self._path = folder / f"{self.process}.records"
        self._written: dict[tuple[int, int], int] = {}

    def write(self, call: RecordedCall) -> None:
        """Append a call, and its split if that has grown."""
        with open(self._path, "ab") as file:
            running = call.running_fold
            if running is not None:
                self._write_split(running.split, file)
            _append(("call", call), file)

    def trouble(self, message: str) -> None:
        """Append a sentence about something that could not be recorded."""
        with contextlib.suppress(OSError), open(self._path, "ab") as file:  # the disk may be full
            _append(("trouble", message), file)

    def begin(self, split: RecordedSplit) -> None:
        """Append a split that begins; its folds follow with the calls in them."""
        with contextlib.suppress(OSError), open(self._path, "ab") as file:  # `write` fails, too, and says so
            self._write_split(split, file)

    def _write_split(self, split: RecordedSplit, file: Any) -> None:
        """Append a split of this worker; those from before a fork are known to the process that forked."""
        if split.process != self.process or self._written.get(split.key) == len(split.test_rows):
            return
        self._written[split.key] = len(split.test_rows)
        _append(("split", split.key, split.site, split.y, split.test_rows, split.train_sizes, split.begun), file)


class _Writer(pickle.Pickler):
    def persistent_id(self, one: Any) -> Any:
        """Name a split by its process and number, because it is written by itself."""
        from cvlint.recording.records import RecordedSplit

        return one.key if isinstance(one, RecordedSplit) else None


class _Reader(pickle.Unpickler):
    splits: dict[tuple[int, int], RecordedSplit]

    def persistent_load(self, key: Any) -> Any:
        """Find a split by its process and number."""
        return self.splits[key]


def _append(record: Any, file: Any) -> None:
    """Append a record in one piece."""
    data = io.BytesIO()
    _Writer(data, protocol=5).dump(record)
    file.write(data.getvalue())


def read_spools(folder: Path, recorder: Recorder) -> None:
    """Add the records of all workers to those of this process; a record that a worker could not end is left out."""
    splits = {split.key: split for split in recorder.splits}
    found = []
    for path in sorted(folder.glob("*.records")):
        for call in _read(path, splits, recorder):
            if recorder.full:
                break
            arrays = ((name, getattr(call, name)) for name in ("y_true", "y_pred", "y_score", "weight"))
            kept = {name: None if array is None else recorder.keep(array, name) for name, array in arrays}
            found.append(replace(call, order=sys.maxsize, process=int(path.stem), **kept))
    for call in sorted(found, key=lambda call: call.time):
        recorder.add(call)


def _read(path: Path, splits: dict[tuple[int, int], RecordedSplit], recorder: Recorder) -> Iterator[RecordedCall]:
    """Read the calls of one worker, and add its splits."""
    from cvlint.recording.records import RecordedSplit

    with open(path, "rb") as file:
        while True:
            reader = _Reader(file)
            reader.splits = splits
            try:
                kind, *rest = reader.load()
            except (EOFError, pickle.UnpicklingError):
                return
            if kind == "call":
                yield rest[0]
                continue
            if kind == "trouble":
                recorder.trouble(rest[0])
                continue
            key, site, y, test_rows, train_sizes, begun = rest
            split = splits.get(key)
            if split is None:
                split = splits[key] = RecordedSplit(site, y, key=key, begun=begun)
                recorder.splits.append(split)
            split.test_rows[:], split.train_sizes[:] = test_rows, train_sizes
