"""Which rules a check reports: words of a config and of the command line that name rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cvlint.rules.names import is_named
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule
    from cvlint.workspace.settings.config import Config

VALID = "valid are names such as mean-of-fold-f, codes such as CVL101, beginnings of codes such as CVL1, and ALL"


def selected_rules(
    rules: Sequence[Rule],
    select: Sequence[str],
    ignore: Sequence[str],
    config: Config,
    extend_select: Sequence[str] = (),
) -> frozenset[str]:
    """Settle which rules to report.

    Parameters
    ----------
    rules : sequence of Rule
        All there are.
    select, ignore : sequence of str
        The words of the command line, each a comma-separated list.
    config : Config
        What the project says. A `select` on the command line replaces its lists, because a user who names a rule there
        wants to see it; an `ignore` on the command line adds to that of the config.
    extend_select : sequence of str
        Words of the command line that add to the selection, even rules that the config ignores.

    Returns
    -------
    frozenset of str
        The names of the rules.
    """
    chosen, dropped = _words(rules, select, "--select"), _words(rules, ignore, "--ignore")
    added = _words(rules, extend_select, "--extend-select")
    _check_config(rules, config)
    names = (named_rules(rules, chosen) if chosen else _configured(rules, config)) | named_rules(rules, added)
    names -= named_rules(rules, dropped)
    if not names:
        raise Refusal(f"No rule is left to check: of the {len(rules)} rules, none is selected and not ignored")
    return names


def _words(rules: Sequence[Rule], values: Sequence[str], option: str) -> tuple[str, ...]:
    words = tuple(word for value in values for word in map(str.strip, value.split(",")) if word)
    if values and not words:
        raise Refusal(f"The option {option} names no rule", VALID)
    _check(rules, words, f"The option {option}")
    return words


def _configured(rules: Sequence[Rule], config: Config) -> frozenset[str]:
    """The rules that a config selects, or those that are on by default, without those that it ignores."""
    kept = _enabled(rules) if config.select is None else named_rules(rules, config.select)
    return (kept | named_rules(rules, config.extend_select)) - named_rules(rules, config.ignore)


def _enabled(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.name for rule in rules if rule.enabled)


def named_rules(rules: Sequence[Rule], words: Iterable[str]) -> frozenset[str]:
    """The names of the rules that some words name."""
    return frozenset(rule.name for word in words for rule in rules if is_named(rule, word))


def _check_config(rules: Sequence[Rule], config: Config) -> None:
    """Refuse words of a config that name no rule."""
    for key, words in (
        ("select", config.select or ()),
        ("extend-select", config.extend_select),
        ("ignore", config.ignore),
        ("severity", config.severity),
    ):
        _check(rules, words, config.where(key))
    for entry in config.per_file_ignores:
        _check(rules, entry.rules, f"The key 'per-file-ignores' in {entry.path}")


def _check(rules: Sequence[Rule], words: Iterable[str], where: str) -> None:
    for word in words:
        if not any(is_named(rule, word) for rule in rules):
            choices = [choice for rule in rules for choice in (rule.name, rule.code)]
            problem = f"{where} names '{word}', and there is no such rule"
            raise Refusal(problem, f"{VALID} (`cvlint rules` lists them)", word, [*choices, "ALL"])
