"""``--since`` with the real engine and real repositories: findings of a commit are not reported."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cvlint.findings.finding import Report
from cvlint.source.discovery import Anchored
from cvlint.workspace.file_check import check_file, shared_analysis
from cvlint.workspace.settings.adjustments import Adjustments
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.settings.config import Config
from cvlint.workspace.snapshots.archives import Limits
from cvlint.workspace.steps.since import Commit, group_in_copy, named_commit
from cvlint.workspace.workspace import CheckGroup
from tests.conftest import FAULTY
from tests.workspace.snapshots.test_git_checkout import git

SECOND = """

def second():
    scores = []
    for train, test in StratifiedKFold(5).split(X, y):
        model.fit(X[train], y[train])
        scores.append(f1_score(y[test], model.predict(X[test])))
    return np.mean(scores)
"""
LAST = "print(np.mean(scores))"
SUPPRESSED = FAULTY.replace(LAST, f"{LAST}  # cvlint: ignore[mean-of-fold-f] a note")


def commit(folder: Path, **files: str) -> str:
    """Commit files, whose names are written with _ for a dot; gives the hash."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "files")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(run: Any, tmp_path: Path) -> Path:
    """The working directory as a repository with a fault in train.py."""
    git(tmp_path, "init", "-q")
    commit(tmp_path, train_py=FAULTY)
    return tmp_path


@pytest.fixture(autouse=True)
def no_module_of_other_tests() -> None:
    """A process keeps the modules that files import, by their names from the working directory."""
    shared_analysis.cache_clear()


def found(run: Any, *arguments: str) -> list[tuple[str, int]]:
    """The file and line of each finding."""
    result = run("check", "--format", "json", *arguments)
    assert result.exit_code in (0, 1), result.stderr
    return [(one["path"], one["line"]) for one in json.loads(result.stdout)["findings"]]


def test_what_the_commit_had_is_hidden_and_moved_lines_do_not_matter(run: Any, repository: Path) -> None:
    (repository / "train.py").write_text("# moved\n" + FAULTY.replace(LAST, "print( np.mean(scores, ) )"))
    result = run("check", "--since", "HEAD")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "No new faults found in 1 file; 1 finding was there before.\n"
    summary = json.loads(run("check", "--since", "HEAD", "--format", "json").stdout)["summary"]
    assert (summary["findings"], summary["in_commit"], summary["in_baseline"]) == (0, 1, 0)
    summary = json.loads(run("check", "--since", "HEAD", "--format", "json", "--statistics").stdout)["summary"]
    assert (summary["findings"], summary["in_commit"]) == (0, 1)


def test_new_findings_fail(run: Any, repository: Path) -> None:
    (repository / "train.py").write_text(FAULTY + SECOND + SECOND.replace("second", "third"))
    (repository / "renamed.py").write_text(FAULTY)
    assert found(run, "--since", "HEAD") == [("renamed.py", 9), ("train.py", 17), ("train.py", 25)]
    assert run("check", "--since", "HEAD").exit_code == 1
    commit(repository)
    assert found(run, "--since", "HEAD") == []
    assert run("check", "--since", "HEAD").stdout.endswith("; 4 findings were there before.\n")
    assert len(found(run, "--since", "HEAD~1")) == 3


def test_only_as_many_equal_findings_are_hidden_as_the_commit_has(run: Any, repository: Path) -> None:
    commit(repository, train_py=FAULTY + SECOND)
    (repository / "train.py").write_text(FAULTY + 3 * SECOND)
    assert found(run, "--since", "HEAD") == [("train.py", 25), ("train.py", 33)]
    commit(repository)
    assert found(run, "--since", "HEAD") == []


@pytest.mark.parametrize("kind", ["branch", "tag", "annotated", "hash", "short"])
def test_names_of_a_commit(run: Any, repository: Path, kind: str) -> None:
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "branch", "old")
    git(repository, "tag", "v1")
    git(repository, "tag", "-a", "v2", "-m", "two")
    commit(repository, other_py=FAULTY)
    name = {"branch": "old", "tag": "v1", "annotated": "v2", "hash": first, "short": first[:7]}[kind]
    assert found(run, "--since", name) == [("other.py", 9)]


@pytest.mark.parametrize("name", ["", "^HEAD", "HEAD..HEAD", "HEAD:train.py", "--all", "-n", "0" * 40, "mastre"])
def test_a_name_without_a_commit_is_refused(run: Any, repository: Path, engine: Any, name: str) -> None:
    git(repository, "branch", "-M", "master")
    result = run("check", f"--since={name}")
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert result.stderr.startswith(f"cvlint: The git repository '{repository.resolve()}' has no commit '{name}'; ")
    assert result.stderr.count("\n") == 1
    assert ("did you mean 'master'?" in result.stderr) == (name == "mastre")


def test_a_shallow_clone_is_named_as_the_reason(run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repository, other_py="x = 1\n")
    git(repository, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    monkeypatch.chdir(repository / "shallow")
    assert "holds only the last part of its history (`git fetch" in run("check", "--since", "HEAD~1").stderr
    assert run("check", "--since", "HEAD").exit_code == 0


def test_there_must_be_one_repository(run: Any, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "train.py").write_text(FAULTY)
    result = run("check", "train.py", "--since", "HEAD")
    assert result.exit_code == 2
    assert result.stderr.startswith("cvlint: The option --since needs a git repository, and 'train.py' is in none;")
    git(tmp_path / "sub", "init", "-q")
    commit(tmp_path / "sub", train_py=FAULTY)
    assert run("check", "sub", "--since", "HEAD").exit_code == 0  # around the path, not around the working directory
    result = run("check", "sub", "train.py", "--since", "HEAD")
    assert result.exit_code == 2
    assert result.stderr.startswith("cvlint: The path 'train.py' is not in the git repository")
    (tmp_path / "sub" / ".git" / "HEAD").unlink()
    assert "has no commit 'HEAD'" in run("check", "sub", "--since", "HEAD").stderr


def test_without_git(run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    result = run("check", "--since", "HEAD")
    assert result.exit_code == 2
    assert result.stderr == "cvlint: The option --since cannot be used, because git is not installed.\n"


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (("--write-baseline", "known.json"), "--write-baseline and --since cannot go together, because"),
        (("--watch",), "--watch and --since cannot go together, because each round"),
        (("--show-files",), "--show-files and --since cannot go together, because"),
        (("-",), "--since compares files with a commit, so it cannot be used with standard input"),
    ],
)
def test_contradictions(run: Any, repository: Path, engine: Any, other: tuple[str, ...], says: str) -> None:
    result = run("check", "--since", "HEAD", *other, input=FAULTY)
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert says in result.stderr


def test_without_findings_the_commit_is_not_checked(run: Any, repository: Path, engine: Any) -> None:
    (repository / "train.py").write_text("# changed\n" + FAULTY)
    assert run("check", "--since", "HEAD").exit_code == 0
    assert len(engine.calls) == 1
    engine.finds("error")
    run("check", "--since", "HEAD")
    assert len(engine.calls) == 3
    run("check", "--since", "HEAD", "--fix")
    assert len(engine.calls) == 5  # the commit once, although what is left is compared with it again


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are analysed."""
    names: list[str] = []

    def counted(path: Path, *rest: Any) -> Any:
        names.append(path.name)
        return check_file(path, *rest)

    monkeypatch.setattr("cvlint.workspace.steps.check_files.check_file", counted)
    return names


def test_of_the_commit_only_what_can_differ_is_analysed(
    run: Any, repository: Path, evaluation: Path, checked: list[str]
) -> None:
    """A changed file, a file that imports it, and nothing else; the findings of the others are in the commit, too."""
    for number in range(8):
        (repository / f"other{number}.py").write_text(FAULTY)
    (repository / "user.py").write_text("import train\n" + FAULTY)
    commit(repository, train_py=FAULTY, changed_py=FAULTY)
    everything = sorted(path.name for path in repository.glob("*.py"))

    def of_commit() -> list[str]:
        checked.clear()
        assert run("check", "--jobs", "1", "--no-cache", "--since", "HEAD").exit_code in (0, 1)
        assert sorted(checked[: len(everything)]) == everything
        return sorted(checked[len(everything) :])

    assert of_commit() == []
    (repository / "changed.py").write_text(FAULTY + SECOND)
    assert of_commit() == ["changed.py"]
    assert found(run, "--since", "HEAD") == [("changed.py", 17)]
    (repository / "train.py").write_text(FAULTY + "# changed\n")
    assert of_commit() == ["changed.py", "train.py", "user.py"]
    (repository / "setup.cfg").touch()  # the root of a project, in which imports may mean other files
    assert of_commit() == [name for name in everything if name != "evaluation.py"]  # in which nothing is found


def test_a_finding_that_another_file_made_before_is_not_new(run: Any, repository: Path, evaluation: Path) -> None:
    """An unchanged file has called the faulty helper all along, and now a new file calls it, too."""
    commit(repository)
    (repository / "new.py").write_text((repository / "train.py").read_text())
    assert found(run) == [("evaluation.py", 9)]
    assert found(run, "--since", "HEAD") == []


def test_a_finding_whose_cause_is_new_in_another_file(run: Any, repository: Path, evaluation: Path) -> None:
    """The faulty place is in a file that has not changed, which the changed file imports."""
    caller = (repository / "train.py").read_text()
    commit(repository, train_py="from evaluation import *\n")
    (repository / "train.py").write_text(caller)
    assert found(run, "--since", "HEAD") == [("evaluation.py", 9)]


def test_a_module_that_is_gone(run: Any, repository: Path, evaluation: Path) -> None:
    """What imported it has not changed, but means another file now."""
    (repository / "sub").mkdir()
    caller = repository / "sub" / "train.py"
    (repository / "train.py").rename(caller)
    (repository / "sub" / "evaluation.py").write_text("def evaluate(*_):\n    return 0.0\n")
    commit(repository)
    assert found(run) == []
    (repository / "sub" / "evaluation.py").unlink()
    shared_analysis.cache_clear()
    assert found(run, "--since", "HEAD") == [("evaluation.py", 9)]


def test_a_removed_comment_makes_a_finding_new(run: Any, repository: Path) -> None:
    commit(repository, train_py=SUPPRESSED)
    assert found(run, "--since", "HEAD") == []
    (repository / "train.py").write_text(FAULTY)
    assert found(run, "--since", "HEAD") == [("train.py", 9)]
    assert found(run, "--since", "HEAD", "--ignore-noqa") == []
    assert found(run, "--since", "HEAD~1") == []


def test_findings_about_comments_are_compared_as_well(run: Any, repository: Path) -> None:
    unused = "x = 1  # cvlint: ignore[auc-merge] nothing\n"
    commit(repository, train_py=unused)
    assert found(run) == [("train.py", 1)]
    assert found(run, "--since", "HEAD") == []
    assert found(run, "--since", "HEAD~1") == [("train.py", 1)]


def test_with_a_baseline_both_hide(run: Any, repository: Path) -> None:
    (repository / "train.py").write_text(FAULTY + SECOND)
    run("check", "--write-baseline", "known.json")
    (repository / "train.py").write_text(FAULTY + SECOND + SECOND.replace("second", "third"))
    result = run("check", "--since", "HEAD", "--baseline", "known.json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.splitlines()[-2] == "Found 1 error in 1 file; the baseline hides 2 findings."


def test_a_finding_in_baseline_and_commit_is_hidden_once(run: Any, repository: Path) -> None:
    commit(repository, train_py=FAULTY + SECOND)
    run("check", "--write-baseline", "known.json")
    assert found(run, "--since", "HEAD", "--baseline", "known.json") == []
    (repository / "train.py").write_text(FAULTY + 2 * SECOND)
    assert found(run, "--since", "HEAD", "--baseline", "known.json") == [("train.py", 25)]
    commit(repository)
    result = run("check", "--since", "HEAD", "--baseline", "known.json")
    summary = "No new faults found in 1 file; the baseline hides 2 findings; 1 finding was there before.\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, summary, "")


def test_findings_through_another_file(run: Any, repository: Path, evaluation: Path) -> None:
    commit(repository)
    evaluation.write_text("# moved\n" + evaluation.read_text())
    assert found(run) == [("evaluation.py", 10)]
    assert found(run, "--since", "HEAD") == []
    assert found(run, "--since", "HEAD~1") == [("evaluation.py", 10)]
    # What a checked file imports is there, also where it is not checked itself.
    assert found(run, "train.py") == [("evaluation.py", 10)]
    assert found(run, "train.py", "--since", "HEAD") == []


def test_no_import_leads_out_of_the_commit(run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helper = "from sklearn.metrics import f1_score\n\ndef measure(truth, found):\n    return f1_score(truth, found)\n"
    user = FAULTY.replace("from sklearn.metrics import f1_score", "from helping import measure")
    commit(repository, train_py=user.replace("f1_score", "measure"))
    (repository / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(repository / "temporary"))
    for folder in (repository, repository / "temporary"):
        (folder / "helping.py").write_text(helper)
    assert found(run, "--since", "HEAD") == [("train.py", 9)]


def test_a_finding_of_two_projects_counts_once(run: Any, repository: Path, evaluation: Path) -> None:
    (repository / "sub").mkdir()
    (repository / "sub" / "cvlint.toml").touch()
    (repository / "sub" / "use.py").write_text((repository / "train.py").read_text())
    commit(repository)
    head, body = evaluation.read_text().split("    scores = []\n")
    evaluation.write_text(f"{head}    scores = []\n{body}    scores = []\n{body}")
    assert found(run) == [("evaluation.py", 9), ("evaluation.py", 14)]
    assert found(run, "--since", "HEAD") == [("evaluation.py", 14)]


def test_imports_stop_at_the_same_project_root(run: Any, repository: Path, evaluation: Path) -> None:
    """The copy has the mark of the project inside the repository, so no import leads out of it."""
    (repository / "inner").mkdir()
    (repository / "train.py").rename(repository / "inner" / "train.py")
    (repository / "inner" / "setup.cfg").touch()
    commit(repository)
    (repository / "inner" / "setup.cfg").unlink()
    assert found(run, "--since", "HEAD") == [("evaluation.py", 9)]


def test_files_of_any_name_and_notebooks(run: Any, repository: Path) -> None:
    cell: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": FAULTY,
    }
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    commit(repository, script=FAULTY, a_ipynb=json.dumps(notebook))
    assert found(run, "script", "a.ipynb") == [("a.ipynb", 9), ("script", 9)]
    assert found(run, "script", "a.ipynb", "--since", "HEAD") == []


def test_links(run: Any, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (repository / "a.py").symlink_to("train.py")
    commit(repository)
    assert found(run) == [("a.py", 9)]  # of a file and a link to it the first is checked
    result = run("check", "--since", "HEAD")
    assert (result.exit_code, result.stderr) == (0, "")
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(repository)
    assert found(run, str(link), "--since", "HEAD") == []


def test_the_settings_are_those_of_today(run: Any, repository: Path) -> None:
    commit(repository, cvlint_toml='ignore = ["CVL101"]\n')
    (repository / "cvlint.toml").unlink()
    assert found(run, "--since", "HEAD") == []
    (repository / "sub").mkdir()
    (repository / "sub" / "train.py").write_text(FAULTY)
    (repository / "sub" / "cvlint.toml").write_text('[severity]\n"CVL101" = "warning"\n')
    commit(repository)
    assert found(run) == [("sub/train.py", 9), ("train.py", 9)]
    assert found(run, "--since", "HEAD") == []
    assert found(run, "--since", "HEAD~1") == [("sub/train.py", 9)]


@pytest.mark.parametrize("inside", [".", "sub"])
def test_exclusions_hold_in_the_commit(
    run: Any, repository: Path, engine: Any, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    (repository / "sub").mkdir()
    monkeypatch.chdir(repository / inside)
    (repository / "cvlint.toml").write_text('exclude = ["/old"]\n')
    (repository / "train.py").write_text("# changed\n" + FAULTY)
    engine.finds("error")
    assert run("check", "--since", "HEAD", "--exclude", "new").exit_code == 1
    if inside == "sub":
        assert len(engine.calls) == 1  # the commit has no such folder
        return
    [(_, now, _), (paths, then, _)] = engine.calls
    folder = str(paths[0])
    assert {(one.folder, one.pattern) for one in then.exclude} == {(folder, "/old"), (folder, "new")}
    assert (then.rules, then.confidence) == (now.rules, now.confidence)
    assert not os.path.exists(folder)


def test_patterns_start_from_the_same_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, copy = tmp_path / "root", tmp_path / "copy"
    for folder in (root / "a", root / "b", copy / "a"):
        folder.mkdir(parents=True)

    def excluded(here: Path) -> set[tuple[str, str]]:
        monkeypatch.chdir(here)
        options = CheckOptions(frozenset(), exclude=("x", Anchored(str(root / "b"), "y"), Anchored(str(tmp_path), "z")))
        group = CheckGroup(Config(), (root / "a", root / "b"), None, options, Adjustments())
        then = group_in_copy(group, root.resolve(), copy)
        assert then.paths == (copy / "a",)
        return {(os.path.relpath(one.folder, copy), one.pattern) for one in then.options.exclude}  # type: ignore[union-attr]

    assert excluded(root) == {(".", "x"), ("b", "y")}
    assert excluded(root / "b") == {("a", "x"), ("b", "x"), ("b", "y")}
    assert excluded(tmp_path) == {("b", "y")}


def test_nothing_of_the_repository_is_run(run: Any, repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.py filter=evil export-ignore\n")
    git(repository, "config", "filter.evil.smudge", f"touch {repository}/run; cat")
    git(repository, "config", "core.fsmonitor", f"touch {repository}/run")
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {repository}/run\n")
    hook.chmod(0o755)
    status = git(repository, "-c", "core.fsmonitor=", "status", "--porcelain")
    (repository / "run").unlink(missing_ok=True)
    assert found(run, "--since", "HEAD") == []
    assert not (repository / "run").exists()
    assert git(repository, "-c", "core.fsmonitor=", "status", "--porcelain") == status


def test_a_work_tree_of_its_own(run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There ``.git`` is a file that names the repository."""
    git(repository, "worktree", "add", "-q", "-b", "side", str(repository / "side"))
    monkeypatch.chdir(repository / "side")
    commit(repository / "side", other_py=FAULTY)
    assert found(run, "--since", "HEAD") == []
    assert found(run, "--since", "HEAD~1") == [("other.py", 9)]


def test_files_that_cannot_be_read_are_reported(run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "data.zip").write_text("x" * 1000)
    commit(repository)
    monkeypatch.setattr("cvlint.workspace.steps.since.LIMITS", Limits(file_bytes=len(FAULTY) - 1))
    result = run("check", "--since", "HEAD", "--format", "concise")
    assert result.exit_code == 1
    assert result.stderr == (
        "train.py: Every finding here counts as new, because in the commit 'HEAD' it is too large for source code, "
        "so it is not read.\n"
    )
    monkeypatch.setattr("cvlint.workspace.steps.since.LIMITS", Limits(members=1))
    result = run("check", "--since", "HEAD")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "cvlint: The commit 'HEAD' cannot be read, because it holds more than 1 entries.\n"


def test_a_temporary_folder_that_cannot_be_made_is_reported(
    run: Any, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(repository / "missing"))
    result = run("check", "--since", "HEAD")
    assert (result.exit_code, result.stdout) == (2, "")
    reason = "cannot be copied to a temporary folder: No such file or directory"
    assert result.stderr == f"cvlint: The commit 'HEAD' {reason}.\n"


def test_only_what_is_new_is_fixed_and_suppressed(run: Any, repository: Path) -> None:
    (repository / "train.py").write_text(FAULTY + SECOND)
    result = run("check", "--since", "HEAD", "--diff", "--unsafe-fixes")
    assert "Would fix 1 finding in 1 file." in result.stderr
    assert run("check", "--since", "HEAD", "--add-ignores", "--reason", "old").exit_code == 0
    text = (repository / "train.py").read_text()
    assert (text.count("cvlint: ignore"), text.startswith(FAULTY)) == (1, True)


def test_without_paths_the_working_directory_chooses_the_repository(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    assert named_commit("HEAD", []) == Commit(repository.resolve(), head, "HEAD")


def test_an_empty_report_stays_as_it_is(run: Any, repository: Path, engine: Any) -> None:
    engine.report = Report((), (), 7)
    assert run("check", "--since", "HEAD").stdout == "No faults found in 7 files.\n"
