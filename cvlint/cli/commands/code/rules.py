"""``cvlint rules``: the list of rules, and a test of rules that users write."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.terminal import columns_of, write
from cvlint.cli.options.output_format import format_option
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule

EXAMPLE = "example.py"
FORMATS = ("text", "json")


@click.command("rules")
@format_option(FORMATS)
@click.option("--check", "folder", metavar="DIR", help="Check each rule file in a folder on its own examples.")
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, form: str, folder: str | None) -> None:
    """List the rules: code, name, severity and what each finds.

    With --check, run each rule in a folder of yours on its two examples: it must find its fault in the bad example and
    nothing in the good one.

    Exit status: 0 if all rules do, 1 if a rule does not, 2 if a rule file cannot be used.
    """
    from cvlint.output.rules import rule_list
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules

    if folder is None:
        rules = all_rules()
        write(rule_list.render_json(rules) if form == "json" else rule_list.render(rules, columns_of(sys.stdout)))
        return
    if form != "text":
        raise UsageError(
            "The options --check and --format cannot go together, because a check of rules prints sentences"
        )
    paths = sorted(path.resolve() for path in Path(folder).glob("*.toml"))
    if not paths:
        raise UsageError(f"There is no rule file in '{folder}'", "valid is a folder with TOML files, one a rule")
    try:
        shipped = {rule.name for rule in all_rules()}
        own = [rule for rule in all_rules(*paths) if rule.name not in shipped]
    except RuleError as error:
        raise UsageError(str(error).rstrip(".")) from None
    problems = [problem for rule in own for problem in problems_of(rule, tuple(paths))]
    lines = problems or [f"{len(own)} {'rule is' if len(own) == 1 else 'rules are'} right about the examples."]
    write("".join(f"{line}\n" for line in lines))
    context.exit(1 if problems else 0)


def problems_of(rule: Rule, paths: tuple[Path, ...]) -> list[str]:
    """How a rule is wrong about its examples, in whole sentences."""
    from cvlint.workspace.file_check import check_bytes
    from cvlint.workspace.settings.check_options import CheckOptions

    options = CheckOptions(rules=frozenset((rule.name,)), own_rules=paths)
    found = {}
    for name, code in (("bad", rule.docs.bad), ("good", rule.docs.good)):
        checked = check_bytes(code.encode(), Path(EXAMPLE), EXAMPLE, options)
        if checked.problem is not None:
            return [f"{rule.name}: the {name} example cannot be read: {checked.problem.message}."]
        found[name] = [finding.location.line for finding in checked.findings]
    problems = []
    if not found["bad"]:
        problems.append(f"{rule.name}: the bad example shows no fault, so the rule finds nothing; look at [[match]].")
    if found["good"]:
        lines = ", ".join(map(str, found["good"]))
        problems.append(f"{rule.name}: the good example shows the fault too, in line {lines}.")
    return problems
