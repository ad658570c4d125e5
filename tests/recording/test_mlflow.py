"""Test ``--mlflow`` with a real MLflow server and a SQLite store, which the tests query over REST."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cvlint import __version__
from cvlint.cli import main
from cvlint.cli.options.mlflow import reason, without_credentials
from cvlint.output.evaluation.mlflow_runs import mlflow_run
from cvlint.runtime import FoldSet, recompute, write
from tests.recording.conftest import DATA

PAPERS = Path(__file__).parents[2] / "fixtures" / "papers"
TABLE_1, TABLE_2 = (str(PAPERS / f"forman-scholz-table-{n}.csv") for n in (1, 2))
HAS_REPORT = all(importlib.util.find_spec(name) for name in ("jinja2", "matplotlib"))
SILENT = {"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"}

needs_mlflow = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("mlflow", "sqlalchemy")),
    reason="mlflow is not installed: install cvlint[test-tracking]",
)

Process = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Server:
    """An MLflow server with queries over HTTP."""

    uri: str

    def post(self, what: str, **body: Any) -> Any:
        data = json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.uri}/api/2.0/mlflow/{what}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def get(self, path: str, /, **query: str) -> bytes:
        with urllib.request.urlopen(f"{self.uri}/{path}?{urllib.parse.urlencode(query)}", timeout=30) as answer:
            return bytes(answer.read())

    def runs(self, experiment: str) -> list[dict[str, Any]]:
        """The runs of an experiment, the oldest first."""
        found = json.loads(self.get("api/2.0/mlflow/experiments/get-by-name", experiment_name=experiment))
        identity = found["experiment"]["experiment_id"]
        runs = self.post("runs/search", experiment_ids=[identity], order_by=["attributes.start_time ASC"])["runs"]
        return list(runs)

    def history(self, run: dict[str, Any], metric: str) -> dict[int, float]:
        """The values of a metric by their steps."""
        query = {"run_id": run["info"]["run_id"], "metric_key": metric, "max_results": "25000"}
        found = json.loads(self.get("api/2.0/mlflow/metrics/get-history", **query)).get("metrics", [])
        return {int(one.get("step", 0)): one["value"] for one in found}

    def files(self, run: dict[str, Any]) -> dict[str, bytes]:
        """The artifacts of a run."""
        identity = run["info"]["run_id"]
        names = json.loads(self.get("api/2.0/mlflow/artifacts/list", run_id=identity)).get("files", [])
        return {one["path"]: self.get("get-artifact", run_uuid=identity, path=one["path"]) for one in names}


def named(run: dict[str, Any], what: str) -> dict[str, Any]:
    """The metrics, params or tags of a run by their names."""
    return {one["key"]: one["value"] for one in run["data"].get(what, [])}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a free port; the fixture ends all its processes."""
    folder = tmp_path_factory.mktemp("mlflow")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--backend-store-uri", f"sqlite:///{folder}/store.db", "--artifacts-destination", str(folder / "files")]
    command = [sys.executable, "-m", "mlflow", "server", *options, "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("w") as log:
        started = subprocess.Popen(
            [*command, "--workers", "1"],
            stdout=log, stderr=log, cwd=folder, env={**os.environ, **SILENT}, start_new_session=True,
        )  # fmt: skip
        try:
            found = Server(f"http://127.0.0.1:{port}")
            until_it_answers(found, started, folder / "log")
            yield found
        finally:
            os.killpg(started.pid, signal.SIGTERM)
            try:
                started.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait(20)


def until_it_answers(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            server.get("health")
            return
        except (urllib.error.URLError, OSError):
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
    pytest.fail(f"the server did not answer in two minutes: {log.read_text()}")


@pytest.fixture
def tracked(started: Process, monkeypatch: pytest.MonkeyPatch) -> Process:
    """Run cvlint with settings of MLflow in its environment, and with none of the machine's own."""
    for name in [name for name in os.environ if name.startswith("MLFLOW_")]:
        monkeypatch.delenv(name)
    return lambda *arguments, **variables: started("-m", "cvlint", *arguments, env={**SILENT, **variables})


@needs_mlflow
def test_recompute_logs_what_it_shows(server: Server, tracked: Process) -> None:
    where = {"MLFLOW_TRACKING_URI": server.uri, "MLFLOW_EXPERIMENT_NAME": "table 1"}
    done = tracked("recompute", TABLE_1, "--mlflow", "--format", "json", "--reported", "f1=0.69", **where)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)  # MLflow prints nothing between
    (run,) = server.runs("table 1")
    assert done.stderr == f"cvlint: Logged to MLflow at '{server.uri}': run {run['info']['run_id']}.\n"
    assert (run["info"]["status"], run["info"]["run_name"]) == ("FINISHED", "forman-scholz-table-1.csv")

    metrics = named(run, "metrics")
    assert metrics["f_tpfp"] == pytest.approx(2 * 14 / (2 * 14 + 19 + 1))  # the counts of the paper's table
    for name in ("f_tpfp", "f_avg", "f_prre", "f_avg_valid", "f_prre_valid"):
        shown = document["aggregates"][name]
        assert metrics[name] == shown["value"]
        assert [metrics[f"{name}_ci_low"], metrics[f"{name}_ci_high"]] == shown["ci"]
        assert metrics[f"{name}_expected_bias"] == shown["expected_bias"]
    assert not any(name.startswith(("auc", "ap", "fold_auc")) for name in metrics)  # there are no scores

    assert server.history(run, "fold_tp") == {1: 3, 2: 4, 3: 4, 4: 3}
    assert server.history(run, "fold_precision") == {1: 1, 2: 4 / 5, 3: 4 / 17, 4: 3 / 8}
    assert server.history(run, "fold_f") == pytest.approx({1: 1, 2: 8 / 9, 3: 8 / 21, 4: 1 / 2})

    params, tags = named(run, "params"), named(run, "tags")
    assert params.pop("prevalence") == str(15 / 1504)
    assert params == {"folds": "4", "samples": "1504", "positives": "15", "average": "binary", "beta": "1.0"}
    assert (tags["cvlint.version"], tags["cvlint.file"]) == (__version__, "forman-scholz-table-1.csv")
    assert "Reported f1=0.69: it may be F_avg or F~avg; F_tp,fp is 0.5833." in tags["mlflow.note.content"]
    files = server.files(run)
    assert files.pop("forman-scholz-table-1.csv") == Path(TABLE_1).read_bytes()
    assert list(files) == (["report.html"] if HAS_REPORT else [])
    assert not HAS_REPORT or b"0.5833" in files["report.html"]


@needs_mlflow
def test_several_experiments_are_runs_below_one(server: Server, tracked: Process, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    fold = np.repeat(np.arange(150), 8)  # 150 folds have more metrics than MLflow takes at once
    truth, guess = rng.integers(0, 2, (2, len(fold)))
    name = np.where(np.arange(len(fold)) % 8 < 4, "a", "b")
    write(FoldSet.from_arrays(fold, truth, guess, experiment=name), tmp_path / "folds.csv")
    options = ["--mlflow-uri", server.uri, "--replicates", "0"]
    done = tracked("recompute", "folds.csv", *options, MLFLOW_EXPERIMENT_NAME="several")
    assert done.returncode == 0, done.stderr
    above, *below = server.runs("several")
    assert above["info"]["run_name"] == "folds.csv"
    assert [run["info"]["run_name"] for run in below] == ["a", "b"]
    assert all(named(run, "tags")["mlflow.parentRunId"] == above["info"]["run_id"] for run in below)
    assert above["info"]["run_id"] in done.stderr and "2 runs below it" in done.stderr
    assert set(server.files(above)) >= {"folds.csv"}
    for run, which in zip(below, "ab", strict=True):
        assert server.files(run) == {}
        hits = (truth == 1) & (guess == 1) & (name == which)
        assert server.history(run, "fold_tp") == {k: hits[fold == k].sum() for k in range(150)}
        assert named(run, "params")["experiment"] == which


SCRIPT = f"""
import sys
{DATA}
if "--track" in sys.argv:
    import mlflow
    mlflow.set_tracking_uri(sys.argv[2])
    mlflow.set_experiment("mine")
    mlflow.start_run(run_name="my run")
    mlflow.log_param("folds", "a word")  # MLflow lets no other value take its place
    mlflow.log_metric("f_avg", 0.25)
scores = [
    f1_score(y[test], model.fit(X[train], y[train]).predict(X[test])) for train, test in cv.split(X, y)
]
print(np.mean(scores))
"""


@needs_mlflow
def test_run_logs_what_it_recorded(server: Server, tracked: Process, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    plain = subprocess.run([sys.executable, "train.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    done = tracked("run", "--mlflow-uri", server.uri, "train.py", MLFLOW_EXPERIMENT_NAME="run")
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    (run,) = server.runs("run")
    assert run["info"]["run_id"] in done.stderr
    line = 1 + SCRIPT.splitlines().index(next(text for text in SCRIPT.splitlines() if "f1_score(" in text))
    assert run["info"]["run_name"] == f"train.py:{line}"
    assert named(run, "metrics")["f_avg"] == pytest.approx(float(plain.stdout), abs=1e-12)
    assert named(run, "params")["folds"] == "5"
    assert "mlflow.parentRunId" not in named(run, "tags")
    files = server.files(run)
    rows = files["train-folds.csv"].decode().splitlines()
    assert len(rows) == 1 + 400


@needs_mlflow
def test_run_logs_below_the_run_of_the_script(server: Server, tracked: Process, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    done = tracked("run", "--mlflow", "--capture", "kept.csv", "train.py", "--track", server.uri)
    assert done.returncode == 0, done.stderr
    own, child = server.runs("mine")
    assert (own["info"]["run_name"], own["info"]["status"]) == ("my run", "FINISHED")
    assert named(own, "metrics") == {"f_avg": 0.25}
    assert named(own, "params") == {"folds": "a word"}
    assert server.files(own) == {}
    assert named(child, "tags")["mlflow.parentRunId"] == own["info"]["run_id"]
    assert named(child, "params")["folds"] == "5"
    assert server.files(child)["kept.csv"] == (tmp_path / "kept.csv").read_bytes()


@needs_mlflow
def test_a_run_without_folds_says_so(tracked: Process, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    done = tracked("run", "--mlflow", "train.py")
    assert (done.returncode, done.stdout) == (2, "1\n")
    assert done.stderr == "cvlint: Nothing is logged to MLflow, because no fold data were recorded.\n"


@needs_mlflow
def test_a_missing_server_does_not_stop_the_rest(tracked: Process, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT + "sys.exit(3)")
    nowhere = "http://me:secret@127.0.0.1:1"
    done = tracked("recompute", TABLE_1, "--replicates", "0", "--mlflow-uri", nowhere)
    assert done.returncode == 2
    assert done.stdout == CliRunner().invoke(main, ["recompute", TABLE_1, "--replicates", "0"]).stdout
    sentence = (
        "cvlint: The results are not logged to MLflow at 'http://127.0.0.1:1', because no server can be reached there; "
        "--mlflow-uri or MLFLOW_TRACKING_URI must name a server that runs, or a store that can be written.\n"
    )
    assert done.stderr.endswith(sentence) and "Traceback" not in done.stderr
    ran = tracked("run", "--mlflow-uri", nowhere, "train.py", MLFLOW_HTTP_REQUEST_MAX_RETRIES="0")
    assert ran.returncode == 3  # that of the script
    assert "mean-of-fold-f: F_avg" in ran.stderr and ran.stderr.endswith(sentence)


@needs_mlflow
def test_cvlint_does_not_wait_for_a_silent_server(tracked: Process) -> None:
    """MLflow's own settings mean many minutes, which is longer than `tracked` lets a process run."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        uri = f"http://127.0.0.1:{silent.getsockname()[1]}"
        options = ["--format", "json", "--replicates", "0", "--mlflow-uri", uri]
        done = tracked("recompute", TABLE_1, *options, MLFLOW_HTTP_REQUEST_TIMEOUT="1")
    assert done.returncode == 2 and json.loads(done.stdout)["folds"] == 4
    assert "because the server does not answer in time;" in done.stderr


@needs_mlflow
def test_a_wrong_address_is_one_sentence(tracked: Process) -> None:
    done = tracked("recompute", TABLE_1, "--replicates", "0", "--mlflow-uri", "ftp://somewhere/else")
    assert done.returncode == 2
    *_, last = done.stderr.splitlines()
    assert last.startswith(
        "cvlint: The results are not logged to MLflow at 'ftp://somewhere/else', because MLflow says: "
    )
    assert "Traceback" not in done.stderr and "F_tp,fp" in done.stdout


def test_without_mlflow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("open('ran', 'w')")
    missing = "cvlint: Logging to MLflow needs mlflow, which is not installed: install cvlint[mlflow].\n"
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "mlflow" else find(name, *rest)
    )
    for command in (["recompute", TABLE_1, "--mlflow"], ["run", "--mlflow-uri", "x", "train.py"]):
        done = CliRunner().invoke(main, command)
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", missing)
    assert not (tmp_path / "ran").exists()


tables = st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.booleans()), min_size=2, max_size=40)


@given(tables, st.booleans())
def test_undefined_values_are_left_out_and_named(rows: list[tuple[int, bool, bool]], named_folds: bool) -> None:
    fold, truth, guess = (np.array(column) for column in zip(*rows, strict=True))
    names = [f"fold {k}" for k in fold] if named_folds else fold
    (found,) = recompute(FoldSet.from_arrays(names, truth.astype(int), guess.astype(int), positive=1))
    run = mlflow_run(found, (), "folds.csv")
    assert all(np.isfinite(metric.value) for metric in run.metrics)
    once = [metric.name for metric in run.metrics if not metric.name.startswith("fold_")]
    assert len(once) == len(set(once))
    positions = {k: k if not named_folds else place for place, k in enumerate(sorted(set(fold.tolist())), start=1)}
    precision = {m.step: m.value for m in run.metrics if m.name == "fold_precision"}
    assert precision == {
        positions[k]: truth[(fold == k) & guess].mean() for k in positions if guess[fold == k].any()
    }  # fmt: skip
    for aggregate in found.aggregates:
        undefined = bool(np.isnan(aggregate.value))
        assert undefined == (aggregate.name not in once)
        assert undefined == (f"{aggregate.label} is undefined:" in run.tags["mlflow.note.content"])


def test_passwords_are_not_shown() -> None:
    assert (
        without_credentials("postgresql://me:p%40ss@db.example.org:5432/mlflow")
        == "postgresql://db.example.org:5432/mlflow"
    )
    assert without_credentials("sqlite:////home/me@work/mlflow.db") == "sqlite:////home/me@work/mlflow.db"
    error = ValueError("cannot open https://me:secret@example.org/x. It is closed.\nTry again.")
    assert reason(error, "https://me:secret@example.org/x") == "MLflow says: cannot open https://example.org/x"
