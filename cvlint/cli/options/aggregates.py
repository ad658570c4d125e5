"""What is computed of fold data: the options that say how, and the experiments with their aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.options.fold_data import columns_of, read_folds
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.usage_error import Refusal, refused

if TYPE_CHECKING:
    from cvlint.report.experiments import Experiment
    from cvlint.runtime.intervals.bootstrap import Bootstrap

AVERAGES = ("binary", "micro", "macro", "weighted")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How numbers are computed, a field an option."""

    feature_columns: str | None
    beta: float
    average: Any
    k: int | None
    reported: tuple[str, ...]
    digits: int | None
    replicates: int
    seed: int

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the columns of features."""
        return tuple(name.strip() for name in (self.feature_columns or "").split(",") if name.strip())

    @property
    def bootstrap(self) -> Bootstrap | None:
        """How intervals are drawn; None for none."""
        from cvlint.runtime.intervals.bootstrap import Bootstrap

        return Bootstrap(self.replicates, seed=self.seed) if self.replicates else None


def computing_options(command: Any) -> Any:
    """Add the options that `Wanted` holds."""
    for add in reversed(_COMPUTING):
        command = add(command)
    return command


def not_negative(context: click.Context, param: click.Parameter, value: float) -> float:
    """Check an option whose value is a number, not below zero."""
    if value >= 0:
        return value
    raise Refusal(f"The option {param.opts[0]} cannot be '{value:g}'", "valid is a number, 0 or more")


_COMPUTING = (
    click.option(
        "--feature-columns",
        metavar="NAME,…",
        help="Columns of features, to find equal samples in different folds; a name may end in * (x_*).",
    ),
    click.option(
        "--beta", type=float, default=1.0, callback=not_negative, metavar="B", help="The weight of recall in F (1)."
    ),
    click.option("--average", callback=one_of(AVERAGES), metavar="|".join(AVERAGES), help="How classes are averaged."),
    click.option("--k", callback=whole_number, metavar="K", help="For precision at K."),
    click.option("--reported", multiple=True, metavar="MEASURE=VALUE", help="A published number, such as f1=0.69."),
    click.option("--digits", callback=whole_number, metavar="N", help="Its decimal places."),
    click.option(
        "--replicates", default="2000", callback=whole_number, metavar="N", help="Of the bootstrap; 0 for none."
    ),
    click.option("--seed", default="0", callback=whole_number, metavar="N", help="Where its random numbers start (0)."),
)


def recomputed_of(file: str, given: Mapping[str, Any]) -> tuple[list[Experiment], Bootstrap | None]:
    """Read the fold data in a file, and recompute every experiment and repetition.

    Parameters
    ----------
    file
        CSV, Parquet or NPZ.
    given
        The values of `reading_options` and `computing_options`.

    Returns
    -------
    tuple
        The experiments, and how their intervals were drawn.

    Raises
    ------
    Refusal
        When the file holds no fold data, or they do not allow what is wanted.
    """
    from cvlint.report.experiments import experiments_of
    from cvlint.runtime.aggregates.reported_match import parse_reported
    from cvlint.runtime.errors import FoldDataError

    wanted = Wanted(**{field.name: given[field.name] for field in fields(Wanted)})
    bootstrap = wanted.bootstrap
    try:
        published = [parse_reported(text, wanted.digits, wanted.beta) for text in wanted.reported]
        each = read_folds(file, columns_of(given), given["positive"], wanted.features)
        return experiments_of(
            each, beta=wanted.beta, average=wanted.average, k=wanted.k, bootstrap=bootstrap, reported=published
        ), bootstrap
    except FoldDataError as error:
        raise refused(error, file) from None
