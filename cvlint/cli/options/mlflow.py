"""Logging to MLflow: the options, and the logging itself."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cvlint.cli.options.extras import require_extra
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.output.evaluation.mlflow_runs import MlflowRun
    from cvlint.recording.experiments import Experiment

LIMITS = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1", "MLFLOW_HTTP_REQUEST_TIMEOUT": "15"}
"""MLflow's defaults are 7 retries and 120 seconds: it would wait many minutes for a server that does not run."""

SETTINGS = {**LIMITS, "MLFLOW_DISABLE_TELEMETRY": "true"}
"""Variables that cvlint sets unless the user has: data go to the server that the user names, and nowhere else."""

BATCH = 1000
"""How many metrics MLflow accepts in one request."""

Command = TypeVar("Command", bound=Callable[..., Any])


def mlflow_options(command: Command) -> Command:
    """Add the options about MLflow to a command."""
    uri = click.option(
        "--mlflow-uri", metavar="URI", help="Log to this address; default: the one in MLFLOW_TRACKING_URI."
    )
    flag = click.option("--mlflow", is_flag=True, help="Log the aggregates, the folds and a report to MLflow.")
    return flag(uri(command))


def require_mlflow() -> None:
    """Stop with a usage error if mlflow is not installed."""
    require_extra("mlflow", ["mlflow"], "Logging to MLflow")


def log_runs(runs: Sequence[MlflowRun], file: Path, page: str | None, uri: str | None) -> str:
    """Log a run for each experiment to MLflow; several runs get a parent run, which holds the files.

    If MLFLOW_RUN_ID names a run, the logged run becomes a child of it, and the metrics of that run stay as they are.

    Parameters
    ----------
    runs
        The runs to log, at least one.
    file
        The fold data, which MLflow keeps beside the numbers.
    page
        The report in HTML; or None.
    uri
        The address of the server or store; None leaves it to MLflow.

    Returns
    -------
    str
        A sentence that names the run and the address.

    Raises
    ------
    UsageError
        When MLflow cannot log them.
    """
    for variable, value in SETTINGS.items():
        os.environ.setdefault(variable, value)
    try:
        with _quiet():
            import mlflow

            if uri is not None:
                mlflow.set_tracking_uri(uri)
            uri = mlflow.get_tracking_uri()
            run_id = _log_tree(mlflow, runs, file, page)
    except Exception as error:  # stores and plugins raise the errors of many libraries
        raise UsageError(
            f"The results are not logged to MLflow{_at(uri)}, because {reason(error, uri)}",
            "--mlflow-uri or MLFLOW_TRACKING_URI must name a server that runs, or a store that can be written",
        ) from None
    several = f", and {len(runs)} runs below it" if len(runs) > 1 else ""
    return f"Logged to MLflow{_at(uri)}: run {run_id}{several}."


def _log_tree(mlflow: Any, runs: Sequence[MlflowRun], file: Path, page: str | None) -> str:
    """Log the runs, and give the id of the only run, or of their parent."""
    from cvlint.output.evaluation.mlflow_runs import MlflowRun, common_tags

    parent = os.environ.pop("MLFLOW_RUN_ID", None)  # MLflow would continue that run instead of starting one
    tags = {} if parent is None else {"mlflow.parentRunId": parent}
    experiment = None if parent is None else mlflow.get_run(parent).info.experiment_id
    top, below = (runs[0], ()) if len(runs) == 1 else (MlflowRun(file.name, (), {}, common_tags(file.name)), runs)
    start = partial(mlflow.start_run, experiment_id=experiment, log_system_metrics=False)
    with start(run_name=top.name, tags=tags) as started:
        _log_content(mlflow, started.info.run_id, top)
        for run in below:
            with start(run_name=run.name, nested=True) as child:
                _log_content(mlflow, child.info.run_id, run)
        mlflow.log_artifact(str(file))
        if page is not None:
            mlflow.log_text(page, "report.html")
    return str(started.info.run_id)


def _log_content(mlflow: Any, run_id: str, run: MlflowRun) -> None:
    """Log the metrics, parameters and tags of a run."""
    import time

    from mlflow.entities import Metric, Param, RunTag

    now = int(1000 * time.time())
    metrics = [Metric(metric.name, metric.value, now, metric.step) for metric in run.metrics]
    params = [Param(key, value) for key, value in run.params.items()]
    tags = [RunTag(key, value) for key, value in run.tags.items()]
    client = mlflow.MlflowClient()
    client.log_batch(run_id, params=params, tags=tags)
    for start in range(0, len(metrics), BATCH):
        client.log_batch(run_id, metrics=metrics[start : start + BATCH])


def log_recorded(
    experiments: Sequence[Experiment], stem: str, capture: Path | None, folder: Path, uri: str | None
) -> tuple[bool, str]:
    """Log the experiments that a script's run recorded, as `cvlint recompute --mlflow` logs a capture.

    Another process does it: this one is about to end, so that no library can start threads, which MLflow's stores of
    artifacts need; and the script may have changed the settings of MLflow.

    Parameters
    ----------
    experiments
        The recorded experiments.
    stem
        The name of the capture file without its ending, if there is no capture yet.
    capture
        The capture file of the run; or None.
    folder
        The folder in which cvlint was started.
    uri
        The address to log to; None for that of the script, or MLflow's default.

    Returns
    -------
    tuple
        Whether it succeeded, and lines that say what was logged and what was not.
    """
    from subprocess import DEVNULL, PIPE, run

    from cvlint.filesystem.temporary_folders import temporary_folder
    from cvlint.recording.captures import write_experiments
    from cvlint.runtime.errors import FoldDataError

    if not experiments:
        return False, "cvlint: Nothing is logged to MLflow, because no fold data were recorded.\n"
    unwritten: list[str] = []
    with temporary_folder() as temporary:
        path = temporary / f"{stem}-folds.csv" if capture is None else capture
        if capture is None:
            try:
                unwritten = write_experiments(experiments, path, str(folder))
            except FoldDataError as error:
                return False, f"cvlint: Nothing is logged to MLflow: {str(error).replace(str(path), path.name)}\n"
        command = [sys.executable, "-m", "cvlint", "recompute", str(path), "--mlflow"]
        ended = run(command, env=_environment(uri), cwd=folder, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    lines = [f"cvlint: {sentence}\n".replace(str(path), path.name) for sentence in unwritten]
    return ended.returncode == 0, "".join(lines) + ended.stderr.decode(errors="replace")


def _environment(uri: str | None) -> dict[str, str]:
    """The environment with which another process logs to the address of the script, below the script's last run."""
    for variable, value in LIMITS.items():
        os.environ.setdefault(variable, value)
    given = {} if uri is None else {"MLFLOW_TRACKING_URI": uri}
    mlflow: Any = sys.modules.get("mlflow")
    if mlflow is not None:
        with contextlib.suppress(Exception), _quiet():  # the other process reports the error
            last = mlflow.last_active_run() if uri in (None, mlflow.get_tracking_uri()) else None
            given = {"MLFLOW_TRACKING_URI": mlflow.get_tracking_uri()} | given
            if last is not None:
                given["MLFLOW_RUN_ID"] = last.info.run_id
    return {**os.environ, **given}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep MLflow from printing addresses and retries, because standard output holds the table."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(before)


def _at(uri: str | None) -> str:
    return "" if uri is None else f" at '{without_credentials(uri)}'"


def without_credentials(uri: str) -> str:
    """An address without a user's name and password."""
    return re.sub(r"(?<=://)[^/@]*@", "", uri)


def reason(error: BaseException, uri: str | None) -> str:
    """The reason of an error, as a clause; the names of errors tell which library below MLflow raised it."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    for cause in causes:
        match type(cause).__name__, cause:
            case "ConnectionError" | "ConnectTimeout" | "ReadTimeout", _ if "timed out" in str(cause):
                return "the server does not answer in time"
            case "ConnectionError", _:
                return "no server can be reached there"
            case _, ImportError(name=str(name)):
                needed = "a store that is not a server needs it"
                return f"{name} is missing, and {needed}: install mlflow, not mlflow-skinny alone"
    message = re.split(r"\.\s|\n|\.$", str(error).strip(), maxsplit=1)[0] or type(error).__name__
    return f"MLflow says: {message if uri is None else message.replace(uri, without_credentials(uri))}"
