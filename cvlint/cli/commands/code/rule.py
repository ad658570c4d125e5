"""``cvlint rule``: the page of one rule."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import use_colours, write, write_guarded
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from cvlint.rules.catalogue import Rule
    from cvlint.runtime.examples.example_table import CounterExample


@click.command("rule")
@click.argument("name", metavar="NAME|CODE")
@click.option("--bibtex", is_flag=True, help="Print the papers that the rule refers to, as BibTeX, and nothing else.")
@click.help_option("-h", "--help")
def command(name: str, bibtex: bool) -> None:
    """Explain a rule: what it finds and why, an example, what to write instead, and the proof in numbers."""
    from cvlint.output.rules import rule_page
    from cvlint.rules.comment_rules import rule_named
    from cvlint.runtime.examples.counter_examples import counter_example

    rule = rule_named(name)
    if bibtex:
        write(_bibtex(rule))
        return
    example = counter_example(rule.name)
    if use_colours(sys.stdout):
        write_guarded(lambda: _show_coloured(rule, example))
    else:
        write(rule_page.render(rule, example))


def _bibtex(rule: Rule) -> str:
    from cvlint.output.rules import bibtex
    from cvlint.rules.papers import papers_of

    papers = papers_of(rule)
    if not papers:
        raise UsageError(f"The rule {rule.name} ({rule.code}) refers to no paper")
    return bibtex.render(rule, papers)


def _show_coloured(rule: Rule, example: CounterExample | None) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    from cvlint.output.rules import rule_page

    console = Console()
    console.print(Markdown(rule_page.explanation(rule, example)))
    if example is not None:
        console.print(_table(example))
        console.print(Markdown(example.conclusion))


def _table(example: CounterExample) -> Table:
    """The table of a counter-example; rich draws tables in Markdown only since 13.4."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for index, column in enumerate(example.columns):
        table.add_column(column, justify="right" if index else "left", vertical="bottom")
    for row in example.rows:
        table.add_row(*row)
    return table
