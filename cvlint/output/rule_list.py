"""The list of rules, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules import Rule


def render(rules: Sequence[Rule]) -> str:
    """Write code, name, severity and summary of each rule in columns."""
    widest = max((len(rule.name) for rule in rules), default=0)
    return "".join(_line(rule, widest) for rule in rules)


def _line(rule: Rule, widest: int) -> str:
    off = "" if rule.enabled else " (off by default)"
    return f"{rule.code}  {rule.name:<{widest}}  {rule.severity:<7}  {rule.summary}{off}\n"
