"""``cvlint curves``: fold data in ROC, precision-recall, cost and F-measure space."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import print_problem, write
from cvlint.cli.options.aggregates import max_fpr_option
from cvlint.cli.options.bootstrap import bootstrap_of, bootstrap_options
from cvlint.cli.options.fold_data import FoldFile, fold_data_options, read_folds
from cvlint.cli.options.validation import from_0_to_1
from cvlint.filesystem.atomic_write import replacing
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.runtime.spaces.curves import Curves

SUFFIXES = (".png", ".svg", ".csv")


@click.command("curves")
@click.argument("file", metavar="FILE")
@fold_data_options
@click.option(
    "--alpha",
    type=float,
    default=0.5,
    callback=from_0_to_1,
    metavar="A",
    help="The weight of precision in F; default: 0.5.",
)
@click.option(
    "--prevalence",
    type=float,
    callback=from_0_to_1,
    metavar="P",
    help="The share of positives, P(+), where the classifier will be used; default: that of all folds.",
)
@max_fpr_option
@bootstrap_options
@click.option("-o", "--output", metavar="FILE", help="Write a picture (.png, .svg) or a table of all points (.csv).")
@click.help_option("-h", "--help")
def command(
    file: FoldFile,
    alpha: float,
    prevalence: float | None,
    max_fpr: float | None,
    replicates: int,
    seed: int,
    output: str | None,
) -> None:
    """Show the fold data in FILE (CSV, Parquet or NPZ) in ROC, precision-recall, cost and F-measure space.

    Without --output it prints the best threshold by P(+), the share of positives, and says at which P(+) an experiment
    is better than another one by more than chance. All folds have the same threshold, and their counts are added, as
    for F_tp,fp. The precision of a single fold is converted to the P(+) of all folds.
    """
    from cvlint.output.evaluation.curves import render_text
    from cvlint.runtime.spaces.curves import curves_of

    target = curves_target(output, file.path)
    experiments = read_folds(file)
    curves = [one for name, data in experiments for one in curves_of(data, name)]
    if target is None:
        write(render_text(curves, alpha, prevalence, bootstrap_of(replicates, seed), max_fpr))
        return
    report_undefined(curves, file.path)
    save(curves, target, alpha, prevalence)


def curves_target(output: str | None, file: str) -> Path | None:
    """Check the file to write, and that its ending names a format, before the data are read."""
    target = report_target(output, file)
    if target is not None and target.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"The option --output cannot be '{output}'", f"valid is a name that ends in {', '.join(SUFFIXES)}"
        )
    return target


def report_undefined(curves: Sequence[Curves], file: str) -> None:
    """Say which curves are undefined and left out; it is an error if no curve is left."""
    from cvlint.output.evaluation.curves import undefined

    if not any(one.points.defined for one in curves):
        raise UsageError(
            f"{file} has no experiment with both positives and negatives, so that every curve is undefined"
        )
    for one in curves:
        for sentence in undefined(one):
            print_problem(f"cvlint: {file}: {one.name}: {sentence.rstrip()}")


def save(curves: Sequence[Curves], target: Path, alpha: float, prevalence: float | None) -> None:
    """Write the picture or the table."""
    try:
        if target.suffix.lower() == ".csv":
            save_table(curves, target, alpha, prevalence)
        else:
            save_picture(curves, target, alpha, prevalence)
    except OSError as error:
        raise UsageError(f"The curves cannot be written to '{target}': {error.strerror or error}") from error


def save_table(curves: Sequence[Curves], target: Path, alpha: float, prevalence: float | None) -> None:
    """Write every point of every curve, row by row, because there may be millions."""
    import csv
    import io

    from cvlint.output.evaluation.curves import HEADER, rows_of

    with replacing(target) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows_of(curves, alpha, prevalence))
        text.detach()  # writes the rest of the buffer, and leaves the file open


def save_picture(curves: Sequence[Curves], target: Path, alpha: float, prevalence: float | None) -> None:
    """Draw the four spaces; the same data give the same bytes."""
    try:
        from matplotlib import rc_context
    except ImportError:
        raise UsageError(
            "A picture needs matplotlib, which is not installed: install cvlint[report], or write a .csv"
        ) from None
    from cvlint.report.drawing.plots import drawn

    style = target.suffix.lower().removeprefix(".")
    undated = {"Date": None} if style == "svg" else {}
    with rc_context({"svg.hashsalt": "cvlint"}):
        figure = drawn(curves, alpha, prevalence)
        with replacing(target) as file:
            figure.savefig(file, format=style, dpi=150, metadata=undated)
