"""Files to check are found below the paths that the user names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from cvlint.source.discovery import discover
from cvlint.source.unread_file import UnreadFile


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*names: str, **contents: str) -> None:
    for name in names:
        path, _, text = name.partition(":")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def found(*paths: str, exclude: Sequence[str] = ()) -> list[str]:
    return [str(path) for path in discover([Path(path) for path in paths or (".",)], exclude)]


def test_folders_are_walked_in_order_and_as_spelled(here: Path) -> None:
    make("b.py", "a/z.ipynb", "a/y.py", "a/data.csv", "c.txt", "a/b/x.py")
    assert found() == ["a/b/x.py", "a/y.py", "a/z.ipynb", "b.py"]
    assert found("a") == ["a/b/x.py", "a/y.py", "a/z.ipynb"]
    assert found("../" + here.name + "/a/b") == [f"../{here.name}/a/b/x.py"]
    assert found(str(here / "a/b")) == [str(here / "a/b/x.py")]


def test_named_files_are_found_with_any_suffix(here: Path) -> None:
    make(".gitignore:*", "script", "venv/a.py", "build/lib/b.py")
    assert found("script", "venv/a.py", "script", "build") == ["script", "venv/a.py", "build/lib/b.py"]


def test_usual_folders_are_skipped(here: Path) -> None:
    make("env/pyvenv.cfg", "env/a.py", "x.egg-info/a.py", "env2/a.py", "a.py/inside.py")
    make(*(f"{name}/a.py" for name in (".git", ".venv", "node_modules", ".tox", ".ipynb_checkpoints", "build", "dist")))
    make("deep/site-packages/a.py", "deep/__pycache__/a.py")
    make("venv/a.py")  # a folder of experiments with the name of an environment
    assert found() == ["a.py/inside.py", "env2/a.py", "venv/a.py"]
    assert found("env") == ["env/a.py"]


def test_gitignore(here: Path) -> None:
    make(".git/info/exclude:local.py", ".gitignore:# note\n\n!\n/only_top.py\n*.ipynb\nout/\n!keep.ipynb")
    make("only_top.py", "sub/only_top.py", "a.ipynb", "keep.ipynb", "out/a.py", "sub/out/a.py", "local.py", "out.py")
    make("sub/.gitignore:!b.ipynb\nc.py\n", "sub/b.ipynb", "sub/c.py", "c.py")
    everything = ["c.py", "keep.ipynb", "out.py", "sub/b.ipynb", "sub/only_top.py"]
    assert found() == everything
    assert found("sub") == ["sub/b.ipynb", "sub/only_top.py"]


def test_gitignore_above_holds_inside_the_repository_only(here: Path) -> None:
    make(".gitignore:a.py", "repo/.git/HEAD", "repo/sub/a.py", "repo/.gitignore:b.py", "repo/sub/b.py")
    assert found("repo/sub") == ["repo/sub/a.py"]
    assert found("repo") == ["repo/sub/a.py"]
    assert found() == []


def test_exclude(here: Path) -> None:
    make("a.py", "tests/a.py", "sub/tests/b.py", "sub/.gitignore:!a.py", "sub/a.py")
    assert found(exclude=["/tests", "a.py"]) == ["sub/tests/b.py"]
    assert found("sub", exclude=["sub/tests/"]) == ["sub/a.py"]
    with pytest.raises(ValueError, match="pattern"):
        found(exclude=["!"])


def test_links(here: Path) -> None:
    make("real/a.py", "elsewhere.txt")
    os.symlink("..", "real/loop")
    os.symlink("a.py", "real/b.py")
    os.symlink("self.py", "self.py")
    os.symlink("nowhere.py", "dangling.py")
    os.symlink("elsewhere.txt", "link.py")
    os.symlink("real", "folder")
    assert found() == ["link.py", "real/a.py"]
    assert found("folder", "real", "real/b.py") == ["folder/a.py"]


def test_what_cannot_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "locked/b.py")
    assert list(discover([Path("none.py")])) == [UnreadFile("none.py", "cannot be read: no such file or folder")]
    scandir = os.scandir

    def locked(path: str) -> object:
        if "locked" in path:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", locked)
    assert list(discover([Path()])) == [Path("a.py"), UnreadFile("locked/", "cannot be read: Permission denied")]


def test_pipes_are_skipped(here: Path) -> None:
    os.mkfifo("pipe.py")
    assert found() == []
