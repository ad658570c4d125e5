"""The arguments of a call."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.search_scores import SEARCH_TEXT, report_scores
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, element_of
from cvlint.analysis.domain.value import AnyValue, Data, MeasureValue, axes_of
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import without_entry_keys


def evaluate_arguments(state: AnalysisState, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call; ``*known_list`` and ``**known_dict`` are spread out."""
    positional: list[AnyValue] = []
    for arg in node.args:
        value = state.evaluate(state, arg)
        if isinstance(arg, ast.Starred):
            spread = isinstance(value, HeapObject) and value.elements is None and value.kind in ("list", "tuple")
            positional += value.fields.values() if spread and isinstance(value, HeapObject) else [element_of(value)]
        else:
            positional.append(value)
    keywords: dict[str, AnyValue] = {}
    for keyword in node.keywords:
        value = state.evaluate(state, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, HeapObject):
            keywords.update({k: v for k, v in value.fields.items() if isinstance(k, str)})
    if state.taint:
        state.taint = without_entry_keys(state.taint)
    return positional, keywords


def argument_named(arguments: Arguments, index: int, name: str) -> AnyValue | None:
    """An argument by its position or its name."""
    positional, keywords = arguments
    if name in keywords:
        return keywords[name]
    return positional[index] if index < len(positional) else None


def first_argument(arguments: Arguments) -> AnyValue:
    """The first argument, however it was given."""
    positional, keywords = arguments
    return positional[0] if positional else next(iter(keywords.values()), UNKNOWN)


def unknown_result(state: AnalysisState, arguments: Arguments, *others: AnyValue) -> Data:
    """The result of code that is not followed: it varies over all loops around."""
    positional, keywords = arguments
    for value in (*positional, *keywords.values()):
        if not (
            isinstance(value, MeasureValue) and value.parts == SEARCH_TEXT
        ):  # a text given to other code may be a path
            report_scores(state, value)
    axes = state.active_axes.union(*(axes_of(v) for v in (*positional, *keywords.values(), *others)))
    return Data(axes, opaque=True)
