from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.snapshots.archives import IRREGULAR, ArchiveError, Limits, safe_parts, unpack

CODE = b"print('hello')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder in another empty one, in which a file that escapes would show."""
    made = tmp_path / "around" / "folder"
    made.mkdir(parents=True)
    return made


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, *members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def files(folder: Path) -> dict[str, bytes]:
    """All files in the folder or beside it."""
    around = folder.parent
    return {str(p.relative_to(folder)) if p.is_relative_to(folder) else f"OUTSIDE {p}": p.read_bytes()
            for p in around.rglob("*") if p.is_file() or p.is_symlink()}  # fmt: skip


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_the_content_decides_what_a_tar_file_is(tmp_path: Path, folder: Path, mode: str) -> None:
    archive = tarred(tmp_path / "any.name", (member("a/b.py"), CODE), (member("a/c.ipynb"), b"{}"), mode=mode)
    assert unpack(archive, folder) == ()
    assert files(folder) == {"a/b.py": CODE, "a/c.ipynb": b"{}"}


def test_zip_files_give_only_code(tmp_path: Path, folder: Path) -> None:
    names = {"a/b.py": CODE, "pyproject.toml": b"", ".gitignore": b"*", "d.csv": b"1", "__MACOSX/a/._b.py": b"\0"}
    assert unpack(zipped(tmp_path / "any.name", **names), folder) == ()
    assert files(folder) == {"a/b.py": CODE}


ESCAPES = ["../x.py", "a/../../x.py", "/tmp/x.py", "//x.py", "C:\\x.py", "C:x.py", "..\\x.py", "a/..\\..\\x.py"]


@pytest.mark.parametrize("name", ESCAPES)
def test_names_that_lead_out_are_reported_and_not_read(tmp_path: Path, folder: Path, name: str) -> None:
    for archive in (zipped(tmp_path / "z", **{name: CODE}), tarred(tmp_path / "t", (member(name), CODE))):
        [problem] = unpack(archive, folder)
        assert (problem.path, "leads out" in problem.message) == (name, True)
        assert files(folder) == {}


@given(st.text(alphabet="ab./\\: \0", max_size=12))
def test_safe_parts_stay_below_the_folder(name: str) -> None:
    parts = safe_parts(name)
    if parts is not None:
        assert (Path("/root/folder").joinpath(*parts).resolve()).is_relative_to("/root/folder")
        assert all(part not in ("", ".", "..") and "/" not in part for part in parts)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_links_and_devices_of_a_tar_file(tmp_path: Path, folder: Path, kind: bytes) -> None:
    archive = tarred(tmp_path / "t", (member("a.py", kind, "/etc/passwd"), b""), (member("b.py"), CODE))
    [problem] = unpack(archive, folder)
    assert (problem.path, "link" in problem.message) == ("a.py", True)
    assert files(folder) == {"b.py": CODE}


def test_a_link_to_a_folder_does_not_carry_files_out(tmp_path: Path, folder: Path) -> None:
    members = [(member("way", tarfile.SYMTYPE, ".."), b""), (member("way/x.py"), CODE)]
    assert unpack(tarred(tmp_path / "t", *members), folder) == (UnreadFile("way", IRREGULAR),)
    assert files(folder) == {"way/x.py": CODE}


def test_a_link_in_a_zip_file(tmp_path: Path, folder: Path) -> None:
    info = zipfile.ZipInfo("a.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "z", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    [problem] = unpack(tmp_path / "z", folder)
    assert "link" in problem.message
    assert files(folder) == {}


def test_an_encrypted_file_is_reported(tmp_path: Path, folder: Path) -> None:
    data = bytearray(zipped(tmp_path / "z", **{"a.py": CODE}).read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "z").write_bytes(data)
    assert unpack(tmp_path / "z", folder) == (UnreadFile("a.py", "cannot be unpacked: it is encrypted"),)


def test_the_first_of_two_files_of_one_name_is_read(tmp_path: Path, folder: Path) -> None:
    [problem] = unpack(tarred(tmp_path / "t", (member("a.py"), CODE), (member("./a.py"), b"")), folder)
    assert (problem.path, "more than once" in problem.message) == ("./a.py", True)
    assert files(folder) == {"a.py": CODE}


def test_a_name_that_no_file_system_accepts(tmp_path: Path, folder: Path) -> None:
    members = [(member(f"{'x' * 300}.py"), CODE), (member("a.py"), CODE), (member("a.py/b.py"), CODE)]
    problems = unpack(tarred(tmp_path / "t", *members), folder)
    assert [problem.path for problem in problems] == [f"{'x' * 300}.py", "a.py/b.py"]
    assert files(folder) == {"a.py": CODE}


def test_nested_archives_are_reported(tmp_path: Path, folder: Path) -> None:
    inner = zipped(tmp_path / "code.zip", **{"a.py": CODE}).read_bytes()
    [problem] = unpack(tarred(tmp_path / "t", (member("code.zip"), inner), mode="w:"), folder)
    assert (problem.path, "archive inside" in problem.message) == ("code.zip", True)
    assert files(folder) == {}


def test_a_large_file_is_left_out(tmp_path: Path, folder: Path) -> None:
    archive = zipped(tmp_path / "z", **{"a.py": CODE * 9, "b.py": CODE})
    [problem] = unpack(archive, folder, Limits(file_bytes=len(CODE)))
    assert (problem.path, "too large" in problem.message) == ("a.py", True)
    assert files(folder) == {"b.py": CODE}


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(members=1), "more than 1 entries"),
        (Limits(files=1), "more than 1 Python files"),
        (Limits(total_bytes=len(CODE)), "'b.py' it unpacks to more bytes"),
        (Limits(ratio=0, ratio_from=len(CODE)), "'b.py' it unpacks to more bytes"),
    ],
)
def test_limits(tmp_path: Path, folder: Path, limits: Limits, says: str) -> None:
    members = [(member("a.py"), CODE), (member("b.py"), CODE)]
    for archive in (zipped(tmp_path / "z", **{"a.py": CODE, "b.py": CODE}), tarred(tmp_path / "t", *members)):
        with pytest.raises(ArchiveError, match=says):
            unpack(archive, folder, limits)
        (folder / "a.py").unlink(missing_ok=True)


def test_decompression_bombs(tmp_path: Path, folder: Path) -> None:
    zeros = bytes(30_000_000)
    for archive in (zipped(tmp_path / "z", **{"a.py": zeros}), tarred(tmp_path / "t", (member("a.py"), zeros))):
        assert archive.stat().st_size < 100_000
        with pytest.raises(ArchiveError, match="more bytes"):
            unpack(archive, folder)
        assert files(folder) == {}


def test_only_a_limited_part_of_a_tar_file_is_read(tmp_path: Path, folder: Path) -> None:
    archive = tarred(tmp_path / "t", (member("data.bin"), bytes(1_000_000)), (member("a.py"), CODE))
    with pytest.raises(ArchiveError, match="more bytes"):
        unpack(archive, folder, Limits(tar_bytes=500_000))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_long_headers_are_not_held_in_memory(tmp_path: Path, folder: Path, kind: bytes) -> None:
    archive = tarred(tmp_path / "t", (member("x", kind), bytes(2_000_000)), (member("a.py"), CODE))
    with pytest.raises(ArchiveError, match="header"):
        unpack(archive, folder)


def test_a_false_size_is_noticed(tmp_path: Path, folder: Path) -> None:
    data = zipped(tmp_path / "z", **{"a.py": CODE * 100}).read_bytes()
    (tmp_path / "z").write_bytes(data.replace((1500).to_bytes(4, "little"), (15).to_bytes(4, "little")))
    [problem] = unpack(tmp_path / "z", folder)
    assert (problem.path, "Bad CRC" in problem.message) == ("a.py", True)
    assert files(folder) == {}


def test_a_broken_member_of_a_zip_file_leaves_the_others(tmp_path: Path, folder: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z", "w") as archive:  # without compression
        archive.writestr("a.py", b"print('spoilt')\n")
        archive.writestr("b.py", CODE)
    (tmp_path / "z").write_bytes((tmp_path / "z").read_bytes().replace(b"spoilt", b"broken"))
    [problem] = unpack(tmp_path / "z", folder)
    assert (problem.path, "Bad CRC" in problem.message) == ("a.py", True)
    assert files(folder) == {"b.py": CODE}


def test_broken_files_count_as_unpacked(tmp_path: Path, folder: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z", "w") as archive:
        for name in ("a.py", "b.py"):
            archive.writestr(name, b"print('spoilt')\n")
    (tmp_path / "z").write_bytes((tmp_path / "z").read_bytes().replace(b"spoilt", b"broken"))
    with pytest.raises(ArchiveError, match=r"'b\.py' it unpacks to more bytes"):
        unpack(tmp_path / "z", folder, Limits(total_bytes=20))


def test_too_many_files_of_a_zip_file_are_refused_before_one_is_unpacked(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ArchiveError, match="more than 1 Python files"):
        unpack(zipped(tmp_path / "z", **{"a.py": CODE, "b.py": CODE}), folder, Limits(files=1))
    assert files(folder) == {}


@pytest.mark.parametrize(
    ("names", "read", "says"),
    [
        (("a.py", "a.py/b.py"), "a.py", "a file with the name of its folder"),
        (("a.py", "a.py/b/c.py"), "a.py", "a file with the name of its folder"),
        (("a.py/b.py", "a.py"), "a.py/b.py", "a folder of this name"),
    ],
)
def test_a_file_and_a_folder_of_one_name(
    tmp_path: Path, folder: Path, names: tuple[str, str], read: str, says: str
) -> None:
    [problem] = unpack(tarred(tmp_path / "t", *((member(name), CODE) for name in names)), folder)
    assert (problem.path, says in problem.message) == (names[1], True)
    assert files(folder) == {read: CODE}


def test_a_disk_error_is_not_blamed_on_the_archive(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        unpack(tmp_path / "gone.zip", folder)


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ", bytes(511)])
def test_files_that_are_not_archives(tmp_path: Path, folder: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(ArchiveError, match="not a zip or tar file"):
        unpack(tmp_path / "x", folder)


@given(data=st.data())
def test_damaged_archives_raise_only_archive_errors(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    place = tmp_path_factory.mktemp("damaged")
    members = [(member("a.py"), CODE), (member("b/c.py"), CODE)]
    kind = data.draw(st.sampled_from(["zip", "w:", "w:gz", "w:bz2", "w:xz"]))
    archive = place / "x"
    if kind == "zip":
        zipped(archive, **{"a.py": CODE, "b/c.py": CODE})
    else:
        tarred(archive, *members, mode=kind)
    whole = bytearray(archive.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    archive.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    (place / "around" / "folder").mkdir(parents=True)
    try:
        unpack(archive, place / "around" / "folder")
    except ArchiveError as error:
        assert str(error)
    assert not any(name.startswith("OUTSIDE") for name in files(place / "around" / "folder"))
