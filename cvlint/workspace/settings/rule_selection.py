"""Which rules a check reports: a config and the command line select and ignore rules by words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cvlint.rules.names import is_named
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule
    from cvlint.workspace.settings.config import Config

CODE = "CVL"
"""How the codes of the shipped rules begin."""
VALID_WORDS = "valid are names such as mean-of-fold-f, codes such as CVL101, beginnings of codes such as CVL1, and ALL"


def selected_rules(
    rules: Sequence[Rule],
    select: Sequence[str],
    ignore: Sequence[str],
    config: Config,
    extend_select: Sequence[str] = (),
) -> frozenset[str]:
    """Compute the rules that a check reports.

    Parameters
    ----------
    rules : sequence of Rule
        All rules.
    select, ignore : sequence of str
        The words of the command line, each a comma-separated list.
    config : Config
        The settings of the project. A `select` on the command line replaces its lists, because a user who names a rule
        there wants to see it; an `ignore` on the command line adds to that of the config.
    extend_select : sequence of str
        Words of the command line that add to the selection, even rules that the config ignores.

    Returns
    -------
    frozenset of str
        The names of the rules.
    """
    select_words = _option_words(rules, select, "--select")
    ignore_words = _option_words(rules, ignore, "--ignore")
    added_words = _option_words(rules, extend_select, "--extend-select")
    _check_config(rules, config)
    names = named_rules(rules, select_words) if select_words else _configured(rules, config)
    names = (names | named_rules(rules, added_words)) - named_rules(rules, ignore_words)
    if not names:
        raise UsageError(f"No rule is left to check: each of the {len(rules)} rules is ignored or not selected")
    return names


def _option_words(rules: Sequence[Rule], values: Sequence[str], option: str) -> tuple[str, ...]:
    words = tuple(word for value in values for word in map(str.strip, value.split(",")) if word)
    if values and not words:
        raise UsageError(f"The option {option} names no rule", VALID_WORDS)
    _check_words(rules, words, f"The option {option}")
    return words


def _configured(rules: Sequence[Rule], config: Config) -> frozenset[str]:
    """The rules that a config selects, or those that are on by default, without those that it ignores."""
    selected = _enabled(rules) if config.select is None else named_rules(rules, config.select)
    return (selected | named_rules(rules, config.extend_select)) - named_rules(rules, config.ignore)


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
        _check_words(rules, words, config.where(key))
    for entry in config.per_file_ignores:
        _check_words(rules, entry.rules, f"The key 'per-file-ignores' in {entry.path}")


def _check_words(rules: Sequence[Rule], words: Iterable[str], where: str) -> None:
    for word in words:
        if not any(is_named(rule, word) for rule in rules):
            choices = [choice for rule in rules for choice in (rule.name, rule.code)]
            problem = f"{where} names '{word}', and there is no such rule"
            if word.upper().startswith(CODE) and word[len(CODE) :].isdigit() and len(word) < len(rules[0].code):
                groups = sorted({rule.code[: len(CODE) + 1] for rule in rules if rule.code.startswith(CODE)})
                raise UsageError(problem, f"the codes begin with {', '.join(groups)} (`cvlint rules` lists them)")
            raise UsageError(problem, f"{VALID_WORDS} (`cvlint rules` lists them)", word, [*choices, "ALL"])
