"""``cvlint combine``: Boolean combinations of classifiers, chosen on some folds and measured on the others."""

from __future__ import annotations

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import write, write_report
from cvlint.cli.options.fold_data import FoldFile, fold_data_options, report_unused
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import whole_number
from cvlint.usage_error import UsageError, as_usage_error

FORMATS = ("text", "json")


@click.command("combine")
@click.argument("file", metavar="FILE")
@fold_data_options
@click.option(
    "--alpha", type=float, default=0.5, metavar="A", help="The weight of precision in F; default: 0.5, which is F1."
)
@click.option(
    "--prevalence", type=float, metavar="P", help="The share of positives, P(+), to choose for; default: that of FILE."
)
@click.option(
    "--thresholds",
    default="100",
    callback=whole_number,
    metavar="N",
    help="How many thresholds of each classifier to try; default: 100.",
)
@click.option(
    "--iterations",
    default="10",
    callback=whole_number,
    metavar="N",
    help="How many rounds of combining, at most; default: 10.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the combinations to a file, as JSON.")
@format_option(FORMATS)
@click.help_option("-h", "--help")
def command(
    file: FoldFile,
    alpha: float,
    prevalence: float | None,
    thresholds: int,
    iterations: int,
    output: str | None,
    form: str,
) -> None:
    """Combine the classifiers in FILE by Boolean functions of their thresholded scores.

    FILE (CSV, Parquet or NPZ) holds the test predictions of several classifiers, as experiments, for the same samples;
    sample_id says which is which. For each fold, the command chooses a combination on the other folds and measures it
    on this one. Then it chooses on all folds.
    """
    from cvlint.output.evaluation import combined as rendering
    from cvlint.runtime.combination.combining import combined
    from cvlint.runtime.combination.cross_validated_combination import leave_one_fold_out
    from cvlint.runtime.combination.paired_experiments import read_same_samples
    from cvlint.runtime.errors import FoldDataError

    target = report_target(output, file.path)
    if not thresholds:
        raise UsageError("The option --thresholds cannot be '0'", "valid is a whole number, 1 or more")
    try:
        samples, unused = read_same_samples(file.path, file.columns, file.positive)
        p = samples.prevalence if prevalence is None else prevalence
        results = leave_one_fold_out(samples, prevalence=p, alpha=alpha, thresholds=thresholds, iterations=iterations)
        hulls = combined(samples.y_true, samples.scores, thresholds=thresholds, iterations=iterations)
    except FoldDataError as error:
        raise as_usage_error(error, file.path) from None
    report_unused(file, unused)
    found = rendering.CombineReport(samples, p, alpha, hulls, results)
    if target is not None:
        write_report(rendering.render_json(found), target)
    write(rendering.render_json(found) if form == "json" else rendering.render_text(found))
