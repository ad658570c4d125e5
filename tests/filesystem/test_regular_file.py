"""What is read whole: regular files of a sane size. Pipes, devices and endless files are refused at once."""

from __future__ import annotations

import os
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from cvlint.cli.commands.fold_data.report import own_target
from cvlint.cli.init.repository import holds_cvlint, look
from cvlint.filesystem import regular_file
from cvlint.filesystem.regular_file import MOST_RESULTS, MOST_SETTINGS, RefusedFileError, read_regular_file
from cvlint.findings.finding import Report
from cvlint.knowledge.schema import KnowledgeError, read_project_file
from cvlint.recording.script import script
from cvlint.rules.catalogue import RuleError, load_rules, read_rule
from cvlint.runtime.data.reading import read as read_folds
from cvlint.runtime.errors import FoldDataError
from cvlint.source.file_bytes import MAX_NOTEBOOK
from cvlint.source.module import read_bytes, read_file
from cvlint.source.notebooks.code_cells import MAX_VALUES, code_cells
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.baseline_file import read_baseline
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.settings.config import ConfigError
from cvlint.workspace.settings.config_file import read_config_file
from cvlint.workspace.steps.analyse import check


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(MAX_NOTEBOOK + 1)


def folder(path: Path) -> None:
    path.mkdir()


KINDS = (pipe, link_to_a_device, huge, folder)
READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "config": ("cvlint.toml", read_config_file),
    "project": ("pyproject.toml", read_config_file),
    "baseline": ("baseline.json", read_baseline),
    "rule": ("CVL900.toml", read_rule),
    "knowledge": ("own.toml", lambda path: read_project_file(path, frozenset(), {})),
}


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_refuses_what_is_no_file_or_is_huge(
    reader: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    name, read = READERS[reader]
    make(tmp_path / name)
    with pytest.raises((ConfigError, UsageError, RuleError, KnowledgeError)) as caught:
        read(tmp_path / name)
    assert re.search("not a regular file|not a file|too large", str(caught.value))


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_code_is_refused_in_a_sentence(name: str, make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / name)
    problem = read_file(tmp_path / name, name).problem
    assert problem is not None
    assert re.fullmatch(
        r"cannot be read: it is (not a regular file|too large: 100.0 MB, more than (5|100) MB)", problem.message
    )


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("name", [".gitignore", ".git/info/exclude"])
def test_patterns_that_are_no_file_are_passed_over(name: str, make: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    make(tmp_path / name)
    (tmp_path / "a.py").write_text("import f1_score\n")
    rules = frozenset(rule.name for rule in load_rules())
    assert check([tmp_path], CheckOptions(rules, jobs=1)) == Report((), (), 1)


def test_a_file_that_grows_while_it_is_read_is_refused() -> None:
    """The size of a file in /proc is told as 0."""
    with pytest.raises(RefusedFileError, match="too large"):
        read_regular_file("/proc/self/maps", 100)


def test_a_file_that_has_nothing_to_read_yet_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as `/proc/kmsg`, which calls itself a regular file; a pipe stands for it here."""
    path = tmp_path / "a.py"
    pipe(path)
    writer = os.open(path, os.O_RDWR)
    monkeypatch.setattr(regular_file.stat, "S_ISREG", lambda _: True)
    with pytest.raises(RefusedFileError, match="not a regular file"):
        read_regular_file(path, 100)
    os.close(writer)


def test_a_file_of_the_greatest_size_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * MOST_SETTINGS)
    assert len(read_regular_file(tmp_path / "a", MOST_SETTINGS)) == MOST_SETTINGS


def test_an_integer_of_a_million_digits_is_valid_json() -> None:
    data = b'{"cells": [{"cell_type": "code", "source": "x = 1"}], "metadata": {"a": ' + b"1" * 10**6 + b"}}"
    assert code_cells(data) == ["x = 1"]


@pytest.mark.parametrize("value", [b"[],", b'"",', b'{"a":1},', b"1,"])
def test_a_notebook_of_very_many_values_is_refused(value: bytes) -> None:
    data = b'{"cells": [], "metadata": [' + value * (2 * MAX_VALUES) + b"0]}"
    problem = read_bytes(data, Path("a.ipynb"), "a.ipynb").problem
    assert problem is not None
    assert "more than 1,000,000 values" in problem.message


def test_a_notebook_with_a_large_plot_is_read() -> None:
    plot = b'"' + b'iVBOR\\n\\"[,{:' * 500_000 + b'"'
    data = b'{"cells": [{"cell_type": "code", "source": "x = 1", "outputs": [' + plot + b"]}]}"
    assert code_cells(data) == ["x = 1"]


@pytest.mark.parametrize("make", [pipe, link_to_a_device, folder])
@pytest.mark.parametrize("name", ["folds.csv", "folds.parquet", "folds.npz"])
def test_fold_data_are_no_pipe_and_no_device(name: str, make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / name)
    with pytest.raises(FoldDataError, match="cannot be read: it is not a regular file"):
        read_folds(tmp_path / name)


@pytest.mark.parametrize("make", [pipe, link_to_a_device, huge])
def test_settings_of_others_that_are_no_file_do_not_stop_an_init(make: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    make(tmp_path / ".git" / "config")
    make(tmp_path / ".pre-commit-config.yaml")
    assert look(tmp_path).service is None
    assert not holds_cvlint(tmp_path / ".pre-commit-config.yaml")


def test_a_pipe_is_no_report_to_replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("folds-report.html")
    with pytest.raises(UsageError, match="exists and is no report of cvlint"):
        own_target("folds.csv")


def test_a_device_without_an_end_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_file, "MOST_RESULTS", 1_000)
    link_to_a_device(tmp_path / "a.py")
    with pytest.raises(UsageError, match="cannot be run: it is too large"):
        script(str(tmp_path / "a.py"), ())


def test_a_small_file_does_not_take_the_memory_of_the_largest(tmp_path: Path) -> None:
    """A buffer of the limit's size was asked for, and the memory of each one stayed with the process."""
    small = tmp_path / "small.py"
    small.write_bytes(b"x = 1\n")
    tracemalloc.start()
    try:
        assert read_regular_file(small, MOST_RESULTS) == b"x = 1\n"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST_RESULTS / 10
