"""Each fixture shows exactly the faults of its own rule that its comments name; see fixtures/README.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RULES = frozenset(rule.name for rule in load_rules())
ON_BY_DEFAULT = frozenset(rule.name for rule in load_rules() if rule.enabled)
MARK = re.compile(r"#\s*(expect|never|known-miss|known-false-alarm):\s*([\w, -]+)")
README_ROW = re.compile(r"\| ([\w-]+) \| `(known_\w+)\.py` \|")
SUFFIXES = (".py", ".ipynb")


class Place(NamedTuple):
    """A line of a fixture, and a rule that reports there; ``cell`` is the number of a notebook's code cell."""

    file: str
    cell: int | None
    line: int
    rule: str


def cases() -> list[Path]:
    """Single files, and folders that are one project; those of the papers have tests of their own."""
    folders = sorted(f for f in FIXTURES.iterdir() if f.name in RULES | {"experiments"})
    return [p for f in folders for p in sorted(f.iterdir()) if p.suffix in SUFFIXES or (p.is_dir() and files(p))]


def files(case: Path) -> list[Path]:
    return [case] if case.is_file() else sorted(p for p in case.rglob("*") if p.suffix in SUFFIXES)


def lines(path: Path) -> Iterator[tuple[int | None, int, str]]:
    """The lines of a file with cell and number, as findings count them."""
    if path.suffix == ".py":
        yield from ((None, i, line) for i, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1))
        return
    notebook = json.loads(path.read_text(encoding="utf-8"))
    sheets = notebook.get("worksheets") or [notebook]
    cells = [c for sheet in sheets for c in sheet["cells"] if c["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        source = cell["source"] if "source" in cell else cell["input"]
        text = source if isinstance(source, str) else "".join(source)
        yield from ((number, i, line) for i, line in enumerate(text.split("\n"), 1))


@cache
def marked(case: Path, *marks: str) -> frozenset[Place]:
    """The places that comments of a case mark, ``# expect: rule`` for example."""
    return frozenset(
        Place(path.name, cell, number, name.strip())
        for path in files(case)
        for cell, number, line in lines(path)
        for mark, names in MARK.findall(line)
        if mark in marks
        for name in names.split(",")
    )


@cache
def reported(case: Path) -> frozenset[Place]:
    """The findings of the rules that are on by default, of the case's own rule, and of all rules that it names."""
    named = {place.rule for place in marked(case, "expect", "never", "known-miss", "known-false-alarm")}
    report = check([case], CheckOptions(rules=ON_BY_DEFAULT | named | ({case.parent.name} & RULES), jobs=1))
    assert not report.errors
    return frozenset(
        Place(Path(f.location.path).name, f.location.cell, f.location.line, f.rule) for f in report.findings
    )


def cases_named(prefix: str) -> list[Path]:
    return [case for case in cases() if case.name.startswith(prefix)]


def case_id(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


@pytest.mark.parametrize("case", cases(), ids=case_id)
def test_fixture(case: Path) -> None:
    own = {case.parent.name} if case.parent.name in RULES else RULES
    expected = marked(case, "expect", "known-false-alarm")
    assert {place for place in reported(case) if place.rule in own} == {
        place for place in expected if place.rule in own
    }
    assert expected <= reported(case)
    never = {place.rule for place in marked(case, "never")}
    assert {place for place in reported(case) if place.rule in never} == set()


@pytest.mark.parametrize("case", cases_named("known_miss"), ids=case_id)
def test_known_misses_are_still_missed(case: Path) -> None:
    """A miss that is found now has become a faulty fixture: rename the file and take it out of the README."""
    missed = marked(case, "known-miss")
    assert case.parent.name in {place.rule for place in missed}
    assert missed & reported(case) == frozenset()


@pytest.mark.parametrize("case", cases_named("known_false_alarm"), ids=case_id)
def test_known_false_alarms_are_still_raised(case: Path) -> None:
    """A false alarm that is gone has become a silent fixture: rename the file and take it out of the README."""
    alarms = marked(case, "known-false-alarm")
    assert case.parent.name in {place.rule for place in alarms}
    assert alarms <= reported(case)


def test_the_readme_lists_the_known_misses_and_false_alarms() -> None:
    rows = README_ROW.findall((FIXTURES / "README.md").read_text(encoding="utf-8"))
    assert sorted(rows) == sorted((case.parent.name, case.stem) for case in cases_named("known_"))


@pytest.mark.parametrize("case", cases(), ids=case_id)
def test_names_of_fixtures_and_marks(case: Path) -> None:
    expected = {place.rule for place in marked(case, "expect")}
    assert {place.rule for place in marked(case, "expect", "never", "known-miss", "known-false-alarm")} <= RULES
    if case.parent.name in RULES:
        assert case.name.startswith(("faulty_", "silent_", "known_miss_", "known_false_alarm_"))
        assert not case.name.startswith("faulty_") or case.parent.name in expected
        assert not case.name.startswith("silent_") or case.parent.name not in expected


@pytest.mark.parametrize("rule", sorted(RULES))
def test_enough_shapes(rule: str) -> None:
    names = [case.name for case in cases() if case.parent.name == rule]
    assert sum(name.startswith("faulty") for name in names) >= 6
    assert sum(name.startswith("silent") for name in names) >= 6
