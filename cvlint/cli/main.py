"""The ``cvlint`` command, and the list of its commands."""

from __future__ import annotations

import click

from cvlint import __version__
from cvlint.cli.command_group import CommandGroup

COMMANDS = (
    "audit",
    "check",
    "clean",
    "combine",
    "compare",
    "completion",
    "config",
    "curves",
    "init",
    "recompute",
    "report",
    "reported",
    "rule",
    "rules",
    "run",
    "sample",
    "server",
    "simulate",
    "threshold",
    "trace",
)
"""Each command is the ``command`` of the module of this name in `cvlint.cli.commands`."""


@click.group(cls=CommandGroup, package="cvlint.cli.commands", names=COMMANDS, invoke_without_command=True)
@click.help_option("-h", "--help")
@click.version_option(__version__, message="cvlint %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Find faults in the way machine-learning experiments are evaluated."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)
