"""Findings out of the JSON that ``cvlint check --format json`` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Finding, Fix, Location, Measured, Suppression, TraceStep
from cvlint.output.findings.json import VERSION
from cvlint.runtime.aggregates.registry import LABELS

LINE_END = 1_000_000
"""Stands for the end of a line: the JSON does not say in which column a step of a trace ends."""

T = TypeVar("T")
Object = Mapping[str, Any]


class FindingsError(ValueError):
    """Findings that cannot be used; the message is half a sentence that says where and why."""


def findings_in(text: str) -> tuple[Finding, ...]:
    """The findings of a report in JSON.

    Parameters
    ----------
    text
        What ``cvlint check --format json`` wrote.

    Raises
    ------
    FindingsError
        When it is no JSON, of another version, or a key is missing or of another kind.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FindingsError(f"it is no JSON: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise FindingsError("it has no list 'findings'")
    if document.get("version") != VERSION:
        raise FindingsError(f"its version is {document.get('version')!r}, and {VERSION} is needed")
    return tuple(finding(one, f"findings[{i}]") for i, one in enumerate(document["findings"]))


def finding(source: object, where: str) -> Finding:
    """One finding."""
    table = an_object(source, where)
    severity, confidence = taken(table, "severity", str, where), taken(table, "confidence", str, where)
    if severity not in SEVERITIES or confidence not in CONFIDENCES:
        raise FindingsError(f"{where} has the severity {severity!r} and the confidence {confidence!r}")
    trace = taken(table, "trace", list, where)
    advice, comment = optional(table, "fix", where), optional(table, "suppressed", where)
    return Finding(
        taken(table, "rule", str, where),
        taken(table, "code", str, where),
        severity,
        confidence,
        location(table, where, taken(table, "end_column", int, where)),
        taken(table, "message", str, where),
        tuple(step(one, f"{where}.trace[{i}]") for i, one in enumerate(trace)),
        None if advice is None else fix(advice, f"{where}.fix"),
        tuple(measured(optional(table, "measured", where), f"{where}.measured")),
        fingerprint=taken(table, "fingerprint", str, where),
        suppressed=None if comment is None else suppression(comment, f"{where}.suppressed"),
    )


def fix(table: Object, where: str) -> Fix:
    """What to write instead."""
    return Fix(taken(table, "safety", str, where), taken(table, "message", str, where))


def step(source: object, where: str) -> TraceStep:
    """One step of a trace."""
    table = an_object(source, where)
    return TraceStep(location(table, where, LINE_END), taken(table, "note", str, where))


def location(table: Object, where: str, end_column: int) -> Location:
    """A place."""
    cell = table.get("cell")
    line, column = taken(table, "line", int, where), taken(table, "column", int, where)
    end_line = taken(table, "end_line", int, where)
    if not (cell is None or (type(cell) is int and cell > 0)) or min(line, column, end_line, end_column) < 1:
        raise FindingsError(f"{where} has a cell, line or column that is no number from 1")
    return Location(taken(table, "path", str, where), cell, line, column, end_line, end_column)


def measured(table: Object | None, where: str) -> list[Measured]:
    """What a finding amounted to: in the first experiment and in the others."""
    if table is None:
        return []
    others = taken(table, "others", list, where)
    return [amount(table, where), *(amount(one, f"{where}.others[{i}]") for i, one in enumerate(others))]


def amount(source: object, where: str) -> Measured:
    """What a finding amounted to in one experiment."""
    table = an_object(source, where)
    names = [taken(table, key, str, where) for key in ("aggregate", "right")]
    if not set(names) <= set(LABELS):
        raise FindingsError(f"{where} names an aggregate that is none of {', '.join(LABELS)}")
    values = [number(table, key, where) for key in ("value", "right_value")]
    ci = table.get("ci")
    if ci is not None and not (isinstance(ci, list) and len(ci) == 2 and all(type(v) in (int, float) for v in ci)):
        raise FindingsError(f"{where}.ci is neither null nor two numbers")
    return Measured(
        names[0],
        values[0],
        names[1],
        values[1],
        None if ci is None else (float(ci[0]), float(ci[1])),
        taken(table, "folds", int, where),
        taken(table, "repeats", int, where),
        taken(table, "experiment", str, where),
    )


def suppression(table: Object, where: str) -> Suppression:
    """The comment that suppresses a finding."""
    line, path = taken(table, "line", int, where), taken(table, "path", str, where)
    place = Location(path, table.get("cell"), line, 1, line, 1)
    return Suppression(place, taken(table, "comment", str, where), taken(table, "reason", str, where))


def an_object(source: object, where: str) -> Object:
    """A JSON object."""
    if not isinstance(source, dict):
        raise FindingsError(f"{where} is no object")
    return source


def optional(table: Object, key: str, where: str) -> Object | None:
    """A JSON object, or null."""
    return None if table.get(key) is None else an_object(table[key], f"{where}.{key}")


def number(table: Object, key: str, where: str) -> float:
    """A finite number."""
    value = table.get(key)
    if type(value) not in (int, float) or not abs(value) < float("inf"):  # type: ignore[arg-type]
        raise FindingsError(f"{where}.{key} is no number")
    return float(value)  # type: ignore[arg-type]


def taken(table: Object, key: str, kind: type[T], where: str) -> T:
    """A value that must be there, and of a kind."""
    value = table.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {str: "text", int: "whole number", list: "list"}
        raise FindingsError(f"{where}.{key} is no {names.get(kind, kind.__name__)}")
    return value
