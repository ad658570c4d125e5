"""Write the report of an audit as Markdown for reviewers."""

from __future__ import annotations

from collections.abc import Iterable

from cvlint.audit.inventory import Aggregation, Audit, tally
from cvlint.findings.source_text import SourceLines
from cvlint.output.audit import contents
from cvlint.output.findings import markdown
from cvlint.records import replace


def render_markdown(audit: Audit, lines: SourceLines) -> str:
    """Write the report of one submission as Markdown.

    Parameters
    ----------
    audit : Audit
        The audit; its paths start from the root of the submission.
    lines : callable
        Gives the source lines of a location, or None if they are not available.
    """
    blocks = [f"# Audit of {markdown.code(audit.submission)}", contents.INTRODUCTION, "## At a glance"]
    counted = [[*map(markdown.escaped, words), str(count)] for *words, count in tally(audit.aggregations)]
    blocks.append(_table(contents.GLANCE, counted) if counted else contents.NOTHING)
    if audit.fates:
        blocks.append(_table(contents.LEDGER, ([*map(markdown.escaped, row)] for row in contents.ledger_rows(audit))))
    # Files that could not be read have a section of their own, so the summary here leaves them out.
    blocks += ["## Findings", *markdown.finding_blocks(replace(audit.report, errors=()), lines)]
    if audit.aggregations:
        blocks += ["## How results are aggregated", _table(contents.HEAD, map(_row, audit.aggregations))]
    unread = (f"- {markdown.code(one.path)}: {markdown.escaped(text)}" for one, text in contents.unread_of(audit))
    blocks += ["## Not analysed", "\n".join([*unread, f"- {contents.unmeasured(audit)}"])]
    return "\n\n".join(blocks) + "\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (names, ["---"] * len(names), *rows))


def _row(one: Aggregation) -> list[str]:
    where, *others = contents.cells_of(one)
    return [markdown.code(where).replace("|", "\\|"), *map(markdown.escaped, others)]
