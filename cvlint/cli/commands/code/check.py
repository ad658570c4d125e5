"""``cvlint check``: find faulty evaluations in files, folders, or standard input."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cvlint.cli.check.plan import plan_check
from cvlint.cli.options.check_arguments import CheckArguments, check_arguments, refuse_contradictions


@click.command("check")
@check_arguments
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find faults in files and folders (by default the working directory); '-' is standard input.

    Exit status: 0 without errors and warnings, 1 with one of them or if a file cannot be read, 2 if cvlint cannot run
    the check or can read no file.
    """
    other_name = given.pop("output_format")
    arguments = CheckArguments(**(given | {"style": other_name} if other_name else given))
    refuse_contradictions(arguments)
    if arguments.verbose:
        arguments = replace(arguments, style="full")
    if arguments.watch:
        from cvlint.cli.check.watch import watch

        context.exit(watch(arguments))
    if not arguments.writes:
        context.exit(plan_check(arguments).carry_out())
    from cvlint.cli.check.rewriting import project_locks

    with project_locks(arguments):
        status = plan_check(arguments).carry_out()
    context.exit(status)
