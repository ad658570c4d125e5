"""The contents of an audit report that Markdown and HTML share: its texts, table heads, cells and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from cvlint.audit.fate import counts
from cvlint.audit.inventory import Aggregation, Audit
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.prose import sentence
from cvlint.source.location import Location

INTRODUCTION = (
    "This report checks every rule and also shows guesses that rest only on names. It ignores the settings of the "
    "submission, its `.gitignore` files and its comments that suppress findings. It reads only Python files and "
    "notebooks, and nothing was run."
)
GLANCE = ("measure", "aggregation", "places")
HEAD = ("place", "measure", "aggregation", "what it is", "made at", "confidence")
LEDGER = ("values", "what became of them", "number")
MOST_PARTS = 6
NOTHING = "cvlint recognises no measure in these files."


def cells_of(one: Aggregation) -> tuple[str, ...]:
    """Write the cells of an aggregation as plain text."""
    return place(one.location), printable(one.measure), one.name, printable(one.meaning), _parts(one), one.confidence


def ledger_rows(audit: Audit) -> list[tuple[str, str, str]]:
    """Write what became of the values that were followed, and how many of each kind there are."""
    return [(kind, printable(why), str(number)) for kind, why, number in counts(audit.fates)]


def _parts(one: Aggregation) -> str:
    """Write where the values come from; places in the same file or cell are only lines."""
    shown = [_near(part, one.location) for part in one.parts if part != one.location]
    shown = list(dict.fromkeys(shown))
    more = [f"and {len(shown) - MOST_PARTS} more"] if len(shown) > MOST_PARTS else []
    return ", ".join([*shown[:MOST_PARTS], *more])


def _near(part: Location, location: Location) -> str:
    if part.path != location.path:
        return place(part).rpartition(":")[0]
    return f"line {part.line}" if part.cell == location.cell else f"cell {part.cell} line {part.line}"


def unread_of(audit: Audit) -> Iterator[tuple[Location, str]]:
    """List what could not be analysed, each with a sentence that says why."""
    for error in audit.report.errors:
        line = "" if error.line is None else f"line {error.line}: "
        yield Location(error.path, None, error.line or 1, 1, error.line or 1, 1), sentence(f"{line}{error.message}")


def unmeasured(audit: Audit) -> str:
    """Say how many files were found, and how many of them hold no measure."""
    files = audit.report.files
    every = "1 file was found" if files == 1 else f"{files} files were found"
    without = audit.unmeasured
    if not without:
        return f"{every}; cvlint recognises a measure in {'it' if files == 1 else 'each'}."
    if without == files:
        return f"{every}; cvlint recognises no measure in {'it' if files == 1 else 'any of them'}."
    return f"{every}; cvlint recognises no measure in {without} of them."
