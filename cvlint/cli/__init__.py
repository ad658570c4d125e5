"""The ``cvlint`` command; each of its commands is a module that is imported when it is called."""

from __future__ import annotations

import click

from cvlint import __version__
from cvlint.cli.group import CommandGroup

COMMANDS = {
    "audit": "cvlint.cli.audit",
    "check": "cvlint.cli.check",
    "combine": "cvlint.cli.combine",
    "completion": "cvlint.cli.completion",
    "config": "cvlint.cli.config",
    "curves": "cvlint.cli.curves",
    "recompute": "cvlint.cli.recompute",
    "report": "cvlint.cli.report",
    "reported": "cvlint.cli.reported",
    "rule": "cvlint.cli.rule",
    "rules": "cvlint.cli.rules",
    "run": "cvlint.cli.run",
    "sample": "cvlint.cli.sample",
    "server": "cvlint.cli.server",
    "simulate": "cvlint.cli.simulate",
    "threshold": "cvlint.cli.threshold",
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
