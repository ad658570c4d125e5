"""What a transformer learns from the rows that it is fitted to."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import LibraryObject


def learns_from_values(base: LibraryObject) -> bool:
    """Whether a transformer learns from the values of the data, and not only from their labels and categories."""
    settings, learns_if = base.facts.get("told_by", {}), base.facts.get("learns_if", {})
    constructor: ast.AST | None = base.facts.get("node")
    told: dict[str | None, object] = base.facts.get("told", {})
    for keyword in constructor.keywords if isinstance(constructor, ast.Call) else ():
        expected, is_known = settings.get(keyword.arg), keyword.arg in told
        if expected == "" or (expected and is_known and told[keyword.arg] == expected):
            return False
        if keyword.arg in learns_if and is_known:
            return bool(told[keyword.arg] == learns_if[keyword.arg])
    return bool(base.facts.get("learns", "values") == "values")
