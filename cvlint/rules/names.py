"""The names of rules, as users write them in options, configs and comments: what they match, what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cvlint.rules.catalogue import Rule


def is_named(rule: Rule, word: str) -> bool:
    """Tell whether a word names a rule: by its name, its code, the beginning of its code, or ALL."""
    upper = word.upper()
    return upper == "ALL" or word == rule.name or (len(upper) >= 3 and rule.code.startswith(upper))


def nearest(given: str, choices: Iterable[str]) -> str | None:
    """Find the choice that is most similar to a misspelled word, in any case of letters."""
    import difflib  # only an error message needs it, and cvlint must start quickly

    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None
