"""``cvlint threshold`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from cvlint.output.evaluation.thresholds import difference, shortest
from cvlint.runtime import FoldSet, write
from tests.cli.conftest import invoke

TABLE = Path(__file__).parents[4] / "fixtures" / "papers" / "forman-scholz-table-1.csv"


run = partial(invoke, "threshold")


def scored(n: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Calibrated scores, and labels."""
    rng = np.random.default_rng(seed)
    score = rng.beta(1, 4, n)
    return (rng.random(n) < score).astype(int), score


@pytest.fixture
def captured(tmp_path: Path) -> str:
    truth, score = scored()
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(400) % 5, truth, y_score=score), path)
    return str(path)


def test_text_and_json_agree(captured: str) -> None:
    code, out, err = run(captured, "--replicates", "200")
    assert (code, err) == (0, "")
    document = json.loads(run(captured, "--replicates", "200", "--format", "json")[1])
    (label,) = document["labels"]
    lines = out.splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:5]] == [
        "the other folds (nested)",
        "F*/2 of the other folds",
        "each test fold itself",
        "all folds together",
    ]
    for line, way in zip(lines[1:5], ("nested", "rule", "own", "pooled"), strict=True):
        assert f"  {label['f'][way]:.4f}  " in line
    assert "report this" in lines[1]
    assert f"look {label['f']['own'] - label['f']['nested']:.4f} higher" in out
    assert label["optimism"]["own"] == pytest.approx(label["f"]["own"] - label["f"]["nested"])
    assert f"F*/2 = {label['best']['f'] / 2:.4f}" in out
    assert (document["version"], document["kind"], document["beta"], len(label["folds"])) == (1, "binary", 1.0, 5)
    low, high = label["intervals"]["nested"]["ci"]
    assert low < label["f"]["nested"] < high
    assert label["rule_fits"] and label["calibration"]["plausible"] and "look calibrated" in out
    assert "it is no worse than thresholds chosen on other folds." in out


def test_beta_and_alpha_are_the_same(captured: str) -> None:
    by_beta = run(captured, "--beta", "2", "--format", "json")[1]
    by_alpha = run(captured, "--alpha", "0.2", "--format", "json")[1]
    assert json.loads(by_beta) == json.loads(by_alpha)
    assert "F*/5 = " in run(captured, "--alpha", "0.2")[1]


def test_prevalence(captured: str) -> None:
    code, out, _ = run(captured, "--prevalence", "0.02")
    assert code == 0
    assert "At prevalence 0.02, with the same TPR and FPR, the best threshold is " in out
    there = json.loads(run(captured, "--prevalence", "0.02", "--format", "json")[1])["labels"][0]["deployed"]
    assert there["prevalence"] == 0.02
    assert there["best"]["f"] >= there["rule"]["f"] and there["best"]["f"] >= there["kept"]["f"]


def test_several_labels(tmp_path: Path) -> None:
    truth, score = scored(1000)
    rng = np.random.default_rng(1)
    data = FoldSet.from_arrays(
        np.arange(1000) % 4,
        np.column_stack((truth, rng.random(1000) < 0.01)),
        y_score=np.column_stack((score, rng.random(1000))),
    )
    write(data, tmp_path / "folds.npz")
    code, out, _ = run(str(tmp_path / "folds.npz"), "--replicates", "0")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[1][-1] != "noise" and rows[2][-1] == "noise"
    document = json.loads(run(str(tmp_path / "folds.npz"), "--format", "json", "--replicates", "0")[1])
    nested = [label["f"]["nested"] for label in document["labels"]]
    assert document["macro_f"]["nested"] == pytest.approx(np.mean(nested))
    assert rows[3] == ["macro", "mean", *(f"{document['macro_f'][way]:.4f}" for way in ("pooled", "own", "nested"))]
    assert "The thresholds of 1 of 2 labels are noise" in out
    code, _, err = run(str(tmp_path / "folds.npz"), "--prevalence", "0.1")
    assert code == 2 and "is about one class, and" in err and "has 2;" in err


def test_scores_that_are_no_probabilities(tmp_path: Path) -> None:
    truth, score = scored()
    write(FoldSet.from_arrays(np.arange(400) % 5, truth, y_score=10 * score - 5), tmp_path / "folds.csv")
    code, out, _ = run(str(tmp_path / "folds.csv"))
    assert code == 0
    assert "they are no probabilities and the rule F*/2 does not apply" in out
    assert "of the other folds  " not in out.split("\n\n")[0]


def test_one_fold_and_no_positives(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_score\n1,0,0.1\n1,1,0.8\n1,0,0.9\n")
    code, out, _ = run(str(path))
    assert code == 0 and "at least two folds are needed" in out and "report this" not in out
    assert "there are no other folds to compare that with." in out
    path.write_text("fold,y_true,y_score\n1,0,0.1\n2,0,0.8\n")
    code, out, _ = run(str(path))
    assert code == 0 and "There are no positives: F1 is 0 at every threshold." in out
    label = json.loads(run(str(path), "--format", "json")[1])["labels"][0]
    assert (label["best"]["threshold"], label["best"]["f"], label["chance"]) == (None, 0.0, None)
    path.write_text("fold,y_true,y_score\n1,1,0.1\n2,1,0.8\n")
    code, out, _ = run(str(path), "--prevalence", "0.5")
    assert code == 0 and "Traceback" not in out


def test_experiments(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    rows = [f"{name},{i % 2},{i % 3 % 2},{'nan' if name == 'b' else i / 9},{i % 2}" for name in "abc" for i in range(9)]
    path.write_text("\n".join(["experiment,fold,y_true,y_score,y_pred", *rows]) + "\n")
    code, out, err = run(str(path))
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("Experiment")] == ["Experiment a", "Experiment c"]
    assert "left out, because they have no scores: b." in err
    document = json.loads(run(str(path), "--format", "json")[1])
    assert [each["experiment"] for each in document["experiments"]] == ["a", "c"]


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_the_threshold_shown_decides_alike(threshold: float, below: float) -> None:
    if below >= threshold:
        return
    shown = float(shortest(threshold, below))
    assert below < shown <= threshold


def test_the_threshold_shown_is_short() -> None:
    assert shortest(0.17203700493284657, 0.1719361329115143) == "0.172"
    assert shortest(0.21, 0.2) == "0.21"
    assert (shortest(np.inf, 0.5), shortest(np.nan, 0.5)) == ("none", "unknown")


def test_thresholds_of_the_other_folds_give_the_counts_of_their_rows(tmp_path: Path) -> None:
    """2/3 must not become 0.6667, which is above it."""
    rng = np.random.default_rng(2)
    truth = np.arange(240) % 3 == 0
    score, fold = np.clip(rng.integers(0, 3, 240) + 2 * truth, 0, 3) / 3 - 1e-9, np.arange(240) % 5
    write(FoldSet.from_arrays(fold, truth, y_score=score), tmp_path / "folds.csv")
    code, out, _ = run(str(tmp_path / "folds.csv"), "--replicates", "0")
    assert code == 0
    tables = out.split("\n\n")
    rows = [line.split() for line in tables[1].splitlines()[1:]]
    assert len(rows) == 5
    for code, row in enumerate(rows):
        here = fold == code
        for cut, f in ((row[3], row[4]), (row[5], row[6])):
            assert f"{f1_score(truth[here], score[here] >= float(cut)):.4f}" == f


def test_what_rounds_to_zero_is_not_negative() -> None:
    assert (difference(-1e-9), difference(1e-9), difference(-0.0)) == ("+0.0000", "+0.0000", "+0.0000")
    assert (difference(-0.00006), difference(np.nan)) == ("−0.0001", "")


def test_scores_of_one_value_are_not_called_calibrated(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(["fold,y_true,y_score", *(f"{i % 3},{int(i % 20 < 3)},0.5" for i in range(300))]))
    out = run(str(path), "--replicates", "0")[1]
    assert "The scores are not calibrated (by Spiegelhalter's test and one of the mean p < 0.001; mean 0.5000" in out
    path.write_text("\n".join(["fold,y_true,y_score", *(f"{i % 3},{i % 2},{i % 2}" for i in range(30))]))
    out = run(str(path), "--replicates", "0")[1]
    assert "The scores are all 0 or 1 and right, so no test can say whether they are calibrated (mean 0.5000" in out
    found = json.loads(run(str(path), "--replicates", "0", "--format", "json")[1])["labels"][0]["calibration"]
    assert (found["plausible"], found["p"], found["z"], found["z_mean"]) == (None, None, None, None)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--alpha", "0"], "The option --alpha cannot be '0'; valid is a number from 1e-12 to 1 (at 0 F is the recall"),
        (["--alpha", "1e-300"], "The option --alpha cannot be '1e-300'"),
        (["--beta", "1e300"], "The option --beta cannot be '1e+300'"),
        (["--beta", "nan"], "The option --beta cannot be 'nan'"),
        (["--alpha", "0.5", "--beta", "1"], "The options --beta and --alpha say the same thing; give one of them."),
        (["--beta", "-1"], "The option --beta cannot be '-1'; valid is a number from 0 to 1000000."),
        (["--prevalence", "1.2"], "The option --prevalence cannot be '1.2'; valid is a number from 0 to 1."),
        (["--format", "xml"], "The option --format cannot be 'xml'"),
    ],
)
def test_usage_errors(captured: str, arguments: list[str], says: str) -> None:
    code, out, err = run(captured, *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "header.csv").write_text("fold,y_true,y_score\n")
    empty = (str(tmp_path / "header.csv"), "holds no samples: a row for each is needed")
    for path, says in ((str(TABLE), "has no scores"), (str(tmp_path / "no.csv"), "cannot be read"), empty):
        code, out, err = run(path)
        assert (code, out) == (2, "")
        assert says in err and len(err.splitlines()) == 1
