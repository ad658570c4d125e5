"""The page of a rule, as Markdown: the same five headings for every rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules import Rule

SAFETY = {
    "safe": "The fix is safe: no reported number changes.",
    "unsafe": "The fix is unsafe: a reported number changes, which is its purpose.",
    "suggestion": "The fix is a suggestion: it is for you to write.",
}


def render(rule: Rule) -> str:
    """Write the page of a rule.

    Parameters
    ----------
    rule : Rule
        The rule.

    Returns
    -------
    str
        Markdown that reads well as it is.
    """
    docs = rule.docs
    enabled = "on by default" if rule.enabled else "off by default"
    safety = SAFETY.get(docs.fix_safety, docs.fix_safety)
    sections = [
        f"# {rule.code} {rule.name}",
        f"{rule.summary} ({rule.severity}, {enabled}).",
        _section("What it does", docs.what),
        _section("Why is this bad", docs.why),
        _section("Example", _code(docs.bad)),
        _section("Use instead", _code(docs.good)),
        _section("Fix and its safety", f"{docs.fix.strip()}\n\n{safety}".strip()),
    ]
    if docs.references:
        sections.append(_section("References", "\n".join(f"- {reference}" for reference in docs.references)))
    return "\n\n".join(sections) + "\n"


def _section(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body.strip()}"


def _code(text: str) -> str:
    return f"```python\n{text.strip(chr(10)).rstrip()}\n```"
