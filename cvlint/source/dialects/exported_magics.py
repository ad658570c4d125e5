"""Code in the magics of exported notebooks: what ``%%time`` runs stands in a string there.

``nbconvert`` writes ``%%time`` and the cell below it as ``get_ipython().run_cell_magic('time', '', 'X = …')``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from cvlint.source.dialects.magics import RUNNING

Parse = Callable[[str], "tuple[str, ast.Module] | None"]

_MARKS = (".run_cell_magic", ".run_line_magic")
_CHARACTER = re.compile(r"\\(?:x..|u.{4}|U.{8}|N\{[^}]*\}|[0-7]{1,3}|.)|.", re.DOTALL)
_PREFIX = re.compile(r"[^'\"]*(?:'''|\"\"\"|'|\")")


def run_exported_magics(tree: ast.Module, text: str, parse: Parse) -> ast.Module:
    """Put the code that exported magics run in the place of their calls; its nodes stand within the strings.

    ``parse`` gives the text that it parsed, which may be without magics, and its tree; None if it cannot be parsed.
    """
    if not any(mark in text for mark in _MARKS):
        return tree
    lines = text.split("\n")
    body: list[ast.stmt] = []
    for statement in tree.body:
        body += _code_run_by(statement, lines, parse) or [statement]
    tree.body = body
    return tree


def _code_run_by(statement: ast.stmt, lines: list[str], parse: Parse) -> list[ast.stmt]:
    """The statements that a magic runs; none if the statement calls no magic, or one that runs no Python."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Name(id="get_ipython")), attr="run_cell_magic" | "run_line_magic"
                ),
                args=[ast.Constant(value=str() as magic), *_, ast.Constant(value=str() as code) as literal],
            )
        ) if magic in RUNNING and literal.lineno == literal.end_lineno:
            parsed = parse(code)
            return [] if parsed is None else _placed(*parsed, literal, lines[literal.lineno - 1])
        case _:
            return []


def _placed(code: str, inner: ast.Module, literal: ast.Constant, line: str) -> list[ast.stmt]:
    """The statements of a string, with the places of their text in the line that holds the string."""
    columns = _columns(literal, line.encode())
    starts = [0, *accumulate(len(part.encode()) + 1 for part in code.split("\n"))]
    for node in ast.walk(inner):
        if "lineno" in node._attributes:
            place: Any = node
            first, last = (
                starts[place.lineno - 1] + place.col_offset,
                starts[place.end_lineno - 1] + place.end_col_offset,
            )
            place.col_offset, place.end_col_offset = (columns[min(at, len(columns) - 1)] for at in (first, last))
            place.lineno = place.end_lineno = literal.lineno
    return inner.body


def _columns(literal: ast.Constant, line: bytes) -> list[int]:
    """The column in the line at which each byte of a string's text stands, and that of its end."""
    raw = line[literal.col_offset : literal.end_col_offset].decode()
    begin = _PREFIX.match(raw)
    at = begin.end() if begin is not None else 0
    column = literal.col_offset + len(raw[:at].encode())
    found: list[int] = []
    for written in _CHARACTER.findall(raw[at:]):
        size = 1 if written.startswith("\\") else len(written.encode())
        found += [column] * size
        column += len(written.encode())
    return [*found, column]
