"""The last commit of an untrusted repository is read, and its config and attributes have no effect."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main
from cvlint.workspace.snapshots.archives import IRREGULAR, TOO_LARGE, ArchiveError, Limits
from cvlint.workspace.snapshots.git_checkout import (
    NOT_FETCHED,
    branches_and_tags,
    commit_of,
    folder_of_url,
    is_bare,
    is_shallow,
    unpack_commit,
)
from tests.conftest import git

CODE = "from sklearn.model_selection import cross_val_score\nprint(cross_val_score(m, X, y, scoring='f1').mean())\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository with a work tree that has changed since its last commit."""
    folder = tmp_path / "work"
    (folder / "code").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "code" / "train.py").write_text(CODE)
    (folder / "README.md").write_text("# Code\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")
    (folder / "code" / "train.py").write_text("x = 1\n")
    return folder


@pytest.fixture
def bare(work: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", "--bare", str(work), "bare.git")
    return tmp_path / "bare.git"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def copied(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_the_last_commit_is_copied_with_its_code_alone(work: Path, bare: Path, target: Path) -> None:
    assert (is_bare(bare), is_bare(work)) == (True, False)
    assert unpack_commit(bare, target) == ()
    assert copied(target) == ["code/train.py"]
    assert (target / "code" / "train.py").read_text() == CODE


def test_only_committed_changes_of_a_work_tree_are_copied(work: Path, target: Path) -> None:
    unpack_commit(work, target)
    assert (target / "code" / "train.py").read_text() == CODE


def test_the_command_takes_urls_and_bare_repositories(work: Path, bare: Path) -> None:
    for given in (str(bare), bare.as_uri(), work.as_uri()):
        result = CliRunner().invoke(main, ["audit", given])
        assert (result.exit_code, result.stderr) == (0, "")
        assert "| `code/train.py:2:7` | F1 | F_avg |" in result.stdout
    assert "F_avg" not in CliRunner().invoke(main, ["audit", str(work)]).stdout  # a folder: what lies there now


def test_the_folder_of_a_url_with_blanks(tmp_path: Path) -> None:
    assert folder_of_url((tmp_path / "a b").as_uri()) == tmp_path / "a b"


def test_git_attributes_have_no_effect(work: Path, target: Path) -> None:
    (work / ".gitattributes").write_text("*.py export-ignore filter=evil ident\n")
    (work / "code" / "train.py").write_text(CODE + "# $Id$\n")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "attributes")
    git(work, "config", "filter.evil.smudge", f"touch {target.parent}/run; cat")
    git(work, "config", "core.fsmonitor", f"touch {target.parent}/run")
    unpack_commit(work, target)
    assert (target / "code" / "train.py").read_text() == CODE + "# $Id$\n"
    assert not (target.parent / "run").exists()


def test_commits_are_found_by_any_of_their_names(work: Path, bare: Path, target: Path) -> None:
    first = git(work, "rev-parse", "HEAD")
    git(work, "tag", "-a", "v1", "-m", "one")
    git(work, "commit", "-qam", "two")
    head = git(work, "rev-parse", "HEAD")
    assert [commit_of(work, name) for name in ("HEAD", "main", "HEAD~1", "v1", first[:8])] == [head, head, *3 * [first]]
    assert {commit_of(work, name) for name in ("", "^HEAD", "-q", "--all", "v2", "HEAD..HEAD", "HEAD:code")} == {None}
    assert (commit_of(bare, "main"), commit_of(target, "main")) == (first, None)
    assert branches_and_tags(work) == ("main", "v1")
    assert branches_and_tags(target) == ()


def test_an_earlier_commit_is_copied_with_the_wanted_files(work: Path, target: Path) -> None:
    first = git(work, "rev-parse", "HEAD")
    git(work, "commit", "-qam", "two")
    assert unpack_commit(work, target, commit=first, is_wanted=lambda name: True) == ()
    assert copied(target) == ["README.md", "code/train.py"]
    assert (target / "code" / "train.py").read_text() == CODE


def test_a_shallow_clone(work: Path, tmp_path: Path) -> None:
    git(work, "commit", "-qam", "two")
    git(tmp_path, "clone", "-q", "--depth", "1", work.as_uri(), "shallow")
    assert (is_shallow(work), is_shallow(tmp_path / "shallow")) == (False, True)


def test_missing_objects_are_reported_and_not_fetched(bare: Path, target: Path) -> None:
    blob = git(bare, "rev-parse", "HEAD:code/train.py")
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"file://{bare}",
        "remote.origin.uploadpack": f"touch {target.parent}/run; git-upload-pack",
        "protocol.allow": "always",
    }.items():
        git(bare, "config", name, value)
    for pack in (bare / "objects" / "pack").glob("*.pack"):  # loose objects, so that one can be taken away
        moved = target.parent / pack.name
        pack.rename(moved)
        subprocess.run(["git", "unpack-objects", "-q"], cwd=bare, check=True, stdin=moved.open("rb"))
    (bare / "objects" / blob[:2] / blob[2:]).unlink()
    try:
        [left] = unpack_commit(bare, target)
        assert (left.path, left.message) == ("code/train.py", NOT_FETCHED)
    except ArchiveError as error:  # some versions of git cannot list the sizes then
        assert "git cannot list the files of HEAD" in str(error)
    assert not (target.parent / "run").exists()


def test_links_and_modules_are_not_followed(work: Path, target: Path) -> None:
    os.symlink("/etc/passwd", work / "link.py")
    git(work, "add", "link.py")
    git(work, "update-index", "--add", "--cacheinfo", f"160000,{git(work, 'rev-parse', 'HEAD')},module.py")
    git(work, "commit", "-qm", "links")
    left = unpack_commit(work, target)
    assert {(one.path, one.message) for one in left} == {("link.py", IRREGULAR), ("module.py", IRREGULAR)}
    assert copied(target) == ["code/train.py"]


def test_limits(work: Path, tmp_path: Path, target: Path) -> None:
    [left] = unpack_commit(work, target, Limits(file_bytes=len(CODE) - 1))
    assert left.message == TOO_LARGE
    (tmp_path / "other").mkdir()
    with pytest.raises(ArchiveError, match="more than 1 entries"):
        unpack_commit(work, tmp_path / "other", Limits(members=1))


def test_usage_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: Path) -> None:
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q")
    for given in ((tmp_path / "empty").as_uri(), tmp_path.as_uri()):
        result = CliRunner().invoke(main, ["audit", given])
        assert result.exit_code == 2
        says = f"The repository '{given}' cannot be audited, because git cannot list the files of HEAD ("
        assert says in result.stderr
        assert result.stderr.count("\n") == 1
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(main, ["audit", str(bare)])
    assert (result.exit_code, "git is not installed" in result.stderr) == (2, True)
