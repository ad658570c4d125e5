"""The cells that a kernel has run, as one notebook, and which cells a check can concern.

The notebook holds each cell once, as it ran last. A cell that runs again keeps its place, because the cells below it
usually need it there; only a cell that failed before moves to the end, because what it lacked has run in between.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from cvlint.source.parsing import walk
from cvlint.source.prefilter import Prefilter


@dataclass(slots=True, eq=False)
class Cell:
    """A cell that has run."""

    key: str
    """The same for all runs of one cell: its id in the notebook, or else its text."""
    text: str
    number: int
    """The number of its last run, which the notebook shows beside it."""
    succeeded: bool

    @property
    def label(self) -> str:
        """The name of the cell for the user."""
        return f"In [{self.number}]"


@dataclass(slots=True)
class History:
    """The cells that have run so far."""

    cells: list[Cell] = field(default_factory=list)
    words: Prefilter | None = None
    """The words of which a notebook with a finding holds at least one; None until they are known."""
    is_own: Callable[[str], bool] = lambda module: False
    """Whether a module lies beside the notebook: it may hold measures, too."""
    _followed: set[str] = field(default_factory=set)
    """The names in cells with such words, and in cells that share a name with these: any of them may hold a measure."""
    _foreign: set[str] = field(default_factory=lambda: set(dir(builtins)))
    """The names of Python's own and of what was imported, which hold no values."""

    def add(self, cell: Cell) -> None:
        """Add a cell that has just run, in place of its earlier run."""
        at = next((i for i, other in enumerate(self.cells) if other.key == cell.key), None)
        if at is None:
            self.cells.append(cell)
        elif self.cells[at].succeeded:
            self.cells[at] = cell
        else:
            del self.cells[at]
            self.cells.append(cell)

    def concerns(self, cell: Cell, code: str) -> bool:
        """Whether a cell can complete a fault.

        It has a word of the prefilter, or imports a module of the project, or shares names with cells that do.

        Parameters
        ----------
        cell
            The cell.
        code
            Its text without the syntax of IPython.
        """
        names = names_in(code)
        if names is None or self.words is None:
            return True
        used, imported = names
        own = {module for module in imported if self.is_own(module)}
        for module, bound in imported.items():
            (used if module in own else self._foreign).update(bound)
        used -= self._foreign
        has_word = own or self.words.may_hold(cell.text.encode("utf-8", "replace"))
        if not has_word and self._followed.isdisjoint(used):
            return False
        self._followed |= used
        return True

    def notebook(self) -> bytes:
        """The cells as the file of a notebook."""
        cells = [{"cell_type": "code", "source": cell.text} for cell in self.cells]
        return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def names_in(code: str) -> tuple[set[str], dict[str, set[str]]] | None:
    """The names in the code of a cell, and those that it imports from each module; None if it cannot be parsed."""
    try:
        nodes = walk(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: set[str] = set()
    imported: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Name(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found.add(name)
            case ast.Import(aliases):
                for alias in aliases:
                    module = alias.name.partition(".")[0]
                    imported.setdefault(module, set()).add(alias.asname or module)
            case ast.ImportFrom(module, aliases):
                module = (module or "").partition(".")[0]
                imported.setdefault(module, set()).update(alias.asname or alias.name for alias in aliases)
    return found, imported
