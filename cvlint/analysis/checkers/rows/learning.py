"""What a transformer learns from the rows that it is fitted to."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import LibraryObject


def learns_from_values(base: LibraryObject) -> bool:
    """Whether a transformer learns from the values of the data, and not only from their labels and categories."""
    constructor: ast.AST | None = base.facts.get("node")
    settings, learns_if = base.facts.get("told_by", {}), base.facts.get("learns_if", {})
    for keyword in constructor.keywords if isinstance(constructor, ast.Call) else ():
        expected = settings.get(keyword.arg)
        if expected == "" or (expected and isinstance(keyword.value, ast.Constant) and keyword.value.value == expected):
            return False
        if keyword.arg in learns_if and isinstance(keyword.value, ast.Constant):
            return bool(keyword.value.value == learns_if[keyword.arg])
    return bool(base.facts.get("learns", "values") == "values")
