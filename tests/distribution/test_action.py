"""The GitHub action: its inputs, and its steps run by bash as a runner runs them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml  # pre-commit needs it

from tests.conftest import CLEAN, FAULTY, ROOT, UNGUARDED, Once

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]

NOTE = CLEAN + "# cvlint: ignore[mean-of-fold-f] which is a note, because nothing is suppressed\n"


@dataclass(frozen=True)
class Done:
    """What a step left behind."""

    status: int
    stdout: str
    stderr: str
    outputs: Mapping[str, str]


@dataclass(frozen=True)
class Runner:
    """Runs shell steps in a folder, with the variables that a runner of GitHub sets."""

    workspace: Path
    temp: Path
    environment: Mapping[str, str]

    def step(self, name: str, context: Mapping[str, str]) -> Done:
        """Run one step; ``context`` holds the values of the expressions in its variables."""
        (step,) = [step for step in STEPS if step.get("id") == name]
        assert step["shell"] == "bash"
        script, output = self.temp / "step.sh", self.temp / "output"
        script.write_text(step["run"], encoding="utf-8")
        output.write_text("", encoding="utf-8")
        environment = {
            **self.environment,
            **{name: expanded(text, context) for name, text in step["env"].items()},
            "CI": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
        }
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(
            command, cwd=self.workspace, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        written = output.read_text(encoding="utf-8").splitlines()
        return Done(done.returncode, done.stdout, done.stderr, dict(line.split("=", 1) for line in written))


def expanded(text: str, context: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ (.+?) \}\}", lambda match: context[match[1]], text)


@pytest.fixture(scope="module")
def installed(once: Once, clean_environment: Callable[..., dict[str, str]]) -> Path:
    """Install cvlint by the action's own step, in a repository whose files would break Python if they were read."""

    def fill(folder: Path) -> None:
        runner = Runner(folder / "workspace", folder / "temp", clean_environment(PIP_NO_COMPILE="0"))
        runner.workspace.mkdir()
        runner.temp.mkdir()
        poison(runner.workspace)
        done = runner.step("install", {"steps.python.outputs.python-path": sys.executable})
        assert done.status == 0, done.stdout + done.stderr
        (folder / "command").write_text(done.outputs["command"], encoding="utf-8")

    return Path((once("action", fill) / "command").read_text(encoding="utf-8"))


@pytest.fixture
def runner(tmp_path: Path, clean_environment: Callable[..., dict[str, str]]) -> Runner:
    for name in ("workspace", "temp"):
        (tmp_path / name).mkdir()
    return Runner(tmp_path / "workspace", tmp_path / "temp", clean_environment())


def poison(folder: Path) -> None:
    for name in ("venv", "pip", "click", "libcst", "rich", "json", "cvlint"):
        (folder / f"{name}.py").write_text("raise SystemExit('The action ran a file that it must only read.')\n")


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def check(runner: Runner, installed: Path, **inputs: str) -> Done:
    """Run the step that checks; what is not given has its default."""
    given = {name: str(entry["default"]) for name, entry in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    context = {f"inputs.{name}": value for name, value in given.items()}
    return runner.step("check", {**context, "steps.install.outputs.command": str(installed)})


def found(done: Done) -> list[str]:
    """The files in which the SARIF report has findings."""
    (run,) = json.loads(Path(done.outputs["sarif"]).read_text(encoding="utf-8"))["runs"]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    return [unquote(place["artifactLocation"]["uri"]) for place in places]


def test_the_inputs_and_outputs_are_documented() -> None:
    assert list(ACTION["inputs"]) == ["paths", "args", "fail-on", "upload"]
    assert all(entry["description"].strip().endswith(".") for entry in ACTION["inputs"].values())
    assert list(ACTION["outputs"]) == ["sarif"]
    assert ACTION["runs"]["using"] == "composite"


def test_no_input_is_pasted_into_a_script() -> None:
    """The shell would run an expression inside a script as code."""
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]


def test_other_actions_are_pinned() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert [name.partition("@")[0] for name in used] == ["actions/setup-python", "github/codeql-action/upload-sarif"]
    assert all(re.fullmatch(r"[0-9a-f]{40}", name.partition("@")[2]) for name in used)


def test_the_report_is_uploaded_only_on_request_and_also_when_the_check_fails() -> None:
    upload = STEPS[-1]
    assert upload["if"] == "${{ !cancelled() && inputs.upload == 'true' && steps.check.outputs.sarif != '' }}"
    assert upload["with"]["sarif_file"] == "${{ steps.check.outputs.sarif }}"


def test_faults_fail_and_become_annotations(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {"src/train.py": FAULTY, "clean.py": CLEAN})
    done = check(runner, installed)
    assert (done.status, done.stderr) == (1, "")
    assert done.stdout.startswith("::error file=src/train.py,line=9,")
    assert found(done) == ["src/train.py"]


def test_a_clean_repository_passes(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {"clean.py": CLEAN})
    done = check(runner, installed)
    assert (done.status, done.stdout, done.stderr, found(done)) == (0, "", "", [])


def test_nothing_of_the_repository_is_run(runner: Runner, installed: Path) -> None:
    poison(runner.workspace)
    write(runner.workspace, {"train.py": FAULTY})
    done = check(runner, installed, args="--jobs 2")
    assert (done.status, done.stderr, found(done)) == (1, "", ["train.py"])


def test_cvlint_runs_once(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {"train.py": FAULTY})
    counting = runner.temp / "counting"
    counting.write_text(f'#!/bin/sh\necho run >> "{runner.temp}/runs"\nexec "{installed}" "$@"\n')
    counting.chmod(0o755)
    done = check(runner, counting)
    assert (done.status, done.stdout.count("::error"), found(done)) == (1, 1, ["train.py"])
    assert (runner.temp / "runs").read_text() == "run\n"


def test_with_an_upload_the_log_has_a_list(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {"train.py": FAULTY})
    done = check(runner, installed, upload="true")
    assert done.status == 1
    assert done.stdout.startswith("train.py:9:7: CVL101 mean-of-fold-f") and "::" not in done.stdout


@pytest.mark.parametrize(
    ("files", "fail_on", "status"),
    [
        ({"a.py": FAULTY}, "never", 0),
        ({"a.py": FAULTY}, "error", 1),
        ({"a.py": UNGUARDED}, "error", 0),
        ({"a.py": UNGUARDED}, "warning", 1),
        ({"a.py": FAULTY}, "note", 1),
        ({"a.py": NOTE}, "never", 0),
        ({"a.py": NOTE}, "warning", 0),
        ({"a.py": NOTE}, "note", 1),
    ],
)
def test_what_fails(runner: Runner, installed: Path, files: dict[str, str], fail_on: str, status: int) -> None:
    write(runner.workspace, files)
    done = check(runner, installed, fail_on=fail_on)
    assert (done.status, set(found(done))) == (status, {"a.py"})


def test_paths_are_lines_and_no_patterns(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {name: FAULTY for name in ("a b/x.py", "d/x.py", "-e.py", "*/x.py")})
    write(runner.workspace, {"c/x.py": FAULTY.replace("scores", "values")})  # a copy would be the same fault
    assert found(check(runner, installed, paths="a b\nc/x.py\n")) == ["a b/x.py", "c/x.py"]
    assert found(check(runner, installed, paths="-e.py")) == ["-e.py"]
    assert found(check(runner, installed, paths="*")) == ["*/x.py"]


def test_args_are_options_and_no_commands(runner: Runner, installed: Path) -> None:
    write(runner.workspace, {"train.py": FAULTY})
    assert check(runner, installed, args="--select CVL2\n--confidence low").status == 0
    done = check(runner, installed, args="$(touch run) ; touch run", paths="`touch run`")
    assert done.status == 2
    assert not (runner.workspace / "run").exists()


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"fail_on": "high"}, "The input fail-on cannot be 'high'; valid are error, warning, note and never."),
        ({"upload": "yes"}, "The input upload cannot be 'yes'; valid are true and false."),
    ],
)
def test_unknown_values_are_errors(runner: Runner, installed: Path, inputs: dict[str, str], sentence: str) -> None:
    done = check(runner, installed, **inputs)
    assert (done.status, done.stdout) == (2, f"::error title=cvlint::{sentence}\n")
    assert "sarif" not in done.outputs


def test_a_refusal_of_cvlint_fails_without_a_report(runner: Runner, installed: Path) -> None:
    done = check(runner, installed, paths="missing", fail_on="never")
    assert done.status == 2
    assert "There is no file or folder 'missing'" in done.stderr
    assert "sarif" not in done.outputs
