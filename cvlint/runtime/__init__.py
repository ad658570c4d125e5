"""The mathematics of evaluation: fold data, and every aggregate of them; knows nothing of the linter.

What is named here is imported where it is first used: the linter needs one function of this package, and no numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cvlint.runtime.aggregates import Recomputed as Recomputed
    from cvlint.runtime.aggregates import recompute as recompute
    from cvlint.runtime.aggregates import recompute_counts as recompute_counts
    from cvlint.runtime.capturing import capture as capture
    from cvlint.runtime.counts import Counts as Counts
    from cvlint.runtime.counts import FAggregates as FAggregates
    from cvlint.runtime.counts import f_aggregates as f_aggregates
    from cvlint.runtime.faults import FoldDataError as FoldDataError
    from cvlint.runtime.foldset import FoldSet as FoldSet
    from cvlint.runtime.intervals import Bootstrap as Bootstrap
    from cvlint.runtime.operating import OperatingPoints as OperatingPoints
    from cvlint.runtime.operating import operating_points as operating_points
    from cvlint.runtime.reading import read as read
    from cvlint.runtime.writing import write as write

HOMES = {
    "Bootstrap": "intervals",
    "Counts": "counts",
    "FAggregates": "counts",
    "FoldDataError": "faults",
    "FoldSet": "foldset",
    "OperatingPoints": "operating",
    "Recomputed": "aggregates",
    "capture": "capturing",
    "f_aggregates": "counts",
    "operating_points": "operating",
    "read": "reading",
    "recompute": "aggregates",
    "recompute_counts": "aggregates",
    "write": "writing",
}


def __getattr__(name: str) -> Any:
    """A public name, from the module that holds it."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted(HOMES)
