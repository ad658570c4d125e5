"""The file with the records of many repositories: it grows while they are audited, and a later run goes on with it.

Each line is the record of one repository. At the end the lines are put in the order of the list, so that equal lists
give equal files, however many processes worked on it and whichever was first. A Parquet file cannot grow in this way:
the lines stand in a file of their own beside it, from which it is written at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from cvlint.filesystem.atomic_write import replacing
from cvlint.filesystem.new_files import lock
from cvlint.filesystem.regular_file import require_regular_file
from cvlint.submissions.record import AUDITED, VERSION
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


COLUMNS = {
    **dict.fromkeys(("repository", "commit", "status", "kind", "rule", "code", "severity", "confidence"), "string"),
    **dict.fromkeys(("measure", "name", "message", "path"), "string"),
    **dict.fromkeys(("cell", "line", "column"), "int64"),
    **dict.fromkeys(("fingerprint", "fault"), "string"),
    "count": "int64",
}
"""The columns of the table, with their types in pyarrow."""
ROWS_AT_ONCE = 10_000


def require_parquet() -> None:
    """Check that tables can be written.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError("A Parquet file needs pyarrow, which is not installed: install cvlint[parquet]") from None


def write_table(records: Iterable[Any], file: IO[bytes]) -> None:
    """Write records as a Parquet table: a row for each repository, aggregation, finding, error and kind of fate."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema(list(COLUMNS.items()))
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        rows: list[dict[str, Any]] = []
        for record in records:
            rows += rows_of(record)
            if len(rows) >= ROWS_AT_ONCE:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
                rows = []
        writer.write_table(pyarrow.Table.from_pylist(rows, schema))


def rows_of(record: Any) -> Iterator[dict[str, Any]]:
    """The rows of one record; a column that says nothing about a row is null."""
    head = {"repository": record["repository"], "commit": record.get("commit"), "status": record["status"]}
    yield {**head, "kind": "repository", "message": record.get("reason"), "count": record.get("files")}
    for kind in ("aggregation", "finding", "error", "fate"):
        for one in record.get(f"{kind}s", ()):
            row = {name: one[name] for name in COLUMNS if name in one}
            match kind:
                case "aggregation":
                    row["message"] = one["meaning"]
                case "fate":
                    row |= {"name": one["kind"], "message": one["why"]}
            yield {**head, **row, "kind": kind}
