"""A cache that cannot be used costs one sentence, and the check goes on without it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from cvlint.filesystem import atomic_write
from cvlint.workspace.cache import environment, file_stamp, folder, pack
from cvlint.workspace.cache.folder import VARIABLE, default_folder
from cvlint.workspace.cache.pack import DamagedPack, read_pack, write_pack
from tests.cli.conftest import invoke
from tests.conftest import FAULTY

MODES = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a faulty file, and the cache of a check of it."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "train.py").write_text(FAULTY)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("CVLINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(file_stamp, "SETTLED", 10**15)  # however slow the machine is, the file counts as new
    return tmp_path / "cache"


def check(*options: str) -> tuple[str, str]:
    status, out, err = invoke("check", ".", "--format", "concise", *options)
    assert status == 1
    assert "mean-of-fold-f" in out
    return out, err


def only_pack(cache: Path) -> Path:
    (one,) = cache.iterdir()
    return one


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:-5], lambda data: data.replace(b"train", b"brain", 1), lambda data: b"notes"],
)
def test_a_damaged_file_is_reported_and_replaced(cache: Path, damage: object) -> None:
    first = check()
    assert first[1] == ""
    path = only_pack(cache)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))  # type: ignore[operator]
    out, err = check()
    assert out == first[0]
    assert err.count("\n") == 1
    assert "damaged" in err and str(path) in err
    assert only_pack(cache).read_bytes() == whole
    assert check() == first


def test_another_version_is_replaced_in_silence(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = check()
    old = only_pack(cache).read_bytes()
    monkeypatch.setattr(environment, "__version__", "99")
    assert check() == first
    assert only_pack(cache).read_bytes() != old


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_folder_that_cannot_be_written(cache: Path, monkeypatch: pytest.MonkeyPatch, reason: int) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(atomic_write, "write_file", fail)
    _, err = check()
    assert err.count("\n") == 1
    assert os.strerror(reason) in err and str(cache) in err
    assert not list(cache.iterdir())


@MODES
def test_a_read_only_folder(cache: Path) -> None:
    cache.mkdir(mode=0o500)
    _, err = check()
    assert err.count("\n") == 1


def test_a_file_in_place_of_the_folder(cache: Path) -> None:
    cache.write_text("notes")
    _, err = check()
    assert err.count("\n") == 1
    assert cache.read_text() == "notes"
    assert invoke("clean")[0] == 0


def test_no_cache_reads_and_writes_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check("--no-cache")
    assert not cache.exists()
    assert invoke("check", ".", "--no-cache", "--cache-dir", "x")[0] == 2


def test_clean_removes_only_what_cvlint_wrote(tmp_path: Path, cache: Path) -> None:
    check("--cache-dir", "../mine")
    (tmp_path / "mine" / "notes.txt").write_text("notes")
    status, out, _ = invoke("clean", "--cache-dir", "../mine")
    assert status == 0
    assert out.startswith("Removed 1 file (0.0 MB)")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    check()
    invoke("clean")
    assert not cache.exists()


def test_the_folder_stays_small(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir()
    for number in range(5):
        path = cache / f"{number}{folder.SUFFIX}"
        path.write_bytes(b"x" * 100)
        os.utime(path, (number, number))
    (cache / "notes").write_bytes(b"x" * 1000)
    folder.CacheFolder(str(cache)).trim(250)
    assert sorted(path.name[:5] for path in cache.iterdir()) == ["3.cvl", "4.cvl", "notes"]


def test_a_pack_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "MAX_PACK_BYTES", 100)
    path = str(tmp_path / "pack")
    write_pack(path, "stamp", {f"{number}".encode(): b"x" * 30 for number in range(9)})
    assert list(read_pack(path, "stamp")) == [b"0", b"1", b"2"]
    assert read_pack(path, "other") == {}
    with pytest.raises(DamagedPack):
        read_pack(__file__, "stamp")


def test_deleted_files_leave_the_cache(cache: Path) -> None:
    Path("gone.py").write_text(FAULTY)
    check()
    assert b"gone.py" in only_pack(cache).read_bytes()
    Path("gone.py").unlink()
    Path("train.py").write_text(FAULTY + "\n")
    check()
    assert b"gone.py" not in only_pack(cache).read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs itself is asked")
@pytest.mark.parametrize("value", [None, "", "/caches", "/caches/"])
def test_the_default_folder_is_that_of_platformdirs(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from platformdirs import user_cache_dir

    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if value is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert default_folder() == user_cache_dir("cvlint", appauthor=False)
