"""Refusals of options and arguments: those of click in our words, and checks of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from cvlint.usage_error import UsageError

Callback = Callable[[click.Context, click.Parameter, str | None], str | None]


def reworded(error: click.ClickException) -> UsageError:
    """Turn an error of click into a whole sentence of ours."""
    match error:
        case click.NoSuchOption(option_name=name, ctx=context) if context is not None:
            options = _options(context)
            valid = f"the options of `{context.command_path}` are {', '.join(options)}"
            return UsageError(f"There is no option '{name}'", valid, name, options)
        case click.MissingParameter(param=click.Option(opts=[option, *_])):
            return UsageError(f"The option {option} is missing")
        case click.MissingParameter(param=param) if param is not None:
            return UsageError(f"The argument {(param.name or '').upper()} is missing")
        case _:
            return UsageError(error.format_message().rstrip("."))


def _options(context: click.Context) -> list[str]:
    params: Sequence[click.Parameter] = context.command.get_params(context)
    names = [option for param in params if isinstance(param, click.Option) for option in param.opts]
    return sorted(name for name in names if name.startswith("--"))


def one_of(choices: Sequence[str]) -> Callback:
    """Make the check of an option whose value is one of a few words."""

    def check(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is None or value in choices:
            return value
        valid = f"valid are {', '.join(choices)}"
        raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", valid, value, choices)

    return check


def whole_number(context: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Check an option whose value is a whole number, not below zero."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    raise UsageError(f"The option {param.opts[0]} cannot be '{value}'", "valid is a whole number, 0 or more")
