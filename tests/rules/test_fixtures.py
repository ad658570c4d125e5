"""Each fixture has exactly the findings that its ``# expect`` comments name."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RULES = frozenset(rule.name for rule in load_rules())
ENABLED = frozenset(rule.name for rule in load_rules() if rule.enabled)
EXPECTED = re.compile(r"#\s*expect:\s*([\w, -]+)")
Place = tuple[str, int | None, int, str]


def cases() -> list[Path]:
    """Single files, and folders that are one project."""
    found = []
    for folder in sorted(FIXTURES.iterdir()):
        if folder.is_dir():
            found += [p for p in sorted(folder.iterdir()) if p.suffix in (".py", ".ipynb") or p.is_dir()]
    return [p for p in found if p.name != "__pycache__"]


def files(case: Path) -> list[Path]:
    """The files of a case."""
    return [case] if case.is_file() else sorted(p for p in case.rglob("*") if p.suffix in (".py", ".ipynb"))


def lines(path: Path) -> list[tuple[int | None, int, str]]:
    """The lines of a file, each with its cell and number as in findings."""
    if path.suffix == ".py":
        return [(None, i, line) for i, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)]
    notebook = json.loads(path.read_text(encoding="utf-8"))
    sheets = notebook.get("worksheets") or [notebook]
    cells = [c for sheet in sheets for c in sheet["cells"] if c["cell_type"] == "code"]
    found = []
    for number, cell in enumerate(cells, 1):
        source = cell["source"] if "source" in cell else cell["input"]
        text = source if isinstance(source, str) else "".join(source)
        found += [(number, i, line) for i, line in enumerate(text.split("\n"), 1)]
    return found


def expected(case: Path) -> Counter[Place]:
    """The findings that the ``# expect`` comments of a case name."""
    found: Counter[Place] = Counter()
    for path in files(case):
        for cell, number, line in lines(path):
            if comment := EXPECTED.search(line):
                for name in comment.group(1).split(","):
                    found[(path.name, cell, number, name.strip())] += 1
    return found


def reported(case: Path) -> Counter[Place]:
    """The findings of a case, by its own rule and by the rules that are on; each rule counts once a line."""
    report = check([case], CheckOptions(rules=ENABLED | {case.parent.name}, jobs=1))
    assert not report.errors
    places = {(Path(f.location.path).name, f.location.cell, f.location.line, f.rule) for f in report.findings}
    return Counter(places)


@pytest.mark.parametrize("case", cases(), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_fixture(case: Path) -> None:
    assert reported(case) == expected(case)


def test_known_misses_are_still_missed() -> None:
    """A known miss that is found now becomes a faulty fixture: rename it."""
    for case in cases():
        if case.name.startswith("known_miss"):
            assert any("# known-miss:" in line for path in files(case) for _, _, line in lines(path)), case


@pytest.mark.parametrize("rule", sorted(RULES))
def test_enough_shapes(rule: str) -> None:
    names = [case.name for case in cases() if case.parent.name == rule]
    assert sum(name.startswith("faulty") for name in names) >= 6
    assert sum(name.startswith("silent") for name in names) >= 6
