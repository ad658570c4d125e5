"""Write the list of rules, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from cvlint.output.shared.wrapping import wrapped

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule

VERSION = 1
NARROW = 30
"""The columns that a summary needs beside the name of its rule."""


def render(rules: Sequence[Rule], columns: int | None = None) -> str:
    """Write code, name, severity and summary of each rule in columns.

    Parameters
    ----------
    rules : sequence of Rule
        The rules.
    columns : int or None
        The columns of the terminal, in which the summaries are wrapped; None for a line for each rule.
    """
    widest = max((len(rule.name) for rule in rules), default=0)
    return "".join(_lines(rule, widest, columns) for rule in rules)


def _lines(rule: Rule, widest: int, columns: int | None) -> str:
    off = "" if rule.enabled else " (off by default)"
    head, summary = f"{rule.code}  {rule.name:<{widest}}  {rule.severity:<7}  ", f"{rule.summary}{off}"
    if columns is None:
        return f"{head}{summary}\n"
    indent = len(head)
    if columns - indent < NARROW:  # the summary goes below the name
        head, indent = f"{head.rstrip()}\n        ", len(rule.code) + 2
    between = "\n" + " " * indent
    return f"{head}{between.join(wrapped(summary, columns, indent, indent))}\n"


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
