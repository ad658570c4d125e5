"""The same program has the same findings, however its files are ordered, encoded or spread over processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cvlint.findings.finding import Report
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.steps.analyse import check
from tests.conftest import ROOT, environment_without
from tests.fuzz.trial import OPTIONS

FIXTURES = ROOT / "fixtures"
SCRIPTS = sorted(FIXTURES.glob("*/faulty_*.py"))[::60]


def variants(text: str) -> dict[str, bytes]:
    """The same program in other bytes; none of them moves a character to another line or column."""
    text = "# é\n" + text
    padded = [line + "  " if line and '"""' not in text else line for line in text.split("\n")]
    latin = ("# é coding: latin-1" + text[3:]).encode("latin-1", "replace")
    return {
        "as it is": text.encode(),
        "CRLF": text.replace("\n", "\r\n").encode(),
        "CR": text.replace("\n", "\r").encode(),
        "BOM": b"\xef\xbb\xbf" + text.encode(),
        "no last line end": text.rstrip("\n").encode(),
        "spaces at line ends": "\n".join(padded).encode(),
        "Latin-1": latin if text[3:].isascii() else text.encode(),
    }


def places(data: bytes) -> list[tuple[object, ...]]:
    result = check_bytes(data, Path("/nowhere/a.py"), "a.py", OPTIONS)
    return [(one.rule, one.location.line, one.location.column, one.confidence, one.message) for one in result.findings]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_line_ends_encoding_and_a_bom_change_nothing(path: Path) -> None:
    found = {name: places(data) for name, data in variants(path.read_text(encoding="utf-8")).items()}
    assert found["as it is"]
    assert {name: one for name, one in found.items() if one != found["as it is"]} == {}


def found(paths: list[Path], jobs: int) -> Report:
    return check(paths, replace(OPTIONS, jobs=jobs))


def test_neither_the_order_of_files_nor_the_number_of_processes_matters() -> None:
    expected = found(SCRIPTS, 1)
    assert expected.findings
    assert found(SCRIPTS[::-1], 1) == expected
    assert found(SCRIPTS[3:] + SCRIPTS[:3], 3) == expected


def test_the_seed_of_hashes_does_not_matter(tmp_path: Path) -> None:
    outputs = set()
    for seed in ("0", "1"):
        command = [sys.executable, "-m", "cvlint", "check", "--format", "json", "--jobs", "1", *map(str, SCRIPTS[:4])]
        where = environment_without(PYTHONPATH=str(ROOT), PYTHONHASHSEED=seed)
        result = subprocess.run(command, env=where, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert json.loads(result.stdout)["findings"]
        outputs.add(result.stdout.replace(os.getcwd(), ""))
    assert len(outputs) == 1
