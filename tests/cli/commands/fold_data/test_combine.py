"""``cvlint combine`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from cvlint.runtime.combination.combining import combined
from cvlint.runtime.combination.cross_validated_combination import leave_one_fold_out
from cvlint.runtime.combination.paired_experiments import SameSamples, read_same_samples
from cvlint.runtime.combination.roc_hull import combination_of
from tests.cli.conftest import invoke

HEADER = "experiment,fold,sample_id,y_true,y_score"
Rows = list[list[object]]


run = partial(invoke, "combine")


def rows_of(n: int = 300, folds: int = 3, helps: bool = True) -> Rows:
    """Two classifiers, each blind to half of the positives, or both to all; the rows of each in an order of its own.

    The scores of one are small, so that their mean is no good.
    """
    rng = np.random.default_rng(5)
    y = np.arange(n) % 5 == 0
    seen = np.arange(n) % 2 == 0
    rows: Rows = []
    for name, sees, scale in (("left", seen, 1), ("right", ~seen, 0.01)):
        signal = y & sees if helps else np.zeros(n)
        score = np.round(scale / (1 + np.exp(-(rng.normal(size=n) + 5 * signal - 2))), 6)
        rows += [[name, i % folds, f"s{i}", int(y[i]), score[i]] for i in rng.permutation(n)]
    return rows


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    return written(tmp_path, rows_of())


def written(folder: Path, rows: Rows, header: str = HEADER) -> Path:
    path = folder / "pool.csv"
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def test_text(pool: Path) -> None:
    code, out, err = run(str(pool), "--iterations", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "2 classifiers (left, right), 300 samples, 3 folds; F at P(+) = 0.2, alpha = 0.5."
    assert [line[:15] for line in lines[5:8]] == ["best classifier", "mean of scores ", "1 iteration    "]
    assert "; where it was chosen the gain looked like" in out
    assert "Chosen on all folds, 1 iteration: " in out
    assert " OR " in out.split("1 iteration: ")[1].splitlines()[0]  # each sees what the other does not


def test_the_f_of_the_folds_left_out_is_that_of_predictions_made_by_hand(pool: Path) -> None:
    samples, _ = read_same_samples(pool)
    document = json.loads(run(str(pool), "--format", "json", "--iterations", "2")[1])
    last = document["held_out"][-1]
    predicted = np.zeros(300, dtype=bool)
    tp = fp = fn = 0
    for code in range(3):
        inside = samples.fold == code
        rule = combined(*samples.taken(~inside), iterations=2)[-1].best(document["prevalence"])
        assert str(rule) == last["rules"][code]["text"]
        predicted[inside] = rule.decide(samples.scores)[inside]
        there = rule.decide(samples.scores)[~inside]
        tp += (there & samples.y_true[~inside]).sum()
        fp += (there & ~samples.y_true[~inside]).sum()
        fn += (~there & samples.y_true[~inside]).sum()
    assert last["held_out_f"] == pytest.approx(f1_score(samples.y_true, predicted), abs=1e-12)
    assert last["chosen_f"] == pytest.approx(2 * tp / (2 * tp + fp + fn), abs=1e-12)
    assert last["optimism"] == pytest.approx(last["chosen_f"] - last["held_out_f"], abs=1e-12)


def test_what_is_chosen_does_not_see_the_fold_left_out(tmp_path: Path) -> None:
    """The labels of a fold are turned round: what was chosen without it stays the same."""
    rows = rows_of()
    before = json.loads(run(str(written(tmp_path, rows)), "--format", "json")[1])
    turned = [[*row[:3], 1 - row[3] if row[1] == 0 else row[3], row[4]] for row in rows]  # type: ignore[operator]
    after = json.loads(run(str(written(tmp_path, turned)), "--format", "json", "--prevalence", "0.2")[1])
    for one, other in zip(before["held_out"], after["held_out"], strict=False):  # more rounds raise a hull, perhaps
        assert one["rules"][0] == other["rules"][0]
    assert before["held_out"][-1]["held_out_f"] > after["held_out"][-1]["held_out_f"]


def test_optimism_without_any_signal_is_large(tmp_path: Path) -> None:
    document = json.loads(run(str(written(tmp_path, rows_of(helps=False))), "--format", "json")[1])
    assert document["held_out"][-1]["optimism"] > 0.1
    assert document["held_out"][-1]["held_out_f"] < 0.4  # all positive has 1/3


def test_the_mean_of_scores_is_compared_with_too(tmp_path: Path) -> None:
    """Equally good and independent classifiers are best averaged."""
    rng = np.random.default_rng(6)
    y = rng.random(1500) < 0.3
    rows: Rows = []
    for name in "abcd":
        score = 1 / (1 + np.exp(-(rng.normal(size=1500) + y)))
        rows += [[name, i % 3, i, int(y[i]), score[i]] for i in range(1500)]
    path = str(written(tmp_path, rows))
    few = ("--iterations", "2", "--thresholds", "40")
    out, document = run(path, *few)[1], json.loads(run(path, *few, "--format", "json")[1])
    alone, mean, *_, last = (one["held_out_f"] for one in document["held_out"])
    assert alone < last < mean
    assert f"the combination has F {last:.4f} and the mean of scores {mean:.4f}: nothing is gained by combining." in out


def test_the_output_can_be_applied(pool: Path, tmp_path: Path) -> None:
    target = tmp_path / "combination.json"
    code, out, _ = run(str(pool), "--output", str(target), "--alpha", "0.3", "--prevalence", "0.05")
    assert code == 0 and "F at P(+) = 0.05, alpha = 0.3" in out
    document = json.loads(target.read_text())
    assert (document["version"], document["alpha"], document["prevalence"]) == (1, 0.3, 0.05)
    best = combination_of(document["best"])
    assert best.best_from <= 0.05 <= best.best_to
    samples, _ = read_same_samples(pool)
    decisions = best.decide(samples.scores)
    assert decisions[samples.y_true].mean() == best.tpr
    ends = [(c["best_from"], c["best_to"]) for c in document["envelope"]]
    assert ends[0][0] == 0 and ends[-1][1] == 1
    assert all(one[1] == other[0] for one, other in pairwise(ends))


def test_a_crisp_classifier_and_other_names_of_columns(tmp_path: Path) -> None:
    lines = ["who,fold,sample_id,y_true,y_pred,note"]
    for name, flips in (("one", 3), ("two", 5)):
        lines += [f"{name},{i % 3},{i},{int(i % 4 == 0)},{int((i % 4 == 0) != (i % flips == 0))},x" for i in range(60)]
    path = tmp_path / "crisp.csv"
    path.write_text("\n".join(lines))
    code, out, err = run(str(path), "--experiment-column", "who")
    assert code == 0 and "not used: note." in err
    assert "two >= 1" in out


def test_scores_of_other_scales_have_no_mean(tmp_path: Path) -> None:
    path = written(tmp_path, [[*row[:4], float(row[4]) * 9] for row in rows_of()])  # type: ignore[arg-type]
    assert "mean of scores" not in run(str(path))[1]


def change(rows: Rows, where: int, column: int, value: object) -> Rows:
    return [[*row[:column], value, *row[column + 1 :]] if i == where else row for i, row in enumerate(rows)]


BASE = sorted(rows_of(30), key=lambda row: (row[0], str(row[2])))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (BASE[:30], "holds one experiment: two classifiers or more are needed"),
        (BASE[:-1], "sample 's9' is in experiment 'left' and not in 'right'"),
        (change(BASE, 59, 2, "new"), "sample 'new' is in experiment 'right' and not in 'left'"),
        (change(BASE, 59, 2, "s8"), "experiment 'right': sample 's8' occurs twice"),
        (change(BASE, 59, 3, 1), "sample 's9' has another true label in experiment 'right' than in 'left'"),
        (change(BASE, 59, 1, 7), "sample 's9' has another fold in experiment 'right' than in 'left'"),
        ([[r[0], 1, *r[2:]] for r in BASE], "There is one fold only"),
        ([[r[0], r[3], *r[2:]] for r in BASE], "Without fold 0 all samples are of one class"),
    ],
)
def test_files_that_cannot_be_combined(tmp_path: Path, rows: Rows, says: str) -> None:
    code, out, err = run(str(written(tmp_path, rows)))
    assert (code, out) == (2, "")
    assert says in err and len(err.splitlines()) == 1


def test_three_labels(tmp_path: Path) -> None:
    rows = [[*row[:3], i % 3, i % 3] for i, row in zip([*range(30)] * 2, BASE, strict=True)]
    path = written(tmp_path, rows, "experiment,fold,sample_id,y_true,y_pred")
    assert "experiment 'left' has 3 labels: name the positive one" in run(str(path))[2]
    assert run(str(path), "--positive", "2")[0] == 0


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("experiment,fold,id,y_true,y_score", "has no column 'sample_id'"),
        ("experiment,fold,sample_id,y_true,score", "neither a column 'y_pred' nor 'y_score'"),
        ("name,fold,sample_id,y_true,y_score", "holds one experiment"),
    ],
)
def test_columns_that_are_missing(tmp_path: Path, header: str, says: str) -> None:
    code, _, err = run(str(written(tmp_path, BASE, header)))
    assert code == 2 and says in err


@pytest.mark.parametrize(("extra", "says"), [("weight", "has weights"), ("repeat", "has several repetitions")])
def test_columns_that_are_not_allowed(tmp_path: Path, extra: str, says: str) -> None:
    rows = [[*row, 1 + i % 2] for i, row in enumerate(BASE)]
    code, _, err = run(str(written(tmp_path, rows, f"{HEADER},{extra}")))
    assert code == 2 and f"experiment 'left' {says}" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--thresholds", "0"], "The option --thresholds cannot be '0'; valid is a whole number, 1 or more."),
        (["--alpha", "2"], "Alpha cannot be 2: the weight of precision is from 0 to 1."),
        (["--prevalence", "1.5"], "The prevalence cannot be 1.5: P(+) is from 0 to 1."),
        (["--prevalence", "nan"], "The prevalence cannot be nan"),
        (["--format", "xml"], "The option --format cannot be 'xml'"),
        (["--output", "/nowhere/at/all.json"], "The report cannot be written"),
    ],
)
def test_wrong_options(pool: Path, arguments: list[str], says: str) -> None:
    code, out, err = run(str(pool), *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_the_data_are_not_overwritten(pool: Path) -> None:
    before = pool.read_text()
    code, out, err = run(str(pool), "--output", str(pool))
    assert (code, out) == (2, "") and "because that is the file to be read; name another." in err
    assert pool.read_text() == before


def test_the_positive_label_is_named_if_it_is_not_obvious(tmp_path: Path) -> None:
    rows = [[*row[:3], ("ja", "nein")[int(str(row[3]))], row[4]] for row in rows_of(60)]
    out = run(str(written(tmp_path, rows)), "--iterations", "0")[1]
    assert out.splitlines()[1] == "The positive label is 'nein', and 'ja' is negative; --positive names another."


def test_a_soft_and_a_crisp_classifier(tmp_path: Path) -> None:
    """Each leaves the other's column empty."""
    rows: Rows = [["soft", i % 3, i, int(i % 4 == 0), "", i % 7 / 7] for i in range(60)]
    rows += [["crisp", i % 3, i, int(i % 4 == 0), i % 2, ""] for i in range(60)]
    path = written(tmp_path, rows, "experiment,fold,sample_id,y_true,y_pred,y_score")
    code, out, err = run(str(path), "--iterations", "1")
    assert (code, err) == (0, "") and out.startswith("2 classifiers (soft, crisp), 60 samples")


def test_counts_only(tmp_path: Path) -> None:
    rows: Rows = [["a", 1, 0, 3, 1, 1], ["b", 1, 0, 2, 1, 1]]
    code, _, err = run(str(written(tmp_path, rows, "experiment,fold,sample_id,tp,fp,fn")))
    assert code == 2 and "holds counts only: the predictions of each sample are needed" in err


def test_no_iteration_is_the_best_classifier() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.3
    samples = SameSamples(np.arange(200) % 4, (0, 1, 2, 3), y, {n: rng.normal(size=200) + y for n in "ab"})
    results = leave_one_fold_out(samples, iterations=0)
    assert [o.method.iterations for o in results] == [0]
    assert " AND " not in str(results[0].rules[0]) and " OR " not in str(results[0].rules[0])


def test_rounds_that_raise_no_hull_are_not_shown() -> None:
    """Nor waited for."""
    rng = np.random.default_rng(3)
    y = rng.random(60) < 0.3
    samples = SameSamples(np.arange(60) % 3, (0, 1, 2), y, {n: rng.normal(size=60) + y for n in "ab"})
    few, many = (leave_one_fold_out(samples, thresholds=4, iterations=n) for n in (20, 1_000_000))
    assert [o.method for o in few] == [o.method for o in many] and 2 <= len(few) < 20
    assert [each.rule for each in few[-1].rules] != [each.rule for each in few[-2].rules]


def test_a_classifier_may_be_called_as_the_mean_of_scores() -> None:
    """Its scores are not those of the mean."""
    rng = np.random.default_rng(4)
    y = rng.random(90) < 0.4
    score = {name: np.clip(y * 0.3 + rng.random(90) * 0.7, 0, 1) for name in "ab"}
    plain, odd = (
        leave_one_fold_out(SameSamples(np.arange(90) % 3, (0, 1, 2), y, scores), thresholds=5, iterations=1)
        for scores in (score, {"a": score["a"], "mean of scores": score["b"]})
    )
    for one, other in zip(plain, odd, strict=True):
        assert (one.chosen_f, one.held_out_f) == (other.chosen_f, other.held_out_f)
