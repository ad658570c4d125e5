"""The comment that ignores a rule in a whole notebook: below the magics of a cell, or nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cvlint.server.changes import with_file_ignore
from cvlint.source.module import read_bytes

COMMENT = "# cvlint: ignore-file[mean-of-fold-f]\n"


@pytest.mark.parametrize(
    ("cells", "changed", "text"),
    [
        (["%%time\nx = 1", "%%time\ny = 1"], 0, f"%%time\n{COMMENT}x = 1"),
        (["%%time\nx = 1", "y = 1"], 1, f"{COMMENT}y = 1"),
        (["%%bash\nls", "", "%%capture out\n%%time\nx = 1"], 2, f"%%capture out\n%%time\n{COMMENT}x = 1"),
        (["%%time\n", "%%time\nx = 1"], 1, f"%%time\n{COMMENT}x = 1"),
    ],
)
def test_a_magic_stays_the_first_line_of_its_cell(cells: list[str], changed: int, text: str) -> None:
    expected = [text if number == changed else cell for number, cell in enumerate(cells)]
    assert ignoring(cells) == expected


@pytest.mark.parametrize("cells", [["%%html\n<b>"], ["%%bash\nls", ""], ["%%unknown\nx = 1"]])
def test_nothing_is_offered_where_there_is_no_place(cells: list[str]) -> None:
    assert ignoring(cells) is None


def ignoring(cells: list[str]) -> list[str] | None:
    """The cells with the comment."""
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    data = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
    source = read_bytes(data, Path("a.ipynb"), "a.ipynb").source
    assert source is not None
    new = with_file_ignore(data, source, ["mean-of-fold-f"])
    return None if new is None else ["".join(cell["source"]) for cell in json.loads(new)["cells"]]
