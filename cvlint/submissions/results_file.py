"""The file with the records of many repositories: it grows while they are audited, and a later run goes on with it.

Each line is the record of one repository. At the end the lines are put in the order of the list, so that equal lists
give equal files, however many processes worked on it and whichever was first. A Parquet file cannot grow in this way:
the lines stand in a file of their own beside it, from which it is written at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from cvlint.filesystem.atomic_write import replacing
from cvlint.filesystem.new_files import lock
from cvlint.filesystem.regular_file import require_regular_file
from cvlint.submissions.record import AUDITED, VERSION
from cvlint.submissions.table import write_table
from cvlint.usage_error import UsageError

LINES, TABLE = ".jsonl", ".parquet"
SUFFIXES = (LINES, TABLE)


class ResultsFile:
    """The records of one results file, by the names of their repositories.

    Parameters
    ----------
    path : Path
        A ``.jsonl`` or ``.parquet`` file.

    Raises
    ------
    UsageError
        If it holds something else than such records, another process writes to it, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = path.with_name(path.name + LINES) if path.suffix == TABLE else path
        self._places: dict[str, tuple[int, int]] = {}
        self._done: set[str] = set()
        try:
            if self.lines.exists():
                require_regular_file(self.lines)
            elif path.exists():
                raise UsageError(
                    f"The file '{path}' is there already, without '{self.lines}' beside it", "name another"
                )
            self._file: IO[bytes] = self.lines.open("a+b")
        except OSError as error:
            raise UsageError(f"The results cannot be written to '{self.lines}': {error.strerror}") from error
        if not lock(self._file.fileno()):
            self._file.close()
            raise UsageError(f"Another process writes to '{self.lines}'", "wait until it has ended")
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        """Find the records of earlier runs; a line that a killed run left unfinished is cut off."""
        end = 0
        self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            name, is_done = self._repository(line)
            self._note(name, is_done, end, len(line))
            end += len(line)
        rest = self._file.seek(0, os.SEEK_END) - end
        if rest and not end and not self._is_begun(rest):
            raise self._foreign()
        self._file.truncate(end)

    def _is_begun(self, size: int) -> bool:
        """Whether the only line is the beginning of a record, and not some other file without a line break."""
        self._file.seek(0)
        head = f'{{"version": {VERSION}, "cvlint": '.encode()
        return self._file.read(min(size, len(head))) == head[:size]

    def _repository(self, line: bytes) -> tuple[str, bool]:
        try:
            match json.loads(line):
                case {"version": int(), "cvlint": str(), "repository": str(name), "status": str(status)}:
                    return name, status == AUDITED
        except (ValueError, RecursionError):
            pass
        raise self._foreign()

    def _foreign(self) -> UsageError:
        return UsageError(f"The file '{self.lines}' holds something else than results of an audit", "name another")

    def _note(self, name: str, is_done: bool, start: int, size: int) -> None:
        self._places[name] = (start, size)
        self._done.add(name) if is_done else self._done.discard(name)

    def is_done(self, name: str) -> bool:
        """Whether a repository was audited; one that failed is tried again."""
        return name in self._done

    def add(self, name: str, line: str, is_done: bool) -> None:
        """Write the record of a repository down at once; it takes the place of an earlier one."""
        data = f"{line}\n".encode()
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        self._note(name, is_done, start, len(data))

    def finish(self, names: Iterable[str]) -> None:
        """Put the records in the order of ``names``, those of other lists behind them, and write the table."""
        wanted = [name for name in dict.fromkeys(names) if name in self._places]
        order = [*wanted, *sorted(self._places.keys() - set(wanted))]
        with replacing(self.lines) as new:
            for name in order:
                new.write(self._line(name))
        self._file.close()
        if self.lines != self.path:
            with self.lines.open("rb") as lines, replacing(self.path) as new:
                write_table(map(json.loads, lines), new)

    def _line(self, name: str) -> bytes:
        start, size = self._places[name]
        self._file.seek(start)
        return self._file.read(size)
