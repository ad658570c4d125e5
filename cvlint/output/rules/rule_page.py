"""Write the page of a rule as Markdown: the same headings for every rule, and a counter-example in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule
    from cvlint.runtime.examples.example_table import CounterExample

SAFETY = {
    "safe": "The fix is safe: no reported number changes.",
    "unsafe": "The fix is unsafe: a reported number changes, which is its purpose.",
    "suggestion": "The fix is a suggestion: it is for you to write.",
}


def render(rule: Rule, example: CounterExample | None = None) -> str:
    """Write the page of a rule.

    Parameters
    ----------
    rule : Rule
        The rule.
    example : CounterExample or None
        Its counter-example in numbers, for the end of the page, or None.

    Returns
    -------
    str
        Markdown that is also readable as plain text.
    """
    parts = [explanation(rule, example)]
    if example is not None:
        parts += [_table(example), example.conclusion]
    return "\n\n".join(parts) + "\n"


def explanation(rule: Rule, example: CounterExample | None) -> str:
    """Write the page without the table of the counter-example, which a terminal draws in its own way."""
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
    if example is not None:
        sections.append(_section("In numbers", example.title))
    return "\n\n".join(sections)


def _section(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body.strip()}"


def _code(text: str) -> str:
    return f"```python\n{text.strip(chr(10)).rstrip()}\n```"


def _table(example: CounterExample) -> str:
    """Write a Markdown table whose columns align in plain text; numbers are right-aligned."""
    widths = [max(3, *map(len, column)) for column in zip(example.columns, *example.rows, strict=True)]
    rule_off = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = []
    for row in (example.columns, rule_off, *example.rows):
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("| " + " | ".join((first.strip().ljust(widths[0]), *rest)) + " |")
    return "\n".join(lines)
