"""The work of an analysis, counted: code that walks over values pays for each value that it meets.

A step of the analysis may meet any number of values: ``x = [x, x]`` doubles them line by line. So the steps alone do
not bound an analysis. The count is the same on every machine, and so is what an analysis finds before it is used up.
The meter belongs to the process, because the walks know nothing but values; one file is analysed at a time.
"""

from __future__ import annotations

from cvlint.records import dataclass

UNBOUNDED = 2**62
COPIES_PER_UNIT = 16
"""To copy so many entries of a dict or a list counts as to walk over one."""


class WorkSpent(Exception):
    """The analysis of a file has done all the work that it may do."""


@dataclass(slots=True)
class Meter:
    """The work that the present analysis may still do."""

    left: int = UNBOUNDED


METER = Meter()


def work(amount: int) -> None:
    """Count work; raise `WorkSpent` if none is left."""
    METER.left -= amount
    if METER.left < 0:
        raise WorkSpent
