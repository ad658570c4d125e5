"""``cvlint rules``: the list of rules."""

from __future__ import annotations

import click

from cvlint.cli.terminal import write


@click.command("rules")
@click.help_option("-h", "--help")
def command() -> None:
    """List the rules: code, name, severity and what each finds."""
    from cvlint.output import rule_list
    from cvlint.rules import load_rules

    write(rule_list.render(load_rules()))
