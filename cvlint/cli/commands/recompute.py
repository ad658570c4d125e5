"""``cvlint recompute``: every aggregate of fold data, side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.terminal import coloured, guarded, write
from cvlint.cli.options.aggregates import computing_options, recomputed_of
from cvlint.cli.options.fold_data import reading_options
from cvlint.cli.options.mlflow import log, mlflow_options, need_mlflow
from cvlint.cli.options.validation import one_of
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.report.experiments import Experiment
    from cvlint.runtime.intervals.bootstrap import Bootstrap

FORMATS = ("text", "json", "markdown")


@click.command("recompute")
@click.argument("file", metavar="FILE")
@reading_options
@computing_options
@click.option("--format", "form", default="text", callback=one_of(FORMATS), metavar="|".join(FORMATS))
@mlflow_options
@click.help_option("-h", "--help")
def command(file: str, form: str, mlflow: bool, mlflow_uri: str | None, **given: Any) -> None:
    """Recompute every aggregate from the fold data in FILE (CSV, Parquet or NPZ)."""
    tracked = mlflow or mlflow_uri is not None
    if tracked:
        need_mlflow()
    experiments, bootstrap = recomputed_of(file, given)
    show(form, [(one.found, one.matches) for one in experiments])
    if tracked:
        track(file, experiments, bootstrap, mlflow_uri)


def track(file: str, experiments: Sequence[Experiment], bootstrap: Bootstrap | None, uri: str | None) -> None:
    """Log the experiments to MLflow, with the file and the report about it."""
    from cvlint.output.evaluation.mlflow_runs import mlflow_run

    path = Path(file)
    page = report_page(path, experiments, bootstrap)
    runs = [mlflow_run(one.found, one.matches, path.name) for one in experiments]
    click.echo(f"cvlint: {log(runs, path, page, uri)}", err=True)


def report_page(path: Path, experiments: Sequence[Experiment], bootstrap: Bootstrap | None) -> str | None:
    """The page that `cvlint report` writes of the experiments; None where a library for it is not installed."""
    from hashlib import sha256

    from cvlint.cli.commands import report

    try:
        report.need_libraries()
    except Refusal as refusal:
        click.echo(f"cvlint: There will be no report in MLflow. {refusal.sentence}", err=True)
        return None
    from cvlint.report.page import Asked, render

    digest = sha256(path.read_bytes()).hexdigest()
    return render(Asked(path.name, digest, bootstrap), experiments)  # beside the file of that name


def show(form: str, results: Any) -> None:
    """Write the results."""
    from cvlint.output.evaluation import recomputed
    from cvlint.output.shared.styled_text import show_coloured

    match form:
        case "json":
            write(recomputed.render_json(results))
        case "markdown":
            write(recomputed.render_markdown(results))
        case _ if coloured(sys.stdout):
            guarded(lambda: show_coloured(recomputed.pieces(results), sys.stdout))
        case _:
            write(recomputed.render_text(results))
