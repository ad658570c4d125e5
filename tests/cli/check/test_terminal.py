"""What a terminal of 80 columns shows, on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FAULTY

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals of this kind")

STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\]8;[^\x1b]*\x1b\\")
ROOT = Path(__file__).parents[3]


def shown(environment: dict[str, str], folder: Path, columns: int, *arguments: str, errors: bool = False) -> str:
    """What the command writes to a terminal, without colours and links; ``errors``: only what it says there besides."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {k: v for k, v in environment.items() if k not in ("COLUMNS", "NO_COLOR")} | {"TERM": "xterm-256color"}
    command = [sys.executable, "-m", "cvlint", *arguments]
    streams = (
        {"stdout": subprocess.DEVNULL, "stderr": theirs} if errors else {"stdout": theirs, "stderr": subprocess.DEVNULL}
    )
    process = subprocess.Popen(command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, **streams)
    os.close(theirs)
    written = b""
    try:
        while piece := os.read(ours, 1 << 16):
            written += piece
    except OSError:  # Linux says so at the end
        pass
    finally:
        os.close(ours)
        process.wait(timeout=60)
    return STYLES.sub("", written.decode()).replace("\r\n", "\n")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[\w'-]{2,}", text))


def test_fifty_findings(environment: dict[str, str], tmp_path: Path) -> None:
    experiment = (ROOT / "fixtures" / "experiments" / "imbalanced_f1.py").read_text(encoding="utf-8")
    assert "scores" in experiment
    for number in range(25):
        folder = tmp_path / f"experiment-{number % 4}-with-a-long-name-that-says-what-it-is-about" / "scripts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"train_and_evaluate_model_number_{number}.py").write_text(experiment.replace("scores", f"s{number}"))
    lines = shown(environment, tmp_path, 80, "check").splitlines()
    assert lines[0] == "50 faults, by rule:"
    assert len(lines) < 300
    assert max(map(len, lines)) <= 80
    assert sum("error mean-of-fold-f" in line for line in lines) == 25
    assert " ".join(lines[-3:]).endswith("`cvlint init` accepts what is there.")


def test_fifty_findings_in_files_with_long_paths(environment: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "experiments-of-the-second-study" / "baselines-and-ablations"
    folder.mkdir(parents=True)
    for number in range(50):  # one in each file, on a line that leaves no room for the steps
        model = f"model_{number}"
        text = f"""from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
features_{number} = StandardScaler().fit_transform(features_of_the_{model}_{number})
train, test = train_test_split(features_{number}, test_size=0.25)
{model}.fit(train)
print({model}.score(test))
"""
        (folder / f"preprocess_and_train_and_evaluate_{model}.py").write_text(text)
    lines = shown(environment, tmp_path, 80, "check").splitlines()
    assert lines[0] == "50 faults, by rule:"
    assert len(lines) < 300
    assert max(map(len, lines)) <= 80
    assert sum("line 4: split" in line for line in lines) == 50


@pytest.mark.parametrize("columns", [40, 80])
def test_no_word_is_broken(environment: dict[str, str], tmp_path: Path, columns: int) -> None:
    (tmp_path / "train.py").write_text(FAULTY)
    wide = shown(environment, tmp_path, 400, "check")
    narrow = shown(environment, tmp_path, columns, "check")
    assert max(map(len, narrow.splitlines())) <= columns
    source_rows = re.compile(r"^ *\d+ \|.*$", re.MULTILINE)
    assert words_of(source_rows.sub("", narrow)) == words_of(source_rows.sub("", wide))


def test_errors_fit_and_no_word_is_cut(environment: dict[str, str], tmp_path: Path) -> None:
    name = f"{'long_' * 20}name.py"
    said = shown(environment, tmp_path, 80, "check", "--select", "CVL9", errors=True)
    assert said.count("\n") == 2 and max(map(len, said.splitlines())) <= 80
    assert " ".join(said.split()).endswith("CVL4, CVL5 (`cvlint rules` lists them).")
    assert f"'{name}';\n" in shown(environment, tmp_path, 80, "check", name, errors=True)


@pytest.mark.parametrize("arguments", [("rules",), ("rule", "auc-merge"), ("check", "--help"), ("check", "-v")])
def test_other_pages_fit(environment: dict[str, str], tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "train.py").write_text(FAULTY)
    lines = shown(environment, tmp_path, 80, *arguments).splitlines()
    assert len(lines) > 10
    assert max(map(len, lines)) <= 80
