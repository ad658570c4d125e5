"""What an editor shows when the pointer rests on a finding: what is wrong there, and the page of the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cvlint.findings.finding import Finding
from cvlint.output.rules.rule_page import explanation
from cvlint.output.shared.prose import finding_sentences
from cvlint.rules.catalogue import Rule


def hover_text(findings: Sequence[Finding], rules: Iterable[Rule]) -> str:
    """Markdown that also reads well as it is; pages come without their example in numbers, which takes long."""
    pages = {rule.name: explanation(rule, None) for rule in rules}
    return "\n\n---\n\n".join(
        "\n\n".join((*finding_sentences(one), pages.get(one.rule, ""))).strip() for one in findings
    )
