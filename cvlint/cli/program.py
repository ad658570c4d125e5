"""The ``cvlint`` command, and the list of its commands."""

from __future__ import annotations

import click

from cvlint import __version__
from cvlint.cli.command_group import CommandGroup

ROOMS = {
    "code": ("audit", "check", "rule", "rules", "run", "trace"),
    "fold_data": ("combine", "compare", "curves", "recompute", "report", "reported", "simulate", "threshold"),
    "setup": ("clean", "completion", "config", "init", "mcp", "sample", "server"),
}
COMMANDS = {name: f"cvlint.cli.commands.{room}.{name}" for room, names in ROOMS.items() for name in names}
"""The module of each command, which holds it as ``command``."""


@click.group(cls=CommandGroup, modules=COMMANDS, invoke_without_command=True)
@click.help_option("-h", "--help")
@click.version_option(__version__, message="cvlint %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Find faults in the way machine-learning experiments are evaluated."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)
