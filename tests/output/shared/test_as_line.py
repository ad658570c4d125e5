"""Whatever came from outside commands neither a terminal nor a CI system, in no format that people and CI read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main
from cvlint.output.shared.locations import as_line, printable
from tests.conftest import FAULTY

HOSTILE = ("::warning::x.py", "##[error]x.py", "##vso[task.setvariable]x.py", "\x1b[31m::error::x.py", " ::debug::x.py")
COMMANDS = ("::warning", "::error", "::debug", "##[", "##vso[", "\x1b")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", ["text", "concise", "markdown", "json", "jsonl", "gitlab", "junit", "sarif"])
def test_the_name_of_a_file_commands_nothing(
    form: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(FAULTY.replace("scores = []", f"scores = []  # {name}"))
    Path(f"{name[:-3]}2.py").write_text("f1_score = (\n")
    said = CliRunner().invoke(main, ["check", "--format", form, name, f"{name[:-3]}2.py"])
    lines = (said.stdout + said.stderr).splitlines()
    assert said.exit_code == 1
    assert lines
    assert [line for line in lines if line.strip().startswith(COMMANDS)] == []
    assert [line for line in lines if "##[" in line or "##vso[" in line] == []
    if form in ("text", "concise"):
        assert [line for line in lines if "\x1b" in line] == []
    if form == "json":
        assert {finding["path"] for finding in json.loads(said.stdout)["findings"]} == {name}


def test_the_path_of_a_file_stays_a_path_of_it() -> None:
    assert as_line("::warning::x.py") == "./::warning::x.py"
    assert as_line("a/b.py") == "a/b.py"


@pytest.mark.parametrize("text", ["## heading", "a ##b", "C:: x", "[##]"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert as_line(printable(text)) == text
