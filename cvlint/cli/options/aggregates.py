"""Which aggregates of fold data a command computes: the options, and the experiments with their aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.options.bootstrap import bootstrap_of, bootstrap_options
from cvlint.cli.options.fold_data import FoldFile, read_folds
from cvlint.cli.options.validation import (
    above_0_to_1,
    one_of,
    weight_of_recall,
    whole_number,
    whole_number_from_1,
)
from cvlint.records import dataclass
from cvlint.usage_error import as_usage_error

if TYPE_CHECKING:
    from cvlint.report.experiments import EvaluatedExperiment
    from cvlint.runtime.intervals.bootstrap import Bootstrap

beta_option = click.option(
    "--beta",
    type=float,
    default=1.0,
    callback=weight_of_recall,
    metavar="B",
    help="The weight of recall in F; default: 1.",
)

max_fpr_option = click.option(
    "--max-fpr",
    type=float,
    callback=above_0_to_1,
    metavar="R",
    help="Compute the partial AUC up to the false positive rate R, too.",
)

AVERAGES = ("binary", "micro", "macro", "weighted")
CLASS_SIZES = ("fixed", "random")


@dataclass(frozen=True, slots=True)
class AggregateOptions:
    """How to compute the aggregates; each field is an option."""

    feature_columns: str | None
    beta: float
    average: Any
    k: int | None
    reported: tuple[str, ...]
    digits: int | None
    max_fpr: float | None
    gain: bool
    class_sizes: Any
    replicates: int
    seed: int

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the columns of features."""
        return tuple(name.strip() for name in (self.feature_columns or "").split(",") if name.strip())


def aggregate_options(command: Any) -> Any:
    """Add the options that `AggregateOptions` holds to a command."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


_OPTIONS = (
    click.option(
        "--feature-columns",
        metavar="NAME,…",
        help="Columns of features, to find equal samples in different folds; a name may end in * (x_*).",
    ),
    beta_option,
    click.option(
        "--average", callback=one_of(AVERAGES), metavar="|".join(AVERAGES), help="How to average over classes."
    ),
    click.option("--k", callback=whole_number_from_1, metavar="K", help="Compute precision at K, too."),
    max_fpr_option,
    click.option(
        "--gain", is_flag=True, help="Compute the area under the precision-recall-gain curve (Flach & Kull 2015), too."
    ),
    click.option(
        "--reported",
        multiple=True,
        metavar="MEASURE=VALUE",
        help="A published number, such as f1=0.69: say which aggregate it is.",
    ),
    click.option("--digits", callback=whole_number, metavar="N", help="The decimal places of the published number."),
    click.option(
        "--class-sizes",
        default="fixed",
        callback=one_of(CLASS_SIZES),
        metavar="|".join(CLASS_SIZES),
        help="What the intervals are about: experiments with as many positives as FILE (fixed, the default), or also "
        "with other numbers of them, as in a new sample of cases (random).",
    ),
    bootstrap_options,
)


def read_and_recompute(file: FoldFile, given: Mapping[str, Any]) -> tuple[list[EvaluatedExperiment], Bootstrap | None]:
    """Read the fold data in a file, and recompute every experiment and repetition.

    Parameters
    ----------
    file
        The file.
    given
        The values of `aggregate_options`.

    Returns
    -------
    tuple
        The experiments, and the bootstrap that drew their intervals.

    Raises
    ------
    UsageError
        When the file holds no fold data, or an aggregate cannot be computed from them.
    """
    from cvlint.report.experiments import experiments_of
    from cvlint.runtime.aggregates.reported_match import parse_reported
    from cvlint.runtime.errors import FoldDataError

    options = AggregateOptions(**given)
    bootstrap = bootstrap_of(options.replicates, options.seed, options.class_sizes)
    try:
        published = [parse_reported(text, options.digits, options.beta) for text in options.reported]
        data = read_folds(file, options.features)
        return experiments_of(
            data,
            beta=options.beta,
            average=options.average,
            k=options.k,
            bootstrap=bootstrap,
            reported=published,
            max_fpr=options.max_fpr,
            gain=options.gain,
        ), bootstrap
    except FoldDataError as error:
        raise as_usage_error(error, file.path) from None
