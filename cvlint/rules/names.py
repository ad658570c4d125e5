"""Words that people write for rules and options: what they name, and what was meant by those that name nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cvlint.rules.catalogue import Rule


def is_named(rule: Rule, word: str) -> bool:
    """Tell whether a word names a rule, by name, code, beginning of a code, or ALL."""
    upper = word.upper()
    return upper == "ALL" or word == rule.name or (len(upper) >= 3 and rule.code.startswith(upper))


def nearest(given: str, choices: Iterable[str]) -> str | None:
    """Find the choice that looks most like a word, whatever the case of its letters."""
    import difflib  # only a refusal needs it, and starting up must be quick

    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None
