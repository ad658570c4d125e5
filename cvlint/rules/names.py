"""Words that people write for rules in options, configs and comments: the rules that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule


def is_named(rule: Rule, word: str) -> bool:
    """Tell whether a word names a rule, by name, code, beginning of a code, or ALL."""
    upper = word.upper()
    return upper == "ALL" or word == rule.name or (len(upper) >= 3 and rule.code.startswith(upper))
