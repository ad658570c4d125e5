"""The documents that are open in an editor: scripts and notebooks with their current text, saved or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from cvlint.server.texts.documents import Document, TextUnit, lines_of

BOM = "\ufeff"


class OpenText(TextDocument):
    """A text whose lines end where the protocol says; ``str.splitlines`` also ends them at form feeds."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their line ends."""
        return lines_of(self.source)


def documents_of(workspace: Workspace) -> dict[str, Document]:
    """All scripts and notebooks that are open, by their URIs."""
    opened = [*_scripts(workspace), *_notebooks(workspace)]
    return {document.uri: document for document in opened}


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
        if (script := _script(text)) is not None:
            yield script


_LATEST: WeakKeyDictionary[TextDocument, Document] = WeakKeyDictionary()
"""The last script of each open text: the same texts are asked for at each change of one of them."""


def _script(text: TextDocument) -> Document | None:
    """The script with a text; None for other languages."""
    latest = _LATEST.get(text)
    if latest is not None and latest.version == text.version and latest.units[0].text is text.source:
        return latest
    path = path_of(text.uri)
    if path.suffix == ".ipynb" and text.language_id == "python":  # JupyterLab joins the cells of a notebook to it
        path = path.with_name(f"{path.name}.py")
    if path.suffix == ".ipynb" or (text.language_id != "python" and path.suffix != ".py"):
        return None  # JSON of a notebook has other positions; other languages have no findings
    # The byte order mark says that this is UTF-8, whatever encoding the text declares for its file.
    data = (BOM + text.source).encode("utf-8", "replace")
    _LATEST[text] = Document(text.uri, path, text.version, (TextUnit(text.uri, text.version, text.source),), data)
    return _LATEST[text]


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
