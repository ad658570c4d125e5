"""Fold data are the same after writing and reading; an error in a file is reported with its column and row."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from cvlint.runtime import Counts, FoldDataError, FoldSet, read, recompute, write
from cvlint.runtime.data.columns import NumberColumn
from cvlint.runtime.data.reading import FoldCounts, read_each


def sets() -> dict[str, FoldSet]:
    rng = np.random.default_rng(0)
    fold, true = np.arange(60) % 3, rng.integers(0, 3, 60)
    names = np.array(["ham, fresh", 'sp"am', "eggs"])
    score = rng.random((60, 3))
    hits = rng.random((60, 2)) < 0.5
    extra = {"repeat": np.arange(60) // 30, "experiment": np.array(["a", "b"])[np.arange(60) % 2]}
    return {
        "binary": FoldSet.from_arrays(fold, true == 1, true == 2, score[:, 0], weight=score[:, 1], **extra),
        "texts": FoldSet.from_arrays(names[fold], names[true], names[::-1][true], score, sample_id=np.arange(60)),
        "numbers": FoldSet.from_arrays(fold, true * 2, true * 2, score),
        "multilabel": FoldSet.from_arrays(fold, hits, ~hits, score[:, :2]),
        "scores": FoldSet.from_arrays(fold, (true == 1).astype(int), y_score=score[:, 0]),
    }


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])
@pytest.mark.parametrize("name", sets())
def test_there_and_back(tmp_path: Path, name: str, ending: str) -> None:
    folds = sets()[name]
    write(folds, tmp_path / f"folds{ending}")
    stored = read(tmp_path / f"folds{ending}")
    assert isinstance(stored.data, FoldSet)
    assert not stored.unused
    back = stored.data
    assert (back.kind, back.fold_names, len(back)) == (folds.kind, folds.fold_names, len(folds))
    assert list(map(str, back.classes)) == list(map(str, folds.classes))
    for column in ("fold", "y_true", "y_pred", "y_score", "weight", "sample_id"):
        ours, theirs = getattr(folds, column), getattr(back, column)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs)
    assert [(r.experiment, r.repeat) for r in recompute(back)] == [(r.experiment, r.repeat) for r in recompute(folds)]
    assert os.listdir(tmp_path) == [f"folds{ending}"]


def test_written_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    write(sets()["binary"], tmp_path / "folds.csv")
    assert (tmp_path / "folds.csv").stat().st_mode == (tmp_path / "any").stat().st_mode


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty: a line with the names of the columns is needed"),
        ("fold,y_true,y_pred\n", "holds no samples: a row for each is needed"),
        ("experiment,fold,y_true,y_score\n", "holds no samples"),
        ("fold,tp,fp,fn\n", "holds no samples"),
        ("fold,y_true,y_pred\n1,0\n", "row 2: it has 2 values and the header 3 names"),
        ("fold,y_true,y_pred\n1,0,1\n1,,1\n", "row 3, column y_true: there is no value"),
        ("fold,y_true,y_score\n1,0,high\n", "row 2, column y_score: 'high' is no number"),
        ("fold,y_true,y_score\n1,0,.1\n1,1,nan\n", "row 3, column y_score: 'nan' is NaN or infinite"),
        ("fold,y_true,y_score\n1,0,inf\n", "row 2, column y_score: 'inf' is NaN or infinite"),
        ("fold,y_true,y_pred,weight\n1,0,1,0\n", "weight is not above 0 in row 2"),
        ("fold,y_true,y_true,y_pred\n1,0,1,0\n", "has two columns called 'y_true'"),
        ("split,y_true,y_pred\n1,0,1\n", "has no column 'fold'"),
        ("fold,truth,y_pred\n1,0,1\n", "has no column 'y_true'"),
        (
            "fold,y_true\n1,0\n",
            "has neither a column 'y_pred' nor 'y_score': name the one with",
        ),
        ("fold,y_true_a,y_true_b,y_pred\n1,0,1,1\n", "y_pred has the shape (1,) and y_true (1, 2)"),
        ('fold,y_true,y_pred\n1,0,"1\n1,1,1\n', "is no readable CSV at line 3: unexpected end of data"),
        (
            "fold;y_true;y_pred\n1;0;1\n",
            "of each row, and commas must separate them; its columns are fold;y_true;y_pred.",
        ),
        ("fold,y_true_a,y_true_b,y_score\n1,0,1,.1\n1,0,2,.1\n", "other values than 0 and 1 in row 3"),
        (
            "fold,y_true,y_pred,y_score\n1,0,0,.1\n1,1,2,.4\n1,1,x,.4\n",
            "4 labels ('2', 'x' only in y_pred, first in row 3): one",
        ),
        (
            "fold,y_true,y_pred,y_score_0,y_score_1\n1,0,0,.1,.2\n1,1,x,.1,.2\n1,1,1,.1,.2\n",
            "0, 1, x (the first label that is predicted and never true is in row 3): name one column",
        ),
        (
            "fold,y_true,y_score\n1,0,.1\n1,1,.1\n1,7,.1\n1,1,.1\n1,0,.1\n",
            "y_score has 1 column, and there are 3 labels (7 only in row 4): one column a label",
        ),
        ("fold,tp,fp,fn\n1,2,3,-1\n", "row 2, column fn: -1.0 is no count"),
        ("fold,tp,fp,fn\n1,2,3,1\n1,2,3,1\n", "several rows for one fold"),
        (
            "fold,y_true,y_score_0,y_score_1\n1,0,.1,.2\n1,1,.1,.2\n1,2,.1,.2\n",
            "the columns y_score_0, y_score_1 are not for the labels",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "folds.csv"
    path.write_text(text)
    with pytest.raises(FoldDataError) as error:
        read(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("labels", [("1", "0"), ("1.0", "0.0"), ("True", "False"), ("b", "a")])
@pytest.mark.parametrize("names", [("1", "0"), ("1.0", "0.0"), ("True", "False")])
@pytest.mark.parametrize("turned", [False, True])
def test_columns_of_scores_are_matched_by_their_labels(
    tmp_path: Path, labels: tuple[str, str], names: tuple[str, str], turned: bool
) -> None:
    """In any order, and where the column spells a number differently from the label."""
    (positive, negative), path = labels, tmp_path / "folds.csv"
    wide = {f"y_score_{name}": values for name, values in zip(names, (".9 .2 .7 .4", ".1 .8 .3 .6"), strict=True)}
    if positive == "b":
        wide = dict(zip(("y_score_b", "y_score_a"), wide.values(), strict=True))
    wide = dict(reversed(wide.items())) if turned else wide
    columns = {"fold": "1 1 2 2", "y_true": f"{positive} {negative} {positive} {negative}", **wide}
    rows = zip(*(values.split() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *map(",".join, rows)]))
    folds = read(path).data
    assert isinstance(folds, FoldSet) and folds.scores(0).tolist() == [0.9, 0.2, 0.7, 0.4]


def test_columns_of_labels_are_matched_by_their_labels(tmp_path: Path) -> None:
    """Twelve labels, whose names sort otherwise as texts, each kind of column in an order of its own."""
    rng = np.random.default_rng(0)
    truth, score = rng.random((40, 12)) < 0.5, rng.random((40, 12))
    columns = {"fold": np.arange(40) % 2}
    for name, values, order in (
        ("y_true", truth, range(12)),
        ("y_pred", ~truth, rng.permutation(12)),
        ("y_score", score, sorted(range(12), key=str)),
    ):
        columns |= {f"{name}_l{j}": values[:, j].astype(float) for j in order}
    np.savez(tmp_path / "folds.npz", **columns)
    folds = read(tmp_path / "folds.npz").data
    assert isinstance(folds, FoldSet) and folds.y_pred is not None and folds.y_score is not None
    assert folds.classes == tuple(f"l{j}" for j in range(12))
    np.testing.assert_array_equal(folds.y_pred, ~folds.y_true)
    np.testing.assert_array_equal(folds.y_score, score)
    write(folds, tmp_path / "again.csv")
    again = read(tmp_path / "again.csv").data
    assert isinstance(again, FoldSet) and again.classes == folds.classes


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("fold,y_true,y_score_q,y_score_r\n1,a,.1,.9\n1,b,.1,.9\n", ("y_score_q, y_score_r", "a, b")),
        ("fold,y_true_a,y_true_b,y_score_a,y_score_c\n1,0,1,.1,.9\n", ("y_score_a, y_score_c", "a, b")),
        ("fold,y_true_a,y_true_b,y_pred_a\n1,0,1,1\n", ("y_pred_a", "a, b")),
        ("fold,y_true,y_score_0\n1,0,.1\n1,1,.9\n", ("y_score_0", "1")),
        ("fold,y_true,y_score_1,y_score_1.0\n1,0,.1,.9\n1,1,.1,.9\n", ("y_score_1, y_score_1.0", "0, 1")),
    ],
)
def test_columns_of_other_labels_are_refused(tmp_path: Path, text: str, names: tuple[str, str]) -> None:
    path = tmp_path / "folds.csv"
    path.write_text(text)
    with pytest.raises(FoldDataError, match="the columns {} are not for the labels .*, {}:".format(*names)):
        read(path)


def test_the_column_of_a_label_that_does_not_occur(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_score_b,y_score_a\n1,b,.9,.1\n1,b,.8,.2\n")
    folds = read(path, positive="b").data
    assert isinstance(folds, FoldSet) and folds.scores(0).tolist() == [0.9, 0.8]
    folds = read(path).data
    assert isinstance(folds, FoldSet)
    assert folds.scores(0).tolist() == [0.1, 0.2] and folds.classes == ("b", "not b")


def test_truth_values_and_numbers_are_the_same_labels(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_pred\n1,1,True\n1,0,False\n1,1,False\n")
    folds = read(path).data
    assert isinstance(folds, FoldSet) and folds.kind == "binary"
    counts = folds.counts()
    assert counts is not None and (counts.tp[0, 0], counts.fn[0, 0], counts.fp[0, 0]) == (1, 1, 0)
    path.write_text("fold,y_true,y_pred\n1,1,yes\n1,0,no\n")
    with pytest.raises(FoldDataError, match="y_pred holds 'yes', 'no', none of which occurs in y_true"):
        read(path)


def test_a_positive_label_of_indicators_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true_a,y_true_b,y_pred_a,y_pred_b\n1,0,1,1,1\n")
    with pytest.raises(FoldDataError, match="the positive label '1' is one of single labels"):
        read(path, positive="1")


@pytest.mark.parametrize("empty", ["", "nan"])
def test_an_experiment_may_lack_a_column(tmp_path: Path, empty: str) -> None:
    path = tmp_path / "folds.csv"
    lines = [f"soft,{i % 2},{i % 3 % 2},{'' if not empty else '(none)'},{i / 9}" for i in range(9)]
    lines += [f"crisp,{i % 2},{i % 3 % 2},{i % 2},{empty}" for i in range(9)]
    path.write_text("\n".join(["experiment,fold,y_true,y_pred,y_score", *lines]))
    (_, soft), (_, crisp) = read_each(path)[0]
    assert isinstance(soft, FoldSet) and soft.y_pred is None and soft.y_score is not None and soft.kind == "binary"
    assert isinstance(crisp, FoldSet) and crisp.y_score is None and crisp.classes == (0, 1)


@pytest.mark.parametrize(("row", "column"), [("soft,1,0,1,.2", "y_pred"), ("crisp,1,0,1,.2", "y_score")])
def test_a_field_is_empty_in_all_of_an_experiment_or_in_none(tmp_path: Path, row: str, column: str) -> None:
    path = tmp_path / "folds.csv"
    path.write_text(f"experiment,fold,y_true,y_pred,y_score\n{row}\nsoft,1,1,,.3\ncrisp,1,1,0,\n")
    with pytest.raises(FoldDataError, match=rf"row \d, column {column}: it is empty or NaN, and others of this exp"):
        read_each(path)


def test_an_experiment_that_lacks_both(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("experiment,fold,y_true,y_pred,y_score\na,1,0,,\nb,1,1,,.3\n")
    with pytest.raises(FoldDataError, match="has an experiment without predicted labels and without scores"):
        read_each(path)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"y_score": "y_true"}, "the column 'y_true' cannot be both y_score and y_true"),
        ({"y_pred": "a", "y_score": "a"}, "the column 'a' cannot be both y_pred and y_score"),
    ],
)
def test_a_column_named_twice(tmp_path: Path, columns: dict[str, str], says: str) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,a\n1,0,1\n")
    with pytest.raises(FoldDataError, match=says):
        read(path, columns)


@pytest.mark.parametrize("name", ["a.csv", "a.npz", "a.parquet"])
def test_other_files_are_refused(tmp_path: Path, name: str) -> None:
    for content in (b"\xff\xfe\x00\x01" * 50, b"PK\x03\x04" + b"\x00" * 40, b"PAR1" + b"\x00" * 40):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FoldDataError, match=name):
            read(tmp_path / name)
    with pytest.raises(FoldDataError, match="No such file"):
        read(tmp_path / f"missing-{name}")


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "owned"),)

    np.savez(tmp_path / "a.npz", fold=np.array([Evil()], dtype=object), y_true=[1], y_pred=[1])
    with pytest.raises(FoldDataError, match="pickled"):
        read(tmp_path / "a.npz")
    assert not (tmp_path / "owned").exists()


def test_other_column_names(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("k,label,y_pred,comment\n1,0,1,x\n1,1,1,y\n")
    stored = read(path, {"fold": "k", "y_true": "label"})
    assert isinstance(stored.data, FoldSet)
    assert stored.unused == ("comment",)
    with pytest.raises(FoldDataError, match="no column 'lable' for y_true: its columns are k, label, y_pred, comment"):
        read(path, {"fold": "k", "y_true": "lable"})


def test_counts_only(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("fold,tp,fp,fn\nb,1,2,3\na,4,5,6\n")
    stored = read(path)
    assert isinstance(stored.data, FoldCounts)
    assert stored.data.fold_names == ("a", "b")
    assert isinstance(stored.data.counts, Counts)
    assert stored.data.counts.cells[:, :, 0].tolist() == [[4, 1], [5, 2], [6, 3], [0, 0]]


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    path = tmp_path / f"folds{ending}"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FoldDataError, match="cannot be written: No space left on device"):
        write(sets()["binary"], path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_unknown_endings(tmp_path: Path) -> None:
    for action in (lambda: read(tmp_path / "a.pkl"), lambda: write(sets()["binary"], tmp_path / "a.pkl")):
        with pytest.raises(FoldDataError, match=r"its name must end in one of \.csv"):
            action()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_true": [0, 1], "y_score": [1j, 2]}, "y_score holds values of the type complex128"),
        ({"y_true": [0, 1j], "y_pred": [0, 1]}, "y_true holds values of the type complex128"),
        ({"y_true": [0, 1, 1], "y_pred": [0, 1]}, "fold has 2 rows and y_true has 3"),
        ({"y_true": np.array(["2020-01-01", "NaT"], "M8[D]"), "y_pred": [0, 1]}, "y_true has no value in row 2"),
        ({"y_true": [0, 1], "y_score": np.array(["2020", "2021"], "M8[Y]")}, "of the type datetime64[Y]"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "weight": ["a", "b"]}, "weight holds something that is no number"),
        ({"y_true": [0, np.nan], "y_pred": [0, 1]}, "y_true has a missing or infinite value in row 2"),
    ],
)
def test_wrong_arrays_are_refused_with_a_reason(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "folds.npz", fold=[1, 2], **columns)
    with pytest.raises(FoldDataError) as error:
        read(tmp_path / "folds.npz")
    assert message in str(error.value)
    assert str(error.value).startswith(str(tmp_path))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_true": [0, None, 1]}, "row 2, column y_true: there is no value"),
        ({"y_true": [0, 1, 1], "y_score": [0.5, 0.1, np.inf]}, "y_score is NaN or infinite in row 3"),
        ({"y_true": [0, 1, 1], "y_score": ["1", "b", "2"]}, "row 2, column y_score: 'b' is no number"),
        ({"y_true": [[0], [1], [1]]}, "y_true holds a ndarray in row 1"),
    ],
)
def test_wrong_parquet_files_are_refused_with_a_reason(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    path = tmp_path / "folds.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"fold": [1, 2, 2], "y_pred": [0, 1, 1], **columns}), path)
    with pytest.raises(FoldDataError) as error:
        read(path)
    assert message in str(error.value)


def test_dates_and_bytes_are_names(tmp_path: Path) -> None:
    days = np.array(["2020-01-01", "2020-01-02"], "M8[D]")
    np.savez(tmp_path / "folds.npz", fold=days, y_true=np.array([b"no", b"yes"]), y_pred=np.array([b"no", b"no"]))
    folds = read(tmp_path / "folds.npz").data
    assert isinstance(folds, FoldSet)
    assert folds.fold_names == ("2020-01-01", "2020-01-02")
    assert folds.classes == ("no", "yes")


def test_a_number_column_grows_in_place() -> None:
    column = NumberColumn()
    blocks = [np.arange(n, dtype=float) for n in (3, 0, 100, 7)]
    for block in blocks:
        column.append(block)
    np.testing.assert_array_equal(column.column(), np.concatenate(blocks))
    assert column.values.flags.owndata
    assert not column.values.flags.writeable


def test_an_array_whose_header_claims_too_much_is_refused_in_a_sentence(tmp_path: Path) -> None:
    header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,), }".ljust(117) + b"\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        for name in ("fold", "y_true", "y_pred"):
            archive.writestr(f"{name}.npy", array)
    sentence = r"too large to be read: the file is damaged, or was not written by numpy\.savez\.$"
    with pytest.raises(FoldDataError, match=sentence):
        read(tmp_path / "a.npz")


def test_counts_that_no_sum_can_hold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("fold,tp,fp,fn,tn\n1,5,1,1,9\n2,1e308,1,1,1\n")
    with pytest.raises(FoldDataError, match="row 3, column tp: 1e\\+308 is too large for a count"):
        read(tmp_path / "a.csv")
