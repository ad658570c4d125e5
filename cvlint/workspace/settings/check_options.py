"""The options of a check, from a config and from the words of a command line together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cvlint.findings.finding import Confidence
from cvlint.records import dataclass
from cvlint.source.discovery import Anchored
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.config import Config
from cvlint.workspace.settings.patterns import config_exclusions
from cvlint.workspace.settings.rule_selection import selected_rules


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What a check reports, which files it leaves out, and how many processes it uses."""

    rules: frozenset[str]
    """The names of the rules that are reported."""
    confidence: Confidence = "medium"
    """The lowest confidence that is reported."""
    exclude: tuple[str | Anchored, ...] = ()
    """Patterns of files and folders that are left out."""
    jobs: int = 0
    """The number of processes; 0 chooses it from the number of cores and files."""
    own_knowledge: tuple[Path, ...] = ()
    own_rules: tuple[Path, ...] = ()
    """Files of the project that add to the knowledge and rules of cvlint."""
    folders: tuple[str, ...] = ()
    """The absolute paths of the folders that are checked: a folder without the root of a project is a project."""
    inventory: bool = False
    """Whether every aggregation is recorded as well, which `cvlint audit` lists."""
    fates: bool = False
    """Whether the fate of every followed value is recorded as well, which `cvlint trace` lists."""


def check_options(
    config: Config,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    confidence: Confidence | None = None,
    jobs: int = 0,
    extend_select: Sequence[str] = (),
) -> CheckOptions:
    """Join the settings of a config with the words of a command line.

    Raises
    ------
    UsageError
        If a word names no rule, if no rule is left, or if a file of own rules or knowledge cannot be used.
    """
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules

    try:
        rules = all_rules(*config.extend_rules)
    except RuleError as error:
        raise UsageError(str(error).rstrip(".")) from None
    if config.extend_knowledge:
        _check_knowledge(config.extend_knowledge)
    return CheckOptions(
        rules=selected_rules(rules, select, ignore, config, extend_select),
        confidence=confidence or config.confidence or "medium",
        exclude=config_exclusions(config),
        jobs=jobs,
        own_knowledge=config.extend_knowledge,
        own_rules=config.extend_rules,
    )


def _check_knowledge(files: Sequence[Path]) -> None:
    """Refuse knowledge files of a project that cannot be used."""
    from cvlint.knowledge.loader import load_knowledge
    from cvlint.knowledge.schema import KnowledgeError

    try:
        load_knowledge(*files)
    except KnowledgeError as error:
        raise UsageError(str(error).rstrip(".")) from None
