"""Files by which worker processes hand their records to the process that writes the report."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cvlint.recording.records import RecordedCall, RecordedSplit


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
        _append(
            ("split", split.key, split.site, split.y, split.groups, split.test_rows, split.train_sizes, split.begun),
            file,
        )


class _Writer(pickle.Pickler):
    def persistent_id(self, one: Any) -> Any:
        """Name a split by its process and number, because it is written by itself."""
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


def read_spool(path: Path, splits: dict[tuple[int, int], RecordedSplit]) -> Iterator[RecordedCall | str]:
    """Read the calls of one worker, and its sentences about what could not be recorded.

    Parameters
    ----------
    path
        The file of the worker; a record that the worker could not end is left out.
    splits
        The known splits by process and number; those of the worker are added.
    """
    with open(path, "rb") as file:
        while True:
            reader = _Reader(file)
            reader.splits = splits
            try:
                kind, *rest = reader.load()
            except (EOFError, pickle.UnpicklingError):
                return
            if kind != "split":
                yield rest[0]
                continue
            key, site, y, groups, test_rows, train_sizes, begun = rest
            split = splits.setdefault(key, RecordedSplit(site, y, groups=groups, key=key, begun=begun))
            split.test_rows[:], split.train_sizes[:] = test_rows, train_sizes
