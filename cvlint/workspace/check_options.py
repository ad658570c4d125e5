"""What a config, and the options of a command, say together about a check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cvlint.findings.finding import Confidence, Severity
from cvlint.usage_error import Refusal
from cvlint.workspace.config import Config
from cvlint.workspace.rule_selection import Adjustments, adjustments, exclusions, selected_rules

if TYPE_CHECKING:
    from cvlint.workspace.check import Options


def check_options(
    config: Config,
    select: Sequence[str],
    ignore: Sequence[str],
    confidence: Confidence | None,
    jobs: int,
    extend_select: Sequence[str] = (),
) -> Options:
    """What the options and the config say together."""
    from cvlint.knowledge.loader import load_knowledge
    from cvlint.knowledge.schema import KnowledgeError
    from cvlint.rules.catalogue import RuleError
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.check import Options

    try:
        rules = all_rules(*config.extend_rules)
        load_knowledge(*config.extend_knowledge)
    except (RuleError, KnowledgeError) as error:
        raise Refusal(str(error).rstrip(".")) from None
    return Options(
        rules=selected_rules(rules, select, ignore, config, extend_select),
        confidence=confidence or config.confidence or "medium",
        exclude=exclusions(config),
        jobs=jobs,
        own_knowledge=config.extend_knowledge,
        own_rules=config.extend_rules,
    )


def config_adjustments(config: Config, min_severity: Severity | None = None) -> Adjustments:
    """What the config, and the option ``--min-severity``, change in findings.

    The rules of the config are known to be good when `check_options` has passed.
    """
    from cvlint.rules.comment_rules import all_rules

    return adjustments(all_rules(*config.extend_rules), config, min_severity)
