"""What a shell offers after an option or as an argument; it follows from the word that the help page shows there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule


def complete_values(command: click.Command) -> None:
    """Make a command offer values for its options and arguments; only a process that a shell starts needs it."""
    for param in command.params:
        if isinstance(param.type, click.types.StringParamType | click.types.UnprocessedParamType):
            param.type = CompletedWord()


class CompletedWord(click.types.StringParamType):
    """A word whose completions follow from its metavar, such as ``FILE``; an argument is a file by default."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """Offer the values that begin with the letters that the user has typed."""
        match param.metavar:
            case "RULES":
                typed, comma, last = incomplete.rpartition(",")
                return [CompletionItem(typed + comma + word, help=summary) for word, summary in rule_words(last)]
            case "NAME|CODE":
                return [CompletionItem(word, help=summary) for word, summary in rule_words(incomplete)]
            case "FORMAT:FILE":
                formats = next(other.metavar or "" for other in ctx.command.params if "--format" in other.opts)
                return [CompletionItem(f"{word}:") for word in formats.split("|") if word.startswith(incomplete)]
            case "DIR":
                return [CompletionItem(incomplete, type="dir")]
            case str(metavar) if "|" in metavar:
                return [CompletionItem(word) for word in metavar.split("|") if word.startswith(incomplete)]
            case metavar if metavar == "FILE" or isinstance(param, click.Argument):
                return [CompletionItem(incomplete, type="file")]
            case _:
                return []


def rule_words(prefix: str) -> Iterator[tuple[str, str]]:
    """The names of rules, then their codes, each with the summary of the rule."""
    rules = _rules()
    words = [(rule.name, rule.summary) for rule in rules] + [(rule.code, rule.summary) for rule in rules]
    return ((word, summary) for word, summary in words if word.lower().startswith(prefix.lower()))


def _rules() -> tuple[Rule, ...]:
    """All rules, with those of the project if its config is correct: nobody reads an error message while typing."""
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.settings.config import ConfigError
    from cvlint.workspace.settings.nearest_config import find_config

    try:
        return all_rules(*find_config(Path.cwd()).extend_rules)
    except (ConfigError, RuleError, OSError):
        return all_rules()
