"""The report of an audit, for reviewers: Markdown, or one HTML page that needs nothing but itself."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from cvlint.audit import Aggregation, Audit
from cvlint.findings import Finding, Location
from cvlint.output import markdown
from cvlint.output.excerpt import Lines, Row, excerpt, first_line
from cvlint.output.places import place, printable
from cvlint.output.prose import sentence
from cvlint.output.text import summary

INTRODUCTION = (
    "Every rule was checked, and guesses that rest on names alone are shown, too. Settings of the submission, its "
    "`.gitignore` files and its comments that suppress findings are not heeded. Only its Python files and notebooks "
    "are read, and nothing of it was run."
)
HEAD = ("place", "measure", "aggregation", "what it is", "made at", "confidence")
MOST_PARTS = 6
NOTHING = "No measure was seen that cvlint knows."
NO_FAULTS = "No faults found."
STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto }
th, td { border: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top }
pre { background: #f5f5f5; padding: .5rem; overflow-x: auto } mark { background: #ffe08a }
.error { color: #a40000 } .warning { color: #8a5a00 } .note { color: #00519e }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_markdown(audit: Audit, lines: Lines) -> str:
    """Write the report of one submission as Markdown.

    Parameters
    ----------
    audit : Audit
        What is to be told; its paths start from the root of the submission.
    lines : callable
        Gives the source lines for a place, or None where they cannot be had.
    """
    blocks = [f"# Audit of {markdown.code(audit.submission)}", INTRODUCTION, "## How results are aggregated"]
    blocks.append(_table(audit.aggregations) if audit.aggregations else NOTHING)
    # The heading of the other report gives way to ours; what could not be read has a section of its own here.
    _, _, findings = markdown.render(replace(audit.report, errors=()), lines).partition("\n\n")
    blocks += ["## Findings", findings.rstrip("\n"), "## Not analysed"]
    unread = (f"- {markdown.code(one.path)}: {markdown.escaped(text)}" for one, text in _unread(audit))
    blocks.append("\n".join([*unread, f"- {_unmeasured(audit)}"]))
    return "\n\n".join(blocks) + "\n"


def _table(found: Iterable[Aggregation]) -> str:
    rows = ["| " + " | ".join(HEAD) + " |", "| " + " | ".join("---" for _ in HEAD) + " |"]
    for one in found:
        where, *others = _cells(one)
        cells = [markdown.code(where).replace("|", "\\|"), *map(markdown.escaped, others)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cells(one: Aggregation) -> tuple[str, ...]:
    """What the table shows of an aggregation, as plain text."""
    return place(one.location), printable(one.measure), one.name, printable(one.meaning), _parts(one), one.confidence


def _parts(one: Aggregation) -> str:
    """Where the values come from; places in the same file, or cell, by their lines."""
    shown = [_near(part, one.location) for part in one.parts if part != one.location]
    shown = list(dict.fromkeys(shown))
    more = [f"and {len(shown) - MOST_PARTS} more"] if len(shown) > MOST_PARTS else []
    return ", ".join([*shown[:MOST_PARTS], *more])


def _near(part: Location, location: Location) -> str:
    if part.path != location.path:
        return place(part).rpartition(":")[0]
    return f"line {part.line}" if part.cell == location.cell else f"cell {part.cell} line {part.line}"


def _unread(audit: Audit) -> Iterator[tuple[Location, str]]:
    """What could not be analysed, each with a sentence that says why."""
    for error in audit.report.errors:
        line = "" if error.line is None else f"line {error.line}: "
        yield Location(error.path, None, error.line or 1, 1, error.line or 1, 1), sentence(f"{line}{error.message}")


def _unmeasured(audit: Audit) -> str:
    files = audit.report.files
    every = "1 file was found" if files == 1 else f"{files} files were found"
    without = audit.unmeasured
    return f"{every}; {'in 1 of them' if without == 1 else f'in {without} of them'} no measure was seen."


def render_html(audits: Sequence[tuple[Audit, Lines]]) -> str:
    """Write the reports of submissions as one page, which loads nothing and runs nothing; see `render_markdown`."""
    title = "Audit" if len(audits) != 1 else f"Audit of {audits[0][0].submission}"
    head = f"<title>{_text(title)}</title>\n<style>\n{STYLE}</style>"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    body = "\n".join(part for audit, lines in audits for part in _page(audit, lines))
    start = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{policy}\n{head}\n</head>'
    return f"{start}\n<body>\n{body}\n</body>\n</html>\n"


def _page(audit: Audit, lines: Lines) -> Iterator[str]:
    yield f"<h1>Audit of <code>{_text(audit.submission)}</code></h1>\n<p>{_text(INTRODUCTION.replace('`', ''))}</p>"
    yield "<h2>How results are aggregated</h2>"
    rows = [f"<tr>{''.join(f'<th>{name}</th>' for name in HEAD)}</tr>"]
    for one in audit.aggregations:
        where, *others = _cells(one)
        rows.append(f"<tr><td><code>{_text(where)}</code></td>{''.join(f'<td>{_text(c)}</td>' for c in others)}</tr>")
    yield "\n".join(["<table>", *rows, "</table>"]) if audit.aggregations else f"<p>{NOTHING}</p>"
    yield f"<h2>Findings</h2>\n<p>{_text(summary(replace(audit.report, errors=())))}</p>"
    for path, findings in groupby(audit.report.findings, key=lambda finding: finding.location.path):
        yield f"<h3><code>{_text(path)}</code></h3>"
        yield from (_finding(finding, lines) for finding in findings)
    yield "<h2>Not analysed</h2>\n<ul>"
    yield from (f"<li><code>{_text(one.path)}</code>: {_text(text)}</li>" for one, text in _unread(audit))
    yield f"<li>{_text(_unmeasured(audit))}</li>\n</ul>"


def _finding(finding: Finding, lines: Lines) -> str:
    rule = f'<strong class="{finding.severity}">{_text(f"{finding.code} {finding.rule}")}</strong>'
    grade = f"{finding.severity}, {finding.confidence} confidence"
    parts = [f"<p><code>{_text(place(finding.location))}</code> {rule} ({grade})<br>{_text(finding.message, True)}</p>"]
    source = lines(finding.location)
    rows = excerpt(source, finding.location) if source is not None else []
    parts += [f"<pre>{chr(10).join(map(_row, rows))}</pre>"] if rows else []
    steps = "\n".join(_step(step.location, step.note, lines) for step in finding.trace)
    parts += [f"<details>\n<summary>How it comes about</summary>\n<ol>\n{steps}\n</ol>\n</details>"] if steps else []
    parts += [f"<p>Use instead: {_text(finding.fix.message, True)}</p>"] if finding.fix is not None else []
    return "\n".join(parts)


def _step(location: Location, note: str, lines: Lines) -> str:
    source = lines(location)
    row = first_line(source, location) if source is not None else None
    shown = f"<pre>{_row(row)}</pre>" if row is not None else ""
    return f"<li><code>{_text(place(location))}</code>: {_text(note)}{shown}</li>"


def _row(row: Row) -> str:
    """A line of source, what it is about marked; columns are as wide as characters, except for a few scripts."""
    before, marked, after = row.text[: row.start], row.text[row.start :][: row.width], row.text[row.start + row.width :]
    number = "" if row.number is None else str(row.number)
    return f"{number:>5} | {_text(before)}<mark>{_text(marked)}</mark>{_text(after)}"


def _text(text: str, whole: bool = False) -> str:
    """Text of strangers as HTML shows it; ``whole`` ones as a sentence."""
    return html.escape(sentence(text) if whole else printable(text))
