"""Test the replacements of confirmed fixes: applying them gives the file that the fixer writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from cvlint.findings.finding import Finding
from cvlint.fixes.editing.edits import Replacement
from cvlint.fixes.fixer import Fixer
from cvlint.source.module import read_bytes
from tests.fixes.conftest import USUAL, found

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
TEXTBOOK = FIXTURES / "mean-of-fold-f" / "faulty_list_append_np_mean.py"
LINE_END = re.compile(r"\r\n?|\n")


def replaced(text: str, replacements: Sequence[Replacement]) -> str:
    """Apply replacements to a text by lines and columns only."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    for one in sorted(replacements, key=lambda one: one.location, reverse=True):
        place = one.location
        start, end = starts[place.line - 1] + place.column - 1, starts[place.end_line - 1] + place.end_column - 1
        text = text[:start] + one.text + text[end:]
    return text


def some() -> list[Path]:
    folders = ["mean-of-fold-f", "auc-merge", "auc-hard-labels", "unstratified-folds", "unguarded-f"]
    chosen = [path for folder in folders for path in sorted((FIXTURES / folder).glob("faulty_*.*"))[:6]]
    return [*chosen, TEXTBOOK, FIXTURES / "mean-of-fold-f" / "faulty_cells.ipynb"]


def same_as_fixed(data: bytes, path: Path) -> int:
    """Compare the replacements of each finding with the fixer's result; return their number."""
    confirmed = list(Fixer(USUAL, unsafe=True).confirmed(data, path, str(path), found(data, str(path))))
    seen: set[Finding] = set()
    for finding, fix in confirmed:  # the second of a finding is the safe one
        after = Fixer(USUAL, unsafe=finding not in seen).fix(data, path, str(path), [finding])
        seen.add(finding)
        assert after.count == 1
        assert replaced(data.decode(), fix.in_file) == after.data.decode()
        assert inside_cells(data, path, fix.in_code) == code_of(after.data, path)
    return len(confirmed)


def test_replacements_give_what_the_fixer_writes() -> None:
    assert sum(same_as_fixed(path.read_bytes(), path) for path in some()) >= 8


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"])
def test_other_line_ends(newline: bytes) -> None:
    assert same_as_fixed(TEXTBOOK.read_bytes().replace(b"\n", newline), TEXTBOOK) == 1


def code_of(data: bytes, path: Path) -> str:
    source = read_bytes(data, path, str(path)).source
    assert source is not None
    return "\n".join(source.original)


def inside_cells(data: bytes, path: Path, replacements: Sequence[Replacement]) -> str:
    """The code of a file after replacements in its cells, or in the whole file."""
    source = read_bytes(data, path, str(path)).source
    assert source is not None
    if source.cells is None:
        return replaced("\n".join(source.original), replacements)
    texts = []
    for number, cell in enumerate(source.cells, 1):
        text = "\n".join(source.original_lines(cell))
        texts.append(replaced(text, [one for one in replacements if one.location.cell == number]))
    return "\n".join(texts)


def test_only_safe_fixes_without_unsafe() -> None:
    data, name = TEXTBOOK.read_bytes(), str(TEXTBOOK)
    assert [*Fixer(USUAL, unsafe=False).confirmed(data, TEXTBOOK, name, found(data, name))] == []
