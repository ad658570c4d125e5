"""What an editor has open: scripts and notebooks as they stand there, saved or not."""

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


@lru_cache(maxsize=256)  # a text has many findings, and a finding many places
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text with their ends, which are those of the protocol."""
    return tuple(LINE.findall(text))


class OpenText(TextDocument):
    """A text whose lines end where the protocol says; ``str.splitlines`` ends them at form feeds, too."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        return lines_of(self.source)


@dataclass(frozen=True, slots=True)
class Part:
    """What has a URI and positions of its own: a script, or a code cell of a notebook."""

    uri: str
    version: int | None
    text: str
    language: str = "python"


@dataclass(frozen=True, slots=True)
class Document:
    """A script or a notebook at one moment.

    ``data`` are its bytes as a file would hold them; a notebook has a part for each code cell, any other document one.
    """

    uri: str
    path: Path
    version: int | None
    parts: tuple[Part, ...]
    data: bytes

    @property
    def name(self) -> str:
        """The path as findings have it."""
        return str(self.path)

    @property
    def is_notebook(self) -> bool:
        """Whether it is checked as a notebook."""
        return self.name.endswith(".ipynb")

    def part(self, cell: int | None) -> Part | None:
        """What a finding in a cell is in; None where there is no such cell."""
        if cell is None:
            return None if self.is_notebook else self.parts[0]
        return self.parts[cell - 1] if cell <= len(self.parts) else None


def source_of(document: Document) -> Source | None:
    """The document as it is checked; None where it cannot be read."""
    return _source(document.data, document.path)


@lru_cache(maxsize=64)
def _source(data: bytes, path: Path) -> Source | None:
    return read_bytes(data, path, str(path)).source


def texts_of(document: Document, data: bytes) -> list[str]:
    """The text of each part, when the document holds these bytes."""
    if not document.is_notebook:
        return [data.decode("utf-8-sig")]
    cells = code_cells(data)
    return [] if isinstance(cells, Failure) else cells


def documents_of(workspace: Workspace) -> dict[str, Document]:
    """All scripts and notebooks that are open, by their URIs."""
    opened = [*_scripts(workspace), *_notebooks(workspace)]
    return {document.uri: document for document in opened}


def may_import(one: Document, other: Document) -> bool:
    """Whether a document has the name of another in its text, as it must have to import that one by itself."""
    named = other.path.parent if other.path.stem == "__init__" else other.path
    return not other.is_notebook and named.stem.encode() in one.data


def mend_lines(workspace: Workspace, uris: list[str]) -> None:
    """Put texts that were just opened where later changes find their lines."""
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
    """Where a document is; one that was never saved has a name in the working directory."""
    path = to_fs_path(uri)
    return Path(path) if path else Path.cwd() / re.sub(r"[^\w.-]+", "-", uri)


def _scripts(workspace: Workspace) -> Iterator[Document]:
    for text in workspace.text_documents.values():
        if workspace.get_notebook_document(cell_uri=text.uri) is not None:
            continue
        path = path_of(text.uri)
        if path.suffix == ".ipynb" or (text.language_id != "python" and path.suffix != ".py"):
            continue  # a notebook that is open as JSON has other positions, and other texts have no findings
        # The mark says that it is UTF-8 now, whatever encoding the text declares for its file.
        data = (BOM + text.source).encode("utf-8", "replace")
        yield Document(text.uri, path, text.version, (Part(text.uri, text.version, text.source),), data)


def _notebooks(workspace: Workspace) -> Iterator[Document]:
    for notebook in workspace.notebook_documents.values():
        cells = [cell for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
        texts = [workspace.text_documents.get(unquote(cell.document)) for cell in cells]
        known = [text for text in texts if text is not None]
        parts = tuple(Part(text.uri, text.version, text.source, text.language_id or "python") for text in known)
        path = path_of(notebook.uri)
        path = path if path.suffix == ".ipynb" else path.with_name(f"{path.name}.ipynb")  # one that was never saved
        yield Document(notebook.uri, path, notebook.version, parts, _json(parts))


def _json(parts: tuple[Part, ...]) -> bytes:
    """The notebook as a file: each cell says its language, and one in another language is passed over."""
    cells = [
        {"cell_type": "code", "language": part.language, "source": part.text.replace("\r\n", "\n")} for part in parts
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
