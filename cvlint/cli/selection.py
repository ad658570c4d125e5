"""Which rules to report: names, codes, beginnings of codes, or ALL; and how sure they must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.refusal import Refusal, one_of
from cvlint.findings import CONFIDENCES

if TYPE_CHECKING:
    from cvlint.config import Config
    from cvlint.rules import Rule

VALID = "valid are names such as mean-of-fold-f, codes such as CVL101, beginnings of codes such as CVL1, and ALL"


def rule_options(command: Any) -> Any:
    """Add the options that choose rules and the least confidence."""
    for option in (
        click.option(
            "--confidence",
            callback=one_of(CONFIDENCES),
            metavar="|".join(CONFIDENCES),
            help="Least confidence; default medium.",
        ),
        click.option("--ignore", multiple=True, metavar="RULES", help="Rules to leave out, named in the same ways."),
        click.option("--select", multiple=True, metavar="RULES", help="Rules to report: names, codes, CVL1, or ALL."),
    ):
        command = option(command)
    return command


def selected_rules(
    rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str], config: Config
) -> frozenset[str]:
    """Settle which rules to report.

    Parameters
    ----------
    rules : sequence of Rule
        All there are.
    select, ignore : sequence of str
        The words of the command line, each a comma-separated list.
    config : Config
        What the project says. A `select` on the command line sets aside both lists of the config, for who names
        a rule there wants to see it; an `ignore` on the command line adds to that of the config.

    Returns
    -------
    frozenset of str
        The names of the rules.
    """
    chosen, dropped = _words(select, "--select"), _words(ignore, "--ignore")
    _check(rules, chosen, "The option --select")
    _check(rules, dropped, "The option --ignore")
    if not chosen:
        _check(rules, config.select or (), f"The key 'select' in {config.path}")
        _check(rules, config.ignore, f"The key 'ignore' in {config.path}")
        dropped += config.ignore
    kept = _kept(rules, chosen or config.select)
    names = frozenset(kept - {rule.name for word in dropped for rule in rules if matches(rule, word)})
    if not names:
        raise Refusal(f"No rule is left to check: of the {len(rules)} rules, none is selected and not ignored")
    return names


def _words(values: Sequence[str], option: str) -> tuple[str, ...]:
    words = tuple(word for value in values for word in map(str.strip, value.split(",")) if word)
    if values and not words:
        raise Refusal(f"The option {option} names no rule", VALID)
    return words


def _kept(rules: Sequence[Rule], words: Iterable[str] | None) -> set[str]:
    if words is None:
        return {rule.name for rule in rules if rule.enabled}
    return {rule.name for word in words for rule in rules if matches(rule, word)}


def _check(rules: Sequence[Rule], words: Iterable[str], where: str) -> None:
    for word in words:
        if not any(matches(rule, word) for rule in rules):
            choices = [choice for rule in rules for choice in (rule.name, rule.code)]
            problem = f"{where} names '{word}', and there is no such rule"
            raise Refusal(problem, f"{VALID} (`cvlint rules` lists them)", word, [*choices, "ALL"])


def matches(rule: Rule, word: str) -> bool:
    """Tell whether a word names a rule, by name, code, beginning of a code, or ALL."""
    upper = word.upper()
    return upper == "ALL" or word == rule.name or (len(upper) >= 3 and rule.code.startswith(upper))
