"""A file is replaced as a whole with its mode and owner kept, or it stays unchanged."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cvlint.filesystem import atomic_write
from cvlint.filesystem.atomic_write import ChangedMeanwhile, replacing, write_file

posix = pytest.mark.skipif(os.name != "posix", reason="of Unix")


@pytest.fixture(params=["without a name", "with a name"], autouse=True)
def kind(request: pytest.FixtureRequest) -> None:
    """Both ways to make the new file."""
    if request.param == "with a name":
        request.getfixturevalue("no_nameless_files")


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Path]:
    """A file with content; after the test its folder holds nothing that the test did not make itself."""
    path = tmp_path / "old.txt"
    path.write_bytes(b"old")
    yield path
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".cvlint")]


def test_new_files_have_the_mode_of_any_file(tmp_path: Path, old: Path) -> None:
    (tmp_path / "any").touch()
    write_file(tmp_path / "new", b"new")
    assert (tmp_path / "new").read_bytes() == b"new"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_long_names(tmp_path: Path, old: Path) -> None:
    write_file(tmp_path / ("a" * 255), b"new")
    assert (tmp_path / ("a" * 255)).read_bytes() == b"new"


@posix
@pytest.mark.parametrize("mode", [0o755, 0o600, 0o666, 0o4755])
def test_the_mode_is_kept(old: Path, mode: int) -> None:
    old.chmod(mode)
    write_file(old, b"new")
    assert (old.read_bytes(), stat.S_IMODE(old.stat().st_mode)) == (b"new", mode)


def test_attributes_are_kept(old: Path) -> None:
    try:
        os.setxattr(old, "user.note", b"mine")
    except (AttributeError, OSError):
        pytest.skip("this file system has no extended attributes")
    write_file(old, b"new")
    assert os.getxattr(old, "user.note") == b"mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(old: Path) -> None:
    os.chown(old, 65534, 12345)
    old.chmod(0o4750)
    write_file(old, b"new")
    status = old.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (65534, 12345, 0o4750)


@posix
@pytest.mark.parametrize("raised", [OSError(1, "no"), KeyboardInterrupt(), SystemExit(143)])
@pytest.mark.parametrize("exists", [True, False])
def test_an_exception_leaves_the_old_file(tmp_path: Path, old: Path, raised: BaseException, exists: bool) -> None:
    path = old if exists else tmp_path / "new"
    with pytest.raises(type(raised)), replacing(path) as file:
        file.write(b"half")
        raise raised
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == {"old.txt": b"old"}


def test_the_expected_bytes_are_compared_last(tmp_path: Path, old: Path) -> None:
    write_file(old, b"new", expected=b"old")
    assert old.read_bytes() == b"new"
    with pytest.raises(ChangedMeanwhile, match="changed meanwhile"), replacing(old, expected=b"new") as file:
        file.write(b"newest")
        old.write_bytes(b"new, and more")
    assert old.read_bytes() == b"new, and more"


def test_a_deleted_file_has_changed(tmp_path: Path, old: Path) -> None:
    with pytest.raises(ChangedMeanwhile), replacing(old, expected=b"old") as file:
        file.write(b"new")
        old.unlink()
    with pytest.raises(ChangedMeanwhile):
        write_file(old, b"new", expected=b"old")
    assert not list(tmp_path.iterdir())


@posix
def test_links_stay(tmp_path: Path, old: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, dangling = tmp_path / "folder" / "link", tmp_path / "dangling"
    link.symlink_to("../old.txt")
    dangling.symlink_to("folder/new.txt")
    write_file(link, b"new", expected=b"old")
    write_file(dangling, b"first")
    assert os.readlink(link) == "../old.txt" and os.readlink(dangling) == "folder/new.txt"
    assert (old.read_bytes(), (tmp_path / "folder" / "new.txt").read_bytes()) == (b"new", b"first")
    assert sorted(os.listdir(tmp_path / "folder")) == ["link", "new.txt"]


@posix
def test_hard_links_are_not_separated(tmp_path: Path, old: Path) -> None:
    os.link(old, tmp_path / "other")
    with pytest.raises(OSError, match="several hard links"):
        write_file(old, b"new")
    assert old.read_bytes() == b"old" and old.samefile(tmp_path / "other")


@posix
def test_a_pipe_is_written_into(tmp_path: Path, old: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"new")
    reader.join()
    assert read == [b"new"] and stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_devices_are_written_into(old: Path) -> None:
    write_file("/dev/null", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link"])
def test_standard_output_in_a_file_is_added_to(tmp_path: Path, old: Path, name: str) -> None:
    """The shell has opened the file, and may write more into it."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = (
        "import os, sys\nfrom cvlint.filesystem.atomic_write import write_file\n"
        "os.write(1, b'before '); write_file(sys.argv[1], b'new'); os.write(1, b' after')"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", code, name]
    with old.open("ab") as file:
        subprocess.run(command, stdout=file, cwd=tmp_path, env=environment, check=True)
    assert old.read_bytes() == b"oldbefore new after"


@posix
class TestAsAnOrdinaryUser:
    @pytest.fixture(autouse=True)
    def user(self, old: Path) -> Iterator[None]:
        """Give up the rights of root for a test, where we have them."""
        if os.geteuid() != 0:
            yield
            return
        folder = Path(old).parent
        closed = [above for above in folder.parents if not above.stat().st_mode & stat.S_IXOTH]
        modes = {above: stat.S_IMODE(above.stat().st_mode) for above in closed}
        for above, mode in modes.items():
            above.chmod(mode | 0o111)
        folder.chmod(0o777)
        os.chown(old, 65534, 65534)
        os.setegid(65534)
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)
            for above, mode in modes.items():
                above.chmod(mode)

    def test_a_file_of_the_user(self, old: Path) -> None:
        write_file(old, b"new")
        assert old.read_bytes() == b"new"

    def test_read_only_files_are_left(self, old: Path) -> None:
        old.chmod(0o444)
        with pytest.raises(PermissionError, match="Permission denied"):
            write_file(old, b"new")
        assert old.read_bytes() == b"old"

    @pytest.mark.skipif(os.name == "posix" and os.getuid() != 0, reason="only root may give files away")
    def test_files_of_others_are_left(self, old: Path) -> None:
        os.seteuid(0)
        os.chown(old, 12345, 65534)
        old.chmod(0o666)
        os.seteuid(65534)
        with pytest.raises(PermissionError, match="belongs to another user"):
            write_file(old, b"new")
        assert (old.read_bytes(), old.stat().st_uid) == (b"old", 12345)

    @pytest.mark.skipif(os.name == "posix" and os.getuid() != 0, reason="the folder is made by root")
    def test_a_folder_in_which_nothing_can_be_made(self, old: Path) -> None:
        os.seteuid(0)
        old.parent.chmod(0o755)
        os.seteuid(65534)
        with pytest.raises(PermissionError, match="its folder is not writable"):
            write_file(old, b"new")
        assert old.read_bytes() == b"old"


def test_a_folder_is_refused(tmp_path: Path, old: Path) -> None:
    with pytest.raises(OSError):
        write_file(tmp_path, b"new")
    with pytest.raises(FileNotFoundError):
        write_file(tmp_path / "no" / "such", b"new")


def test_a_failed_replacement_leaves_no_file(tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(atomic_write.os, "replace", refuse)
    with pytest.raises(OSError, match="busy"):
        write_file(old, b"new")
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == {"old.txt": b"old"}
