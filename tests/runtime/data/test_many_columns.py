"""A file of very many columns is read in a time that grows as its size."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cvlint.cli import main
from cvlint.runtime.data.columns import ColumnNames
from cvlint.runtime.data.file_formats import without_features

COMPARED = 0


class Name(str):
    """A name that counts how often it is compared."""

    def __eq__(self, other: object) -> bool:
        global COMPARED
        COMPARED += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_no_name_is_compared_with_all_others() -> None:
    header = [Name(f"column{i}") for i in range(2_000)]
    names = ColumnNames(Path("folds.csv"), {"fold": "column7", "y_true": "column8"}, ("column1*",))
    found = names.of(header)
    features = names.features(header, found)
    assert len(without_features(header, features)) == 2_000 - len(features) == 889
    assert 50 * len(header) > COMPARED


def test_a_sentence_names_some_of_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    header = ",".join(["fold", "y_true", "y_pred", *(f"column{i}" for i in range(30))])
    path.write_text("\n".join([header, *(f"{i % 2},{i // 2},1" + ",0" * 30 for i in range(4))]))
    said = CliRunner().invoke(main, ["recompute", str(path)]).stderr
    assert "not used: column0, column1, " in said
    assert said.endswith(", column19 and 10 more.\n")
