"""Changes of a program that leave what it computes as it is, and should leave its findings as they are."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

DEAD = """

def never_called_by_anyone(values):
    doubled = []
    for value in values:
        if value is None:
            continue
        doubled.append(2 * value)
    return doubled
"""


def renamed(text: str) -> str:
    """The program with other names for its variables and parameters: ``v0``, ``v1``, …; all lines stay where they are.

    Names stay where they are an interface: of functions and classes, keyword arguments and attributes of classes, and
    those in f-strings.
    """
    tree = ast.parse(text)
    fixed = fixed_names(tree)
    new = {name: f"v{i}" for i, name in enumerate(sorted(bound_names(tree) - fixed))}
    lines = text.encode().split(b"\n")
    for row, column, name in sorted(places_of_names(tree), reverse=True):
        if name in new:
            line, old = lines[row - 1], name.encode()
            assert line[column : column + len(old)] == old
            lines[row - 1] = line[:column] + new[name].encode() + line[column + len(old) :]
    return b"\n".join(lines).decode()


def bound_names(tree: ast.AST) -> set[str]:
    """The names that a program binds."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return stored | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}


def fixed_names(tree: ast.AST) -> set[str]:
    """The names that other code may know, and those whose place in a line is not known."""
    found = {"self", "cls", "_"}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name, body=body):
                found.add(name)
                inner = (n for s in body if not isinstance(s, ast.FunctionDef) for n in ast.walk(s))
                found |= {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            case ast.alias(name=name, asname=alias):
                found.add((alias or name).split(".")[0])
            case ast.keyword(arg=str() as name) | ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.JoinedStr():
                found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return found


def places_of_names(tree: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Where names stand: row, column in bytes, and name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.lineno, node.col_offset, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.col_offset, node.arg


def reformatted(text: str) -> str:
    """The program as Python itself writes it: without comments, and each statement on one line."""
    return ast.unparse(ast.parse(text)) + "\n"


def with_dead_code(text: str) -> str:
    """The program with a function that nothing calls, and a branch that nothing enters."""
    return text.rstrip("\n") + "\n" + DEAD + "\n\nif False:\n    never_called_by_anyone([None])\n"


def in_a_function(text: str) -> str:
    """The program in a function of its own, which is called at the end; imports stay where they are."""
    tree = ast.parse(text)
    at_top = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    rest = [s for s in tree.body if s not in at_top]
    main = ast.parse("def main():\n    pass\n\nmain()").body
    assert isinstance(main[0], ast.FunctionDef)
    main[0].body = rest or main[0].body
    return ast.unparse(ast.fix_missing_locations(ast.Module([*at_top, *main], []))) + "\n"


def in_cells(text: str) -> str:
    """The program as a notebook with a cell for each statement of its top level."""
    cells = [ast.unparse(statement) for statement in ast.parse(text).body]
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
