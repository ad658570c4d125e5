"""The page that shows fold data, what is recomputed of them, and what is wrong with the code: HTML without a script."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from cvlint import __version__
from cvlint.findings.finding import Finding, Location
from cvlint.output.evaluation import recomputed, thresholds
from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.shared.excerpt import Lines, Row, excerpt, first_line
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import sentences
from cvlint.output.shared.prose import sentence, suppression
from cvlint.report.amounts import amounts
from cvlint.report.experiments import Experiment, kind_of
from cvlint.report.sections import Drawings, section, side_by_side
from cvlint.runtime.aggregates.repetitions import MEANING, over_repetitions
from cvlint.runtime.intervals.bootstrap import Bootstrap

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_ROWS = 100
"""Rows of a table: folds, experiments."""

SECTIONS, FINDINGS = 1_200_000, 300_000
"""Characters of the sections of experiments and of findings: later ones are left out, so that it stays below 2 MB."""

LONGEST = 2_000
"""Characters of a text; of a label there are `LABEL`."""

LABEL = 60
T = TypeVar("T")

SUBSCRIPT = re.compile(r"\b(F|AUC|AP|P@\d+)(_|~)(tp,fp|avg|pr,re|merge)\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is about: the file, a digest of its content, how it was bootstrapped, and what must be noted."""

    name: str
    digest: str = ""
    bootstrap: Bootstrap | None = None
    notes: tuple[str, ...] = ()


def render(
    asked: Asked,
    experiments: Sequence[Experiment],
    findings: Sequence[Finding] | None = None,
    lines: Lines = lambda location: None,
) -> str:
    """Write the page.

    Parameters
    ----------
    asked
        What it is about.
    experiments
        At least one.
    findings
        Of a check of the code; None where it was not checked.
    lines
        Gives the source lines for a place, or None where they cannot be had.

    Returns
    -------
    str
        HTML that loads and runs nothing, less than 2 MB; the same for the same data.
    """
    environment = templates(lines)
    drawings = Drawings()
    compared = side_by_side(experiments, drawings)
    made = (section(one, drawings, asked.bootstrap) for one in experiments)
    about = environment.get_template("experiment.html.j2")
    sections = list(as_long_as(SECTIONS, made, lambda one: about.render(s=one)))
    fault = environment.get_template("finding.html.j2")
    numbered = enumerate(findings or (), start=1)
    faults = list(as_long_as(FINDINGS, numbered, lambda one: fault.render(number=one[0], finding=one[1])))
    return environment.get_template("page.html.j2").render(
        asked=asked,
        experiments=experiments,
        kind=kind_of(experiments),
        repetitions=over_repetitions([one.found for one in experiments]),
        sections=sections,
        compared=compared,
        findings=findings,
        faults=faults,
        amounts=amounts(experiments, findings or ()),
    )


def as_long_as(room: int, things: Iterable[T], render: Callable[[T], str]) -> Iterator[tuple[T, Markup]]:
    """Things and the HTML about them, as long as there is room for it: the first in any case."""
    from markupsafe import Markup

    for thing in things:
        text = render(thing)
        yield thing, Markup(text)
        room -= len(text)
        if room < 0:
            return


def templates(lines: Lines) -> Environment:
    """The templates, and what they call."""
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
        "cut": cut,
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
        "sentences": sentences,
        "suppression": suppression,
        "threshold_sentences": thresholds.sentences,
        "verdict": recomputed.verdict,
        "version": __version__,
        "ways_table": thresholds.ways_table,
    }
    return environment


def shortened(text: object, most: int = LONGEST) -> str:
    """The beginning of a text."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def scale(values: Sequence[float | None]) -> tuple[float, float]:
    """From where to where to draw some shares: whole tenths around them, at least one apart."""
    known = [v for v in values if v is not None and v == v]
    low = math.floor(10 * min(known, default=0.0) + 1e-9)
    high = max(low + 1, math.ceil(10 * max(known, default=1.0) - 1e-9))
    return (low - (high > 10)) / 10, min(high, 10) / 10


def named(text: object) -> Markup:
    """Text in which the names of aggregates are set as the paper sets them; all else is escaped."""
    from markupsafe import Markup, escape

    def typeset(found: re.Match[str]) -> str:
        tilde = "\N{COMBINING TILDE}" if found[2] == "~" else ""
        return f"{found[1]}{tilde}<sub>{found[3]}</sub>"

    unbroken = re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", printable(shortened(text)))
    return Markup(SUBSCRIPT.sub(typeset, str(escape(unbroken))))


def rows_of(lines: Lines, location: Location) -> list[Row]:
    """The lines of a place; nothing where they cannot be had."""
    source = lines(location)
    return [] if source is None else excerpt(source, location)


def row_of(lines: Lines, location: Location) -> Row | None:
    """The first line of a place; None where it cannot be had."""
    source = lines(location)
    return None if source is None else first_line(source, location)


def cut(row: Row) -> tuple[str, str, str]:
    """A line of source before, in and behind the marked columns."""
    return row.text[: row.start], row.text[row.start :][: row.width], row.text[row.start + row.width :]
