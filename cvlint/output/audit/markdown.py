"""The report of an audit, for reviewers, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cvlint.audit.inventory import Aggregation, Audit, tally
from cvlint.findings.finding import Location
from cvlint.output.findings import markdown
from cvlint.output.shared.excerpt import Lines
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.prose import sentence

INTRODUCTION = (
    "Every rule was checked, and guesses that rest on names alone are shown, too. Settings of the submission, its "
    "`.gitignore` files and its comments that suppress findings have no effect. Only its Python files and notebooks "
    "are read, and nothing of it was run."
)
GLANCE = ("measure", "aggregation", "places")
HEAD = ("place", "measure", "aggregation", "what it is", "made at", "confidence")
MOST_PARTS = 6
NOTHING = "No measure was seen that cvlint knows."
NO_FAULTS = "No faults found."


def render_markdown(audit: Audit, lines: Lines) -> str:
    """Write the report of one submission as Markdown.

    Parameters
    ----------
    audit : Audit
        What is to be told; its paths start from the root of the submission.
    lines : callable
        Gives the source lines for a place, or None where they cannot be had.
    """
    blocks = [f"# Audit of {markdown.code(audit.submission)}", INTRODUCTION, "## At a glance"]
    counted = [[*map(markdown.escaped, words), str(count)] for *words, count in tally(audit.aggregations)]
    blocks.append(_table(GLANCE, counted) if counted else NOTHING)
    # The heading of the other report gives way to ours; what could not be read has a section of its own here.
    _, _, findings = markdown.render(replace(audit.report, errors=()), lines).partition("\n\n")
    blocks += ["## Findings", findings.rstrip("\n")]
    if audit.aggregations:
        blocks += ["## How results are aggregated", _table(HEAD, map(_row, audit.aggregations))]
    unread = (f"- {markdown.code(one.path)}: {markdown.escaped(text)}" for one, text in unread_of(audit))
    blocks += ["## Not analysed", "\n".join([*unread, f"- {unmeasured(audit)}"])]
    return "\n\n".join(blocks) + "\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (names, ["---"] * len(names), *rows))


def _row(one: Aggregation) -> list[str]:
    where, *others = cells_of(one)
    return [markdown.code(where).replace("|", "\\|"), *map(markdown.escaped, others)]


def cells_of(one: Aggregation) -> tuple[str, ...]:
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


def unread_of(audit: Audit) -> Iterator[tuple[Location, str]]:
    """What could not be analysed, each with a sentence that says why."""
    for error in audit.report.errors:
        line = "" if error.line is None else f"line {error.line}: "
        yield Location(error.path, None, error.line or 1, 1, error.line or 1, 1), sentence(f"{line}{error.message}")


def unmeasured(audit: Audit) -> str:
    """How many files were found, and in how many of them nothing is measured, as a sentence."""
    files = audit.report.files
    every = "1 file was found" if files == 1 else f"{files} files were found"
    without = audit.unmeasured
    return f"{every}; {'in 1 of them' if without == 1 else f'in {without} of them'} no measure was seen."
