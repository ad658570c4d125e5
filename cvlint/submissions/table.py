"""The records of many repositories as a Parquet table, for pandas, polars and databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any

from cvlint.usage_error import UsageError

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
