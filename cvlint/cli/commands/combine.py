"""``cvlint combine``: Boolean combinations of classifiers, chosen on some folds and measured on the others."""

from __future__ import annotations

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import deliver, write
from cvlint.cli.options.fold_data import columns_of, reading_options, tell_unused
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.usage_error import Refusal, refused

FORMATS = ("text", "json")


@click.command("combine")
@click.argument("file", metavar="FILE")
@reading_options
@click.option("--alpha", type=float, default=0.5, metavar="A", help="The weight of precision in F (0.5: F1).")
@click.option("--prevalence", type=float, metavar="P", help="The P(+) to choose for; by default that of FILE.")
@click.option("--thresholds", default="100", callback=whole_number, metavar="N", help="Tried of each classifier (100).")
@click.option("--iterations", default="10", callback=whole_number, metavar="N", help="Rounds, at most (10).")
@click.option("--output", metavar="FILE", help="Write the combinations as JSON.")
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@click.help_option("-h", "--help")
def command(
    file: str,
    positive: str | None,
    alpha: float,
    prevalence: float | None,
    thresholds: int,
    iterations: int,
    output: str | None,
    form: str,
    **columns: str | None,
) -> None:
    """Combine the classifiers in FILE by Boolean functions of their thresholded scores.

    FILE (CSV, Parquet or NPZ) holds the test predictions of several classifiers, as experiments, for the same samples,
    told by sample_id. Each fold is left out once, to measure what is chosen on the others; then all folds choose.
    """
    from cvlint.output.evaluation import combined as shown
    from cvlint.runtime.combination.combining import combined
    from cvlint.runtime.combination.cross_validated_combination import leave_one_fold_out
    from cvlint.runtime.combination.paired_experiments import read_same_samples
    from cvlint.runtime.errors import FoldDataError

    target = report_target(output, file)
    if not thresholds:
        raise Refusal("The option --thresholds cannot be '0'", "valid is a whole number, 1 or more")
    try:
        samples, unused = read_same_samples(file, columns_of(columns), positive)
        p = samples.prevalence if prevalence is None else prevalence
        results = leave_one_fold_out(samples, prevalence=p, alpha=alpha, thresholds=thresholds, iterations=iterations)
        hulls = combined(samples.y_true, samples.scores, thresholds=thresholds, iterations=iterations)
    except FoldDataError as error:
        raise refused(error, file) from None
    tell_unused(file, unused)
    found = shown.CombineReport(samples, p, alpha, hulls, results)
    if target is not None:
        deliver(shown.render_json(found), target)
    write(shown.render_json(found) if form == "json" else shown.render_text(found))
