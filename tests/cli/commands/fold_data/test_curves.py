"""``cvlint curves`` as a user calls it."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_curve, roc_curve

from cvlint.output.evaluation.curves import HEADER
from cvlint.report.drawing.plots import drawn
from cvlint.runtime import FoldSet, read
from cvlint.runtime.data.columns import ABSENT
from cvlint.runtime.spaces.curves import curves_of
from tests.cli.conftest import invoke

TABLE_1 = str(Path(__file__).parents[4] / "fixtures" / "papers" / "forman-scholz-table-1.csv")
Called = Callable[..., tuple[int, str, str]]
PNG, SVG = b"\x89PNG\r\n", b"<?xml"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Called:
    monkeypatch.chdir(tmp_path)
    return partial(invoke, "curves")


def written(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path.name


@pytest.fixture
def two(tmp_path: Path) -> str:
    """Two experiments, whose points are those of the paper's figure 4 in small: A has the lower rates."""
    rows = [["A", i % 2, int(i < 10), [0.9, 0.1][i % 10 >= 5 if i < 10 else i != 10]] for i in range(110)]
    rows += [["B", i % 2, int(i < 10), [0.8, 0.2][i % 10 >= 9 if i < 10 else i >= 30]] for i in range(110)]
    return written(tmp_path / "two.csv", ["experiment", "fold", "y_true", "y_score"], rows)


def test_which_experiment_is_better_where(run: Called, two: str) -> None:
    """A: TPR 0.5, FPR 0.01; B: TPR 0.9, FPR 0.2. Equation 11 gives P*(+) = 0.171 / (0.4 + 0.171 - 0.08) or so."""
    code, out, err = run(two)
    assert (code, err) == (0, "")
    gap = 0.2 * 0.5 - 0.01 * 0.9
    crossing = gap / (gap + 0.4)
    assert f"A is ahead of B below P(+) = {crossing:.4g}" in out
    said = re.search(r"B is ahead of A between P\(\+\) = ([\d.]+) and ([\d.]+); they are equal above", out)
    assert said and float(said[1]) == pytest.approx(crossing, rel=1e-3)
    everything = (1 - 0.2 / 0.9) / ((1 - 0.2 / 0.9) + (1 / 0.9 - 1))  # from there on, to call all positive is best
    assert float(said[2]) == pytest.approx(everything, rel=1e-3)
    assert f"A is ahead of B between PC(+) = {0.01 / 0.51:.4g} and {0.19 / 0.59:.4g};" in out
    assert "optimistic" in out
    assert "by more than chance: everywhere fewer than 5 missed positives, or false alarms, decide" in out


def test_the_best_threshold_is_that_of_every_threshold_tried(run: Called, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    truth = rng.random(200) < 0.25
    score = np.round(rng.normal(size=200) + 1.5 * truth, 2)
    rows = [[i % 4, int(t), s] for i, (t, s) in enumerate(zip(truth, score, strict=True))]
    name = written(tmp_path / "a.csv", ["fold", "y_true", "y_score"], rows)
    code, out, _ = run(name)
    assert code == 0
    (line,) = (line.split() for line in out.splitlines() if line.endswith("of these samples"))
    best = max(np.unique(score), key=lambda t: f1_score(truth, score >= t))
    assert float(line[0]) == pytest.approx(truth.mean())
    assert float(line[1]) == pytest.approx(f1_score(truth, score >= best), abs=5e-5)
    assert f1_score(truth, score >= float(line[5])) == f1_score(truth, score >= best)


def test_prevalence_and_alpha(run: Called, two: str) -> None:
    _, out, _ = run(two, "--prevalence", "0.3", "--alpha", "1")
    rows = [line.split() for line in out.splitlines() if line.endswith("asked for")]
    assert [row[0] for row in rows] == ["0.3", "0.3"]
    for row, (tpr, fpr) in zip(rows, ((0.5, 0.01), (0.9, 0.2)), strict=True):
        assert row[1] == row[2] == f"{0.3 * tpr / (0.3 * tpr + 0.7 * fpr):.4f}"  # F is the precision


def test_counts_are_points_without_thresholds(run: Called) -> None:
    code, out, _ = run(TABLE_1)
    assert code == 0
    assert "The F of its decisions" in out and "threshold" not in out
    (line,) = (line.split() for line in out.splitlines() if line.endswith("of these samples"))
    assert line[1] == "0.5833"  # F_tp,fp as the paper prints it: 58 %


def test_csv_has_every_point(run: Called, tmp_path: Path, two: str) -> None:
    code, out, err = run(two, "--output", "points.csv", "--prevalence", "0.4")
    assert (code, out, err) == (0, "", "")
    with (tmp_path / "points.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == list(HEADER)
    with (tmp_path / two).open(newline="") as file:
        _, *data = csv.reader(file)
    truth, score = (np.array([float(row[i]) for row in data if row[0] == "A"]) for i in (2, 3))
    fold = np.array([row[1] for row in data if row[0] == "A"])

    def points(space: str, name: str) -> np.ndarray:
        chosen = [row for row in rows if row[0] == "A" and row[3] == name and row[4] == space]
        return np.array([[float(cell or "nan") for cell in row[5:]] for row in chosen])

    for name in ("", "0", "1"):
        mine = np.full(len(fold), True) if not name else fold == name
        fpr, tpr, thresholds = roc_curve(truth[mine], score[mine], drop_intermediate=False)
        np.testing.assert_allclose(points("roc", name), np.stack([thresholds, fpr, tpr], axis=1))
    weight = np.where(truth == 1, 0.4 / 10, 0.6 / 100)  # P(+) becomes 0.4
    precision, recall, _ = precision_recall_curve(truth, score, sample_weight=weight)
    found = points("pr", "")[::-1]
    np.testing.assert_allclose(found[:-1, 1:], np.stack([recall, precision], axis=1)[:-1])
    assert np.isnan(found[-1, 2])
    cost = [[0, 0], [0.01 / 0.51, 0.01 / 0.51], [0.99 / 1.49, 0.5 / 1.49], [1, 0]]
    np.testing.assert_allclose(points("cost", "")[:, 1:], cost)
    np.testing.assert_allclose(points("f", "")[[0, -1], 1:], [[0, 0], [1, 1]])


def test_brier_curves_are_those_of_probabilities(run: Called, tmp_path: Path) -> None:
    truth, score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.4, 0.3, 0.1]
    for name, shift in (("p.csv", 0.0), ("s.csv", 0.5)):
        lines = [f"{i % 2},{t},{s + shift}" for i, (t, s) in enumerate(zip(truth, score, strict=True))]
        (tmp_path / name).write_text("\n".join(["fold,y_true,y_score", *lines, ""]))
        assert run(name, "--output", f"points-{name}")[0] == 0
    found = [brier_points(tmp_path / f"points-{name}") for name in ("p.csv", "s.csv")]
    # There P(+) is 0.4, so that 0.4 is the threshold at PC(+) = 0.5: all positives are found, and one of three others.
    assert found[0][0.5] == pytest.approx(0.5 * 1 / 3)
    assert found[1] == {}


def brier_points(path: Path) -> dict[float, float]:
    with path.open(newline="") as file:
        return {float(row["x"]): float(row["y"]) for row in csv.DictReader(file) if row["space"] == "brier"}


@pytest.mark.parametrize(("name", "start"), [("c.png", PNG), ("c.SVG", SVG)])
def test_pictures(run: Called, tmp_path: Path, two: str, name: str, start: bytes) -> None:
    code, out, err = run(two, "--output", name)
    assert (code, out, err) == (0, "", "")
    first = (tmp_path / name).read_bytes()
    assert first.startswith(start)
    run(two, "--output", name)
    assert (tmp_path / name).read_bytes() == first


def test_without_matplotlib(run: Called, two: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = run(two, "--output", "c.png")
    assert (code, out) == (2, "") and "install cvlint[report]" in err and err.endswith(".\n")
    assert not (tmp_path / "c.png").exists()
    assert run(two)[0] == 0
    assert run(two, "--output", "c.csv")[0] == 0


def test_folds_and_experiments_without_a_class(run: Called, tmp_path: Path) -> None:
    rows = [["A", f, t, s] for f, t, s in ((1, 1, 0.7), (1, 0, 0.2), (2, 0, 0.4), (3, 0, 0.1))]
    rows += [["B", 1, 0, 0.1], ["B", 2, 0, 0.3]]
    name = written(tmp_path / "a.csv", ["experiment", "fold", "y_true", "y_score"], rows)
    code, out, _ = run(name)
    assert code == 0
    assert "The folds 2, 3 have no positives: no curve of their own is drawn." in out
    assert "B: 0 positives, 2 negatives; 2 folds.\n\nThere are no positives, so that its curves are undefined." in out
    code, _, err = run(name, "--output", "c.svg")
    assert code == 0 and err.count("\n") == 2
    code, _, err = run(written(tmp_path / "b.csv", ["fold", "y_true", "y_score"], [[1, 0, 0.3]]), "--output", "c.svg")
    assert code == 2 and "every curve is undefined" in err


def test_counts_without_true_negatives(run: Called, tmp_path: Path) -> None:
    name = written(tmp_path / "a.csv", ["fold", "tp", "fp", "fn"], [[1, 3, 1, 2], [2, 4, 0, 1]])
    code, out, _ = run(name)
    assert code == 0
    assert "The experiment: 10 positives, an unknown number of negatives.\n" in out
    assert "Without true negatives (a column tn) the false positive rate is unknown" in out
    name = written(tmp_path / "b.csv", ["fold", "y_true", "y_pred"], [[1, 1, 1]])
    code, out, _ = run(name)
    assert code == 0 and out.startswith(
        "The experiment: 1 positive, 0 negatives; 1 fold.\n\nThere are no negatives, so"
    )


def test_the_printed_threshold_gives_the_counts_of_its_row(run: Called, tmp_path: Path) -> None:
    """2/3 must not become 0.666667, which is above it."""
    truth = np.arange(120) % 3 == 0
    score = np.where(truth, np.arange(120) % 5 > 0, np.arange(120) % 7 == 0) * 2 / 3
    data = [[i % 2, int(truth[i]), score[i]] for i in range(120)]
    _, out, _ = run(written(tmp_path / "a.csv", ["fold", "y_true", "y_score"], data))
    rows = [line.split() for line in out.splitlines() if re.match(r" *0\.\d+ ", line)]
    assert len(rows) == 7
    for row in rows:
        decided = np.zeros(120, bool) if row[5] == "none" else score >= float(row[5])
        assert (f"{decided[truth].mean():.4f}", f"{decided[~truth].mean():.4f}") == (row[3], row[4])


def test_the_picture_and_the_table_have_the_same_curves_of_the_folds(run: Called, tmp_path: Path) -> None:
    """Precision at the P(+) of all folds, though each has another one."""
    rows = [[f, int(i % (f + 2) == 0), (i * 7 % 11 + 5 * (i % (f + 2) == 0)) / 16] for f in (1, 2) for i in range(30)]
    name = written(tmp_path / "a.csv", ["fold", "y_true", "y_score"], rows)
    assert run(name, "--output", "points.csv")[0] == 0
    with (tmp_path / "points.csv").open(newline="") as file:
        table = [row for row in csv.DictReader(file) if row["space"] == "pr"]
    data = read(tmp_path / name).data
    _, axes, *_ = drawn(list(curves_of(data))).axes
    lines = [np.asarray(line.get_xydata()) for line in axes.get_lines()[1:]]
    for fold, line in zip(("1", "2", ""), lines, strict=True):
        points = [[float(row["x"]), float(row["y"] or "nan")] for row in table if row["fold"] == fold]
        np.testing.assert_allclose(points, line)


def test_the_brier_curve_is_drawn_whole() -> None:
    truth = np.arange(20) % 2
    data = FoldSet.from_arrays(np.arange(20) % 3, truth, y_score=np.where(truth == 1, 0.1, 0.9))  # all wrong
    _, _, cost, _ = drawn(list(curves_of(data))).axes
    heights = [np.max(line.get_ydata()) for line in cost.get_lines()]
    assert cost.get_ylim()[1] >= max(heights) > 0.9


@pytest.mark.parametrize("spelled", ["{}", "./{}", "../{folder}/{}"])
def test_the_data_are_not_overwritten(run: Called, two: str, tmp_path: Path, spelled: str) -> None:
    before = (tmp_path / two).read_text()
    code, out, err = run(two, "--output", spelled.format(two, folder=tmp_path.name))
    assert (code, out) == (2, "") and "because that is the file to be read; name another." in err
    assert (tmp_path / two).read_text() == before


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (("ja", "nein"), "The positive label is 'nein', and 'ja' is negative; --positive names another."),
        ((1, 2), "The positive label is '1', and '2' is negative"),
        ((0, 1), ""),
        ((-1, 1), ""),
        (("False", "True"), ""),
    ],
)
def test_the_positive_label_is_named_if_it_is_not_obvious(
    run: Called, tmp_path: Path, labels: tuple[object, object], says: str
) -> None:
    rows = [[i % 2, labels[i % 3 == 0], i % 7 / 7] for i in range(20)]
    written(tmp_path / "a.csv", ["fold", "y_true", "y_score"], rows)
    for command in ("curves", "threshold"):
        out = invoke(command, "a.csv")[1]
        assert (says in out) if says else ("positive label" not in out)


@pytest.mark.parametrize("alike", [True, False])
def test_groups_of_one_experiment_are_named(run: Called, tmp_path: Path, alike: bool) -> None:
    """A capture may know the groups of one experiment only."""
    rng, n = np.random.default_rng(0), 200
    true = np.tile(np.arange(n) % 4 == 0, 2)
    fold = np.tile(np.arange(n) % 5, 2) if alike else np.r_[np.arange(n) % 5, np.arange(n) % 3]
    group = [*(f"patient {i // 4}" for i in range(n)), *[ABSENT] * n]
    columns = {"experiment": np.repeat(["A", "B"], n), "fold": fold, "y_true": true, "group": np.array(group)}
    np.savez(tmp_path / "both.npz", **columns, y_score=true + rng.normal(size=2 * n))
    said = "the groups of A are taken for both" if alike else "A has one: the samples of B are drawn one by one"
    out = run("both.npz")[1]
    assert out.count("warning: B has no column group") == 1 and said in out
    assert "warning" not in run("both.npz", "--replicates", "0")[1]


def test_names_stay_as_they_are(run: Called, tmp_path: Path) -> None:
    rows = [[e, i % 2, i % 3 == 0, i % 7] for e in ("svm", "bäyes") for i in range(20)]
    out = run(written(tmp_path / "a.csv", ["experiment", "fold", "y_true", "y_score"], rows))[1]
    assert "\nbäyes: 7 positives" in out and out.startswith("svm: 7 positives, 13 negatives")


def test_labels_have_their_names(run: Called, tmp_path: Path) -> None:
    header = ["fold", "y_true_cat", "y_true_dog", "y_score_dog", "y_score_cat"]
    rows = [[i % 2, i % 2, i % 3 == 0, (i % 3 == 0) / 2, i % 2 / 3] for i in range(24)]
    out = run(written(tmp_path / "a.csv", header, [[*map(float, row)] for row in rows]))[1]
    for name in ("cat", "dog"):
        assert f"Class {name}: " in out
    assert re.findall(r"([\d.]+) +[\d.]+–[\d.]+ +of these samples", out) == ["0.3", "0.5"]  # both are told apart
    labels = invoke("threshold", "a.csv")[1].splitlines()[1:3]
    assert [line.split()[0] for line in labels] == ["cat", "dog"]


def test_several_classes_and_repetitions(run: Called, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = [[e, r, i % 2, i % 3, *rng.random(3)] for e in "AB" for r in (1, 2) for i in range(30)]
    header = ["experiment", "repeat", "fold", "y_true", "y_score_0", "y_score_1", "y_score_2"]
    code, out, _ = run(written(tmp_path / "a.csv", header, rows))
    assert code == 0
    assert "A, repeat 1, class 0: 10 positives, 20 negatives" in out
    assert out.count("In F with alpha 0.5") == 6  # A with B, in each repetition, for each class
    code, out, _ = run("a.csv", "--positive", "2")
    assert "B, repeat 2: 10 positives" in out and out.count("In expected cost") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--alpha", "1.5"), "The option --alpha cannot be '1.5'; valid is a number from 0 to 1."),
        (("--prevalence", "nan"), "The option --prevalence cannot be 'nan'; valid is a number from 0 to 1."),
        (("--output", "c.pdf"), "valid is a name that ends in .png, .svg, .csv."),
        (("--output", "nowhere/c.png"), "there is no folder 'nowhere'"),
        (("--fold-column", "nothing"), "has no column 'nothing' for fold"),
    ],
)
def test_usage_errors(run: Called, two: str, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run(two, *arguments)
    assert (code, out) == (2, "") and said in err


def test_names_steer_neither_the_terminal_nor_the_picture(run: Called, tmp_path: Path) -> None:
    odd = ["$a_{", "\x1b[31m", "_hidden"]
    rows = [[e, 1, t, s] for e in odd for t, s in ((1, 0.6), (0, 0.3), (1, 0.4), (0, 0.5))]
    name = written(tmp_path / "a.csv", ["experiment", "fold", "y_true", "y_score"], rows)
    code, out, _ = run(name)
    assert code == 0 and "\x1b" not in out and "$a_{ and _hidden are equal for every P(+)" in out
    assert run(name, "--output", "c.svg")[0] == 0


def test_the_pairs_of_many_experiments_are_not_compared(run: Called, tmp_path: Path) -> None:
    rows = [[name, i % 2, i // 2 % 2, (i * 7 + name) % 10] for name in range(16) for i in range(8)]
    file = written(tmp_path / "many.csv", ["experiment", "fold", "y_true", "y_score"], rows)
    code, out, err = run(file)
    assert (code, err) == (0, "")
    assert "more than 100 pairs" in out and "differ by more than chance" not in out
