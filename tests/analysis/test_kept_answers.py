"""Answers that are kept for later: of nodes, of files that others import, and of several conventions at once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cvlint.analysis.interpreter import driver
from cvlint.analysis.interpreter.driver import Analysis
from cvlint.analysis.syntax import code_of, copy_of, names_in, with_names
from cvlint.knowledge.loader import load_knowledge
from cvlint.source.file_bytes import content_digest
from cvlint.source.module import Reading, read_bytes


def test_a_copy_of_a_node_forgets_what_is_known_of_the_original() -> None:
    node = ast.parse("scores[fold] + best", mode="eval").body
    assert names_in(node) == {"scores", "fold", "best"}
    assert code_of(node) == "scores[fold] + best"
    renamed = with_names(node, {"scores": "f1s"})
    assert names_in(renamed) == {"f1s", "fold", "best"}
    assert code_of(renamed) == "f1s[fold] + best"
    assert code_of(copy_of(node)) == code_of(node)
    assert names_in(node) == {"scores", "fold", "best"}


def test_an_imported_file_is_parsed_once_and_again_when_its_bytes_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper, main = tmp_path / "helper.py", tmp_path / "main.py"
    helper.write_text("def score(y, p):\n    return f1_score(y, p)\n")
    main.write_text("from helper import score\nprint(score(y, p))\n")
    parsed: list[Path] = []

    def counted(data: bytes, path: Path, display: str) -> Reading:
        parsed.append(path)
        return read_bytes(data, path, display)

    monkeypatch.setattr(driver, "read_bytes", counted)
    analysis = Analysis(load_knowledge())
    source = read_bytes(main.read_bytes(), main, str(main)).source
    assert source is not None
    analysis.analyse(source)
    data = helper.read_bytes()
    first = analysis.reading(data, content_digest(data), helper, str(helper))
    assert parsed == [helper]
    assert first.source is analysis.sources[str(helper)]
    changed = data + b"x = 1\n"
    second = analysis.reading(changed, content_digest(changed), helper, str(helper))
    assert parsed == [helper, helper]
    assert second.source is not None
    assert second.source.text == changed.decode()


def test_several_conventions_are_asked_at_once() -> None:
    knowledge = load_knowledge()
    conventions = ("training", "test-only", "true-positives")
    for name in ("X_train", "y_test", "tp", "weights"):
        expected = tuple(c for c in conventions if knowledge.conforms(c, name))
        assert knowledge.those_followed(conventions, name) == expected
        assert knowledge.those_followed(conventions, name) == expected  # the answer that was kept
    assert knowledge.those_followed(conventions, "X_train") == ("training",)
