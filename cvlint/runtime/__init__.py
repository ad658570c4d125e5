"""The mathematics of evaluation: fold data, and every aggregate of them; knows nothing of the linter.

What is named here is imported where it is first used: the linter needs one function of this package, and no numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cvlint.runtime.aggregates.recompute import Recomputed as Recomputed
    from cvlint.runtime.aggregates.recompute import recompute as recompute
    from cvlint.runtime.aggregates.recompute import recompute_counts as recompute_counts
    from cvlint.runtime.data.capturing import capture as capture
    from cvlint.runtime.data.foldset import FoldSet as FoldSet
    from cvlint.runtime.data.reading import read as read
    from cvlint.runtime.data.writing import write as write
    from cvlint.runtime.errors import FoldDataError as FoldDataError
    from cvlint.runtime.intervals.f_bootstrap import Bootstrap as Bootstrap
    from cvlint.runtime.measures.counts import Counts as Counts
    from cvlint.runtime.measures.counts import FAggregates as FAggregates
    from cvlint.runtime.measures.counts import f_aggregates as f_aggregates
    from cvlint.runtime.thresholds.operating_points import OperatingPoints as OperatingPoints
    from cvlint.runtime.thresholds.operating_points import operating_points as operating_points

HOMES = {
    "Bootstrap": "intervals.f_bootstrap",
    "Counts": "measures.counts",
    "FAggregates": "measures.counts",
    "FoldDataError": "errors",
    "FoldSet": "data.foldset",
    "OperatingPoints": "thresholds.operating_points",
    "Recomputed": "aggregates.recompute",
    "capture": "data.capturing",
    "f_aggregates": "measures.counts",
    "operating_points": "thresholds.operating_points",
    "read": "data.reading",
    "recompute": "aggregates.recompute",
    "recompute_counts": "aggregates.recompute",
    "write": "data.writing",
}


def __getattr__(name: str) -> Any:
    """A public name, from the module that holds it."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted(HOMES)
