"""The arguments of a call, and the result of a call whose code is unknown."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.search_scores import SEARCH_TEXT, report_scores
from cvlint.analysis.domain.codomain import CLASS, TOP
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, element_of, join, options, with_step
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, axes_of
from cvlint.analysis.heap.writes import passing_number
from cvlint.analysis.label_columns import without_entry_keys
from cvlint.analysis.state import AnalysisState, Arguments


def evaluate_arguments(state: AnalysisState, node: ast.Call) -> Arguments:
    """The values of the arguments of a call; ``*known_list`` and ``**known_dict`` are unpacked."""
    positional: list[AnyValue] = []
    for arg in node.args:
        value = passing_number(state, arg)
        if isinstance(arg, ast.Starred):
            spread = isinstance(value, HeapObject) and value.elements is None and value.kind in ("list", "tuple")
            starred = list(value.fields.values()) if spread and isinstance(value, HeapObject) else [element_of(value)]
            state.starred_counts[arg] = len(starred)
            positional += starred
        else:
            positional.append(value)
    keywords: dict[str, AnyValue] = {}
    for keyword in node.keywords:
        value = passing_number(state, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        else:
            for given in (o for o in options(value) if isinstance(o, HeapObject)):  # after a branch, there may be two
                named = {k: v for k, v in given.fields.items() if isinstance(k, str)}
                keywords.update({k: join([keywords[k], v]) if k in keywords else v for k, v in named.items()})
    if state.taint:
        state.taint = without_entry_keys(state.taint)
    return positional, keywords


def argument_named(arguments: Arguments, index: int, name: str) -> AnyValue | None:
    """An argument by its position or its name; None where the call does not give it."""
    positional, keywords = arguments
    if name in keywords:
        return keywords[name]
    return positional[index] if index < len(positional) else None


def argument_node(node: ast.AST, index: int = 0) -> ast.expr:
    """The code of a positional argument; an empty constant where the call does not spell it (``partial(sorted)()``)."""
    return node.args[index] if isinstance(node, ast.Call) and len(node.args) > index else ast.Constant(None)


def first_argument(arguments: Arguments) -> AnyValue:
    """The first argument, given by position or by name."""
    positional, keywords = arguments
    return positional[0] if positional else next(iter(keywords.values()), UNKNOWN)


def wrapped_result(state: AnalysisState, name: str, arguments: Arguments, node: ast.AST) -> AnyValue:
    """The result of an unknown function of a library that takes one value: it is taken to pass the value on.

    A measure stays a measure, and pooled data stay pooled; a step says that this is a guess.
    """
    unknown = unknown_result(state, arguments)
    given = [v for v in (*arguments[0], *arguments[1].values()) if type(v) is not Const]
    match given:
        case [MeasureValue(along=()) as value] if value.parts != SEARCH_TEXT:
            result: AnyValue = value
        case [Data(along=()) as value] if value.pooled or value.codomain == CLASS:
            codomain = CLASS if value.codomain == CLASS else TOP
            result = replace(unknown, codomain=codomain, pooled=value.pooled, trace=value.trace)
        case _:
            return unknown
    step = state.step(node, f"{name}, whose code is unknown, may pass the value on", heuristic=True)
    return with_step(result, step)


def unknown_result(state: AnalysisState, arguments: Arguments, *others: AnyValue) -> Data:
    """The result of unknown code: it varies over all loops under way, and it may show or store what it takes."""
    positional, keywords = arguments
    axes = state.active_axes
    for value in (*positional, *keywords.values()):
        kind = type(value)
        if kind is Const:
            continue
        is_text = kind is MeasureValue and value.parts == SEARCH_TEXT  # type: ignore[union-attr]
        if kind is not Data and not is_text:  # a text may be a path, which reports nothing
            report_scores(state, value)
        axes |= axes_of(value)
    for value in others:
        axes |= axes_of(value)
    return Data(axes, opaque=True)
