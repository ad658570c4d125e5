"""Write the list of rules, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule

VERSION = 1


def render(rules: Sequence[Rule]) -> str:
    """Write code, name, severity and summary of each rule in columns."""
    widest = max((len(rule.name) for rule in rules), default=0)
    return "".join(_line(rule, widest) for rule in rules)


def _line(rule: Rule, widest: int) -> str:
    off = "" if rule.enabled else " (off by default)"
    return f"{rule.code}  {rule.name:<{widest}}  {rule.severity:<7}  {rule.summary}{off}\n"


def render_json(rules: Sequence[Rule]) -> str:
    """Write the rules as JSON, with the page of each rule: what, why, examples, the fix and sources."""
    objects = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity,
            "enabled": rule.enabled,
            "summary": rule.summary,
            **asdict(rule.docs),
        }
        for rule in rules
    ]
    return json.dumps({"version": VERSION, "rules": objects}, indent=2) + "\n"
