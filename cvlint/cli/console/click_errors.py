"""The errors of click in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cvlint.usage_error import UsageError, closest_choice


def from_click(error: click.ClickException) -> UsageError:
    """Say an error of click in a whole sentence."""
    match error:
        case click.NoSuchOption(option_name=name, ctx=context) if context is not None:
            options = _options(context)
            if isinstance(context.command, click.Group) and (meant := _option_of_check(context, name)):
                return UsageError(f"There is no option '{name}' before a command; did you mean `cvlint check {meant}`?")
            valid = f"`{context.command_path} --help` explains the options"
            return UsageError(f"There is no option '{name}'", valid, name, options)
        case click.MissingParameter(param=click.Option(opts=[option, *_])):
            return UsageError(f"The option {option} is missing")
        case click.MissingParameter(param=param) if param is not None:
            return UsageError(f"The argument {(param.name or '').upper()} is missing")
        case _:
            return UsageError(error.format_message().rstrip("."))


def _option_of_check(context: click.Context, name: str) -> str | None:
    """The option of `cvlint check` that somebody may have meant who left the command out."""
    assert isinstance(context.command, click.Group)
    check = context.command.get_command(context, "check")
    options = [] if check is None else _options(click.Context(check))
    meant = closest_choice(name, (*_options(context), *options))
    return meant if meant in options and meant not in _options(context) else None


def _options(context: click.Context) -> list[str]:
    params: Sequence[click.Parameter] = context.command.get_params(context)
    names = [option for param in params if isinstance(param, click.Option) for option in param.opts]
    return sorted(name for name in names if name.startswith("--"))
