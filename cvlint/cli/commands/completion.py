"""``cvlint completion``: a script that makes a shell complete commands, options, rules and file names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

from cvlint.cli.check.report_writer import FORMATS
from cvlint.cli.console.terminal import write
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_CVLINT_COMPLETE"
"""The shell sets it when it asks for completions; click makes the name from that of the command."""


@click.command("completion")
@click.argument("shell", metavar="|".join(SHELLS))
@click.help_option("-h", "--help")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete what is typed after cvlint.

    For bash, put this line into ~/.bashrc: eval "$(cvlint completion bash)". For zsh it is the same in ~/.zshrc with
    zsh. For fish: cvlint completion fish > ~/.config/fish/completions/cvlint.fish.
    """
    found = get_completion_class(shell) if shell in SHELLS else None
    if found is None:
        raise Refusal(
            f"There is no completion for the shell '{shell}'", f"valid are {', '.join(SHELLS)}", shell, SHELLS
        )
    script = found(context.find_root().command, {}, "cvlint", VARIABLE)
    # Not `script.source()`, which looks for bash on this machine: the script may be meant for another one.
    write(script.source_template % script.source_vars())


def complete_values(command: click.Command) -> None:
    """Make a command offer values for its options and arguments; only for a process that a shell asks."""
    for param in command.params:
        if isinstance(param.type, click.types.StringParamType | click.types.UnprocessedParamType):
            param.type = Completed()


class Completed(click.types.StringParamType):
    """Words whose completions follow from what the help page calls them."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """Offer the values that go on from what is typed."""
        match param.metavar:
            case "RULES":
                typed, comma, last = incomplete.rpartition(",")
                return [CompletionItem(typed + comma + word, help=about) for word, about in rule_words(last)]
            case "NAME|CODE":
                return [CompletionItem(word, help=about) for word, about in rule_words(incomplete)]
            case "FILE" | "SCRIPT" | "[PATH]" | "[PATHS]..." | "[ARGS]...":
                return [CompletionItem(incomplete, type="file")]
            case "FORMAT:FILE":
                return [CompletionItem(f"{style}:") for style in FORMATS if style.startswith(incomplete)]
            case "DIR":
                return [CompletionItem(incomplete, type="dir")]
            case str(metavar) if "|" in metavar:
                return [CompletionItem(word) for word in metavar.split("|") if word.startswith(incomplete)]
            case _:
                return []


def rule_words(beginning: str) -> Iterator[tuple[str, str]]:
    """The names of rules, then the codes, each with what the rule finds."""
    rules = _rules()
    words = [(rule.name, rule.summary) for rule in rules] + [(rule.code, rule.summary) for rule in rules]
    return ((word, about) for word, about in words if word.lower().startswith(beginning.lower()))


def _rules() -> tuple[Rule, ...]:
    """All rules, those of the project's own as well if they can be read: nobody reads an error while typing."""
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.settings.config import ConfigError
    from cvlint.workspace.settings.nearest_config import find_config

    try:
        return all_rules(*find_config(Path.cwd()).extend_rules)
    except (ConfigError, RuleError, OSError):
        return all_rules()
