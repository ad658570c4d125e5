"""The hover text of a finding: its message, and the page of its rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cvlint.findings.finding import Finding
from cvlint.output.rules.rule_page import explanation
from cvlint.output.shared.prose import finding_sentences
from cvlint.rules.catalogue import Rule


def hover_text(findings: Sequence[Finding], rules: Iterable[Rule]) -> str:
    """Markdown that is also readable as plain text; pages lack the example in numbers, which takes long to compute."""
    pages = {rule.name: explanation(rule, None) for rule in rules}
    return "\n\n---\n\n".join(
        "\n\n".join((*finding_sentences(one), pages.get(one.rule, ""))).strip() for one in findings
    )
