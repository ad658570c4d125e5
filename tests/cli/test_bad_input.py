"""A file that cannot be checked costs one line, not the check; and cvlint imports and runs nothing that it checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cvlint.findings.finding import Report
from cvlint.rules.catalogue import load_rules
from cvlint.source.module import MAX_SOURCE
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import PARSED_ANYWAY, check
from tests.cli.conftest import Process

RULES = frozenset(rule.name for rule in load_rules())
FAULTY = "from sklearn.model_selection import cross_val_score\nprint(cross_val_score(m, X, y, scoring='f1').mean())\n"
METRIC = "from sklearn.metrics import f1_score\n"  # so that the bytes may hold a finding
CELLS = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}


def notebook(**parts: object) -> bytes:
    return json.dumps({**CELLS, **parts}).encode()


def code_cell(source: str) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}


BAD = {  # the name of the file, its content, and a part of what is said about it
    "syntax error": ("a.py", METRIC.encode() + b"for fold in range(5:\n    pass\n", "not valid Python 3: "),
    "bad indentation": ("a.py", METRIC.encode() + b"if 1:\n    x\n  y\n", "not valid Python 3: "),
    "neither Python 2 nor 3": ("a.py", METRIC.encode() + b"print 'f1' f1\n", "not valid Python 3: "),
    "an unfinished merge": ("a.py", METRIC.encode() + b"<<<<<<< HEAD\nx = 1\n", "not valid Python 3: "),
    "binary": ("a.py", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8, "not a text file"),
    "NUL bytes": ("a.py", METRIC.encode() + b"x = '\0'\n", "not a text file: it holds NUL bytes"),
    "undecodable": ("a.py", METRIC.encode() + b"name = '\xff\xfe'\n", "not UTF-8 text: byte 0xff"),
    "UTF-16": ("a.py", METRIC.encode("utf-16"), "not UTF-8 text: the file is in UTF-16"),
    "unknown encoding": ("a.py", b"# coding: klingon\n" + METRIC.encode(), "not readable text: the declared encoding"),
    "more than 5 MB": ("a.py", METRIC.encode() + b"#" * MAX_SOURCE, "it is too large: 5.0 MB, more than 5 MB"),
    "too many words": ("a.py", METRIC.encode() + b"a\n" * 250_000, "more than 350,000 words and signs"),
    "nested brackets": ("a.py", METRIC.encode() + b"x = " + b"(" * 5_000 + b")" * 5_000, "nested"),
    "nested sums": ("a.py", METRIC.encode() + b"x = 1" + b" + 1" * 20_000 + b"\n", "too deeply nested"),
    "nested attributes": ("a.py", METRIC.encode() + b"x" + b".f()" * 20_000 + b"\n", "too deeply nested"),
    "nested blocks": ("a.py", (METRIC + "".join(" " * i + "if 1:\n" for i in range(2_000))).encode(), "indentation"),
    "nested elifs": ("a.py", b"if f1_score:\n    1\n" + b"elif f1:\n    1\n" * 5_000, "too deeply nested"),
    "empty notebook": ("a.ipynb", b"", "not a notebook: the file is empty"),
    "broken JSON": ("a.ipynb", notebook(cells=[code_cell(METRIC)])[:-9], "not a notebook: its JSON is broken"),
    "nested JSON": ("a.ipynb", b'{"f1_score": ' + b"[" * 100_000, "not a notebook: its JSON is broken"),
    "JSON, no notebook": ("a.ipynb", b'{"f1_score": 0.5}', "not a notebook: the JSON holds no cells"),
    "a list": ("a.ipynb", b'["f1_score"]', "not a notebook: the JSON holds no cells"),
    "no cells": ("a.ipynb", notebook(cells=[]), "the notebook has no code cells"),
    "no code cells": ("a.ipynb", notebook(cells=[{"cell_type": "markdown", "source": "# F1"}]), "no code cells"),
    "undecodable notebook": ("a.ipynb", b'{"cells": ["\xff f1_score"]}', "not UTF-8 text: byte 0xff"),
    "a notebook in R": ("a.ipynb", notebook(cells=[], metadata={"kernelspec": {"name": "ir"}}), "language is R"),
    "a bad cell": ("a.ipynb", notebook(cells=[code_cell(METRIC), code_cell("for x in:")]), "in cell 2; what is valid"),
}  # fmt: skip
PARTLY_READ = {
    "Python 2": ("a.py", (METRIC + "print 'F1', f1_score(y, h)\n").encode(), "read as Python 2 and checked as such"),
    "Python 2 cell": ("a.ipynb", notebook(cells=[code_cell(METRIC + "print 'F1'\n")]), "in cell 1; read as Python 2"),
}
ALL_BAD = {**BAD, **PARTLY_READ}


def run(folder: Path, jobs: int = 1) -> Report:
    return check([folder], CheckOptions(RULES, jobs=jobs))


def messages_of(report: Report) -> dict[str, str]:
    """The error message of each file; every file has at most one."""
    messages = {Path(error.path).name: error.message for error in report.errors}
    assert len(messages) == len(report.errors)
    return messages


def names_of_findings(report: Report) -> list[str]:
    return [Path(finding.location.path).name for finding in report.findings]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good file, which holds a fault."""
    place = tmp_path / "project"
    place.mkdir()
    (place / "good.py").write_text(FAULTY)
    return place


def fill(folder: Path) -> int:
    """Write every bad file under a name of its own."""
    for number, (name, data, _) in enumerate(ALL_BAD.values()):
        (folder / f"bad{number}{Path(name).suffix}").write_bytes(data)
    return len(ALL_BAD)


@pytest.mark.parametrize("what", ALL_BAD)
def test_a_bad_file_is_one_entry(folder: Path, what: str) -> None:
    name, data, message = ALL_BAD[what]
    (folder / name).write_bytes(data)
    report = run(folder)
    assert messages_of(report).keys() == {name}
    assert message in report.errors[0].message
    assert "\n" not in report.errors[0].message
    assert "fault of cvlint" not in report.errors[0].message
    assert names_of_findings(report) == ["good.py"]
    assert report.files == 2


@pytest.mark.parametrize("what", ALL_BAD)
def test_a_bad_file_that_is_named_is_the_same_entry(folder: Path, what: str) -> None:
    name, data, _ = ALL_BAD[what]
    (folder / name).write_bytes(data)
    named = check([folder / name, folder / "good.py"], CheckOptions(RULES, jobs=1))
    assert named.errors == run(folder).errors
    assert names_of_findings(named) == ["good.py"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_of_them_together(folder: Path, jobs: int) -> None:
    count = fill(folder)
    report = run(folder, jobs)
    assert len(messages_of(report)) == count
    assert names_of_findings(report) == ["good.py"]
    assert list(report.errors) == sorted(report.errors, key=lambda error: error.path)


def test_the_command_prints_one_line_for_each(folder: Path, process: Process) -> None:
    count = fill(folder)
    result = process("check", cwd=folder)
    assert result.returncode == 1
    assert "good.py:2:7 error mean-of-fold-f" in result.stdout
    lines = result.stderr.splitlines()
    assert len([line for line in lines if "bad" in line]) == count
    assert "Traceback" not in result.stderr


def test_the_command_writes_them_as_json(folder: Path, process: Process) -> None:
    count = fill(folder)
    result = process("check", "--format", "json", cwd=folder)
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert len(report["errors"]) == count
    assert [finding["path"] for finding in report["findings"]] == ["good.py"]


@pytest.mark.parametrize("what", ["syntax error", "binary", "broken JSON", "nested sums", "Python 2"])
def test_a_bad_file_alone_is_reported_and_is_no_finding(tmp_path: Path, what: str, process: Process) -> None:
    name, data, message = ALL_BAD[what]
    (tmp_path / name).write_bytes(data)
    result = process("check", cwd=tmp_path)
    line, *more = result.stderr.splitlines()
    assert name in line
    assert message in line
    assert result.returncode == (0 if what == "Python 2" else 2)
    assert [one[:34] for one in more] == ([] if what == "Python 2" else ["cvlint: The check fails because a "])


def test_python_2_is_checked_all_the_same(folder: Path) -> None:
    (folder / "old.py").write_text(FAULTY.replace("print(", "print 'F1', ("))
    report = run(folder)
    assert names_of_findings(report) == ["good.py", "old.py"]
    assert list(messages_of(report)) == ["old.py"]


def test_the_other_cells_are_checked_all_the_same(folder: Path) -> None:
    (folder / "n.ipynb").write_bytes(notebook(cells=[code_cell("x = (\n"), code_cell(FAULTY)]))
    report = run(folder)
    assert names_of_findings(report) == ["good.py", "n.ipynb"]
    assert list(messages_of(report)) == ["n.ipynb"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(folder: Path) -> None:
    (folder / "locked.py").write_text(FAULTY)
    (folder / "locked.py").chmod(0)
    report = run(folder)
    assert messages_of(report) == {"locked.py": "cannot be read: Permission denied"}
    assert names_of_findings(report) == ["good.py"]


def test_a_file_whose_reading_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file without permission, but for root too."""
    (folder / "locked.py").write_text(FAULTY)
    opened = os.open

    def refusing(path: object, *options: object, **more: object) -> int:
        if str(path).endswith("locked.py"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *options, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refusing)
    report = run(folder)
    assert messages_of(report) == {"locked.py": "cannot be read: Permission denied"}
    assert names_of_findings(report) == ["good.py"]


def test_a_link_to_itself(folder: Path) -> None:
    (folder / "self.py").symlink_to("self.py")
    assert messages_of(run(folder)) == {}  # links that lead nowhere are passed over in folders, as other tools do
    report = check([folder / "self.py", folder / "good.py"], CheckOptions(RULES, jobs=1))
    assert list(messages_of(report)) == ["self.py"]
    assert names_of_findings(report) == ["good.py"]


def test_folders_that_hold_themselves(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to("..", target_is_directory=True)
    (folder / "one").symlink_to("two", target_is_directory=True)
    (folder / "two").symlink_to("one", target_is_directory=True)
    report = run(folder)
    assert messages_of(report) == {}
    assert names_of_findings(report) == ["good.py"]


def test_a_path_that_is_not_there(folder: Path, process: Process) -> None:
    result = process("check", "nowhere.py", "good.py", cwd=folder)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_modules_that_import_each_other(folder: Path) -> None:
    (folder / "a.py").write_text(
        "from b import two\nfrom a import one\nfold = f1 = one(two)\ndef one(x):\n    return x\n"
    )
    (folder / "b.py").write_text("from a import one\nimport b\ndef two(x):\n    return one(b.two(x)) + two(x)  # f1\n")
    report = run(folder)
    assert messages_of(report) == {}
    assert names_of_findings(report) == ["good.py"]


@pytest.mark.parametrize("what", ["syntax error", "binary", "more than 5 MB", "nested sums", "undecodable"])
def test_a_bad_module_of_the_project_costs_itself_only(folder: Path, what: str) -> None:
    _, data, _ = BAD[what]
    (folder / "helper.py").write_bytes(data)
    (folder / "good.py").write_text("import helper\nfrom helper import *\n" + FAULTY)
    report = run(folder)
    assert list(messages_of(report)) == ["helper.py"]
    assert names_of_findings(report) == ["good.py"]


SIDE_EFFECTS = {
    "at the top": "open('ran', 'w').close()\n",
    "in a decorator": "@open('ran', 'w').write\ndef f1(): pass\n",
    "in a default": "def f1(x=open('ran', 'w')): pass\n",
    "in a class": "class F1:\n    x = open('ran', 'w')\n",
    "in an f-string": 'f1 = f\'{open("ran", "w")}\'\n',
    "by eval": 'eval(\'open("ran", "w")\')\nexec(\'open("ran", "w")\')\n',
    "by a shell": "import os\nos.system('touch ran')\n",
    "in a fold": "for f1 in map(open, ['ran'], 'w'): pass\n",
}


@pytest.mark.parametrize("effect", SIDE_EFFECTS)
def test_nothing_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch, effect: str) -> None:
    monkeypatch.chdir(folder)
    (folder / "good.py").write_text(f"import side\nfrom side import effect\n{FAULTY}{SIDE_EFFECTS[effect]}")
    (folder / "side.py").write_text(f"import sys\nsys.f1_was_here = True\n{SIDE_EFFECTS[effect]}def effect(): pass\n")
    (folder / "conftest.py").write_text(SIDE_EFFECTS[effect])
    (folder / "sitecustomize.py").write_text(SIDE_EFFECTS[effect])
    (folder / "n.ipynb").write_bytes(notebook(cells=[code_cell(f"!touch ran\n%run side.py\n{SIDE_EFFECTS[effect]}")]))
    before, modules, path = sorted(folder.iterdir()), set(sys.modules), list(sys.path)
    report = run(folder)
    assert messages_of(report) == {}
    assert names_of_findings(report) == ["good.py"]
    assert sorted(folder.iterdir()) == before  # not "ran", and no __pycache__
    assert not hasattr(sys, "f1_was_here")
    assert "side" not in set(sys.modules) - modules
    assert sys.path == path


COMMAND = "import sys; sys.path.remove(''); from cvlint.cli import main; main(['check', '.'])"


@pytest.mark.parametrize("words", [["-c", COMMAND], ["-m", "cvlint", "check", "."]], ids=["command", "module"])
def test_the_command_runs_nothing(tmp_path: Path, environment: dict[str, str], words: list[str]) -> None:
    """Names of the standard library and of our own dependencies, beside the files that are checked."""
    names = ("train", "side", "click", "numpy", "json", "tomllib", "rich", "string", "pathspec")
    for name in names if "-m" in words else (*names, "cvlint"):  # Python itself looks for `-m cvlint` here first
        (tmp_path / f"{name}.py").write_text(f"open('ran', 'w')\nf1 = 1\n{FAULTY if name == 'train' else ''}")
    before = sorted(tmp_path.iterdir())
    result = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1, result.stderr
    assert "train.py:4:7 error mean-of-fold-f" in result.stdout
    assert sorted(tmp_path.iterdir()) == before


class TestFilesThatCannotHoldAFinding:
    """By their bytes; they are counted, and small ones are parsed for their errors all the same."""

    BROKEN = b"print(1\n"

    def test_small_ones_are_parsed(self, folder: Path) -> None:
        (folder / "a.py").write_bytes(self.BROKEN)
        report = run(folder)
        assert list(messages_of(report)) == ["a.py"]
        assert report.files == 2

    def test_as_long_as_that_takes_no_time(self, folder: Path) -> None:
        (folder / "a.py").write_bytes(b"#" * (PARSED_ANYWAY - len(self.BROKEN)) + b"\n")
        (folder / "b.py").write_bytes(self.BROKEN)
        report = run(folder)
        assert messages_of(report) == {}
        assert report.files == 3

    def test_large_ones_are_not(self, folder: Path) -> None:
        (folder / "a.py").write_bytes(b"#" * PARSED_ANYWAY + b"\n" + self.BROKEN)
        (folder / "b.py").write_bytes(self.BROKEN)
        assert list(messages_of(run(folder))) == ["b.py"]

    def test_those_that_are_named_are(self, folder: Path) -> None:
        (folder / "a.py").write_bytes(b"#" * PARSED_ANYWAY + b"\n" + self.BROKEN)
        assert list(messages_of(check([folder / "a.py"], CheckOptions(RULES)))) == ["a.py"]

    @pytest.mark.parametrize("data", [b"\0" * PARSED_ANYWAY * 2, b"#" * (MAX_SOURCE + 1)], ids=["NUL", "too large"])
    def test_files_that_are_no_text_are_reported(self, folder: Path, data: bytes) -> None:
        (folder / "a.py").write_bytes(data)
        assert list(messages_of(run(folder))) == ["a.py"]


@pytest.mark.parametrize("write", [lambda p: p.mkdir(), lambda p: os.mkfifo(p)], ids=["a folder", "a pipe"])
def test_what_is_no_file_but_is_named_like_one(folder: Path, write: Callable[[Path], None]) -> None:
    write(folder / "a.py")
    report = run(folder)
    assert messages_of(report) == {}
    assert names_of_findings(report) == ["good.py"]
