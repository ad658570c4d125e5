"""``cvlint threshold``: the best threshold of the scores in fold data, and how much of its F is luck."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import coloured, guarded, write
from cvlint.cli.options.fold_data import columns_of, read_folds, reading_options
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.usage_error import Refusal, refused

if TYPE_CHECKING:
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.labels import Label
    from cvlint.runtime.data.reading import FoldCounts
    from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds

FORMATS = ("text", "json")


@click.command("threshold")
@click.argument("file", metavar="FILE")
@reading_options
@click.option("--beta", type=float, metavar="B", help="The weight of recall in F (1).")
@click.option("--alpha", type=float, metavar="A", help="The weight of precision in F instead: 1 / (1 + B²) (0.5).")
@click.option("--prevalence", type=float, metavar="P", help="The share of positives where the threshold will be used.")
@click.option("--replicates", default="2000", callback=whole_number, metavar="N", help="Of the bootstrap; 0 for none.")
@click.option("--seed", default="0", callback=whole_number, metavar="N", help="Where its random numbers start (0).")
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@click.help_option("-h", "--help")
def command(
    file: str,
    positive: str | None,
    beta: float | None,
    alpha: float | None,
    prevalence: float | None,
    replicates: int,
    seed: int,
    form: str,
    **columns: str | None,
) -> None:
    """Find the threshold with the best F for the scores in FILE, and show how much of that F is luck."""
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.intervals.bootstrap import Bootstrap
    from cvlint.runtime.thresholds.label_thresholds import experiment_thresholds

    weight = weight_of_recall(beta, alpha)
    if prevalence is not None and not 0 <= prevalence <= 1:
        raise Refusal(f"The option --prevalence cannot be '{prevalence:g}'", "valid is a number from 0 to 1")
    bootstrap = Bootstrap(replicates, seed=seed) if replicates else None
    experiments = read_folds(file, columns_of(columns), positive)
    try:
        found: list[ExperimentThresholds] = []
        for name, folds in with_scores(experiments, file):
            if prevalence is not None and folds.kind != "binary":
                raise Refusal(
                    f"The option --prevalence is of one class, and {file} has {len(folds.targets)}",
                    "leave it out, or name one class of a column of single labels with --positive",
                )
            found += experiment_thresholds(folds, weight, prevalence, bootstrap, name)
    except FoldDataError as error:
        raise refused(error, file) from None
    show(form, found)


def weight_of_recall(beta: float | None, alpha: float | None) -> float:
    """The beta that the options ask for."""
    from cvlint.runtime.measures.fmeasure import MOST_BETA, beta_of

    if beta is not None and alpha is not None:
        raise Refusal("The options --beta and --alpha say the same thing", "give one of them")
    if beta is not None and not 0 <= beta <= MOST_BETA:
        raise Refusal(f"The option --beta cannot be '{beta:g}'", f"valid is a number from 0 to {MOST_BETA}")
    if alpha is not None and not (0 < alpha <= 1 and beta_of(alpha) <= MOST_BETA):
        only = "at 0 F is the recall, which is best when all samples are called positive"
        raise Refusal(f"The option --alpha cannot be '{alpha:g}'", f"valid is a number from 1e-12 to 1 ({only})")
    if alpha is not None:
        return beta_of(alpha)
    return 1.0 if beta is None else beta


def with_scores(experiments: list[tuple[Label, FoldSet | FoldCounts]], file: str) -> list[tuple[Label, FoldSet]]:
    """The experiments that have scores; those without are named on standard error.

    Raises
    ------
    Refusal
        When none has.
    """
    from cvlint.output.shared.locations import printable
    from cvlint.runtime.data.foldset import FoldSet

    found = [(name, data) for name, data in experiments if isinstance(data, FoldSet) and data.y_score is not None]
    lacking = [str(name) for name, _ in experiments if name not in {given for given, _ in found}]
    if not found:
        raise Refusal(
            f"{file} has no scores", "a threshold needs the column 'y_score', or the one that --y-score-column names"
        )
    if lacking:
        click.echo(f"cvlint: {file}: left out, as there are no scores: {printable(', '.join(lacking))}.", err=True)
    return found


def show(form: str, results: list[ExperimentThresholds]) -> None:
    """Write the results."""
    from cvlint.output.evaluation import thresholds
    from cvlint.output.shared.styled_text import show_coloured

    match form:
        case "json":
            write(thresholds.render_json(results))
        case _ if coloured(sys.stdout):
            guarded(lambda: show_coloured(thresholds.pieces(results), sys.stdout))
        case _:
            write(thresholds.render_text(results))
