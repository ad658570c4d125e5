"""Write the report of an audit as one self-contained HTML page for reviewers."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from cvlint.audit.inventory import Aggregation, Audit, tally
from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.source_text import SourceLines
from cvlint.output.audit import contents
from cvlint.output.shared.excerpt import Row, excerpt, first_line
from cvlint.output.shared.further_places import further_places
from cvlint.output.shared.locations import place, place_in_file, printable
from cvlint.output.shared.prose import sentence
from cvlint.output.shared.summary import summary
from cvlint.records import replace
from cvlint.source.location import Location

STYLE = """\
:root { color-scheme: light dark; --ink: #1d2127; --soft: #5c6670; --line: #d9dde2; --paper: #fff; --code: #f4f5f7;
  --mark: #ffe9a8; --error: #a40000; --warning: #7a4d00; --note: #00519e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a3acb6; --line: #3a4149; --paper: #16191d;
  --code: #20252b; --mark: #5c4a12; --error: #ff8f8f; --warning: #f0b860; --note: #8cc1ff } }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 72rem; margin: 3rem auto; padding: 0 1.25rem;
  color: var(--ink); background: var(--paper) }
h1, h3, p, li { overflow-wrap: anywhere }
h1 { font-size: 1.6rem } h2 { font-size: 1.25rem; margin-top: 3rem } h3 { font-size: 1rem; margin-top: 2rem }
code, pre { font: .875em/1.5 ui-monospace, monospace } code { overflow-wrap: anywhere }
.wide { overflow-x: auto } table { border-collapse: collapse } .wide table { width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem 1.5rem .35rem 0; text-align: left; vertical-align: top }
th { color: var(--soft); font-weight: 600 } tbody th { color: var(--ink); padding-top: 1.25rem }
td.count { text-align: right; font-variant-numeric: tabular-nums } td:first-child { white-space: nowrap }
pre { background: var(--code); padding: .6rem .75rem; overflow-x: auto }
mark { background: var(--mark); color: inherit }
.error { color: var(--error) } .warning { color: var(--warning) } .note { color: var(--note) }
[tabindex]:focus-visible { outline: 3px solid var(--note); outline-offset: 2px }
.finding { border-top: 1px solid var(--line); padding-top: .25rem } summary { cursor: pointer }
@media print { .wide { overflow: visible } pre { white-space: pre-wrap } .finding { break-inside: avoid } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(audits: Sequence[tuple[Audit, SourceLines]]) -> str:
    """Write the reports of submissions as one page that loads and runs nothing; see `render_markdown`."""
    title = "Audit" if len(audits) != 1 else f"Audit of {audits[0][0].submission}"
    width = '<meta name="viewport" content="width=device-width">'
    head = f"{width}\n<title>{_text(title)}</title>\n<style>\n{STYLE}</style>"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    body = "\n".join(part for audit, lines in audits for part in _page(audit, lines))
    start = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{policy}\n{head}\n</head>'
    return f"{start}\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"


def _page(audit: Audit, lines: SourceLines) -> Iterator[str]:
    introduction = contents.INTRODUCTION.replace("`", "")
    yield f"<h1>Audit of <code>{_text(audit.submission)}</code></h1>\n<p>{_text(introduction)}</p>"
    yield f"<h2>At a glance</h2>\n{_glance(audit.aggregations)}"
    yield from _ledger(audit)
    yield f"<h2>Findings</h2>\n<p>{_text(summary(replace(audit.report, errors=())))}</p>"
    faults = faults_of(audit.report.findings)
    for path, in_file in groupby(faults, key=lambda fault: fault.shown.location.path):
        yield f"<h3><code>{_text(path)}</code></h3>"
        yield from (_fault(fault, lines) for fault in in_file)
    if audit.aggregations:
        yield f"<h2>How results are aggregated</h2>\n{_inventory(audit.aggregations)}"
    yield "<h2>Not analysed</h2>\n<ul>"
    yield from (f"<li><code>{_text(one.path)}</code>: {_text(text)}</li>" for one, text in contents.unread_of(audit))
    yield f"<li>{_text(contents.unmeasured(audit))}</li>\n</ul>"


def _glance(found: Sequence[Aggregation]) -> str:
    """Write a table with the number of places for each aggregation."""
    if not found:
        return f"<p>{contents.NOTHING}</p>"
    cells = (
        f'<tr><td>{_text(measure)}</td><td>{_text(name)}</td><td class="count">{count}</td></tr>'
        for measure, name, count in tally(found)
    )
    return _scrolled("At a glance", [_head(contents.GLANCE), "<tbody>", *cells, "</tbody>"])


def _ledger(audit: Audit) -> Iterator[str]:
    """Write a table of what became of the values that were followed."""
    if audit.fates:
        cells = (
            f'<tr><td>{_text(kind)}</td><td>{_text(why)}</td><td class="count">{number}</td></tr>'
            for kind, why, number in contents.ledger_rows(audit)
        )
        yield _scrolled("What became of values", [_head(contents.LEDGER), "<tbody>", *cells, "</tbody>"])


def _inventory(found: Iterable[Aggregation]) -> str:
    """Write a table of all aggregations, grouped by file."""
    rows = [_head(contents.HEAD)]
    for path, those in groupby(found, key=lambda one: one.location.path):
        rows.append(
            f'<tbody>\n<tr><th colspan="{len(contents.HEAD)}" scope="rowgroup"><code>{_text(path)}</code></th></tr>'
        )
        for one in those:
            shown = "".join(f"<td>{_text(cell)}</td>" for cell in contents.cells_of(one)[1:])
            rows.append(f"<tr><td><code>{_text(place_in_file(one.location))}</code></td>{shown}</tr>")
        rows.append("</tbody>")
    return _scrolled("How results are aggregated", rows)


def _scrolled(label: str, rows: Iterable[str]) -> str:
    """Write a table that scrolls in a narrow window; the label and the tabindex are for those who use no mouse."""
    start = f'<div class="wide" role="group" tabindex="0" aria-label="{label}">\n<table>'
    return "\n".join([start, *rows, "</table>\n</div>"])


def _code(text: str, location: Location) -> str:
    """Write source lines, which scroll as tables do."""
    return f'<pre tabindex="0" role="group" aria-label="Code at {_text(place(location))}">{text}</pre>'


def _head(names: Iterable[str]) -> str:
    cells = "".join(f'<th scope="col">{name}</th>' for name in names)
    return f"<thead><tr>{cells}</tr></thead>"


def _fault(fault: Fault, lines: SourceLines) -> str:
    finding = fault.shown
    rule = f'<strong class="{finding.severity}">{_text(f"{finding.code} {finding.rule}")}</strong>'
    grade = f"{finding.severity}, {finding.confidence} confidence"
    where = f"<code>{_text(place_in_file(finding.location))}</code> {rule} ({grade})"
    parts = [f"<p>{where}<br>{_text(finding.message, True)}</p>"]
    source = lines(finding.location)
    rows = excerpt(source, finding.location) if source is not None else []
    parts += [_code("\n".join(map(_row, rows)), finding.location)] if rows else []
    further = further_places(fault, None)
    parts += [f"<p>{_text(further[0].upper() + further[1:], True)}</p>"] if further else []
    steps = "\n".join(_step(step.location, step.note, lines) for step in finding.trace)
    parts += [f"<details>\n<summary>How the fault arises</summary>\n<ol>\n{steps}\n</ol>\n</details>"] if steps else []
    parts += [f"<p>Use instead: {_text(finding.fix.message, True)}</p>"] if finding.fix is not None else []
    return "\n".join(['<div class="finding">', *parts, "</div>"])


def _step(location: Location, note: str, lines: SourceLines) -> str:
    source = lines(location)
    row = first_line(source, location) if source is not None else None
    shown = _code(_row(row), location) if row is not None else ""
    return f"<li><code>{_text(place(location))}</code>: {_text(note)}{shown}</li>"


def _row(row: Row) -> str:
    """Write a source line with the marked columns; a column is one character wide, except in a few scripts."""
    before, marked, after = row.text[: row.start], row.text[row.start :][: row.width], row.text[row.start + row.width :]
    number = "" if row.number is None else str(row.number)
    return f"{number:>5} | {_text(before)}<mark>{_text(marked)}</mark>{_text(after)}"


def _text(text: str, whole: bool = False) -> str:
    """Escape the text of strangers for HTML; ``whole`` makes it a sentence."""
    return html.escape(sentence(text) if whole else printable(text))
