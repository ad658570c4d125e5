"""``cvlint check``: find faults in files, folders, or standard input."""

from __future__ import annotations

from typing import Any

import click

from cvlint.cli.check.plan import plan_check
from cvlint.cli.check.rewriting import writing_alone_in
from cvlint.cli.options.check_arguments import CheckArguments, check_arguments, refuse_contradictions


@click.command("check")
@check_arguments
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find faults in files and folders (by default the working directory); '-' is standard input.

    Exit status: 0 if no error or warning was found, 1 if there was one, 2 if cvlint could not do what was asked.
    """
    arguments = CheckArguments(**given)
    refuse_contradictions(arguments)
    if arguments.watch:
        from cvlint.cli.check.watch import watch

        context.exit(watch(arguments))
    with writing_alone_in(arguments):
        status = plan_check(arguments).carry_out()
    context.exit(status)
