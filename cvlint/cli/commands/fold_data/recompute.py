"""``cvlint recompute``: every aggregate of fold data, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.terminal import print_problem, write, write_pieces
from cvlint.cli.options.aggregates import aggregate_options, read_and_recompute
from cvlint.cli.options.fold_data import FoldFile, fold_data_options
from cvlint.cli.options.mlflow import log_runs, mlflow_options, require_mlflow
from cvlint.cli.options.output_format import format_option
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.report.experiments import EvaluatedExperiment
    from cvlint.runtime.intervals.bootstrap import Bootstrap

FORMATS = ("text", "json", "markdown")


@click.command("recompute")
@click.argument("file", metavar="FILE")
@fold_data_options
@aggregate_options
@format_option(FORMATS)
@mlflow_options
@click.help_option("-h", "--help")
def command(file: FoldFile, form: str, mlflow: bool, mlflow_uri: str | None, **given: Any) -> None:
    """Recompute every aggregate from the fold data in FILE (CSV, Parquet or NPZ)."""
    log_to_mlflow = mlflow or mlflow_uri is not None
    if log_to_mlflow:
        require_mlflow()
    experiments, bootstrap = read_and_recompute(file, given)
    show(form, [(one.found, one.matches) for one in experiments])
    if log_to_mlflow:
        log(file.path, experiments, bootstrap, mlflow_uri)


def log(file: str, experiments: Sequence[EvaluatedExperiment], bootstrap: Bootstrap | None, uri: str | None) -> None:
    """Log the experiments to MLflow, with the file and the report about it."""
    from cvlint.output.evaluation.mlflow_runs import mlflow_run

    path = Path(file)
    page = report_page(path, experiments, bootstrap)
    runs = [mlflow_run(one.found, one.matches, path.name) for one in experiments]
    print_problem(f"cvlint: {log_runs(runs, path, page, uri)}")


def report_page(path: Path, experiments: Sequence[EvaluatedExperiment], bootstrap: Bootstrap | None) -> str | None:
    """The page that `cvlint report` writes of the experiments; None where a library for it is not installed."""
    from hashlib import sha256

    from cvlint.cli.commands.fold_data import report

    try:
        report.require_libraries()
    except UsageError as error:
        click.echo(f"cvlint: There will be no report in MLflow. {error.sentence}", err=True)
        return None
    from cvlint.report.page import ReportSource, render

    digest = sha256(path.read_bytes()).hexdigest()
    return render(ReportSource(path.name, digest, bootstrap), experiments)  # beside the file of that name


def show(form: str, results: Any) -> None:
    """Write the results in a format."""
    from cvlint.output.evaluation import recomputed

    match form:
        case "json":
            write(recomputed.render_json(results))
        case "markdown":
            write(recomputed.render_markdown(results))
        case _:
            write_pieces(recomputed.pieces(results))
