"""Transformers: what they make of data, and whether they learn from them."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import AnyValue, Data, Thing, axes_of
from cvlint.analysis.models.concatenation import rescaled
from cvlint.analysis.state import Arguments, Run


def learns(base: Thing) -> bool:
    """Whether a transformer learns from the values of the data, and not only their labels and categories."""
    given: ast.AST | None = base.facts.get("node")
    told = base.facts.get("told_by", {})
    for keyword in given.keywords if isinstance(given, ast.Call) else ():
        known = told.get(keyword.arg)
        if known == "" or (known and isinstance(keyword.value, ast.Constant) and keyword.value.value == known):
            return False
    return bool(base.facts.get("learns", "values") == "values")


def transformed(run: Run, base: Thing, given: Arguments) -> AnyValue:
    """What a transformer makes of data: labels turned into indicators, scores brought to one scale."""
    axes = run.active_axes.union(*(axes_of(v) for v in given[0]))
    if base.facts.get("multilabel"):
        return Data(axes, what="multilabel")
    value = rescaled(given[0][0]) if given[0] else None
    return Data(axes, what="calibrated" if isinstance(value, Data) and value.what == "calibrated" else "unknown")
