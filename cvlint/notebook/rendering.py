"""A fault as it appears under a cell: quiet HTML that fits a light and a dark page, and text for a terminal."""

from __future__ import annotations

import html
import os.path
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cvlint.findings.faults import Fault
from cvlint.findings.finding import Finding, Report, TraceStep
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings import text
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.excerpt import Row, first_line
from cvlint.output.shared.further_places import further_places
from cvlint.output.shared.locations import printable
from cvlint.output.shared.measured import labelled_sentence, measured_sentences
from cvlint.output.shared.prose import sentence
from cvlint.records import replace
from cvlint.rules.address import rule_address
from cvlint.source.location import Location

EDGES = {"error": "#d5342b", "warning": "#b97a00", "note": "#2b7fd5"}
"""The colours of the edge, which stand out on white and on black; words say the severity, too."""

BOX = "border-left:3px solid {edge};padding:.15em 0 .15em .8em;margin:.4em 0;max-width:60em;line-height:1.45"
PLAIN = "margin:.2em 0;padding:0;background:none;color:inherit;border:0;box-shadow:none;text-align:left"
CODE = f"{PLAIN};white-space:pre;overflow-x:auto;padding-bottom:.3em;font-family:monospace;font-size:.95em"
CODE_SPAN = re.compile(r"`([^`]+)`")
LINK = "color:inherit;text-decoration:underline"
MARK = "background:none;color:inherit;text-decoration:underline wavy {edge};text-underline-offset:.2em"


@dataclass(frozen=True, slots=True)
class CellNames:
    """The names that cells have for the user, ``In [5]``, and their lines."""

    path: str
    """The notebook."""
    labels: Sequence[str]
    """The name of each cell, in the order of the cells."""
    lines: SourceLines
    """Gives the lines of a location in the notebook or in a module that it imports."""

    def named(self, location: Location) -> Location:
        """A location with the name of its cell in place of the path; that of a module starts beside the notebook."""
        if location.path != self.path or location.cell is None:
            return replace(location, path=location.path.removeprefix(os.path.join(os.path.dirname(self.path), "")))
        return replace(location, path=self.labels[location.cell - 1], cell=None)

    def named_lines(self, location: Location) -> Sequence[str] | None:
        """The lines of a location that has the name of its cell."""
        if location.path in self.labels and location.cell is None:
            return self.lines(replace(location, path=self.path, cell=self.labels.index(location.path) + 1))
        return self.lines(replace(location, path=os.path.join(os.path.dirname(self.path), location.path)))

    def renamed(self, finding: Finding) -> Finding:
        """A finding whose places have the names of their cells."""
        steps = tuple(TraceStep(self.named(step.location), step.note) for step in finding.trace)
        return replace(finding, location=self.named(finding.location), trace=steps)


def fault_text(fault: Fault, names: CellNames, columns: int) -> str:
    """Write a fault as text; its places have the names of cells."""
    context = RenderContext(source_lines=names.named_lines, columns=columns, quiet=True)
    return f"cvlint: {text.render(Report(fault.findings, (), 1), context).strip()}"


def fault_html(fault: Fault, names: CellNames) -> str:
    """Write a fault as HTML; its places have the names of cells.

    Every style stands in the element, because an output shares the page with those of other tools. Text and background
    have the colours of the page, so that any theme that can be read stays readable.
    """
    finding = fault.shown
    edge = EDGES[finding.severity]
    parts = [_head(finding), f'<div style="{PLAIN}">{_text(finding.message, True)}</div>']
    parts += _source(names, finding.location, edge)
    for label, rest in map(labelled_sentence, measured_sentences(finding)):
        parts.append(f'<div style="{PLAIN}"><strong>{label.capitalize()}:</strong> {_text(rest, True)}</div>')
    places = further_places(fault, None)
    parts += [f'<div style="{PLAIN}">{_text(places[0].upper() + places[1:], True)}</div>'] if places else []
    parts += _trace(finding, names, edge)
    if finding.fix is not None:
        parts.append(f'<div style="{PLAIN}"><strong>Help:</strong> {_text(finding.fix.message, True)}</div>')
    inner = "\n".join(parts)
    return f'<div class="cvlint-finding" style="{BOX.format(edge=edge)}">\n{inner}\n</div>'


def _head(finding: Finding) -> str:
    address = rule_address(finding.rule)
    name = f"<strong>{_text(finding.rule)}</strong>"
    if address is not None:
        name = f'<a href="{html.escape(address)}" target="_blank" rel="noopener" style="{LINK}">{name}</a>'
    sure = "" if finding.confidence == "high" else f", {finding.confidence} confidence"
    where = f"at {_text(finding.location.path)}, line {finding.location.line}"
    return f'<div style="{PLAIN}">cvlint {finding.severity} {name} ({_text(finding.code)}{sure}) {where}</div>'


def _source(names: CellNames, location: Location, edge: str) -> Iterator[str]:
    lines = names.named_lines(location)
    row = first_line(lines, location) if lines is not None else None
    if row is not None and row.text.strip():
        yield f'<pre style="{CODE}" tabindex="0">{_row(row, edge)}</pre>'


def _trace(finding: Finding, names: CellNames, edge: str) -> Iterator[str]:
    if finding.trace:
        before = [None, *(step.location for step in finding.trace)]
        pairs = zip(finding.trace, before, strict=False)
        steps = "\n".join(_step(step, _is_same_line(step.location, last), names, edge) for step, last in pairs)
        summary = '<summary style="cursor:pointer">How the fault arises</summary>'
        yield f'<details style="{PLAIN}">{summary}\n<ol style="margin:.2em 0">\n{steps}\n</ol>\n</details>'


def _step(step: TraceStep, is_same_line: bool, names: CellNames, edge: str) -> str:
    source = "" if is_same_line else "".join(_source(names, step.location, edge))
    return f"<li>{_text(step.location.path)}, line {step.location.line}: {_text(step.note)}{source}</li>"


def _is_same_line(location: Location, other: Location | None) -> bool:
    return other is not None and (location.path, location.line) == (other.path, other.line)


def _row(row: Row, edge: str) -> str:
    before, marked, after = row.text[: row.start], row.text[row.start :][: row.width], row.text[row.start + row.width :]
    indent = len(before) - len(before.lstrip())
    return f'{_text(before[indent:])}<mark style="{MARK.format(edge=edge)}">{_text(marked)}</mark>{_text(after)}'


def _text(words: str, whole: bool = False) -> str:
    """Escape text that holds names of the user; ``whole`` makes it a sentence, and shows code in it as code."""
    escaped = html.escape(sentence(words) if whole else printable(words))
    return CODE_SPAN.sub(r"<code>\1</code>", escaped) if whole else escaped
