"""Write the page of a report as HTML without scripts: fold data, recomputed aggregates, and findings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from cvlint import __version__
from cvlint.findings.finding import Finding
from cvlint.findings.source_text import SourceLines
from cvlint.output.evaluation import compared as compared_experiments
from cvlint.output.evaluation import recomputed, thresholds
from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.shared.excerpt import Row, excerpt, first_line
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import measured_sentences
from cvlint.output.shared.prose import sentence, suppression
from cvlint.report.comparisons import comparisons
from cvlint.report.discrepancies import discrepancies
from cvlint.report.experiments import EvaluatedExperiment, kind_of
from cvlint.report.opening import opening, without_undefined
from cvlint.report.sections import Drawings, section, side_by_side
from cvlint.runtime.aggregates.repetitions import MEANING, over_repetitions
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.source.location import Location

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_ROWS = 100
"""The number of rows in a table of folds or experiments."""

SECTIONS, FINDINGS = 1_200_000, 300_000
"""The limits in characters for the sections of experiments and of findings, which keep the page below 2 MB."""

LONGEST = 2_000
"""The limit in characters for a text; `LABEL` is the limit for a label."""

LABEL = 60
T = TypeVar("T")

SUBSCRIPT = re.compile(r"\b(F|AUC|AP|P@\d+)(_|~)(tp,fp|avg|pr,re|merge)\b")


@dataclass(frozen=True, slots=True)
class ReportSource:
    """The source of a report: the file, a digest of its content, the bootstrap settings, and notes for the reader."""

    name: str
    digest: str = ""
    bootstrap: Bootstrap | None = None
    notes: tuple[str, ...] = ()


def render(
    source: ReportSource,
    experiments: Sequence[EvaluatedExperiment],
    findings: Sequence[Finding] | None = None,
    lines: SourceLines = lambda location: None,
) -> str:
    """Write the page.

    Parameters
    ----------
    source
        The file that the report describes.
    experiments
        The experiments, at least one.
    findings
        The findings in the code; None if the code was not checked.
    lines
        Gives the source lines of a location, or None if they are not available.

    Returns
    -------
    str
        HTML below 2 MB that loads and runs nothing; equal data give equal pages.
    """
    environment = templates(lines)
    drawings = Drawings()
    compared = side_by_side(experiments, drawings)
    sections_of = (section(one, drawings, source.bootstrap) for one in experiments)
    about = environment.get_template("experiment.html.j2")
    sections = list(as_long_as(SECTIONS, sections_of, lambda one: about.render(s=one, lone=len(experiments) == 1)))
    fault = environment.get_template("finding.html.j2")
    numbered = enumerate(findings or (), start=1)
    folded = len(experiments) > 1  # the page begins as an overview
    faults = list(
        as_long_as(FINDINGS, numbered, lambda one: fault.render(number=one[0], finding=one[1], folded=folded))
    )
    wrong = discrepancies(experiments, findings or ())
    return environment.get_template("page.html.j2").render(
        source=source,
        experiments=experiments,
        kind=kind_of(experiments),
        repetitions=over_repetitions([one.found for one in experiments]),
        sections=sections,
        compared=compared,
        comparisons=comparisons(experiments, source.bootstrap),
        findings=findings,
        faults=faults,
        discrepancies=wrong,
        opening=opening(experiments, wrong),
    )


def as_long_as(room: int, things: Iterable[T], render: Callable[[T], str]) -> Iterator[tuple[T, Markup]]:
    """Render things until their HTML fills the room; the first thing is always rendered."""
    from markupsafe import Markup

    for thing in things:
        text = render(thing)
        yield thing, Markup(text)
        room -= len(text)
        if room < 0:
            return


def templates(lines: SourceLines) -> Environment:
    """Load the templates, with the functions and filters that they call."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cvlint.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "between": recomputed.between,
        "count": partial(recomputed.figure, "samples"),
        "label": lambda value: named(shortened(value, LABEL)),
        "named": named,
        "percent": recomputed.percent,
        "place": place,
        "printable": lambda value: printable(shortened(value)),
        "sentence": sentence,
        "share": recomputed.share,
        "signed": recomputed.signed,
    }
    environment.globals |= {
        "compared_with": recomputed.compared_with,
        "comparison_table": compared_experiments.right_table,
        "cut": cut,
        "labelled": labelled,
        "without_undefined": without_undefined,
        "fold_table": recomputed.fold_table,
        "most": MOST_ROWS,
        "policy": POLICY,
        "positive_sentence": positive_sentence,
        "reasons": recomputed.reasons,
        "repetitions_meaning": MEANING,
        "repetitions_table": recomputed.repetitions_table,
        "repetitions_title": recomputed.repetitions_title,
        "row_of": partial(row_of, lines),
        "rows_of": partial(rows_of, lines),
        "scale": scale,
        "measured_sentences": measured_sentences,
        "suppression": suppression,
        "threshold_sentences": thresholds.sentences,
        "verdict": recomputed.verdict,
        "version": __version__,
        "ways_table": thresholds.ways_table,
    }
    return environment


def shortened(text: object, most: int = LONGEST) -> str:
    """Cut a text to a number of characters."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def scale(values: Sequence[float | None]) -> tuple[float, float]:
    """Choose the range of an axis for some shares: the tenths around them, at least one tenth apart."""
    known = [v for v in values if v is not None and v == v]
    low = math.floor(10 * min(known, default=0.0) + 1e-9)
    high = max(low + 1, math.ceil(10 * max(known, default=1.0) - 1e-9))
    return (low - (high > 10)) / 10, min(high, 10) / 10


def named(text: object) -> Markup:
    """Escape a text, and write the names of aggregates with subscripts as the paper does."""
    from markupsafe import Markup, escape

    def typeset(found: re.Match[str]) -> str:
        tilde = "\N{COMBINING TILDE}" if found[2] == "~" else ""
        return f"{found[1]}{tilde}<sub>{found[3]}</sub>"

    unbroken = re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", printable(shortened(text)))
    return Markup(SUBSCRIPT.sub(typeset, str(escape(unbroken))))


def labelled(table: Markup) -> Markup:
    """Write the head of its column into each cell of a table, because narrow windows show no heads."""
    from markupsafe import Markup, escape

    head, _, body = table.partition("</thead>")
    heads = [
        Markup(text.replace("<sub>", "_")).striptags() for text in re.findall(r"<th[^>]*>(.*?)</th>", head, re.DOTALL)
    ]
    rows = str(body).split("<tr")
    for number, row in enumerate(rows[1:], start=1):
        names = iter(heads)
        rows[number] = re.sub(
            r"<t([dh])(?=[ >])",
            lambda cell, names=names: f'<t{cell[1]} data-label="{escape(next(names, ""))}"',  # type: ignore[misc]
            row,
        )
    return Markup("".join((head, "</thead>" if body else "", "<tr".join(rows))))


def rows_of(lines: SourceLines, location: Location) -> list[Row]:
    """The source lines of a location; empty if they are not available."""
    source = lines(location)
    return [] if source is None else excerpt(source, location)


def row_of(lines: SourceLines, location: Location) -> Row | None:
    """The first source line of a location; None if it is not available."""
    source = lines(location)
    return None if source is None else first_line(source, location)


def cut(row: Row) -> tuple[str, str, str]:
    """Split a source line into the text before, in and after the marked columns."""
    return row.text[: row.start], row.text[row.start :][: row.width], row.text[row.start + row.width :]
