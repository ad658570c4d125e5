"""Write the fate ledger as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cvlint.audit.fate import KINDS, Fate, counts
from cvlint.output.evaluation.json_document import document
from cvlint.output.shared.locations import as_line, place, printable
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

NOTHING = (
    "cvlint follows no value in these files: no measure is computed in a loop, and nothing learns from whole data.\n"
)


def render_text(fates: Sequence[Fate], errors: Sequence[UnreadFile], only_lost: bool = False) -> str:
    """Write one line for each fate, or for each lost value, then how many of each kind there are."""
    shown = listed(fates, only_lost)
    lines = [f"{place(fate.location)}: {printable(fate.what)}: {sentence_of(fate)}" for fate in shown]
    unread = [f"{as_line(e.path)}: {printable(e.message)}" for e in errors]
    total = [summary(fates)] if fates else [NOTHING.rstrip()]
    return "\n".join([*lines, *unread, *total]) + "\n"


def listed(fates: Sequence[Fate], only_lost: bool) -> list[Fate]:
    """The fates that are written out; all of them are counted."""
    return [fate for fate in fates if fate.kind == "lost" or not only_lost]


def render_json(fates: Sequence[Fate], errors: Sequence[UnreadFile], only_lost: bool = False) -> str:
    """Write the fates as a document."""
    found = [{"kind": kind, "why": why, "count": count} for kind, why, count in counts(fates)]
    unread = [{"path": e.path, "line": e.line, "message": e.message} for e in errors]
    shown = [object_of(fate) for fate in listed(fates, only_lost)]
    return document({"fates": shown, "counts": found, "errors": unread})


def object_of(fate: Fate) -> dict[str, Any]:
    """One fate as a JSON object."""
    place_of_end = {} if fate.end is None else {"end": place_object(fate.end)}
    name = {"name": fate.name} if fate.name else {}
    return {
        "location": place_object(fate.location),
        "what": fate.what,
        "fate": fate.kind,
        "why": fate.why,
        **name,
        **place_of_end,
    }


def place_object(location: Location) -> dict[str, Any]:
    """A location as a JSON object."""
    cell = {} if location.cell is None else {"cell": location.cell}
    return {"path": location.path, **cell, "line": location.line, "column": location.column}


def sentence_of(fate: Fate) -> str:
    """What became of a birth: ``finding CVL101, line 21``, ``lost in an unknown function (.push), line 15``."""
    where = "" if fate.end is None else f", {near(fate.end, fate.location)}"
    name = f" ({printable(fate.name)})" if fate.name else ""
    match fate.kind:
        case "finding":
            return f"finding {fate.why}{where}"
        case "lost":
            return f"lost: {fate.why}{name}{where}"
        case _:
            return f"harmless: {fate.why}{where}"


def near(end: Location, start: Location) -> str:
    """A place as a reader of another place sees it: only the line, if both are in one file or cell."""
    if (end.path, end.cell) == (start.path, start.cell):
        return f"line {end.line}"
    return place(end)


def summary(fates: Sequence[Fate]) -> str:
    """How many fates there are of each kind."""
    number = {kind: sum(fate.kind == kind for fate in fates) for kind in KINDS}
    every = "1 value was followed" if len(fates) == 1 else f"{len(fates)} values were followed"
    return f"{every}: {number['finding']} in findings, {number['lost']} lost, {number['harmless']} harmless."
