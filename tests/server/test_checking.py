"""The check of one document: it uses the nearest config, and knows which files import the document."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from cvlint.server.checking import check_document
from cvlint.server.texts.documents import Document, TextUnit
from tests.conftest import FAULTY


def rules(path: Path, text: str) -> list[str]:
    document = Document(path.as_uri(), path, 1, (TextUnit(path.as_uri(), 1, text),), text.encode())
    return [finding.rule for finding in check_document(document, [document]).findings]


def test_the_nearest_config_counts_and_what_is_excluded_counts_from_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "old" / "a.py"
    path.parent.mkdir(parents=True)
    config, nearer = tmp_path / "cvlint.toml", tmp_path / "sub" / "cvlint.toml"
    config.write_text('exclude = ["sub/old/"]\n')
    assert rules(path, FAULTY) == []
    config.write_text('exclude = ["/old/"]\n')
    assert rules(path, FAULTY) == ["mean-of-fold-f"]
    nearer.write_text('extend = "../cvlint.toml"\nselect = ["CVL1"]\n')
    assert rules(path, FAULTY) == ["mean-of-fold-f"]  # the pattern is that of the extended file
    nearer.write_text('exclude = ["/old/"]\n')
    assert rules(path, FAULTY) == []
    config.write_text('exclude = ["sub/"]\n')
    nearer.write_text("")
    assert rules(path, FAULTY) == []


def test_a_comment_that_another_file_may_use_is_not_reported(tmp_path: Path) -> None:
    helper = (
        "from sklearn.metrics import f1_score\n\n\ndef measure(y, p):\n    return f1_score(y, p)  # cvlint: ignore\n"
    )
    (tmp_path / ".git").mkdir()
    (tmp_path / "lib").mkdir()
    assert rules(tmp_path / "lib" / "measures.py", helper) == ["unused-ignore"]
    (tmp_path / "lib" / "measures.py").write_text(helper)
    (tmp_path / "train.py").write_text(FAULTY.replace("sklearn.metrics import f1_score", "lib.measures import measure"))
    assert rules(tmp_path / "lib" / "measures.py", helper) == []
    assert rules(tmp_path / "lib" / "other.py", helper) == ["unused-ignore"]


def test_a_comment_above_counts_and_an_unused_one_is_removed_with_its_line(tmp_path: Path) -> None:
    from cvlint.server.changes import apply_change

    path = tmp_path / "a.py"
    assert rules(path, FAULTY.replace("print(", "# cvlint: ignore[CVL101] agreed\nprint(")) == []
    text = FAULTY.replace("print(", "# cvlint: ignore[CVL201] agreed\nprint(")
    document = Document(path.as_uri(), path, 1, (TextUnit(path.as_uri(), 1, text),), text.encode())
    outcome = check_document(document, [document])
    (unused,) = [finding for finding in outcome.findings if finding.rule == "unused-ignore"]
    assert outcome.options is not None
    assert apply_change("fix", document, outcome.options, (unused,), ()) == FAULTY.encode()
