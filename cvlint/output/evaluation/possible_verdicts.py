"""The verdicts about a printed value as objects for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.runtime.consistency.reported_values import Verdict


def as_object(verdict: Verdict) -> dict[str, object]:
    """Write a verdict; its example is a table of counts for each fold, or one for all folds."""
    names = ("positives", "negatives", "tp", "fp")
    return {
        "aggregate": verdict.name,
        "possible": verdict.possible,
        "proved": verdict.proved,
        "reason": verdict.reason,
        "example": [dict(zip(names, table, strict=True)) for table in verdict.example],
    }
