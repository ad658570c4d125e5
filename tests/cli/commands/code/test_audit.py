from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FAULTY

RATIO = FAULTY.replace("f1_score", "precision_score")


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def zipped(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def row(report: str, place: str) -> list[str]:
    """The cells of the inventory's line for a place."""
    [line] = [line for line in report.splitlines() if line.startswith(f"| `{place}`")]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_a_file(run: Any, faulty: Path) -> None:
    result = run("audit", "train.py")
    assert result.exit_code == 0
    assert result.stdout.startswith("# Audit of `train.py`\n")
    assert row(result.stdout, "train.py:9:7")[1:3] == ["F1", "F_avg"]
    assert "CVL101 mean-of-fold-f" in result.stdout
    assert "   scores.append(f1_score(y[test], model.predict(X[test])))\n" in result.stdout
    assert "- 1 file was found; cvlint recognises a measure in it.\n" in result.stdout


def test_a_folder_with_every_kind_of_entry(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "note.ipynb").write_text(notebook("x = 1", FAULTY))
    (folder / "right.py").write_text("from sklearn.metrics import f1_score\nprint(f1_score(y, p))\n")
    (folder / "broken.py").write_text("f1_score(\n")
    (folder / "empty.py").write_text("x = 1\n")
    result = run("audit", "code")
    assert row(result.stdout, "note.ipynb:cell 2:9:7")[2] == "F_avg"
    assert row(result.stdout, "right.py:2:7")[2] == "computed once"
    _, _, unread = result.stdout.partition("## Not analysed\n\n")
    assert [line.partition(":")[0] for line in unread.splitlines()[:-1]] == ["- `broken.py`"]
    assert unread.endswith("- 4 files were found; cvlint recognises no measure in 1 of them.\n")


def test_an_author_cannot_silence_it(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    (folder / "build").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("*.py\n")
    (folder / "pyproject.toml").write_text('[tool.cvlint]\nignore = ["ALL"]\nexclude = ["*"]\nconfidence = "high"\n')
    (folder / "hidden.py").write_text(f"# cvlint: ignore-file\n{FAULTY}")
    (folder / "build" / "noqa.py").write_text(FAULTY.replace("(scores))", "(scores))  # noqa: CVL101"))
    (folder / "site-packages").mkdir()
    for arguments in (["code"], [str(folder)]):
        result = run("audit", *arguments)
        assert row(result.stdout, "hidden.py:10:7")[2] == row(result.stdout, "build/noqa.py:9:7")[2] == "F_avg"
        assert result.stdout.count("CVL101 mean-of-fold-f |") == 1
        assert "Found 1 error at 2 places in 2 files." in result.stdout
        assert "And 1 more copy: hidden.py:10:7." in result.stdout
        assert "It ignores the settings" in result.stdout
        assert "- `site-packages`: is not read:" in result.stdout
        assert str(tmp_path) not in result.stdout.replace(f"# Audit of `{folder}`", "")


def test_links_out_of_a_folder_are_reported_and_not_read(run: Any, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.py").write_text(FAULTY)
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "own.py").write_text(FAULTY)
    for name, leads_to in (
        *(("again.py", folder / "own.py"), ("out.py", tmp_path / "elsewhere" / "a.py"), ("gone.py", "nowhere")),
        *(("linked", tmp_path / "elsewhere"), ("loop", folder)),
    ):
        (folder / name).symlink_to(leads_to)
    os.mkfifo(folder / "pipe.py")
    table, _, unread = run("audit", "code").stdout.partition("## Not analysed\n\n")
    assert [line.split(":")[0] for line in table.splitlines() if line.startswith("| `")] == ["| `own.py"]
    assert unread.splitlines() == [
        "- `gone.py`: is not a regular file, or it is a link that leads out of the folder, so it is not read.",
        "- `linked`: is a link to a folder, which is not followed; name that folder to audit it, too.",
        "- `loop`: is a link to a folder, which is not followed; name that folder to audit it, too.",
        "- `out.py`: is not a regular file, or it is a link that leads out of the folder, so it is not read.",
        "- `pipe.py`: is not a regular file, or it is a link that leads out of the folder, so it is not read.",
        "- 1 file was found; cvlint recognises a measure in it.",
    ]


def test_the_settings_of_the_working_directory_do_not_count(run: Any, tmp_path: Path, faulty: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('ignore = ["mean-of-fold-f"]\n')
    assert "CVL101 mean-of-fold-f |" in run("audit", "train.py").stdout


def test_rules_that_are_off_are_notes(run: Any, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(RATIO)
    assert "| CVL107 mean-of-fold-ratio | note |" in run("audit", "train.py").stdout


@pytest.mark.parametrize("mode", ["zip", "w:", "w:gz", "w:bz2", "w:xz"])
def test_archives_give_what_their_folder_gives(run: Any, tmp_path: Path, mode: str) -> None:
    files = {"a/train.py": "from metrics import score\n" + FAULTY, "a/metrics.py": "def score(): pass\n"}
    for name, text in files.items():
        (tmp_path / "code" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "code" / name).write_text(text)
    if mode == "zip":
        zipped(tmp_path / "code.x", **files)
    else:
        with tarfile.open(tmp_path / "code.x", mode) as archive:  # type: ignore[call-overload]
            archive.add(tmp_path / "code", arcname=".")
    result = run("audit", "code.x")
    assert result.exit_code == 0
    assert result.stdout.replace("`code.x`", "`code`") == run("audit", "code").stdout
    assert row(result.stdout, "a/train.py:10:7")[2] == "F_avg"


def test_imports_of_an_archive_are_not_looked_for_outside(run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "stray.py").write_text("from sklearn.metrics import f1_score as measure\n")
    code = FAULTY.replace("from sklearn.metrics import f1_score", "from stray import measure").replace("f1_s", "s")
    zipped(tmp_path / "x.zip", **{"train.py": code.replace("score(y", "measure(y")})
    assert "stray.py" not in run("audit", "x.zip").stdout
    assert "mean-of-fold-f" not in run("audit", "x.zip").stdout
    assert not list(tmp_path.glob("cvlint-*"))


def test_several_submissions_have_a_report_each(run: Any, tmp_path: Path, faulty: Path) -> None:
    zipped(tmp_path / "two.zip", **{"other.py": RATIO})
    result = run("audit", "train.py", "two.zip", "--output", "report.md")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "The report is in report.md.\n")
    first, second = (tmp_path / "report.md").read_text(encoding="utf-8").split("# Audit of ")[1:]
    assert ("train.py:9:7" in first, "other.py:9:7" in first) == (True, False)
    assert ("train.py:9:7" in second, "other.py:9:7" in second) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "is_page"), [(["a.html"], True), (["a.md"], False), (["a.html", "--format", "markdown"], False)]
)
def test_the_name_of_the_file_says_the_format(
    run: Any, tmp_path: Path, faulty: Path, arguments: list[str], is_page: bool
) -> None:
    assert run("audit", "train.py", "-o", *arguments).exit_code == 0
    assert (tmp_path / arguments[0]).read_text(encoding="utf-8").startswith("<!DOCTYPE html>") == is_page


def test_dangerous_members_of_an_archive_are_reported(run: Any, tmp_path: Path) -> None:
    link = tarfile.TarInfo("link.py")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as archive:
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("../up.py"), io.BytesIO())
    result = run("audit", "x.tar.gz")
    assert result.exit_code == 0
    assert "- `link.py`: is a link or not a regular file, so it is not read.\n" in result.stdout
    assert "- `../up.py`: has a name that leads out of the archive, so it is not read.\n" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "The argument PATHS is missing."),
        (["gone.zip"], "There is no file or folder 'gone.zip'"),
        (["text.zip"], "The archive 'text.zip' cannot be audited, because it is not a zip or tar file"),
        (["bomb.zip"], "The archive 'bomb.zip' cannot be audited, because with 'a.py' it unpacks to more bytes"),
        (["pipe.zip"], "The path 'pipe.zip' cannot be audited, because it is not a file, folder or archive."),
        (["train.py", "--format", "htm"], "--format cannot be 'htm'; did you mean 'html'? Valid are markdown, html."),
        (["train.py", "--output", "no/report.md"], "there is no folder 'no'"),
    ],
)
def test_usage_errors_are_one_sentence(run: Any, tmp_path: Path, faulty: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "text.zip").write_text("hello")
    os.mkfifo(tmp_path / "pipe.zip")
    zipped(tmp_path / "bomb.zip", **{"a.py": " " * 30_000_000})
    result = run("audit", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


class Tags(HTMLParser):
    """Which tags and attributes a page has, and whether they are closed in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.open += [tag] if tag not in ("meta", "br") else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_valid_and_escapes_foreign_text(run: Any, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script><img src=x>.py"
    zipped(tmp_path / "x.zip", **{evil.replace("/", "_"): FAULTY.replace("print(", 'print("<script>", '), "b.py": "("})
    result = run("audit", "x.zip", "--format", "html", "--output", "report.html")
    assert result.exit_code == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    tags = Tags(page)
    assert tags.open == []
    assert not tags.seen & {"script", "img", "link", "iframe"}
    allowed = {"lang", "charset", "http-equiv", "name", "content", "class", "scope", "colspan"}
    assert tags.attributes <= allowed | {"role", "tabindex", "aria-label"}
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page
    assert "<td>F_avg</td>" in page
    assert "<mark>np.mean(scores)</mark>" in page
    assert "&lt;script&gt;" in page


def test_foreign_markdown_is_escaped(run: Any, tmp_path: Path) -> None:
    zipped(tmp_path / "x.zip", **{"a|b`c.py": FAULTY})
    lines = run("audit", "x.zip").stdout.splitlines()
    [line] = [line for line in lines if "F_avg |" in line and ".py" in line]
    assert line.startswith("| ``a\\|b`c.py:9:7`` | F1 |")
