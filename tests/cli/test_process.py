"""The command as a process: the real engine, streams, terminals and start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cvlint.cli import entry
from tests.conftest import ROOT


def test_check_finds_the_fault(process: Any, faulty: Path) -> None:
    result = process("check", "train.py")
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.startswith("train.py:9:7 error mean-of-fold-f (CVL101)\n")
    assert "    9 | print(np.mean(scores))\n      |       ^^^^^^^^^^^^^^^ (line 6: " in result.stdout
    assert "\n    help: " in result.stdout
    assert "\nFound 1 error in 1 file.\nNext: " in result.stdout


def test_formats_agree(process: Any, faulty: Path) -> None:
    (finding,) = json.loads(process("check", "--format", "json").stdout)["findings"]
    assert (finding["rule"], finding["line"], finding["column"]) == ("mean-of-fold-f", 9, 7)
    assert process("check", "--format", "concise").stdout.startswith("train.py:9:7: CVL101 mean-of-fold-f (error): ")


def test_standard_input_has_excerpts(process: Any, faulty: Path) -> None:
    source = faulty.read_text()
    faulty.unlink()
    result = process("check", "-", "--stdin-filename", "notes.py", input=source)
    assert result.returncode == 1
    assert result.stdout.startswith("notes.py:9:7 error mean-of-fold-f")
    assert "    9 | print(np.mean(scores))\n" in result.stdout
    assert process("check", "-", input=source).stdout.startswith("<stdin>:9:7 error mean-of-fold-f")


def test_notebook_excerpts_come_from_the_cell(process: Any, faulty: Path, tmp_path: Path) -> None:
    first, second = faulty.read_text().split("\n\n")
    cells = [
        {"cell_type": "code", "source": first},
        {"cell_type": "markdown", "source": "# Folds"},
        {"cell_type": "code", "source": second},
    ]
    (tmp_path / "n.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    result = process("check", "n.ipynb")
    assert result.stdout.startswith("n.ipynb:cell 2:5:7 error mean-of-fold-f")
    assert "    5 | print(np.mean(scores))\n" in result.stdout


def test_the_shipped_experiment(process: Any) -> None:
    folder = ROOT / "fixtures" / "experiments"
    expected = {
        (path.name, number, line.partition("# expect: ")[2].strip())
        for path in folder.glob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if "# expect: " in line
    }
    result = process("check", "--format", "json", str(folder))
    found = {(Path(f["path"]).name, f["line"], f["rule"]) for f in json.loads(result.stdout)["findings"]}
    assert found == expected
    assert len(expected) >= 2


def test_a_reader_that_leaves_is_no_error(tmp_path: Path, faulty: Path, environment: dict[str, str]) -> None:
    for number in range(300):
        (tmp_path / f"copy{number}.py").write_text(faulty.read_text())
    command = [sys.executable, "-m", "cvlint", "check"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


@pytest.mark.skipif(os.name == "nt", reason="there is a root for each drive")
def test_in_the_root_of_the_file_system(environment: dict[str, str]) -> None:
    """As in a container: no module that Python itself holds is taken for one that lies there."""
    command = [sys.executable, "-m", "cvlint", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, cwd="/", env=environment, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_an_encoding_that_lacks_the_characters(process: Any, tmp_path: Path, faulty: Path) -> None:
    faulty.write_text(faulty.read_text().replace("print(", "print('Prüfung', "), encoding="utf-8")
    result = process("check", env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 1
    assert "Pr\\xfcfung" in result.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported(process: Any, faulty: Path) -> None:
    with open("/dev/full", "w") as full:
        result = process("check", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert result.returncode == 2
    assert result.stderr.startswith("cvlint: Standard output cannot be written")
    assert result.stderr.count("\n") == 1


def on_a_terminal(arguments: list[str], folder: Path, environment: dict[str, str]) -> str:
    pty = pytest.importorskip("pty")
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cvlint", *arguments],
        stdout=terminal,
        stderr=terminal,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not piece:
            break
        shown += piece
    os.close(main)
    process.wait(60)
    return shown.decode().replace("\r\n", "\n")


def test_colours_on_a_terminal_only(process: Any, faulty: Path, tmp_path: Path) -> None:
    plain = process("check").stdout
    assert "\x1b" not in plain
    coloured = on_a_terminal(["check"], tmp_path, {})
    assert "\x1b[" in coloured
    for setting in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_a_terminal(["check"], tmp_path, setting).split() == plain.split()  # a terminal has shorter lines
    assert "\x1b" in on_a_terminal(["rule", "CVL101"], tmp_path, {})
    assert "\x1b" not in on_a_terminal(["rule", "CVL101"], tmp_path, {"NO_COLOR": "1"})


HEAVY = ("rich", "libcst", "numpy", "pathspec", "asyncio", "multiprocessing", "difflib")


@pytest.mark.parametrize("form", ["{}.py", "{}/__init__.py"])
def test_modules_of_a_stranger_are_not_used(process: Any, faulty: Path, tmp_path: Path, form: str) -> None:
    """``python -m`` adds the folder to the search path, and imports ``warnings`` before cvlint can change that."""
    for name in ("warnings", "json", "ast", "click", "platformdirs"):
        module = tmp_path / form.format(name)
        module.parent.mkdir(exist_ok=True)
        module.write_text("" if name == "warnings" else "raise SystemExit(9)")
    result = process("check", "train.py")
    assert (result.returncode, result.stderr) == (1, "")


def test_starting_up_is_light(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "plot.py").write_text("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n")
    code = (
        "import sys\nfrom cvlint.cli import main\n"
        "try: main(['check'])\nexcept SystemExit: pass\n"
        f"print(sorted(name for name in {HEAVY!r} if name in sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


def test_python_does_not_search_for_cycles_when_a_check_ends(faulty: Path, environment: dict[str, str]) -> None:
    """The search through all that a check of a large folder has kept took as long as a tenth of the check."""
    code = (
        "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count() > 0)); "
        "sys.argv = ['cvlint', 'check', 'train.py']; from cvlint.cli.entry import run; run()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=faulty.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout.splitlines()[-1]) == (1, "True")


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_interrupt_while_modules_are_loaded_is_no_traceback(monkeypatch: pytest.MonkeyPatch, wrapped: bool) -> None:
    """Python makes a RuntimeError of what is raised while it defines a class."""

    def interrupted(words: object) -> None:
        if not wrapped:
            raise KeyboardInterrupt
        raise RuntimeError("while defining") from KeyboardInterrupt()

    monkeypatch.setattr(entry, "_plain_check", interrupted)
    with pytest.raises(SystemExit) as ended:
        entry.run()
    assert ended.value.code == 130


def test_a_fault_while_modules_are_loaded_is_none_of_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(words: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(entry, "_plain_check", faulty)
    with pytest.raises(RuntimeError, match="a fault"):
        entry.run()
