"""`cvlint audit --repositories`: records in the order of the list, runs that go on, and a real Dask cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from cvlint.submissions.crews import executor_crew, local_crew
from cvlint.submissions.listed import read_list
from cvlint.submissions.results_file import ResultsFile
from cvlint.submissions.rounds import audit_all
from cvlint.usage_error import UsageError
from cvlint.workspace.workers import Lost

FAULTY = """
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
scores = []
for train, test in StratifiedKFold(5).split(X, y):
    scores.append(f1_score(y[test], model.fit(X[train], y[train]).predict(X[test])))
print(sum(scores) / len(scores))
"""
COMMAND = [sys.executable, "-m", "cvlint", "audit", "--repositories", "list.txt"]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A folder with a list of thirty repositories, of which one is missing."""
    for number in range(30):
        (tmp_path / f"r{number}").mkdir()
        (tmp_path / f"r{number}" / "a.py").write_text(FAULTY)
    names = [f"r{number}" for number in range(30)]
    (tmp_path / "list.txt").write_text("# a study\n" + "\n".join([*names, "missing", "r3"]) + "\n")
    return tmp_path


def audit(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *options], cwd=folder, capture_output=True, text=True, timeout=120)


def test_records_are_in_the_order_of_the_list(study: Path) -> None:
    found = audit(study, "-o", "x.jsonl", "--jobs", "2")
    assert found.returncode == 0, found.stderr
    assert "30 of 31 repositories were audited, 1 could not be" in found.stderr
    records = [json.loads(line) for line in (study / "x.jsonl").read_text().splitlines()]
    assert [one["repository"] for one in records] == [*(f"r{n}" for n in range(30)), "missing"]
    assert {one["rule"] for one in records[0]["findings"]} >= {"mean-of-fold-f"}
    assert records[-1]["reason"] == "There is no file or folder 'missing'."


def test_a_run_goes_on_with_what_is_left(study: Path) -> None:
    audit(study, "-o", "whole.jsonl")
    whole = (study / "whole.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (study / "cut.jsonl").write_bytes(b"".join(lines[5:12]) + lines[20][:40])  # a killed run left half a line
    found = audit(study, "-o", "cut.jsonl")
    assert "23 of 31 repositories were audited, 1 could not be, 7 had been before" in found.stderr
    assert (study / "cut.jsonl").read_bytes() == whole


def test_a_table_has_a_row_for_each_finding(study: Path) -> None:
    pandas = pytest.importorskip("pandas")
    assert audit(study, "-o", "x.parquet").returncode == 0
    table = pandas.read_parquet(study / "x.parquet")
    assert (table.kind == "repository").sum() == 31
    assert (table.rule == "mean-of-fold-f").sum() == 30


def test_a_strangers_file_is_left_alone(study: Path) -> None:
    for name, content in (("a.jsonl", '{"mine": 1}\n'), ("b.jsonl", "no line break"), ("c.parquet", "x")):
        (study / name).write_text(content)
        found = audit(study, "-o", name)
        assert found.returncode == 2
        assert "name another" in found.stderr
        assert (study / name).read_text() == content


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "x.md"), "valid is the name of a .jsonl or .parquet file"),
        ((), "The option --output is missing"),
        (("-o", "x.jsonl", "--executor", "ray://a:1"), "valid is dask://HOST"),
        (("-o", "x.jsonl", "--executor", "dask://127.0.0.1:1", "--jobs", "2"), "cannot be combined with --executor"),
        (("-o", "x.jsonl", "r1"), "The argument PATHS cannot be combined"),
    ],
)
def test_bad_options(study: Path, options: tuple[str, ...], said: str) -> None:
    found = audit(study, *options)
    assert found.returncode == 2
    assert said in found.stderr


def test_nothing_that_can_be_audited(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("a\nb\n")
    found = audit(tmp_path, "-o", "x.jsonl")
    assert found.returncode == 2
    assert "None of the 2 repositories could be audited" in found.stderr


def test_a_list_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("# nothing\n\n")
    with pytest.raises(UsageError, match="names no repository"):
        read_list(tmp_path / "list.txt")


def test_two_runs_cannot_write_to_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    _first = ResultsFile(tmp_path / "x.jsonl")
    with pytest.raises(UsageError, match="Another process"):
        ResultsFile(tmp_path / "x.jsonl")


def end(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_process_that_ends_costs_its_own_item_only() -> None:
    found = dict(local_crew(2)(end, range(6), False))
    assert isinstance(found.pop(3), Lost)
    assert found == {n: n for n in (0, 1, 2, 4, 5)}


def test_any_executor_is_a_crew(study: Path) -> None:
    repositories = read_list(study / "list.txt")[:4]
    gone: list[str] = []
    with ProcessPoolExecutor(1) as executor:
        found = dict(audit_all(repositories, executor_crew(executor), local_crew(1), 0, gone.append))
    assert [one.reason for one in found.values()] == [""] * 4
    assert not gone


def test_the_rest_is_done_when_the_crew_is_gone(study: Path) -> None:
    repositories = read_list(study / "list.txt")[:3]
    gone: list[str] = []
    executor = ProcessPoolExecutor(1)
    executor.shutdown()
    found = dict(audit_all(repositories, executor_crew(executor), local_crew(1), 0, gone.append))
    assert len(found) == 3
    assert gone == ["the executor"]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and three workers, each a process of its own; the scheduler is the first."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    tool = [sys.executable, "-m", "distributed.cli."]
    options = ["--scheduler-file", str(file), "--no-dashboard"]
    scheduler = [*tool[:2], f"{tool[2]}dask_scheduler", "--host", "127.0.0.1", "--port", "0", *options]
    worker = [*tool[:2], f"{tool[2]}dask_worker", "--nthreads", "1", "--no-nanny", *options]
    running = [subprocess.Popen(scheduler, **quiet)]  # type: ignore[call-overload]
    try:
        running += [subprocess.Popen(worker, **quiet) for _ in range(3)]  # type: ignore[call-overload]
        for _ in range(300):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"].replace("tcp", "dask"), running
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.parametrize("killed", [1, 0], ids=["worker", "scheduler"])
def test_a_cluster_that_loses_a_process_loses_no_result(
    study: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], killed: int
) -> None:
    address, processes = cluster
    for number in range(30):
        for copy in range(20):  # so much work that the process dies long before its end
            (study / f"r{number}" / f"b{copy}.py").write_text(FAULTY)
    audit(study, "-o", "local.jsonl")
    command = [*COMMAND, "-o", "x.jsonl", "--executor", address]
    running = subprocess.Popen(command, cwd=study, stderr=subprocess.PIPE, text=True)
    results = study / "x.jsonl"
    for _ in range(600):
        if results.exists() and results.stat().st_size:
            break
        time.sleep(0.05)
    processes[killed].kill()
    assert results.read_bytes().count(b"\n") < 31
    said = running.communicate(timeout=120)[1]
    assert running.returncode == 0, said
    assert ("this machine does the rest" in said) == (killed == 0)
    assert results.read_bytes() == (study / "local.jsonl").read_bytes()
