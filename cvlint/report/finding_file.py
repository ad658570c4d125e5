"""Read findings from the JSON of ``cvlint check --format json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Finding, Fix, Measured, Suppression, TraceStep
from cvlint.output.findings.json import VERSION
from cvlint.runtime.aggregates.registry import LABELS
from cvlint.source.location import Location

LINE_END = 1_000_000
"""Stands for the end of a line: the JSON does not give the column at which a step of a trace ends."""

T = TypeVar("T")
Object = Mapping[str, Any]


class FindingsError(ValueError):
    """The file holds no usable findings; the message is a clause that says where and why."""


def findings_in(text: str) -> tuple[Finding, ...]:
    """Read the findings of a report in JSON.

    Parameters
    ----------
    text
        The output of ``cvlint check --format json``.

    Raises
    ------
    FindingsError
        If the text is no JSON or has another version, or if a key is missing or has another type.
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
    """Read one finding."""
    table = json_object(source, where)
    severity, confidence = required(table, "severity", str, where), required(table, "confidence", str, where)
    if severity not in SEVERITIES or confidence not in CONFIDENCES:
        raise FindingsError(f"{where} has the severity {severity!r} and the confidence {confidence!r}")
    trace = required(table, "trace", list, where)
    advice, comment = optional(table, "fix", where), optional(table, "suppressed", where)
    return Finding(
        required(table, "rule", str, where),
        required(table, "code", str, where),
        severity,
        confidence,
        location(table, where, required(table, "end_column", int, where)),
        required(table, "message", str, where),
        tuple(step(one, f"{where}.trace[{i}]") for i, one in enumerate(trace)),
        None if advice is None else fix(advice, f"{where}.fix"),
        tuple(measured(optional(table, "measured", where), f"{where}.measured")),
        fingerprint=required(table, "fingerprint", str, where),
        suppressed=None if comment is None else suppression(comment, f"{where}.suppressed"),
    )


def fix(table: Object, where: str) -> Fix:
    """Read the advice of a finding."""
    return Fix(required(table, "safety", str, where), required(table, "message", str, where))


def step(source: object, where: str) -> TraceStep:
    """Read one step of a trace."""
    table = json_object(source, where)
    return TraceStep(location(table, where, LINE_END), required(table, "note", str, where))


def location(table: Object, where: str, end_column: int) -> Location:
    """Read a location."""
    cell = table.get("cell")
    line, column = required(table, "line", int, where), required(table, "column", int, where)
    end_line = required(table, "end_line", int, where)
    if not (cell is None or (type(cell) is int and cell > 0)) or min(line, column, end_line, end_column) < 1:
        raise FindingsError(f"{where} has a cell, line or column that is no number from 1")
    return Location(required(table, "path", str, where), cell, line, column, end_line, end_column)


def measured(table: Object | None, where: str) -> list[Measured]:
    """Read the measured values of a finding, in the first experiment and in the others."""
    if table is None:
        return []
    others = required(table, "others", list, where)
    return [
        measured_in_experiment(table, where),
        *(measured_in_experiment(one, f"{where}.others[{i}]") for i, one in enumerate(others)),
    ]


def measured_in_experiment(source: object, where: str) -> Measured:
    """Read the measured values of a finding in one experiment."""
    table = json_object(source, where)
    names = [required(table, key, str, where) for key in ("aggregate", "right")]
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
        required(table, "folds", int, where),
        required(table, "repeats", int, where),
        required(table, "experiment", str, where),
    )


def suppression(table: Object, where: str) -> Suppression:
    """Read the comment that suppresses a finding."""
    line, path = required(table, "line", int, where), required(table, "path", str, where)
    place = Location(path, table.get("cell"), line, 1, line, 1)
    return Suppression(place, required(table, "comment", str, where), required(table, "reason", str, where))


def json_object(source: object, where: str) -> Object:
    """Check that a value is a JSON object."""
    if not isinstance(source, dict):
        raise FindingsError(f"{where} is no object")
    return source


def optional(table: Object, key: str, where: str) -> Object | None:
    """Read a JSON object or null."""
    return None if table.get(key) is None else json_object(table[key], f"{where}.{key}")


def number(table: Object, key: str, where: str) -> float:
    """Read a finite number."""
    value = table.get(key)
    if type(value) not in (int, float) or not abs(value) < float("inf"):  # type: ignore[arg-type]
        raise FindingsError(f"{where}.{key} is no number")
    return float(value)  # type: ignore[arg-type]


def required(table: Object, key: str, kind: type[T], where: str) -> T:
    """Read a required value of a given type."""
    value = table.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        names = {str: "text", int: "whole number", list: "list"}
        raise FindingsError(f"{where}.{key} is no {names.get(kind, kind.__name__)}")
    return value
