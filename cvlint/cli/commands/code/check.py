"""``cvlint check``: find faulty evaluations in files, folders, or standard input."""

from __future__ import annotations

from typing import Any

import click

from cvlint.cli.check.run_check import run_check
from cvlint.cli.options.check_arguments import CHECK_OPTIONS
from cvlint.cli.options.validation import with_options


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@with_options(CHECK_OPTIONS)
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find faults in files and folders (by default the working directory); '-' is standard input.

    Exit status: 0 without errors and warnings, 1 with one of them or if a file cannot be read, 2 if cvlint cannot run
    the check or can read no file.
    """
    context.exit(run_check(given))
