"""The rules about comments that suppress findings, beside those over events; together they are all that there are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cvlint.rules.catalogue import Rule, RuleError, load_rules, read_rules
from cvlint.rules.files import rules_folder


@cache
def meta_rules() -> tuple[Rule, ...]:
    """The rules in ``rules/meta``: files like those of all rules, but without a pattern.

    The analysis never sees them, because no event could match them; `cvlint.findings.suppression.apply` makes their
    findings.
    """
    return read_rules(rules_folder() / "meta")


@cache
def all_rules(*own: Path) -> tuple[Rule, ...]:
    """Everything that can be selected: the meta-rules, and the rules over events, those of a project's own too.

    Raises
    ------
    RuleError
        When a file of the project's own is no rule, or has a name or code that is taken.
    """
    rules = load_rules(*own)
    for meta in meta_rules():
        if any(rule.name == meta.name or rule.code == meta.code for rule in rules):
            raise RuleError(f"A rule of your own has the name or code of {meta.name} ({meta.code}), which is taken.")
    return (*meta_rules(), *rules)
