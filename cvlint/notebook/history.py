"""The cells that a kernel has run, as one notebook, and which cells a check can concern.

The notebook holds each cell once, as it ran last. A cell that runs again keeps its place, because the cells below it
usually need it there; only a cell that failed before moves to the end, because what it lacked has run in between.
"""

from __future__ import annotations

import ast
import builtins
import json
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
        """Whether a cell can complete a fault: it has a word of the prefilter, or shares names with cells that do.

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
        self._foreign |= imported
        used -= self._foreign
        if not self.words.may_hold(cell.text.encode("utf-8", "replace")) and self._followed.isdisjoint(used):
            return False
        self._followed |= used
        return True

    def notebook(self) -> bytes:
        """The cells as the file of a notebook."""
        cells = [{"cell_type": "code", "source": cell.text} for cell in self.cells]
        return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def names_in(code: str) -> tuple[set[str], set[str]] | None:
    """The names in the code of a cell, and those that it imports. None if the code cannot be parsed."""
    try:
        nodes = walk(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    imports = (node.names for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    imported = {(alias.asname or alias.name).partition(".")[0] for names in imports for alias in names}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    return defined | {node.id for node in nodes if isinstance(node, ast.Name)}, imported
