"""The ``cvlint`` command; each of its commands is a module that is imported when it is called."""

from __future__ import annotations

import click

from cvlint import __version__
from cvlint.cli.command_group import CommandGroup

COMMANDS = {
    "audit": "cvlint.cli.commands.audit",
    "check": "cvlint.cli.commands.check",
    "combine": "cvlint.cli.commands.combine",
    "completion": "cvlint.cli.commands.completion",
    "config": "cvlint.cli.commands.config",
    "curves": "cvlint.cli.commands.curves",
    "recompute": "cvlint.cli.commands.recompute",
    "report": "cvlint.cli.commands.report",
    "reported": "cvlint.cli.commands.reported",
    "rule": "cvlint.cli.commands.rule",
    "rules": "cvlint.cli.commands.rules",
    "run": "cvlint.cli.commands.run",
    "sample": "cvlint.cli.commands.sample",
    "server": "cvlint.cli.commands.server",
    "simulate": "cvlint.cli.commands.simulate",
    "threshold": "cvlint.cli.commands.threshold",
}


@click.group(cls=CommandGroup, modules=COMMANDS, invoke_without_command=True)
@click.help_option("-h", "--help")
@click.version_option(__version__, message="cvlint %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Find faults in the way machine-learning experiments are evaluated."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)
