"""The errors of click in whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cvlint.usage_error import UsageError


def from_click(error: click.ClickException) -> UsageError:
    """Say an error of click in a whole sentence."""
    match error:
        case click.NoSuchOption(option_name=name, ctx=context) if context is not None:
            options = _options(context)
            valid = f"`{context.command_path} --help` explains the options"
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
