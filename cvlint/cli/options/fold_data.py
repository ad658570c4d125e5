"""The file of fold data that a command reads: the options about its columns and labels, and the reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.terminal import print_problem
from cvlint.records import dataclass
from cvlint.usage_error import as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts

COLUMNS = ("fold", "y_true", "y_pred", "y_score", "repeat", "experiment", "sample_id", "group", "weight", "row_hash")
SHOWN = 20
"""Names of columns in a sentence."""
SUFFIX = "_column"
"""Of the parameter that holds the name of a column."""


@dataclass(frozen=True, slots=True)
class FoldFile:
    """A file of fold data, and what the options say about it."""

    path: str
    """CSV, Parquet or NPZ."""
    columns: Mapping[str, str]
    """The names of columns in the file, by cvlint's names for them; only those that the user has given."""
    positive: str | None
    """The positive label; None leaves it to the data."""


def fold_data_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for the name of each column, and one for the positive label, to a command that reads a file.

    The command has an argument "file"; its function gets a `FoldFile` for it.
    """

    @wraps(command)
    def with_file(file: str, positive: str | None, **given: Any) -> None:
        names = {column: given.pop(f"{column}{SUFFIX}") for column in COLUMNS}
        columns = {column: name for column, name in names.items() if name is not None}
        try:
            command(FoldFile(file, columns, positive), **given)
        except ValueError as error:  # of data that were read well, and that nothing can be computed from
            from cvlint.runtime.errors import FoldDataError

            if not isinstance(error, FoldDataError):
                raise
            raise as_usage_error(error, file) from None

    positive = "The positive label; all other labels are negative."
    optioned = click.option("--positive", metavar="LABEL", help=positive)(with_file)
    for name in reversed(COLUMNS):
        option, meaning = f"--{name.replace('_', '-')}-column", f"The name of the column that holds {name}."
        optioned = click.option(option, f"{name}{SUFFIX}", metavar="NAME", help=meaning)(optioned)
    return optioned


def read_folds(file: FoldFile, features: Sequence[str] = ()) -> list[tuple[Label, FoldSet | FoldCounts]]:
    """Read the experiments in a file.

    Parameters
    ----------
    file
        The file.
    features
        The names of columns of features.

    Raises
    ------
    UsageError
        When it holds no fold data.
    """
    from cvlint.runtime.data.reading import read_each
    from cvlint.runtime.errors import FoldDataError

    try:
        experiments, unused = read_each(file.path, file.columns, file.positive, features)
    except FoldDataError as error:
        raise as_usage_error(error, file.path) from None
    report_unused(file, unused)
    return experiments


def report_unused(file: FoldFile, columns: Sequence[str]) -> None:
    """Say on standard error which columns of a file are not used."""
    if columns:
        more = f" and {len(columns) - SHOWN:,} more" if len(columns) > SHOWN else ""
        print_problem(f"cvlint: {file.path}: not used: {', '.join(columns[:SHOWN])}{more}.")
