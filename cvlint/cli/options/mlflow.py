"""Logging to MLflow: the options, and what they do."""

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

from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.output.evaluation.mlflow_runs import MlflowRun
    from cvlint.recording.experiments import Experiment

LIMITS = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1", "MLFLOW_HTTP_REQUEST_TIMEOUT": "15"}
"""MLflow's own are 7 and 120 seconds: a server that is not there would be waited for many minutes."""

SETTINGS = {**LIMITS, "MLFLOW_DISABLE_TELEMETRY": "true"}
"""Unless the user set them: data go to the server that was named, and nowhere else."""

AT_ONCE = 1000
"""Metrics that MLflow takes in one request."""

Command = TypeVar("Command", bound=Callable[..., Any])


def mlflow_options(command: Command) -> Command:
    """Add the options about MLflow to a command."""
    uri = click.option("--mlflow-uri", metavar="URI", help="Log there; by default where MLFLOW_TRACKING_URI says.")
    flag = click.option("--mlflow", is_flag=True, help="Log the aggregates, the folds and a report to MLflow.")
    return flag(uri(command))


def need_mlflow() -> None:
    """Refuse to go on without the library of the extra."""
    from importlib.util import find_spec

    if find_spec("mlflow") is None:
        raise Refusal("Logging to MLflow needs mlflow, which is not installed: install cvlint[mlflow]")


def log(runs: Sequence[MlflowRun], file: Path, page: str | None, uri: str | None) -> str:
    """Log to MLflow: a run for each experiment, and where there are several, one above them that holds the files.

    Where MLFLOW_RUN_ID names a run, what is logged becomes a child of it, and the run's own metrics stay as they are.

    Parameters
    ----------
    runs
        What to log, at least one.
    file
        The fold data, kept beside the numbers.
    page
        The report in HTML; or None.
    uri
        Where to; None leaves it to MLflow.

    Returns
    -------
    str
        A sentence that says what was logged and where.

    Raises
    ------
    Refusal
        When it cannot be done.
    """
    for variable, value in SETTINGS.items():
        os.environ.setdefault(variable, value)
    try:
        with quiet():
            import mlflow

            if uri is not None:
                mlflow.set_tracking_uri(uri)
            uri = mlflow.get_tracking_uri()
            identity = log_all(mlflow, runs, file, page)
    except Exception as error:  # its stores and plugins raise whatever their libraries do
        raise Refusal(
            f"The results are not logged to MLflow{at(uri)}, because {reason(error, uri)}",
            "--mlflow-uri or MLFLOW_TRACKING_URI must name a server that runs, or a store that can be written",
        ) from None
    several = f", and {len(runs)} runs below it" if len(runs) > 1 else ""
    return f"Logged to MLflow{at(uri)}: run {identity}{several}."


def log_all(mlflow: Any, runs: Sequence[MlflowRun], file: Path, page: str | None) -> str:
    """Log the runs; gives the identity of the only one, or of the one above them."""
    from cvlint.output.evaluation.mlflow_runs import MlflowRun, common_tags

    parent = os.environ.pop("MLFLOW_RUN_ID", None)  # MLflow would go on with that run instead of starting one
    under = {} if parent is None else {"mlflow.parentRunId": parent}
    experiment = None if parent is None else mlflow.get_run(parent).info.experiment_id
    top, below = (runs[0], ()) if len(runs) == 1 else (MlflowRun(file.name, (), {}, common_tags(file.name)), runs)
    start = partial(mlflow.start_run, experiment_id=experiment, log_system_metrics=False)
    with start(run_name=top.name, tags=under) as started:
        log_one(mlflow, started.info.run_id, top)
        for run in below:
            with start(run_name=run.name, nested=True) as child:
                log_one(mlflow, child.info.run_id, run)
        mlflow.log_artifact(str(file))
        if page is not None:
            mlflow.log_text(page, "report.html")
    return str(started.info.run_id)


def log_one(mlflow: Any, identity: str, run: MlflowRun) -> None:
    """Log the content of a run."""
    import time

    from mlflow.entities import Metric, Param, RunTag

    now = int(1000 * time.time())
    metrics = [Metric(metric.name, metric.value, now, metric.step) for metric in run.metrics]
    params = [Param(key, value) for key, value in run.params.items()]
    tags = [RunTag(key, value) for key, value in run.tags.items()]
    client = mlflow.MlflowClient()
    client.log_batch(identity, params=params, tags=tags)
    for start in range(0, len(metrics), AT_ONCE):
        client.log_batch(identity, metrics=metrics[start : start + AT_ONCE])


def log_recorded(
    experiments: Sequence[Experiment], stem: str, capture: Path | None, folder: Path, uri: str | None
) -> tuple[bool, str]:
    """Log what a script's run recorded, as `cvlint recompute --mlflow` logs its capture.

    That is done in a process of its own: at the end of this one, no library can start threads any more, which MLflow's
    stores of artifacts do, and the script may have changed the settings of MLflow.

    Parameters
    ----------
    experiments
        What was recorded.
    stem
        How to call the capture, where none was kept.
    capture
        The file that was kept; or None.
    folder
        Where cvlint was started.
    uri
        Where to log to; None for where the script did, or where MLflow does by default.

    Returns
    -------
    tuple
        Whether it could be done, and lines that say what was done and what not.
    """
    from subprocess import DEVNULL, PIPE, run
    from tempfile import TemporaryDirectory

    from cvlint.recording.captures import write_experiments
    from cvlint.runtime.errors import FoldDataError

    if not experiments:
        return False, "cvlint: Nothing is logged to MLflow, because no fold data were recorded.\n"
    left: list[str] = []
    with TemporaryDirectory() as temporary:
        path = Path(temporary, f"{stem}-folds.csv") if capture is None else capture
        if capture is None:
            try:
                left = write_experiments(experiments, path, str(folder))
            except FoldDataError as error:
                return False, f"cvlint: Nothing is logged to MLflow: {str(error).replace(str(path), path.name)}\n"
        command = [sys.executable, "-m", "cvlint", "recompute", str(path), "--mlflow"]
        ended = run(command, env=where_script_logged(uri), cwd=folder, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    lines = [f"cvlint: {sentence}\n".replace(str(path), path.name) for sentence in left]
    return ended.returncode == 0, "".join(lines) + ended.stderr.decode(errors="replace")


def where_script_logged(uri: str | None) -> dict[str, str]:
    """The environment in which MLflow logs where the script in this process did, below the last run that it had."""
    for variable, value in LIMITS.items():
        os.environ.setdefault(variable, value)
    given = {} if uri is None else {"MLFLOW_TRACKING_URI": uri}
    mlflow: Any = sys.modules.get("mlflow")
    if mlflow is not None:
        with contextlib.suppress(Exception), quiet():  # the other process says what is wrong
            last = mlflow.last_active_run() if uri in (None, mlflow.get_tracking_uri()) else None
            given = {"MLFLOW_TRACKING_URI": mlflow.get_tracking_uri()} | given
            if last is not None:
                given["MLFLOW_RUN_ID"] = last.info.run_id
    return {**os.environ, **given}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep MLflow from printing addresses and retries: standard output is the table's."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(before)


def at(uri: str | None) -> str:
    """Where it was logged to, without a user's name and password."""
    return "" if uri is None else f" at '{public(uri)}'"


def public(uri: str) -> str:
    """An address without a user's name and password."""
    return re.sub(r"(?<=://)[^/@]*@", "", uri)


def reason(error: BaseException, uri: str | None) -> str:
    """Why it could not be done, in a clause; libraries below MLflow are known by the names of their errors."""
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
                return (
                    f"{name} is missing, which a store needs that is no server: install mlflow, not mlflow-skinny alone"
                )
    said = re.split(r"\.\s|\n|\.$", str(error).strip(), maxsplit=1)[0] or type(error).__name__
    return f"MLflow says: {said if uri is None else said.replace(uri, public(uri))}"
