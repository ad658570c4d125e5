"""The meta-rules, which are about comments that suppress findings, and the list of all rules that can be selected."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from cvlint.rules.catalogue import Rule, RuleError, load_rules, read_rules
from cvlint.shipped_files import rules_folder
from cvlint.usage_error import UsageError


@cache
def meta_rules() -> tuple[Rule, ...]:
    """The rules in ``rules/meta``, whose files have no pattern.

    No event matches them; `cvlint.findings.suppression.apply` makes their findings.
    """
    return read_rules(rules_folder() / "meta")


@cache
def all_rules(*project_files: Path) -> tuple[Rule, ...]:
    """All rules that can be selected: the meta-rules, the rules over events, and a project's own rules.

    ``project_files`` and `RuleError` are as for `load_rules`; a project's rule cannot have the name or code of a
    meta-rule either.
    """
    rules = load_rules(*project_files)
    for meta in meta_rules():
        if any(rule.name == meta.name or rule.code == meta.code for rule in rules):
            raise RuleError(f"A rule of your own has the name or code of {meta.name} ({meta.code}), which is taken.")
    return (*meta_rules(), *rules)


def rule_named(name: str) -> Rule:
    """The rule with a name or a code, among those that ship with cvlint.

    Raises
    ------
    UsageError
        If there is none.
    """
    rules = all_rules()
    for rule in rules:
        if name == rule.name or name.upper() == rule.code:
            return rule
    problem, listed = f"There is no rule '{name}'", "`cvlint rules` lists the names and codes"
    if re.fullmatch(r"CVL\d*", name, re.IGNORECASE):
        alike = [rule.code for rule in rules if rule.code.startswith(name.upper())]
        groups = sorted({rule.code[:4] for rule in rules})
        valid = f"the codes that begin like this are {', '.join(alike)}" if 0 < len(alike) < len(rules) else ""
        raise UsageError(problem, valid or f"the codes begin with {', '.join(groups)}; {listed}")
    raise UsageError(problem, listed, name, [word for rule in rules for word in (rule.name, rule.code)])
