"""Findings stay where a program is changed and still computes the same.

Names may lower or raise the confidence of a finding; they should not decide it. `lost.txt` names the findings that are
lost today by each change. The list may only change with the analysis: a finding that stays again must leave it, and no
other may join it without being written down. Where the name is the fault (``wrong-f-definition``: what is *called* F),
its finding goes with the name.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions
from tests.metamorphic.changes import in_a_function, in_cells, reformatted, renamed, with_dead_code

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOST = Path(__file__).parent / "lost.txt"
CHANGES: dict[str, Callable[[str], str]] = {
    "renamed": renamed,
    "reformatted": reformatted,
    "with dead code": with_dead_code,
    "in a function": in_a_function,
    "in cells": in_cells,
}
STAY = {"renamed": 0.89}  # at least so large a share of findings stays


def read(path: Path) -> str | None:
    """A fixture that Python can read; None for others."""
    text = path.read_text(encoding="utf-8")
    try:
        compile(text, path.name, "exec")
    except SyntaxError:
        return None
    return text


def rules_in(text: str, name: str) -> Counter[str]:
    """The rules of the findings in a program, as often as they are found."""
    options = CheckOptions(frozenset(rule.name for rule in load_rules()))
    return Counter(one.rule for one in check_bytes(text.encode(), Path(name), name, options).findings)


@functools.cache
def findings_of(path: Path) -> Counter[str]:
    """The rules of the findings in a fixture as it is."""
    return rules_in(path.read_text(encoding="utf-8"), "program.py")


def lost_by(change: str) -> tuple[list[str], int]:
    """The findings that a change loses, each with its fixture, and how many there were."""
    lost, total = [], 0
    for path in sorted(FIXTURES.glob("*/faulty_*.py")):
        text = read(path)
        if text is None:
            continue
        name = "program.ipynb" if change == "in cells" else "program.py"
        before, after = findings_of(path), rules_in(CHANGES[change](text), name)
        total += before.total()
        lost += [f"{change}: {path.parent.name}/{path.name}: {rule}" for rule in (before - after).elements()]
    return lost, total


@pytest.mark.parametrize("change", CHANGES)
def test_findings_stay(change: str) -> None:
    known = Counter(line for line in LOST.read_text(encoding="utf-8").splitlines() if line.startswith(f"{change}: "))
    found, total = lost_by(change)
    lost = Counter(found)
    assert not lost - known, "these findings are lost by the change"
    assert not known - lost, "these findings stay again: take them out of lost.txt"
    assert total - lost.total() >= STAY.get(change, 0.95) * total
