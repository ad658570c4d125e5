"""``cvlint threshold``: the best threshold of the scores in fold data, and how much of its F is luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import print_problem, write, write_pieces
from cvlint.cli.options.bootstrap import bootstrap_of, bootstrap_options
from cvlint.cli.options.fold_data import FoldFile, fold_data_options, read_folds
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import from_0_to_1, weight_of_recall
from cvlint.usage_error import UsageError, as_usage_error

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts
    from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds

FORMATS = ("text", "json")


@click.command("threshold")
@click.argument("file", metavar="FILE")
@fold_data_options
@click.option(
    "--beta", type=float, callback=weight_of_recall, metavar="B", help="The weight of recall in F; default: 1."
)
@click.option(
    "--alpha",
    type=float,
    metavar="A",
    help="The weight of precision in F, 1 / (1 + B²), instead of --beta; default: 0.5.",
)
@click.option(
    "--prevalence",
    type=float,
    callback=from_0_to_1,
    metavar="P",
    help="The share of positives where the threshold will be used; default: that of the folds.",
)
@bootstrap_options
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(
    file: FoldFile,
    beta: float | None,
    alpha: float | None,
    prevalence: float | None,
    replicates: int,
    seed: int,
    form: str,
) -> None:
    """Find the threshold with the best F for the scores in FILE, and show how much of that F is luck."""
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.thresholds.label_thresholds import experiment_thresholds

    chosen_beta = beta_from(beta, alpha)
    bootstrap = bootstrap_of(replicates, seed)
    experiments = read_folds(file)
    try:
        found: list[ExperimentThresholds] = []
        for name, folds in with_scores(experiments, file.path):
            if prevalence is not None and folds.kind != "binary":
                raise UsageError(
                    f"The option --prevalence is about one class, and {file.path} has {len(folds.targets)}",
                    "leave it out, or name one class of a column of single labels with --positive",
                )
            found += experiment_thresholds(folds, chosen_beta, prevalence, bootstrap, name)
    except FoldDataError as error:
        raise as_usage_error(error, file.path) from None
    show(form, found)


def beta_from(beta: float | None, alpha: float | None) -> float:
    """The beta that the options --beta and --alpha choose."""
    from cvlint.runtime.measures.fmeasure import beta_of
    from cvlint.runtime.measures.recall_weight import MOST_BETA

    if beta is not None and alpha is not None:
        raise UsageError("The options --beta and --alpha say the same thing", "give one of them")
    if alpha is not None and not (0 < alpha <= 1 and beta_of(alpha) <= MOST_BETA):
        only = "at 0 F is the recall, which is best when all samples are called positive"
        raise UsageError(f"The option --alpha cannot be '{alpha:g}'", f"valid is a number from 1e-12 to 1 ({only})")
    if alpha is not None:
        return beta_of(alpha)
    return 1.0 if beta is None else beta


def with_scores(experiments: list[tuple[Label, FoldSet | FoldCounts]], file: str) -> list[tuple[Label, FoldSet]]:
    """The experiments that have scores; a note on standard error names those without.

    Raises
    ------
    UsageError
        When no experiment has scores.
    """
    from cvlint.runtime.data.foldset import FoldSet

    found = [(name, data) for name, data in experiments if isinstance(data, FoldSet) and data.y_score is not None]
    without = [str(name) for name, _ in experiments if name not in {other for other, _ in found}]
    if not found:
        raise UsageError(
            f"{file} has no scores", "a threshold needs the column 'y_score', or the one that --y-score-column names"
        )
    if without:
        print_problem(f"cvlint: {file}: left out, because they have no scores: {', '.join(without)}.")
    return found


def show(form: str, results: list[ExperimentThresholds]) -> None:
    """Write the results in a format."""
    from cvlint.output.evaluation import thresholds

    if form == "json":
        write(thresholds.render_json(results))
    else:
        write_pieces(thresholds.pieces(results))
