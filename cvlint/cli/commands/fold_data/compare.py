"""``cvlint compare``: two experiments on the same samples and folds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.terminal import write
from cvlint.cli.options.aggregates import AVERAGES, beta_option
from cvlint.cli.options.bootstrap import bootstrap_of, bootstrap_options
from cvlint.cli.options.fold_data import FoldFile, fold_data_options, read_folds
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import from_0_to_1, one_of, whole_number_from_1
from cvlint.records import replace
from cvlint.usage_error import UsageError, as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts

FORMATS = ("text", "json", "markdown")


@click.command("compare")
@click.argument("file", metavar="A")
@click.argument("other", metavar="[B]", required=False)
@click.option("--first", metavar="NAME", help="The experiment of A, where it holds several.")
@click.option("--second", metavar="NAME", help="The experiment to compare with it: of B, or else of A.")
@click.option(
    "--measure", metavar="KEY", help="The aggregate that decides, such as auc_avg; default: f_tpfp, or auc_avg."
)
@click.option(
    "--rope",
    type=float,
    default=0.01,
    callback=from_0_to_1,
    metavar="R",
    help="Differences up to R count as equal in the Bayesian test; default: 0.01.",
)
@beta_option
@click.option("--average", callback=one_of(AVERAGES), metavar="|".join(AVERAGES), help="How to average over classes.")
@click.option("--k", callback=whole_number_from_1, metavar="K", help="Compare precision at K, too.")
@bootstrap_options
@fold_data_options
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(
    file: FoldFile,
    other: str | None,
    first: str | None,
    second: str | None,
    measure: str | None,
    rope: float,
    beta: float,
    average: Any,
    k: int | None,
    replicates: int,
    seed: int,
    form: str,
) -> None:
    """Say whether one of two experiments is better on the same samples and folds.

    A and B are files of fold data (CSV, Parquet or NPZ) with one experiment each. Without B, the experiments are the
    two in A. Samples are matched by sample_id, else row by row. The first sentence says whether the second experiment
    is better, worse, or whether the data show no difference. Below are the difference of every aggregate with its
    interval, and tests with their assumptions. If the data have a column named group, the bootstrap draws whole groups.
    """
    from cvlint.output.evaluation.compared import RENDERERS
    from cvlint.runtime.comparison.compare import compare
    from cvlint.runtime.comparison.pairing import paired
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.intervals.bootstrap import Bootstrap

    mine, theirs, names = two_experiments(file, other, first, second)
    bootstrap = bootstrap_of(replicates, seed) or Bootstrap(0)
    try:
        pair = paired(mine, theirs, names)
        found = compare(pair, beta=beta, average=average, k=k, bootstrap=bootstrap, rope=rope, measure=measure)
    except FoldDataError as error:
        where = f"{file.path}: " if other is None else f"{names[0]} and {names[1]}: "
        raise as_usage_error(FoldDataError(f"{where}{error}"), where) from None
    write(RENDERERS[form](found))


def two_experiments(
    file: FoldFile, other: str | None, first: str | None, second: str | None
) -> tuple[FoldSet, FoldSet, tuple[str, str]]:
    """The two experiments, and what messages call them."""
    path, every = file.path, read_folds(file)
    if other is not None:
        own = chosen(every, first, "--first", path)
        its = chosen(read_folds(replace(file, path=other)), second, "--second", other)
        return with_samples(own, path), with_samples(its, other), file_names(path, other)
    if len(every) < 2:
        raise UsageError(
            f"{path} holds one experiment, and a comparison needs two", "add a second file, or a column experiment"
        )
    if (first is None or second is None) and len(every) > 2:
        raise UsageError(
            f"{path} holds {len(every)} experiments ({listed(every)})", "name two with --first and --second"
        )
    own = every[0] if first is None else chosen(every, first, "--first", path)
    rest = [one for one in every if one[0] != own[0]]
    its = rest[0] if second is None else chosen(every, second, "--second", path)
    if own[0] == its[0]:
        raise UsageError(f"The options --first and --second both name '{own[0]}'", "name two experiments")
    return with_samples(own, path), with_samples(its, path), (str(own[0]), str(its[0]))


def chosen(
    every: Sequence[tuple[Label, FoldSet | FoldCounts]], name: str | None, option: str, file: str
) -> tuple[Label, FoldSet | FoldCounts]:
    """The named experiment of a file, or its only one."""
    if name is None:
        if len(every) > 1:
            raise UsageError(f"{file} holds {len(every)} experiments ({listed(every)})", f"name one with {option}")
        return every[0]
    found = next((one for one in every if str(one[0]) == name), None)
    if found is None:
        choices = [str(label) for label, _ in every]
        raise UsageError(f"{file} has no experiment '{name}'", f"it has {listed(every)}", name, choices)
    return found


def listed(every: Sequence[tuple[Label, object]]) -> str:
    """The names of the first experiments."""
    names = [str(name) or "one without a name" for name, _ in every[:10]]
    return ", ".join(names) + (" …" if len(every) > 10 else "")


def with_samples(one: tuple[Label, FoldSet | FoldCounts], file: str) -> FoldSet:
    """The fold data of an experiment; raises where only counts are known."""
    from cvlint.runtime.data.foldset import FoldSet

    if not isinstance(one[1], FoldSet):
        raise UsageError(f"{file} holds counts only", "a comparison needs the predictions of each sample")
    return one[1]


def file_names(file: str, other: str) -> tuple[str, str]:
    """The names of two files in a sentence: without their folders where they differ."""
    short = Path(file).name, Path(other).name
    return short if short[0] != short[1] else (file, other)
