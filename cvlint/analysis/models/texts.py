"""Texts: f-strings, and the operators that join and fill texts."""

from __future__ import annotations

import ast
import math
from itertools import product
from typing import Any

from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.leakage.final_tests import note_shown_folds
from cvlint.analysis.domain.codomain import TEXT, Kind
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import MAX_OPTIONS, join, options
from cvlint.analysis.domain.texts import MOST_CHARACTERS, joined, percent, text_of
from cvlint.analysis.domain.value import AnyValue, Const, Data
from cvlint.analysis.heap.paths import formatted_text, is_counted, joined_text
from cvlint.analysis.state import AnalysisState, Arguments


def evaluate_fstring(state: AnalysisState, node: ast.JoinedStr) -> AnyValue:
    """An f-string: it shows its values to a person."""
    values = [state.evaluate(state, part) for part in node.values]
    parts = [[text_of(o.value) for o in options(v) if isinstance(o, Const)] for v in values]
    counted = any(is_counted(state, part, v) for part, v in zip(node.values, values, strict=True))
    known = [[text for text in part if text is not None] for part in parts]
    all_known = not counted and all(len(part) == len(options(v)) for part, v in zip(known, values, strict=True))
    if all_known and math.prod(map(len, known)) <= MAX_OPTIONS:
        return join(known_text(joined(text)) for text in product(*known))
    check_side_by_side(state, values, node)
    note_shown_folds(state, values)
    inner = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    return joined_text(state, zip(inner, values, strict=True))


def combine_text(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``text % value`` and ``text + text``; known strings give a known string (``"%s_macro" % score``)."""
    match (left, right):
        case (Const(value=str() as a), Const(value=b)) if (
            isinstance(node.op, ast.Mod) and a.count("%") == 1 and not is_counted(state, node.right, right)
        ):
            return known_text(percent(a, b))
        case (Const(value=str() as a), Const(value=str() as b)) if isinstance(node.op, ast.Add):
            return known_text(joined((a, b)))
        case (HeapObject(kind="dict") as written, _) | (_, HeapObject(kind="dict") as written) if isinstance(
            node.op, ast.Add
        ):
            return written  # its text, and a line end: ``json.dumps(row) + "\n"``
        case _:
            shown = right.entries() if isinstance(right, HeapObject) and right.kind == "tuple" else [right]
            check_side_by_side(state, [left, *shown], node)
            note_shown_folds(state, shown)
            if isinstance(node.op, ast.Add):
                return joined_text(state, [(node.left, left), (node.right, right)])
            return formatted_text(state, node.left, left, node.right, shown)


def known_text(text: str | None) -> AnyValue:
    """The value of a text, if it is short enough to be known."""
    return Data(codomain=TEXT) if text is None else Const(value=text)


def text_by_method(text: str, name: str, arguments: Arguments) -> AnyValue | None:
    """What a method makes of a known text, ``"F1".lower()``, ``"_".join(["f1", "macro"])``; None if it is unknown."""
    known = [values_in(argument) for argument in arguments[0]]
    if arguments[1] or len(text) > MOST_CHARACTERS or None in known:
        return None
    try:
        made = getattr(text, name)(*known)
    except (AttributeError, TypeError, ValueError):
        return None
    if isinstance(made, str):
        return known_text(text_of(made))
    parts = dict(enumerate(known_text(part) for part in made)) if isinstance(made, (list, tuple)) else None
    return None if parts is None else HeapObject("list" if isinstance(made, list) else "tuple", parts)


def values_in(value: AnyValue) -> Any:
    """A text or a number that is known, or a list of those; None for others."""
    match value:
        case Const(value=str() | int() as known):
            return known
        case HeapObject(kind="list" | "tuple", elements=None) if value.fields:
            entries = [values_in(entry) for entry in value.fields.values()]
            return None if None in entries else entries
        case _:
            return None


def is_text(value: AnyValue) -> bool:
    """Whether ``value`` is a string."""
    return any(
        (isinstance(v, Const) and isinstance(v.value, str)) or (isinstance(v, Data) and v.codomain.kind is Kind.TEXT)
        for v in options(value)
    )
