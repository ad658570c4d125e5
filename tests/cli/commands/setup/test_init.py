"""``cvlint init`` writes what a repository lacks, and changes nothing that is there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cvlint.cli.commands.setup import init
from cvlint.cli.init.origin import Origin, origin_of
from cvlint.cli.init.proposals import BASELINE, CONFIG
from cvlint.cli.init.repository import HOOKS, PIPELINE, WORKFLOW

TESTS = ".github/workflows/tests.yml"
URL = "https://example.org/cvlint.git"


@pytest.fixture
def repository(tmp_path: Path, faulty: Path) -> Path:
    """A repository on GitHub with one fault and a workflow."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\n\turl = git@github.com:OWNER/study.git\n')
    (tmp_path / TESTS).parent.mkdir(parents=True)
    (tmp_path / TESTS).write_text("on: push\n")
    return tmp_path


@pytest.fixture
def untested(repository: Path) -> Path:
    """The same without the workflow."""
    shutil.rmtree(repository / ".github")
    return repository


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_in_one(run: Any, repository: Path) -> None:
    assert run("check").exit_code == 1
    result = run("init", "--yes", "--repo", URL, "--rev", "v9")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("This repository holds 1 script, 0 notebooks and no config of cvlint.\n")
    for name in (CONFIG, BASELINE, HOOKS, WORKFLOW):
        assert f"wrote {name}: " in result.stdout
    checked = run("check")
    assert (checked.exit_code, checked.stdout) == (0, "No new faults found in 1 file; the baseline hides 1 finding.\n")
    (hook,) = yaml.safe_load((repository / HOOKS).read_text())["repos"]
    assert (hook["repo"], hook["rev"]) == (URL, "v9")
    steps = yaml.safe_load((repository / WORKFLOW).read_text())["jobs"]["cvlint"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [
        f'pip install "git+{URL}@v9"',
        "cvlint check --format github",
    ]


def test_it_can_be_repeated(run: Any, repository: Path) -> None:
    run("init", "--yes", "--repo", URL)
    before = contents(repository)
    result = run("init", "--yes", "--repo", URL)
    assert result.exit_code == 0
    assert result.stdout.count("it is there already") == 3
    assert f"kept {WORKFLOW}: it runs cvlint already\n" in result.stdout
    assert result.stdout.endswith("Nothing is left to do.\n")
    assert contents(repository) == before


def test_a_local_hook_is_one_that_pre_commit_accepts(run: Any, repository: Path) -> None:
    run("init", "--yes")
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(repository / HOOKS)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert yaml.safe_load((repository / HOOKS).read_text())["repos"][0]["repo"] == "local"


def test_what_is_there_stays(run: Any, repository: Path) -> None:
    (repository / HOOKS).write_text("repos: []\n")
    (repository / "pyproject.toml").write_text("[tool.cvlint]\nconfidence = 'high'\n")
    before = contents(repository)
    result = run("init", "--yes", "--repo", URL)
    assert result.exit_code == 0
    kept = f"kept {HOOKS}: it is there already and is never changed; add these lines below `repos:`:\n"
    assert f"{kept}      - repo: {URL}\n" in result.stdout
    line = f'baseline = "{BASELINE}"'
    left = f"add the line `{line}` to [tool.cvlint] of pyproject.toml, and only new ones are reported"
    assert f"wrote {BASELINE}: 1 finding of today; {left}\n" in result.stdout
    assert result.stdout.endswith("Commit these files.\n")
    assert set(contents(repository)) == {*before, BASELINE, WORKFLOW}
    assert (repository / HOOKS).read_text() == "repos: []\n"
    again = run("init", "--yes", "--repo", URL).stdout
    assert f"kept {BASELINE}: it is there already; add the line `{line}` to" in again
    with (repository / "pyproject.toml").open("a") as file:
        file.write(f"{line}\n")
    assert run("check").exit_code == 0


def test_the_lines_of_a_hook_fit_below_what_is_there(run: Any, repository: Path) -> None:
    hooks = "repos:\n  - repo: https://example.org/other\n    rev: v1\n    hooks:\n      - id: other\n"
    (repository / HOOKS).write_text(hooks)
    _, _, rest = run("init", "--yes", "--repo", URL).stdout.partition("`repos:`:\n")
    added = "".join(line[4:] for line in rest.splitlines(keepends=True) if line.startswith("    "))
    assert [one["repo"] for one in yaml.safe_load(hooks + added)["repos"]] == ["https://example.org/other", URL]


@pytest.mark.parametrize(
    ("arrange", "name"),
    [
        ("mkdir .husky", ".husky"),
        ("echo > lefthook.yaml", "lefthook.yaml"),
        ("mkdir .git/hooks; echo > .git/hooks/pre-commit", ".git/hooks/pre-commit"),
        ("echo '[core]\n\thooksPath = .Hooks' >> .git/config", "git's setting core.hooksPath (.Hooks)"),
    ],
)
def test_other_programs_that_run_hooks(run: Any, repository: Path, arrange: str, name: str) -> None:
    subprocess.run(["sh", "-ec", arrange], cwd=repository, check=True)
    result = run("init", "--yes")
    assert f"{name} runs the hooks here; add the command `cvlint check --force-exclude FILES` to it" in result.stdout
    assert not (repository / HOOKS).exists()


@pytest.mark.parametrize(
    ("arrange", "says"),
    [
        ("true", "skipped CI: no job checks pushes here yet; `cvlint sample github --repo URL` prints one\n"),
        ("echo > .git/config", "skipped CI: no job checks pushes here yet; `cvlint sample github|gitlab --repo URL`"),
        ("mkdir -p .github/ISSUE_TEMPLATE", "skipped CI: no job checks pushes here yet; `cvlint sample github"),
        ("mkdir .circleci", "skipped CI: .circleci checks pushes here; add the command `cvlint check` to it\n"),
    ],
)
def test_without_asking_there_is_no_first_job(run: Any, untested: Path, arrange: str, says: str) -> None:
    subprocess.run(["sh", "-ec", arrange], cwd=untested, check=True)
    result = run("init", "--yes", "--repo", URL)
    assert (result.exit_code, says in result.stdout) == (0, True)
    assert not {WORKFLOW, PIPELINE} & set(contents(untested))


def test_a_job_that_runs_cvlint_is_enough(run: Any, repository: Path) -> None:
    (repository / TESTS).write_text("jobs: {a: {steps: [{run: cvlint check}]}}\n")
    assert f"kept {TESTS}: it runs cvlint already\n" in run("init", "--yes", "--repo", URL).stdout
    assert not (repository / WORKFLOW).exists()


@pytest.mark.parametrize(
    ("commands", "branch"),
    [
        ("git init -qb master", "master"),
        ("git init -qb trunk", "trunk"),
        ("git init -qb main; git commit -qm one --allow-empty; git checkout -qb topic", "main"),
        ("git init -qb topic; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/dev/v2", "dev/v2"),
    ],
)
def test_a_job_checks_pushes_to_the_main_branch(run: Any, untested: Path, commands: str, branch: str) -> None:
    shutil.rmtree(untested / ".git")
    author = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    names = {**author, **{name.replace("AUTHOR", "COMMITTER"): value for name, value in author.items()}}
    subprocess.run(["sh", "-ec", commands], cwd=untested, check=True, env={**os.environ, **names})
    (untested / TESTS).parent.mkdir(parents=True)
    (untested / TESTS).write_text("on: push\n")
    assert f"push to {branch}\n" in run("init", "--yes", "--repo", URL).stdout
    triggers = yaml.safe_load((untested / WORKFLOW).read_text())[True]  # the key `on`, as YAML 1.1 reads it
    assert triggers["push"] == {"branches": [branch]}


@pytest.mark.parametrize(
    ("answers", "written"),
    [("n\nn\nn\n", {CONFIG}), ("\nn\ny\n", {CONFIG, BASELINE, PIPELINE}), ("\n\n\n", {CONFIG, BASELINE, HOOKS})],
)
def test_questions(run: Any, untested: Path, monkeypatch: pytest.MonkeyPatch, answers: str, written: set[str]) -> None:
    (untested / ".git" / "config").write_text("[remote]\nurl = https://gitlab.com/group/study\n")
    monkeypatch.setattr(init, "is_terminal", lambda stream: True)
    result = run("init", "--repo", URL, input=answers)
    assert result.exit_code == 0
    assert (result.stdout.count("[Y/n]"), result.stdout.count("[y/N]")) == (2, 1)
    assert "There is 1 finding today: write them down as known?" in result.stdout
    assert set(contents(untested)) == {"train.py", ".git/config", *written}
    assert ("baseline" in (untested / CONFIG).read_text()) == (BASELINE in written)


def test_without_findings_there_is_no_question_about_them(
    run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "train.py").write_text("x = 1\n")
    monkeypatch.setattr(init, "is_terminal", lambda stream: True)
    assert run("init", input="y\ny\n").stdout.count("[Y/n]") == 2
    assert json.loads((repository / BASELINE).read_text())["findings"] == [None]


@pytest.mark.parametrize(
    ("arrange", "arguments", "says"),
    [
        ("rm -r .git", ["--yes"], "is in no git repository; run `git init` there first"),
        ("mkdir sub; cd sub", ["--yes"], "is not the root of its repository; run the command in '"),
        ("echo '[tool.cvlint' > pyproject.toml", ["--yes"], "pyproject.toml is not valid TOML"),
        ("echo '[project' > pyproject.toml", ["--yes"], "pyproject.toml is not valid TOML"),
        ("echo 'selct = 1' > cvlint.toml", ["--yes"], "did you mean 'select'?"),
        ("true", [], "standard input is no terminal; --yes takes all proposals."),
        ("true", ["--yes", "--repo", "a b"], "The option --repo cannot be 'a b'"),
        (
            "mkdir .github/workflows/cvlint.yml; chmod 777 .; ln -s nowhere/config cvlint.toml",
            ["--yes"],
            "does not exist",
        ),
    ],
)
def test_one_sentence_and_nothing_is_written(
    run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch, arrange: str, arguments: list[str], says: str
) -> None:
    subprocess.run(["bash", "-ec", arrange], cwd=repository, check=True)
    if "cd " in arrange:
        monkeypatch.chdir(repository / "sub")
    before = contents(repository)
    result = run("init", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert contents(repository) == before


def test_if_one_file_cannot_be_written_none_is(run: Any, untested: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (untested / ".github").mkdir()
    (untested / ".github" / "workflows").write_text("no folder")
    before = contents(untested)
    monkeypatch.setattr(init, "is_terminal", lambda stream: True)
    result = run("init", "--repo", URL, input="y\ny\ny\n")
    assert (result.exit_code, "workflows' cannot be written: " in result.stderr) == (2, True)
    assert contents(untested) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can write everywhere")
def test_a_folder_that_is_read_only(run: Any, repository: Path) -> None:
    repository.chmod(0o555)
    try:
        result = run("init", "--yes")
    finally:
        repository.chmod(0o755)
    assert (result.exit_code, "which is read-only" in result.stderr) == (2, True)


def test_where_cvlint_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed:
        def __init__(self, record: dict[str, object]) -> None:
            self.record = record

        def read_text(self, name: str) -> str | None:
            return json.dumps(self.record) if name == "direct_url.json" else None

    git = {"url": URL, "vcs_info": {"vcs": "git", "commit_id": "0123abc"}}
    for record, origin in ((git, Origin(URL, "0123abc")), ({"url": "file:///here", "dir_info": {}}, None)):
        monkeypatch.setattr(
            "cvlint.cli.init.origin.metadata.distribution", lambda name, record=record: Installed(record)
        )
        assert origin_of(None, None) == origin


def test_a_job_never_installs_from_the_index(run: Any, repository: Path) -> None:
    """The name cvlint on the package index belongs to somebody else."""
    result = run("init", "--yes")
    assert result.exit_code == 0
    assert f"skipped {WORKFLOW}: where a job gets cvlint is not known; `cvlint init --repo URL` names " in result.stdout
    assert not (repository / WORKFLOW).exists()
