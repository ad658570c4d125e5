"""The documents that are open in an editor: scripts and notebooks with their current text, saved or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from cvlint.source.decoding import Failure
from cvlint.source.module import Source, read_bytes
from cvlint.source.notebooks.code_cells import code_cells

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
BOM = "\ufeff"


@lru_cache(maxsize=256)  # a text has many findings, and a finding many locations
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text with their line ends, as the protocol defines them."""
    return tuple(LINE.findall(text))


class OpenText(TextDocument):
    """A text whose lines end where the protocol says; ``str.splitlines`` also ends them at form feeds."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their line ends."""
        return lines_of(self.source)


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


def documents_of(workspace: Workspace) -> dict[str, Document]:
    """All scripts and notebooks that are open, by their URIs."""
    opened = [*_scripts(workspace), *_notebooks(workspace)]
    return {document.uri: document for document in opened}


def may_import(document: Document, other: Document) -> bool:
    """Whether a document can import another directly: then the name of the other is in its text."""
    module = other.path.parent if other.path.stem == "__init__" else other.path
    return not other.is_notebook and module.stem.encode() in document.data


def use_protocol_lines(workspace: Workspace, uris: list[str]) -> None:
    """Replace texts that were just opened by texts whose lines end where the protocol says."""
    for uri in uris:
        text = workspace.text_documents.get(unquote(uri))
        if text is not None and not isinstance(text, OpenText):
            workspace.text_documents[unquote(uri)] = OpenText(
                text.uri,
                text.source,
                text.version,
                text.language_id,
                position_codec=workspace.position_codec,
            )


def path_of(uri: str) -> Path:
    """The path of a document; one that was never saved gets a path in the working directory."""
    path = to_fs_path(uri)
    return Path(path) if path else Path.cwd() / re.sub(r"[^\w.-]+", "-", uri)


def _scripts(workspace: Workspace) -> Iterator[Document]:
    for text in workspace.text_documents.values():
        if workspace.get_notebook_document(cell_uri=text.uri) is not None:
            continue
        path = path_of(text.uri)
        if path.suffix == ".ipynb" and text.language_id == "python":  # JupyterLab joins the cells of a notebook to it
            path = path.with_name(f"{path.name}.py")
        if path.suffix == ".ipynb" or (text.language_id != "python" and path.suffix != ".py"):
            continue  # JSON of a notebook has other positions; other languages have no findings
        # The byte order mark says that this is UTF-8, whatever encoding the text declares for its file.
        data = (BOM + text.source).encode("utf-8", "replace")
        yield Document(text.uri, path, text.version, (TextUnit(text.uri, text.version, text.source),), data)


def _notebooks(workspace: Workspace) -> Iterator[Document]:
    for notebook in workspace.notebook_documents.values():
        cells = [cell for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
        texts = [workspace.text_documents.get(unquote(cell.document)) for cell in cells]
        opened = [text for text in texts if text is not None]
        units = tuple(TextUnit(text.uri, text.version, text.source, text.language_id or "python") for text in opened)
        path = path_of(notebook.uri)
        path = path if path.suffix == ".ipynb" else path.with_name(f"{path.name}.ipynb")  # never saved
        yield Document(notebook.uri, path, notebook.version, units, _notebook_json(units))


def _notebook_json(units: tuple[TextUnit, ...]) -> bytes:
    """The notebook as a file; each cell names its language, so that the check skips cells in other languages."""
    cells = [
        {"cell_type": "code", "language": unit.language, "source": unit.text.replace("\r\n", "\n")} for unit in units
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
