"""Notebooks by the notebook protocol: each cell has its own findings, whose steps are in other cells."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.conftest import FAULTY
from tests.server.conftest import Editor

pytestmark = pytest.mark.asyncio(loop_scope="package")

LOOP, MEAN = FAULTY.split("print")
CELLS = (("python", LOOP.rstrip("\n")), ("markdown", "# The mean"), ("python", f"%time\nprint{MEAN}"))


def partial(line: int, first: int, last: int, text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(
        types.Range(types.Position(line, first), types.Position(line, last)), text
    )


def edited(uri: str, version: int, change: types.TextDocumentContentChangeEvent) -> types.NotebookDocumentCellChanges:
    named = types.VersionedTextDocumentIdentifier(version, uri)
    return types.NotebookDocumentCellChanges(text_content=[types.NotebookDocumentCellContentChanges(named, [change])])


async def test_a_finding_leads_through_two_cells(editor: Editor) -> None:
    first, _, last = editor.open_notebook("train.ipynb", *CELLS)
    (found,) = await editor.codes(last, "CVL101")
    assert found.range == types.Range(types.Position(1, 6), types.Position(1, 21))
    related = found.related_information or []
    assert [one.location.uri for one in related] == [first, first, first, first, last]
    assert related[0].location.range.start.line == 5
    assert [one.message.partition(":")[0] for one in related] == [*["cell 1"] * 4, "cell 2"]
    editor.change_notebook("train.ipynb", edited(last, 2, partial(1, 6, 13, "np.max")))
    await editor.codes(last)
    editor.change_notebook("train.ipynb", edited(last, 3, partial(1, 6, 12, "np.mean")))
    await editor.codes(last, "CVL101")


async def test_cells_are_added_and_removed(editor: Editor) -> None:
    first, _, last = editor.open_notebook("train.ipynb", *CELLS)
    await editor.codes(last, "CVL101")
    gone = types.NotebookDocumentCellChangeStructure(
        types.NotebookCellArrayChange(2, 1), did_close=[types.TextDocumentIdentifier(last)]
    )
    editor.change_notebook("train.ipynb", types.NotebookDocumentCellChanges(structure=gone))
    await editor.codes(last)
    new = first.replace("#W0", "#W7")
    come = types.NotebookDocumentCellChangeStructure(
        types.NotebookCellArrayChange(2, 0, [types.NotebookCell(types.NotebookCellKind.Code, new)]),
        did_open=[types.TextDocumentItem(new, "python", 1, f"print{MEAN}")],
    )
    editor.change_notebook("train.ipynb", types.NotebookDocumentCellChanges(structure=come))
    await editor.codes(new, "CVL101")
    named = types.NotebookDocumentIdentifier(editor.uri("train.ipynb"))
    closing = [types.TextDocumentIdentifier(first), types.TextDocumentIdentifier(new)]
    editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(named, closing))
    await editor.codes(new)


async def test_cells_in_other_languages_and_cells_that_are_broken(editor: Editor) -> None:
    cells = (CELLS[0], ("r", "x <- f(1)"), ("python", "print(("), CELLS[2])
    *_, last = editor.open_notebook("train.ipynb", *cells)
    await editor.codes(last, "CVL101")
    (logged,) = editor.client.log_messages
    assert "in cell 3; what is valid was checked" in logged.message


async def test_a_comment_in_a_cell_ignores(editor: Editor) -> None:
    first, _, last = editor.open_notebook("train.ipynb", *CELLS)
    (found,) = await editor.codes(last, "CVL101")
    actions = await editor.actions(last, found.range)
    texts = await editor.apply(actions["Ignore mean-of-fold-f here"])
    assert texts[last] == "%time\nprint(np.mean(scores))  # cvlint: ignore[mean-of-fold-f]\n"
    texts = await editor.apply(actions["Ignore mean-of-fold-f in this file"])
    assert texts[first].startswith("# cvlint: ignore-file[mean-of-fold-f]\nimport numpy")


async def test_a_fix_edits_cells(editor: Editor) -> None:
    cells = [
        ("python", "from sklearn.model_selection import cross_val_score"),
        ("python", 'scores = cross_val_score(model, X, y, cv=5, scoring="f1")\nprint(scores.mean())'),
    ]
    _, last = editor.open_notebook("search.ipynb", *cells)
    (found,) = await editor.codes(last, "CVL101")
    actions = await editor.actions(last, found.range)
    texts = await editor.apply(actions["Fix mean-of-fold-f (changes the reported number)"])
    assert "cross_val_predict" in "".join(texts.values())
    for version, uri in enumerate(texts, start=2):
        whole = types.TextDocumentContentChangeWholeDocument(texts[uri])
        editor.change_notebook("search.ipynb", edited(uri, version, whole))
    await editor.codes(last)


async def test_a_notebook_that_the_editor_sends_as_one_python_text(editor: Editor) -> None:
    """JupyterLab joins the cells of a notebook to one text, and keeps the name of the notebook."""
    uri = editor.open("joined.ipynb", FAULTY, "python")
    await editor.codes(uri, "CVL101")
