"""``cvlint rule``: the page of one rule."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cvlint.cli.terminal import coloured, guarded, write

if TYPE_CHECKING:
    from cvlint.rules import Rule


@click.command("rule")
@click.argument("name", metavar="NAME|CODE")
@click.help_option("-h", "--help")
def command(name: str) -> None:
    """Explain a rule: what it does, why, an example, what to use instead."""
    from cvlint.output import rule_page

    page = rule_page.render(_find(name))
    if coloured(sys.stdout):
        guarded(lambda: _show(page))
    else:
        write(page)


def _find(name: str) -> Rule:
    from cvlint.cli.refusal import Refusal
    from cvlint.rules import load_rules

    rules = load_rules()
    for rule in rules:
        if name == rule.name or name.upper() == rule.code:
            return rule
    choices = [word for rule in rules for word in (rule.name, rule.code)]
    raise Refusal(f"There is no rule '{name}'", "`cvlint rules` lists the names and codes", name, choices)


def _show(page: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(page))
