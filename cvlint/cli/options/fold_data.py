"""Fold data that a command reads: the options that say how, and what is said of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cvlint.usage_error import as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts

COLUMNS = ("fold", "y_true", "y_pred", "y_score", "repeat", "experiment", "sample_id", "weight", "row_hash")
END = "_column"


def reading_options(command: Any) -> Any:
    """Add an option for each column that a file may call otherwise, and one for the positive label."""
    positive = "The positive label; of several, it is set against the rest."
    command = click.option("--positive", metavar="LABEL", help=positive)(command)
    for name in reversed(COLUMNS):
        option = f"--{name.replace('_', '-')}-column"
        command = click.option(option, f"{name}{END}", metavar="NAME", help=f"The file's name of {name}.")(command)
    return command


def columns_of(given: Mapping[str, Any]) -> dict[str, str]:
    """What the file calls the columns, by our names for them: those of the options that were given."""
    named = ((name, given[f"{name}{END}"]) for name in COLUMNS)
    return {name: theirs for name, theirs in named if theirs is not None}


def read_folds(
    file: str, columns: Mapping[str, str], positive: str | None, features: Sequence[str] = ()
) -> list[tuple[Label, FoldSet | FoldCounts]]:
    """Read the experiments in a file.

    Parameters
    ----------
    file
        CSV, Parquet or NPZ.
    columns
        What it calls its columns, where that is not what we call them.
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
    tell_unused(file, unused)
    return experiments


def tell_unused(file: str, columns: Sequence[str]) -> None:
    """Say which columns of a file are not used."""
    if columns:
        click.echo(f"cvlint: {file}: not used: {', '.join(columns)}.", err=True)
