"""The option ``--format``: how a command writes its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cvlint.cli.options.validation import one_of

Command = TypeVar("Command", bound=Callable[..., Any])


def format_option(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Make the option; its value is the parameter ``form`` of the command, and the first format is the default."""
    return click.option(
        "--format",
        "form",
        default=formats[0],
        callback=one_of(formats),
        metavar="|".join(formats),
        help=f"How to write the result; default: {formats[0]}.",
    )
