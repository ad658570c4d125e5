"""The mathematics of evaluation: fold data and every aggregate of them. It imports nothing of the linter.

In go labels, decisions and scores of test folds; out come aggregates with their intervals and expected bias, thresholds
and curves.

`__all__` names what users import, ``from cvlint.runtime import FoldSet, recompute``. Each name is imported from its
module when it is first used, because the linter needs one function of this package and must not import numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives
    from cvlint.runtime.aggregates.recompute import recompute, recompute_counts
    from cvlint.runtime.aggregates.results import Recomputed
    from cvlint.runtime.combination.combining import combined
    from cvlint.runtime.combination.roc_hull import combination_of
    from cvlint.runtime.data.capturing import capture
    from cvlint.runtime.data.foldset import FoldSet
    from cvlint.runtime.data.reading import FoldCounts, read
    from cvlint.runtime.data.writing import write
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.intervals.bootstrap import Bootstrap
    from cvlint.runtime.measures.counts import Counts, f_from_counts, f_from_rates
    from cvlint.runtime.measures.f_over_folds import FAggregates, f_aggregates
    from cvlint.runtime.simulation.monte_carlo import simulate
    from cvlint.runtime.simulation.simulated_cv import Setting
    from cvlint.runtime.spaces.fspace import f_at
    from cvlint.runtime.thresholds.best_threshold import best_threshold
    from cvlint.runtime.thresholds.expected_f import best_decisions
    from cvlint.runtime.thresholds.operating_points import OperatingPoints, operating_points

__all__ = [
    "Bootstrap",
    "Counts",
    "FAggregates",
    "FoldCounts",
    "FoldDataError",
    "FoldSet",
    "OperatingPoints",
    "Recomputed",
    "Setting",
    "best_decisions",
    "best_threshold",
    "capture",
    "combination_of",
    "combined",
    "f_aggregates",
    "f_at",
    "f_from_counts",
    "f_from_rates",
    "operating_points",
    "p_some_fold_without_positives",
    "read",
    "recompute",
    "recompute_counts",
    "simulate",
    "write",
]

MODULES = {
    "Bootstrap": "intervals.bootstrap",
    "Counts": "measures.counts",
    "FAggregates": "measures.f_over_folds",
    "FoldCounts": "data.reading",
    "FoldDataError": "errors",
    "FoldSet": "data.foldset",
    "OperatingPoints": "thresholds.operating_points",
    "Recomputed": "aggregates.results",
    "Setting": "simulation.simulated_cv",
    "best_decisions": "thresholds.expected_f",
    "best_threshold": "thresholds.best_threshold",
    "capture": "data.capturing",
    "combination_of": "combination.roc_hull",
    "combined": "combination.combining",
    "f_aggregates": "measures.f_over_folds",
    "f_at": "spaces.fspace",
    "f_from_counts": "measures.counts",
    "f_from_rates": "measures.counts",
    "operating_points": "thresholds.operating_points",
    "p_some_fold_without_positives": "aggregates.empty_folds",
    "read": "data.reading",
    "recompute": "aggregates.recompute",
    "recompute_counts": "aggregates.recompute",
    "simulate": "simulation.monte_carlo",
    "write": "data.writing",
}
"""The module of each public name, below this package."""


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted(MODULES)
