"""The file of fold data that a command reads: the options about its columns and labels, and the reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cvlint.usage_error import as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts

COLUMNS = ("fold", "y_true", "y_pred", "y_score", "repeat", "experiment", "sample_id", "group", "weight", "row_hash")
SUFFIX = "_column"
"""Of the parameter that holds the name of a column."""


def fold_data_options(command: Any) -> Any:
    """Add an option for the name of each column, and one for the positive label, to a command."""
    positive = "The positive label; all other labels are negative."
    command = click.option("--positive", metavar="LABEL", help=positive)(command)
    for name in reversed(COLUMNS):
        option, meaning = f"--{name.replace('_', '-')}-column", f"The name of the column that holds {name}."
        command = click.option(option, f"{name}{SUFFIX}", metavar="NAME", help=meaning)(command)
    return command


def column_names(given: Mapping[str, Any]) -> dict[str, str]:
    """The names of columns in the file, by cvlint's names for them; only those that the user has given."""
    names = ((column, given[f"{column}{SUFFIX}"]) for column in COLUMNS)
    return {column: name for column, name in names if name is not None}


def read_folds(
    file: str, columns: Mapping[str, str], positive: str | None, features: Sequence[str] = ()
) -> list[tuple[Label, FoldSet | FoldCounts]]:
    """Read the experiments in a file.

    Parameters
    ----------
    file
        CSV, Parquet or NPZ.
    columns
        The names of its columns, by cvlint's names for them, where they differ.
    positive
        The positive label; None leaves it to the data.
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
        experiments, unused = read_each(file, columns, positive, features)
    except FoldDataError as error:
        raise as_usage_error(error, file) from None
    report_unused(file, unused)
    return experiments


def report_unused(file: str, columns: Sequence[str]) -> None:
    """Say on standard error which columns of a file are not used."""
    if columns:
        click.echo(f"cvlint: {file}: not used: {', '.join(columns)}.", err=True)
