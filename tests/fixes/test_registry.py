"""The table of rewrites: each row belongs to a rule that ships, and the rule's page promises a fix."""

from __future__ import annotations

import pytest

from cvlint.fixes.rewrites.fixable import FIXABLE
from cvlint.fixes.rewrites.registry import REWRITES
from cvlint.rules.catalogue import load_rules

RULES = {rule.name: rule for rule in load_rules()}


@pytest.mark.parametrize("name", REWRITES)
def test_the_page_of_a_rule_with_rewrites_promises_a_fix(name: str) -> None:
    assert REWRITES[name]
    assert RULES[name].docs.fix_safety in ("safe", "unsafe")


def test_the_rules_that_are_counted_as_fixable_are_those_with_rewrites() -> None:
    """Comments are fixed without the table."""
    assert set(REWRITES) | {"unused-ignore"} == FIXABLE
