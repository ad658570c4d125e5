"""The names of rules, as users write them in options, configs and comments: what they match, what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule


def is_named(rule: Rule, word: str) -> bool:
    """Tell whether a word names a rule: by its name, its code, the beginning of its code, or ALL."""
    upper = word.upper()
    return upper == "ALL" or word == rule.name or (len(upper) >= 3 and rule.code.startswith(upper))
