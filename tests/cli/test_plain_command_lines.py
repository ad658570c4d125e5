"""A command line that is read without click means what it means to click; click reads all that is unusual."""

from __future__ import annotations

import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cvlint.cli import entry
from cvlint.cli.commands.code.check import command
from cvlint.cli.options.check_arguments import CHECK_OPTIONS
from cvlint.cli.options.option import plain_values
from cvlint.usage_error import UsageError

NAMES = [name for option in CHECK_OPTIONS for name in option.names]
VALUES = ["f.py", "-", "", "a=b", "full", "json", "auto", "never", "note", "high", "3", "-1", "²", "9999999999", "CVL1"]
words = st.one_of(
    st.sampled_from([*NAMES, *VALUES, "--", "-vq", "-ofile", "-o=x", "--help", "-h", "--no-such", "--verb"]),
    st.builds("{}={}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
)
valued = st.builds(
    lambda option, value: [option.names[-1], value],
    st.sampled_from([option for option in CHECK_OPTIONS if option.kind != "flag"]),
    st.sampled_from(VALUES),
)


def values_of_click(line: list[str]) -> dict[str, Any] | None:
    """The values that click gives to the command; None if it shows help or refuses the words."""
    try:
        return command.make_context("check", list(line)).params
    except (click.ClickException, click.exceptions.Exit, UsageError):
        return None


@settings(max_examples=150)
@given(st.lists(st.one_of(words.map(lambda word: [word]), valued), max_size=5).map(chain.from_iterable).map(list))
@example(["a.py", "--select", "CVL1", "--select=F", "--jobs", "3", "-q", "-o", "out.txt", "--", "-x"])
def test_they_mean_the_same(line: list[str]) -> None:
    plain = plain_values(line, CHECK_OPTIONS)
    if plain is not None:
        assert plain == values_of_click(line)


@pytest.mark.parametrize("option", CHECK_OPTIONS, ids=lambda option: option.field)
def test_each_option_is_read_without_click(option: Any) -> None:
    value = option.choices[0] if option.choices else "3"
    for name in option.names:
        line = [name] if option.kind == "flag" else [name, value]
        assert plain_values([*line, "a.py"], CHECK_OPTIONS) == values_of_click([*line, "a.py"]) is not None


@pytest.mark.parametrize(
    "line",
    [
        ["check", "--help"],
        ["check", "--formt", "json"],
        ["check", "--jobs", "x"],
        ["check", "--since"],
        ["rules"],
        [],
    ],
)
def test_click_reads_the_others(line: list[str]) -> None:
    assert entry._plain_check(line) is None


def test_click_completes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert entry._plain_check(["check", "a.py"]) is not None
    monkeypatch.setenv("_CVLINT_COMPLETE", "bash_complete")
    assert entry._plain_check(["check", "a.py"]) is None


LATE = ("click", "rich", "inspect", "dataclasses", "shutil", "tomllib", "platformdirs", "traceback", "tempfile") + (
    ("ast",) if sys.version_info < (3, 14) else ()  # since then typing.NamedTuple loads it for annotations in quotes
)
"""Modules of which a check of files without findings needs none, once its results are kept."""


def test_a_check_loads_only_what_it_uses(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "small.py").write_text("import os\nprint(os.getcwd())\n")
    code = (
        "import sys\nfrom cvlint.cli.entry import run\nsys.argv = ['cvlint', 'check', 'small.py']\n"
        f"try: run()\nexcept SystemExit as end: print(end.code, [one for one in {LATE!r} if one in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    for _ in range(2):
        shown = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout
    assert shown == "No faults found in 1 file.\n0 []\n"
