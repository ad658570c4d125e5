"""A group of commands that imports the module of a command only when somebody calls the command."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from cvlint.cli.console.exit_status import exit_status
from cvlint.usage_error import UsageError


class CommandGroup(click.Group):
    """A group whose command ``NAME`` is the ``command`` of the module ``PACKAGE.NAME``.

    Parameters
    ----------
    package : str
        The package that holds a module for each command.
    names : sequence of str
        The names of the commands.
    """

    def __init__(self, *args: Any, package: str, names: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._package = package
        self._names = names

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, for the help page."""
        return sorted(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in self._names:
            return None
        command = importlib.import_module(f"{self._package}.{cmd_name}").command
        assert isinstance(command, click.Command)
        if ctx.resilient_parsing:  # a shell asks for completions
            from cvlint.cli.options.completion import complete_values

            complete_values(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or say which commands there are."""
        if args and args[0] not in self._names and not args[0].startswith("-") and not ctx.resilient_parsing:
            names = self.list_commands(ctx)
            valid = f"the commands are {', '.join(names)}"
            raise UsageError(f"There is no command '{args[0]}'", valid, args[0], names)
        return super().resolve_command(ctx, args)

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
