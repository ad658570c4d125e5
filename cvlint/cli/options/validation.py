"""Options for click, and checks of their values as callbacks: ``click.option("--jobs", callback=whole_number)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from cvlint.cli.options.option import Option
from cvlint.cli.options.option import is_whole_number as is_whole_number
from cvlint.usage_error import UsageError

Callback = Callable[[click.Context, click.Parameter, str | None], str | int | None]


def with_options(options: Sequence[Option]) -> Callable[[Any], Any]:
    """Make the decorator that adds options to a command."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = _click_option(option)(command)
        return command

    return add


def _click_option(option: Option) -> Callable[[Any], Any]:
    if option.kind == "flag":
        return click.option(*option.names, option.field, is_flag=True, help=option.help, hidden=option.hidden)
    callback: Callback | None = one_of(option.choices) if option.choices else None
    return click.option(
        *option.names,
        option.field,
        callback=whole_number if option.kind == "number" else callback,
        default=option.default,
        multiple=option.kind == "words",
        metavar=option.metavar or None,
        help=option.help,
        hidden=option.hidden,
    )


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


def whole_number_from_1(context: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Check that the value of an option is a whole number, 1 or more."""
    if value is not None and not (is_whole_number(value) and int(value)):
        raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", "valid is a whole number, 1 or more")
    return whole_number(context, param, value)


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
