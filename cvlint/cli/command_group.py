"""A click group that imports its commands late, and says what is wrong in whole sentences."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import click

from cvlint.cli.console.signals import ended_by_signals
from cvlint.cli.options.validation import reworded
from cvlint.usage_error import UsageError

REFUSED = 2
INTERRUPTED = 130


class CommandGroup(click.Group):
    """A group of commands, each in a module of its own that holds it as ``command``."""

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
            from cvlint.cli.commands.completion import complete_values

            complete_values(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or say which there are."""
        if args and args[0] not in self._modules and not args[0].startswith("-") and not ctx.resilient_parsing:
            names = self.list_commands(ctx)
            valid = f"the commands are {', '.join(names)}"
            raise UsageError(f"There is no command '{args[0]}'", valid, args[0], names)
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, standalone_mode: bool = True, **options: Any) -> Any:
        """Run a command and exit with its status: 2 when it could not do what was asked."""
        run: Callable[..., Any] = super().main
        options.setdefault("prog_name", "cvlint")
        with ended_by_signals():
            try:
                outcome = run(*args, standalone_mode=False, **options)
                status = outcome if isinstance(outcome, int) else 0
            except (click.Abort, KeyboardInterrupt):
                status = INTERRUPTED
            except UsageError as refusal:
                status = _say(refusal)
            except click.ClickException as error:
                status = _say(reworded(error))
            except Exception:  # a fault of ours must not look like the status of a check that found something
                traceback.print_exc()
                status = _say(UsageError("This is a fault of cvlint itself; please report it with the lines above"))
        if standalone_mode:
            sys.exit(status)
        return status


def _say(refusal: UsageError) -> int:
    from cvlint.output.shared.locations import printable

    click.echo(f"cvlint: {printable(refusal.sentence)}", err=True)  # it may hold words of a stranger's config
    return REFUSED
