"""Transformers: what they make of data, and whether they learn from them."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import AnyValue, Data, LibraryObject, axes_of
from cvlint.analysis.models.concatenation import rescaled
from cvlint.analysis.state import AnalysisState, Arguments


def learns_from_values(base: LibraryObject) -> bool:
    """Whether a transformer learns from the values of the data, and not only their labels and categories."""
    given: ast.AST | None = base.facts.get("node")
    told = base.facts.get("told_by", {})
    for keyword in given.keywords if isinstance(given, ast.Call) else ():
        known = told.get(keyword.arg)
        if known == "" or (known and isinstance(keyword.value, ast.Constant) and keyword.value.value == known):
            return False
    return bool(base.facts.get("learns", "values") == "values")


def transformed_data(state: AnalysisState, base: LibraryObject, given: Arguments) -> AnyValue:
    """What a transformer makes of data: labels turned into indicators, scores brought to one scale."""
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
    if base.facts.get("multilabel"):
        return Data(axes, codomain="multilabel")
    value = rescaled(given[0][0]) if given[0] else None
    return Data(
        axes, codomain="calibrated" if isinstance(value, Data) and value.codomain == "calibrated" else "unknown"
    )
