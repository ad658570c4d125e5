"""``cvlint recompute``: every aggregate of fold data, side by side."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.refusal import one_of, whole_number
from cvlint.cli.terminal import coloured, guarded, write
from cvlint.cli.tracking import log, mlflow_options, need_mlflow
from cvlint.refusal import Refusal, refused

if TYPE_CHECKING:
    from cvlint.runtime.intervals import Bootstrap

FORMATS = ("text", "json", "markdown")
AVERAGES = ("binary", "micro", "macro", "weighted")
COLUMNS = ("fold", "y_true", "y_pred", "y_score", "repeat", "experiment", "sample_id", "weight", "row_hash")

COMPUTING = (
    click.option(
        "--feature-columns",
        metavar="NAME,…",
        help="Columns of features, to find equal samples in different folds; a name may end in * (x_*).",
    ),
    click.option("--positive", metavar="LABEL", help="The positive label; of several, it is set against the rest."),
    click.option("--beta", type=float, default=1.0, metavar="B", help="The weight of recall in F (1)."),
    click.option("--average", callback=one_of(AVERAGES), metavar="|".join(AVERAGES), help="How classes are averaged."),
    click.option("--k", callback=whole_number, metavar="K", help="For precision at K."),
    click.option("--reported", multiple=True, metavar="MEASURE=VALUE", help="A published number, such as f1=0.69."),
    click.option("--digits", callback=whole_number, metavar="N", help="Its decimal places."),
    click.option(
        "--replicates", default="2000", callback=whole_number, metavar="N", help="Of the bootstrap; 0 for none."
    ),
    click.option("--seed", default="0", callback=whole_number, metavar="N", help="Where its random numbers start (0)."),
)
"""The options that say what is read of a file and how it is computed."""


def computing_options(command: Any) -> Any:
    """Add the options of `COMPUTING`."""
    for add in reversed(COMPUTING):
        command = add(command)
    return command


def column_options(command: Any) -> Any:
    """Add an option for each column that a file may call otherwise."""
    for name in reversed(COLUMNS):
        option = f"--{name.replace('_', '-')}-column"
        command = click.option(option, f"{name}_column", metavar="NAME", help=f"The file's name of {name}.")(command)
    return command


@click.command("recompute")
@click.argument("file", metavar="FILE")
@column_options
@computing_options
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@mlflow_options
@click.help_option("-h", "--help")
def command(
    file: str,
    feature_columns: str | None,
    positive: str | None,
    beta: float,
    average: str | None,
    k: int | None,
    reported: tuple[str, ...],
    digits: int | None,
    replicates: int,
    seed: int,
    form: str,
    mlflow: bool,
    mlflow_uri: str | None,
    **columns: str | None,
) -> None:
    """Recompute every aggregate from the fold data in FILE (CSV, Parquet or NPZ)."""
    from cvlint.runtime.aggregates import Recomputed, recompute, recompute_counts
    from cvlint.runtime.faults import FoldDataError
    from cvlint.runtime.foldset import FoldSet
    from cvlint.runtime.intervals import Bootstrap
    from cvlint.runtime.matching import compared, parse_reported
    from cvlint.runtime.reading import read_each

    tracked = mlflow or mlflow_uri is not None
    if tracked:
        need_mlflow()
    if not beta >= 0:
        raise Refusal(f"The option --beta cannot be '{beta:g}'", "valid is a number, 0 or more")
    names = {name.removesuffix("_column"): given for name, given in columns.items() if given is not None}
    bootstrap = Bootstrap(replicates, seed=seed) if replicates else None
    try:
        published = [parse_reported(text, digits) for text in reported]
        experiments, unused = read_each(file, names, positive, listed(feature_columns))
        found: list[Recomputed] = []
        for name, data in experiments:
            match data:
                case FoldSet() as folds:
                    each = recompute(folds, beta=beta, average=average, k=k, bootstrap=bootstrap)  # type: ignore[arg-type]
                case counts:
                    each = (recompute_counts(counts.counts, counts.fold_names, beta=beta, bootstrap=bootstrap),)
            found += [replace(one, experiment=name) for one in each]
    except FoldDataError as error:
        raise refused(error, file) from None
    if unused:
        click.echo(f"cvlint: {file}: not used: {', '.join(unused)}.", err=True)
    results = [(result, [compared(result, number) for number in published]) for result in found]
    show(form, results)
    if tracked:
        track(file, experiments, results, bootstrap, mlflow_uri)


def track(file: str, experiments: Any, results: Any, bootstrap: Bootstrap | None, uri: str | None) -> None:
    """Log the results to MLflow, with the file and the report about it."""
    from cvlint.output.mlflow_runs import run_of

    path = Path(file)
    page = report_page(file, experiments, results, bootstrap)
    runs = [run_of(found, matches, path.name) for found, matches in results]
    click.echo(f"cvlint: {log(runs, path, page, uri)}", err=True)


def report_page(file: str, experiments: Any, results: Any, bootstrap: Bootstrap | None) -> str | None:
    """The page that `cvlint report` writes of the results; None where a library for it is not installed."""
    from hashlib import sha256

    from cvlint.cli import report
    from cvlint.runtime.foldset import FoldSet

    try:
        report.need_libraries()
    except Refusal as refusal:
        click.echo(f"cvlint: There will be no report in MLflow. {refusal.sentence}", err=True)
        return None
    from cvlint.report.experiments import Experiment
    from cvlint.report.page import Asked, render

    each = (data.parts("repeat") if isinstance(data, FoldSet) else [("", data)] for _, data in experiments)
    parts = [part for several in each for _, part in several]
    shown = [
        Experiment(number, part, found, tuple(matches))
        for number, (part, (found, matches)) in enumerate(zip(parts, results, strict=True), start=1)
    ]
    digest = sha256(Path(file).read_bytes()).hexdigest()
    return render(Asked(Path(file).name, digest, bootstrap), shown)  # beside the file of that name


def listed(names: str | None) -> tuple[str, ...]:
    """The names in an option that takes several."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())


def show(form: str, results: Any) -> None:
    """Write the results."""
    from cvlint.output import recomputed
    from cvlint.output.pieces import show_coloured

    match form:
        case "json":
            write(recomputed.render_json(results))
        case "markdown":
            write(recomputed.render_markdown(results))
        case _ if coloured(sys.stdout):
            guarded(lambda: show_coloured(recomputed.pieces(results), sys.stdout))
        case _:
            write(recomputed.render_text(results))
