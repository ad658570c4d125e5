"""The map in the docstring of the checkers says where each event comes from, and which rules match it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cvlint.analysis import checkers
from cvlint.rules.catalogue import load_rules

MAP_LINE = re.compile(r"- ``(\w+)`` \(`(\w+)`\): (.*?)(?=\n- |\Z)", re.DOTALL)
MAP = {
    event: (module, re.findall(r"CVL\d+", rules)) for event, module, rules in MAP_LINE.findall(checkers.__doc__ or "")
}
ROOM = Path(checkers.__file__).parent


def test_the_map_names_the_rules_of_each_event() -> None:
    mapped = {(event, code) for event, (_, codes) in MAP.items() for code in codes}
    assert mapped == {(pattern.event, rule.code) for rule in load_rules() for pattern in rule.patterns}


@pytest.mark.parametrize("event", MAP)
def test_a_checker_emits_the_event_that_the_map_gives_it(event: str) -> None:
    module = MAP[event][0]
    files = [ROOM / f"{module}.py"] if (ROOM / f"{module}.py").exists() else list((ROOM / module).glob("*.py"))
    emission = re.compile(rf'(emit|Event)\(\s*"{event}"')
    assert any(emission.search(path.read_text(encoding="utf-8")) for path in files)
