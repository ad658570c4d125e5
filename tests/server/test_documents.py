"""The other open scripts that go to the process of a check."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.server.texts import documents
from cvlint.server.texts.documents import Document, TextUnit, importable


def script(name: str, text: str) -> Document:
    uri = f"file:///nowhere/{name}"
    return Document(uri, Path("/nowhere", name), 1, (TextUnit(uri, 1, text),), text.encode())


def test_much_text_goes_to_a_check_only_if_it_may_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    train = script("train.py", "import first\n")
    first, second = script("first.py", "import second\n"), script("second.py", "x = 1\n")
    other, notebook = script("other.py", "import train\n"), script("first.ipynb", "{}")
    opened = (second, other, train, notebook, first)

    def names() -> list[str]:
        found = importable(train, opened)
        assert not any(one.units for one in found)
        return [one.path.name for one in found]

    assert names() == ["second.py", "other.py", "first.py"]
    monkeypatch.setattr(documents, "MOST_TEXT", 20)
    assert names() == ["first.py", "second.py"]
