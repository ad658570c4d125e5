"""A group of commands that imports the module of a command only when somebody calls the command."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

from cvlint.cli.console.exit_status import exit_status
from cvlint.usage_error import UsageError


def is_code(word: str) -> bool:
    """Tell whether a word names code to check, and no command."""
    return word == "-" or os.sep in word or word.endswith((".py", ".ipynb")) or os.path.exists(word)


def _first_sentence(command: click.Command | None) -> str:
    """The summary of a command: its first sentence, without what stands behind a colon or a semicolon."""
    text = " ".join(((command and command.help) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[^.])\.(?= |$)", text)[0]


class CommandGroup(click.Group):
    """A group whose commands are the ``command`` of a module each.

    Parameters
    ----------
    modules : mapping of str to str
        The module of each command, by the command's name.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, for the help page."""
        return sorted(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in self._modules:
            return None
        command = importlib.import_module(self._modules[cmd_name]).command
        assert isinstance(command, click.Command)
        if ctx.resilient_parsing:  # a shell asks for completions
            from cvlint.cli.options.completion import complete_values

            complete_values(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or say which commands there are."""
        if args and args[0] not in self._modules and not args[0].startswith("-") and not ctx.resilient_parsing:
            names = self.list_commands(ctx)
            if is_code(args[0]):
                paths = shlex.join(arg for arg in args if not arg.startswith("-"))
                raise UsageError(f"There is no command '{args[0]}'; did you mean `cvlint check {paths}`?")
            valid = f"the commands are {', '.join(names)}"
            raise UsageError(f"There is no command '{args[0]}'", valid, args[0], names)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the whole first sentence of each; click would cut it."""
        rows = [(name, _first_sentence(self.get_command(ctx, name))) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def main(self, *args: Any, standalone_mode: bool = True, **options: Any) -> Any:
        """Run a command and exit with its status, which is 2 after an error."""
        options.setdefault("prog_name", "cvlint")
        run: Callable[..., Any] = super().main
        with exit_status() as end:
            status = run(*args, standalone_mode=False, **options)
            end.status = status if isinstance(status, int) else 0
        if standalone_mode:
            sys.exit(end.status)
        return end.status
