from __future__ import annotations

from typing import Any

import pytest

from cvlint.rules import load_rules

HEADINGS = ["## What it does", "## Why is this bad", "## Example", "## Use instead", "## Fix and its safety"]


def test_rules_lists_one_a_line(run: Any) -> None:
    result = run("rules")
    assert result.exit_code == 0
    rows = result.stdout.splitlines()
    assert len(rows) == len(load_rules())
    for row, rule in zip(rows, load_rules(), strict=True):
        assert row.split()[:3] == [rule.code, rule.name, rule.severity]
        assert rule.summary in row


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: str(rule.name))
def test_every_rule_has_a_page(run: Any, rule: Any) -> None:
    page = run("rule", rule.name)
    assert page.exit_code == 0
    assert page.stdout == run("rule", rule.code.lower()).stdout
    places = [page.stdout.index(f"\n{heading}\n") for heading in HEADINGS]
    assert places == sorted(places)
    assert rule.docs.bad.strip() in page.stdout
    assert rule.docs.good.strip() in page.stdout
    assert all(f"- {reference}" in page.stdout for reference in rule.docs.references)
