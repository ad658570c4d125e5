"""A file of very many columns is read in a time that grows as its size."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main
from cvlint.runtime import read
from cvlint.runtime.data.columns import ColumnNames, NumberColumn
from cvlint.runtime.data.file_formats import Column, add_texts, without_features

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


def test_no_name_of_a_column_of_scores_is_compared_with_all_others() -> None:
    header = [Name(f"y_score_{i}") for i in range(2_000)]
    columns: dict[str, Column] = {name: NumberColumn() for name in header}
    before = COMPARED
    places = {name: place for place, name in enumerate(header)}
    add_texts(Path("folds.csv"), [("0.5", "1")] * 2_000, 2, places, columns, ())
    assert [column.count for column in columns.values() if isinstance(column, NumberColumn)] == [2] * 2_000
    assert 10 * len(header) > COMPARED - before


def test_columns_that_are_not_used_take_little_memory(tmp_path: Path) -> None:
    """A view of each column in each block took a gigabyte for a million columns."""
    path, count = tmp_path / "folds.csv", 100_000
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(["fold", "y_true", "y_pred", *(f"c{i}" for i in range(count))]) + "\n")
        for row in range(4):
            file.write(f"{row % 2},{row // 2},1" + ",0.5" * count + "\n")
    tracemalloc.start()
    found = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.unused) == count
    assert peak < 20 * path.stat().st_size


def test_a_sentence_names_some_of_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    header = ",".join(["fold", "y_true", "y_pred", *(f"column{i}" for i in range(30))])
    path.write_text("\n".join([header, *(f"{i % 2},{i // 2},1" + ",0" * 30 for i in range(4))]))
    said = CliRunner().invoke(main, ["recompute", str(path)]).stderr
    assert "not used: column0, column1, " in said
    assert said.endswith(", column19 and 10 more.\n")


def test_a_file_of_very_many_classes_is_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    header = ",".join(["fold", "y_true", *(f"y_score_{i}" for i in range(20_000))])
    path.write_text("\n".join([header, *(f"{i % 2},{i // 2}" + ",0" * 20_000 for i in range(4))]))
    result = CliRunner().invoke(main, ["recompute", str(path)])
    assert result.exit_code == 2
    assert "has 20,002 columns of labels, scores and counts, and at most 10,000 are read: keep those" in result.stderr
    assert "y_score_" not in result.stderr


@pytest.mark.parametrize("command", ["recompute", "curves", "report"])
def test_a_column_of_very_many_labels_is_refused(command: str, tmp_path: Path) -> None:
    """Confusion tables of all of them would not fit into memory."""
    path = tmp_path / "folds.csv"
    rows = "".join(f"{i % 2},person {i},person {(i + 7) % 20_000}\n" for i in range(20_000))
    path.write_text(f"fold,y_true,y_pred\n{rows}")
    result = CliRunner().invoke(main, [command, str(path)])
    assert result.exit_code == 2
    assert "2 folds of 20,000 classes need 800,000,000 counts" in result.stderr
    assert result.stderr.endswith("are y_true and y_pred columns of labels?\n")
