"""Documents: scripts and notebooks with their text at one moment.

Each check process loads this module, so it loads nothing of pygls, which takes most of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from cvlint.source.decoding import Failure
from cvlint.source.module import Source, read_bytes
from cvlint.source.notebooks.code_cells import code_cells

MOST_TEXT = 1_000_000
"""Bytes of other open scripts that go to the process of a check without a look at what the document imports."""

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@lru_cache(maxsize=256)  # a text has many findings, and a finding many locations
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text with their line ends, as the protocol defines them."""
    return tuple(LINE.findall(text))


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A text with a URI and positions of its own: a script, or a code cell of a notebook."""

    uri: str
    version: int | None
    text: str
    language: str = "python"


@dataclass(frozen=True, slots=True)
class Document:
    """A script or a notebook at one moment.

    ``data`` are the bytes that a file of it would hold. A notebook has a unit for each code cell, a script has one.
    """

    uri: str
    path: Path
    version: int | None
    units: tuple[TextUnit, ...]
    data: bytes

    @property
    def name(self) -> str:
        """The path in findings."""
        return str(self.path)

    @property
    def is_notebook(self) -> bool:
        """Whether cvlint checks it as a notebook."""
        return self.name.endswith(".ipynb")

    def unit(self, cell: int | None) -> TextUnit | None:
        """The unit of a cell, or of a script without cells; None if there is no such cell."""
        if cell is None:
            return None if self.is_notebook else self.units[0]
        return self.units[cell - 1] if cell <= len(self.units) else None


def source_of(document: Document) -> Source | None:
    """The document parsed for a check; None if it cannot be read."""
    return _source(document.data, document.path)


@lru_cache(maxsize=64)
def _source(data: bytes, path: Path) -> Source | None:
    return read_bytes(data, path, str(path)).source


def forget_texts() -> None:
    """Forget the texts of documents that were closed: they may be large."""
    lines_of.cache_clear()
    _source.cache_clear()


def unit_texts(document: Document, data: bytes) -> list[str]:
    """The text of each unit of a document with these bytes."""
    if not document.is_notebook:
        return [data.decode("utf-8-sig")]
    cells = code_cells(data)
    return [] if isinstance(cells, Failure) else cells


def may_import(document: Document, other: Document) -> bool:
    """Whether a document can import another directly: then the name of the other is in its text."""
    module = other.path.parent if other.path.stem == "__init__" else other.path
    return not other.is_notebook and module.stem.encode() in document.data


def importable(document: Document, opened: Iterable[Document]) -> tuple[Document, ...]:
    """The other open scripts whose text a check of a document may need, without their units.

    These are all of them, or those that the document may import directly or through other open scripts if the rest is
    much text, which would take long to reach the process of the check.
    """
    others = [replace(one, units=()) for one in opened if one.uri != document.uri and not one.is_notebook]
    if sum(len(one.data) for one in others) <= MOST_TEXT:
        return tuple(others)
    found: list[Document] = []
    new = [document]
    while new:
        imported = [one for one in others if any(may_import(importer, one) for importer in new)]
        others = [one for one in others if one not in imported]
        found += imported
        new = imported
    return tuple(found)
