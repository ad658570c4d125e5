"""Write the further places of a fault, beside the one that describes it."""

from __future__ import annotations

from cvlint.findings.faults import CALL, COPY, Fault
from cvlint.output.shared.locations import place, place_in_file, short_path
from cvlint.output.shared.summary import counted
from cvlint.source.location import Location

SHOWN = 5
"""The further places that a short report names."""


def further_places(fault: Fault, most: int | None = SHOWN, *, is_short: bool = False) -> str:
    """Name the further places of a fault: "and 2 more calls: 13:7, other.py:14:7"; empty if there are none.

    Parameters
    ----------
    fault : Fault
        The fault. A place in the file of its shown finding is written without the path.
    most : int, optional
        How many places are named; None names all.
    is_short : bool, optional
        Whether a long path is cut to the name of its file.
    """
    if not fault.further:
        return ""
    named = [_place(finding.location, fault.shown.location, is_short) for finding in fault.further[:most]]
    rest = len(fault.further) - len(named)
    listed = ", ".join([*named, f"and {rest} more"] if rest else named)
    return f"and {_counted(len(fault.further), fault.kind)}: {listed}"


def _counted(count: int, kind: str) -> str:
    if kind == COPY:
        return "1 more copy" if count == 1 else f"{count} more copies"
    return counted(count, "more call" if kind == CALL else "more place")


def _place(location: Location, shown: Location, is_short: bool) -> str:
    if location.path == shown.path:
        return place_in_file(location)
    return f"{short_path(location.path)}:{place_in_file(location)}" if is_short else place(location)
