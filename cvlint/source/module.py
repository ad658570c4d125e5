"""Read a file into a `Source`: a script, or the joined code cells of a notebook, with syntax tree and positions."""

from __future__ import annotations

import ast
import os
import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from cvlint.filesystem.regular_file import too_large
from cvlint.records import dataclass, field
from cvlint.source.decoding import Failure, decode
from cvlint.source.file_bytes import MAX_SOURCE, load
from cvlint.source.location import Location
from cvlint.source.parsing import TOO_DEEP, parse, reason_not_to_parse
from cvlint.source.unread_file import UnreadFile

MAX_REWRITTEN = 1_000_000
"""Characters of a text that is rewritten if it is not valid Python 3; a longer text would take seconds."""


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed script or notebook.

    ``text`` is what was parsed: with LF line ends, with IPython, Python 2 and newer f-strings rewritten, and with the
    code cells of a notebook one after another. ``original`` holds the same lines as the author wrote them, for
    excerpts. ``display`` is the path as users see it.
    """

    path: Path
    display: str
    text: str
    tree: ast.Module
    cells: tuple[range, ...] | None
    """The lines of each code cell in ``text``, from 1; None for a script."""
    original: tuple[str, ...]
    run_order: tuple[int, ...] = ()
    """The indices of the cells in the order in which they were run; empty for that in which they stand."""
    lines: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Split the text once; ``str.splitlines`` also splits at characters that are not line ends in Python."""
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def locate(self, line: int) -> tuple[int | None, int]:
        """The cell, if this is a notebook, and the line in that cell."""
        if not self.cells:
            return None, line
        index = max(0, bisect_right(self.cells, line, key=lambda cell: cell.start) - 1)
        return index + 1, line - self.cells[index].start + 1

    def statements(self) -> list[ast.stmt]:
        """The statements of the top level in the order in which they are executed."""
        if not self.run_order:
            return self.tree.body
        rank = {cell: place for place, cell in enumerate(self.run_order)}
        return sorted(self.tree.body, key=lambda statement: rank[(self.locate(statement.lineno)[0] or 1) - 1])

    def line_in_text(self, location: Location) -> int:
        """The line of ``text`` in which a location begins; the reverse of `locate`."""
        cells = self.cells or ()
        if location.cell is None or location.cell > len(cells):
            return location.line
        return cells[location.cell - 1].start - 1 + location.line

    def ends_cell(self, node: ast.expr) -> bool:
        """Whether nothing comes after an expression in its cell of a notebook, which then shows its value."""
        if not self.cells:
            return False
        at, line = self.locate(node.lineno)[0] or 1, node.end_lineno or node.lineno
        rest = (self.lines[line - 1][node.end_col_offset :], *self.lines[line : self.cells[at - 1].stop - 1])
        return all(not text.strip() or text.lstrip().startswith("#") for text in rest)

    def original_lines(self, cell: range) -> Sequence[str]:
        """The lines of one of the ``cells`` as the author wrote them."""
        return self.original[cell.start - 1 : cell.stop - 1]

    def location(self, node: ast.AST) -> Location:
        """The location of a node in the lines as the author wrote them."""
        first = getattr(node, "lineno", 1)
        last = getattr(node, "end_lineno", None) or first
        offset = getattr(node, "col_offset", 0)
        end_offset = getattr(node, "end_col_offset", None)
        cell, line = self.locate(first)
        return Location(
            path=self.display,
            cell=cell,
            line=line,
            column=self._column(first, offset),
            end_line=self.locate(last)[1],
            end_column=self._column(last, offset if end_offset is None else end_offset),
        )

    def _column(self, line: int, offset: int) -> int:
        """Convert an offset in UTF-8 bytes to a column of the original line."""
        if not 1 <= line <= len(self.lines):
            return offset + 1
        text, original = self.lines[line - 1], self.original[line - 1]
        if not text.isascii():
            offset = len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore"))
        return offset + _shift(text, original) + 1


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a file: a source, a problem, or both."""

    source: Source | None
    problem: UnreadFile | None


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A text that could be parsed, perhaps after it was rewritten."""

    text: str
    tree: ast.Module
    python3_error: Failure | None = None  # why it is not valid Python 3, if it was parsed as Python 2


def read_file(path: Path, display: str) -> Reading:
    """Read a script or a notebook from disk; never raises.

    Parameters
    ----------
    path : Path
        The file.
    display : str
        Its path as users see it; a path that ends with ``.ipynb`` is read as a notebook.
    """
    data = load(path, display)
    if isinstance(data, UnreadFile):
        return Reading(None, data)
    return read_bytes(data, path, display)


def read_bytes(data: bytes, path: Path, display: str) -> Reading:
    """Read a script or a notebook from its bytes; never raises.

    Returns
    -------
    Reading
        A source; a problem; or both, if only some cells can be parsed, or if the code is Python 2.
    """
    path = Path(os.path.abspath(path)) if "\0" not in str(path) else path
    if display.endswith(".ipynb"):
        return _read_notebook(data, path, display)
    if len(data) > MAX_SOURCE:
        return Reading(None, UnreadFile(display, f"cannot be read: {too_large(len(data), MAX_SOURCE)}"))
    text = decode(data)
    if isinstance(text, Failure):
        return Reading(None, UnreadFile(display, text.message, text.line))
    if (reason := reason_not_to_parse(text)) is not None:
        return Reading(None, UnreadFile(display, reason))
    attempt = _parse_any(text)
    if isinstance(attempt, Failure):
        return Reading(None, UnreadFile(display, attempt.message, attempt.line))
    tree = attempt.tree
    if "get_ipython" in text:
        from cvlint.source.dialects.exported_magics import run_exported_magics

        tree = run_exported_magics(tree, attempt.text, _parse_code)
    source = Source(path, display, attempt.text, tree, None, tuple(text.split("\n")))
    return Reading(source, _python2_problem(display, attempt.python3_error))


def original_lines(data: bytes, display: str) -> tuple[Sequence[str], tuple[range, ...] | None] | None:
    """The lines of a file as the author wrote them, and those of each cell, without parsing the code.

    Returns
    -------
    tuple of lines and cells, or None
        What `Source.original` and `Source.cells` hold; None if the file cannot be decoded.
    """
    if not display.endswith(".ipynb"):
        text = decode(data)
        return None if isinstance(text, Failure) else (text.split("\n"), None)
    from cvlint.source.notebooks.code_cells import code_cells

    cells = code_cells(data)
    return None if isinstance(cells, Failure) else ("\n".join(cells).split("\n"), _cell_map(cells))


def _parse_code(text: str) -> tuple[str, ast.Module] | None:
    """Parse the code that a magic runs, with or without further magics in it."""
    from cvlint.source.dialects.magics import blank_magics

    if reason_not_to_parse(text) is not None:
        return None
    for attempt in (text, blank_magics(text)):
        tree = parse(attempt)
        if isinstance(tree, ast.Module):
            return attempt, tree
    return None


def _parse_any(text: str) -> _Parsed | Failure:
    """Parse as Python 3, or else without magics, as newer or as older Python."""
    tree = parse(text)
    if isinstance(tree, ast.Module):
        return _Parsed(text, tree)
    if tree.message == TOO_DEEP or len(text) > MAX_REWRITTEN:
        return tree
    from cvlint.source.dialects.magics import blank_magics
    from cvlint.source.dialects.python2 import to_python3

    failure = tree
    plain = blank_magics(text)
    if plain != text:
        tree = parse(plain)
        if isinstance(tree, ast.Module):
            return _Parsed(plain, tree)
        failure = tree
    if sys.version_info < (3, 14) and any(opening in plain for opening in ("f'", 'f"', "t'", 't"')):
        from cvlint.source.dialects.fstrings import with_tuples

        older = with_tuples(plain)
        tree = parse(older)
        if isinstance(tree, ast.Module):
            return _Parsed(older, tree)
    modern = to_python3(plain)
    if modern != plain:
        tree = parse(modern)
        if isinstance(tree, ast.Module):
            return _Parsed(modern, tree, failure)
    return failure


def _read_notebook(data: bytes, path: Path, display: str) -> Reading:
    from cvlint.source.notebooks.code_cells import counted_cells
    from cvlint.source.notebooks.run_order import run_order

    found = counted_cells(data)
    if isinstance(found, Failure):
        return Reading(None, UnreadFile(display, found.message, found.line))
    originals = [cell.source for cell in found]
    if not originals:
        return Reading(
            None, UnreadFile(display, "the notebook has no code cells: there is nothing to check", is_checked=True)
        )
    size = sum(map(len, originals))
    if size > MAX_SOURCE:
        return Reading(None, UnreadFile(display, f"cannot be read: {too_large(size, MAX_SOURCE)}"))
    if (reason := reason_not_to_parse("\n".join(originals))) is not None:
        return Reading(None, UnreadFile(display, reason))
    text, tree, problem = _parse_cells(originals, display)
    if tree is None:
        return Reading(None, problem)
    original, cells = tuple("\n".join(originals).split("\n")), _cell_map(originals)
    order = run_order(tree, cells, [cell.run for cell in found])
    return Reading(Source(path, display, text, tree, cells, original, order), problem)


def _parse_cells(originals: list[str], display: str) -> tuple[str, ast.Module | None, UnreadFile | None]:
    """Parse all cells as one text; if that fails, parse each cell alone, and then all valid cells together."""
    text = "\n".join(originals)
    tree = parse(text)
    if isinstance(tree, ast.Module):
        return text, tree, None
    texts: list[str] = []
    bad: list[tuple[int, Failure]] = []
    python2: list[tuple[int, Failure]] = []
    is_checked = False
    for number, original in enumerate(originals, start=1):
        attempt, certain = _parse_cell(original)
        if isinstance(attempt, Failure):
            rest = _parse_rest(original, attempt) if certain else None
            texts.append("\n" * original.count("\n") if rest is None else rest)
            bad.extend([(number, attempt)] if certain else [])
            is_checked |= rest is not None or not certain
            continue
        is_checked = True
        texts.append(attempt.text)
        python2.extend([(number, attempt.python3_error)] if attempt.python3_error else [])
    text = "\n".join(texts)
    tree = parse(text)
    if isinstance(tree, Failure):  # too deep: cells that are valid alone are valid together
        return text, None, UnreadFile(display, tree.message)
    return text, tree, _cells_problem(display, bad, python2, is_checked)


def _parse_cell(original: str) -> tuple[_Parsed | Failure, bool]:
    """Parse one cell; the flag tells whether the cell is certainly Python."""
    from cvlint.source.dialects.magics import cell_magic

    text, certain = cell_magic(original)
    attempt = _parse_any(text)
    if isinstance(attempt, Failure) and text[:1] in {" ", "\t", "\n"}:
        dedented = _parse_any(_dedent(text))  # IPython runs a cell in which all lines are indented
        attempt = attempt if isinstance(dedented, Failure) else dedented
    return attempt, certain


def _parse_rest(original: str, failure: Failure) -> str | None:
    """A broken cell without its broken statements; None if what is left is not valid either."""
    from cvlint.source.notebooks.broken_cells import MOST_BROKEN, without_statement

    text, attempt = original, failure
    for _ in range(MOST_BROKEN):
        rest = without_statement(text, attempt)
        if rest is None:
            return None
        parsed = _parse_any(rest)
        if not isinstance(parsed, Failure):
            return parsed.text
        text, attempt = rest, parsed
    return None


def _dedent(text: str) -> str:
    """Remove the indentation of the first line from every line that has it."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in text.split("\n"))


def _cell_map(originals: list[str]) -> tuple[range, ...]:
    starts = accumulate((original.count("\n") + 1 for original in originals), initial=1)
    return tuple(range(first, following) for first, following in pairwise(starts))


def _cells_problem(
    display: str, bad: list[tuple[int, Failure]], python2: list[tuple[int, Failure]], is_checked: bool
) -> UnreadFile | None:
    if bad:
        numbers = [str(number) for number, _ in bad]
        cells = f"cell{'s' * (len(numbers) > 1)} {_enumerate(numbers)}"
        message = f"{bad[0][1].message} in {cells}; what is valid was checked"
        return UnreadFile(display, message, bad[0][1].line, is_checked)
    if python2:
        number, failure = python2[0]
        return _python2_problem(display, Failure(f"{failure.message} in cell {number}", failure.line))
    return None


def _python2_problem(display: str, python2: Failure | None) -> UnreadFile | None:
    if python2 is None:
        return None
    return UnreadFile(display, f"{python2.message}; read as Python 2 and checked as such", python2.line, True)


def _enumerate(words: list[str]) -> str:
    """Write "3, 5 and 8"; a long list is shortened."""
    if len(words) > 4:
        words = [*words[:3], f"{len(words) - 3} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _shift(text: str, original: str) -> int:
    """The number of columns by which a line moved when a magic or its indentation was removed."""
    if text == original:
        return 0
    code = text.strip()
    place = original.find(code) if code and code != "pass" else -1
    return place - (len(text) - len(text.lstrip())) if place >= 0 else 0
