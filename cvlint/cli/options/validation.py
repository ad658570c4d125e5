"""Checks of option values, as callbacks for click: ``click.option("--jobs", callback=whole_number)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from cvlint.usage_error import UsageError

Callback = Callable[[click.Context, click.Parameter, str | None], str | None]


def one_of(choices: Sequence[str]) -> Callback:
    """Make the check of an option whose value is one of a few words."""

    def check(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is None or value in choices:
            return value
        valid = f"valid are {', '.join(choices)}"
        raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", valid, value, choices)

    return check


def whole_number(context: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Check that the value of an option is a whole number, 0 or more."""
    if value is None:
        return None
    if is_whole_number(value):
        return int(value)
    raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", "valid is a whole number, 0 or more")


def is_whole_number(word: str) -> bool:
    """Tell whether a word is a whole number of a size that makes sense."""
    return word.isascii() and word.isdigit() and len(word) < 10


def from_0_to_1(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Check that the value of an option is a number from 0 to 1."""
    if value is None or 0 <= value <= 1:
        return value
    raise UsageError(f"The option {param.opts[0]} cannot be '{value:g}'", "valid is a number from 0 to 1")


def above_0_to_1(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Check that the value of an option is a number above 0, and at most 1."""
    if value is None or 0 < value <= 1:
        return value
    raise UsageError(f"The option {param.opts[0]} cannot be '{value:g}'", "valid is a number above 0, and at most 1")


def weight_of_recall(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Check that the value of an option is a beta that F can be computed with."""
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.measures.recall_weight import MOST_BETA, checked_beta

    try:
        return None if value is None else checked_beta(value)
    except FoldDataError:
        valid = f"valid is a number from 0 to {MOST_BETA}"
        raise UsageError(f"The option {param.opts[0]} cannot be '{value:g}'", valid) from None
