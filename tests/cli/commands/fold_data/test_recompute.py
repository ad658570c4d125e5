"""``cvlint recompute`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from cvlint.cli.options.aggregates import AVERAGES as OPTION_AVERAGES
from cvlint.cli.options.aggregates import CLASS_SIZES as OPTION_CLASS_SIZES
from cvlint.cli.options.fold_data import COLUMNS as OPTION_COLUMNS
from cvlint.output.evaluation.recomputed import relative, signed
from cvlint.runtime import FoldSet, write
from cvlint.runtime.data.columns import COLUMNS
from cvlint.runtime.intervals.bootstrap import CLASS_SIZES
from cvlint.runtime.measures.counts import AVERAGES
from tests.cli.conftest import invoke

PAPERS = Path(__file__).parents[4] / "fixtures" / "papers"
TABLE_1, TABLE_2 = (str(PAPERS / f"forman-scholz-table-{n}.csv") for n in (1, 2))


run = partial(invoke, "recompute")


def test_the_options_are_those_of_the_runtime() -> None:
    assert OPTION_COLUMNS == COLUMNS
    assert OPTION_AVERAGES == AVERAGES
    assert OPTION_CLASS_SIZES == CLASS_SIZES


def test_table_1_in_text() -> None:
    code, out, _ = run(TABLE_1, "--reported", "f1=0.69")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert lines[1][:5] == ["F_tp,fp", "0.5833", "0.466–0.711", "report", "this"]
    assert {line[0]: line[1] for line in lines[1:6]} == {
        "F_tp,fp": "0.5833",
        "F_avg": "0.6925",
        "F_pr,re": "0.7336",
        "F~avg": "0.6925",
        "F~pr,re": "0.7336",
    }
    assert "Reported f1=0.69: it may be F_avg or F~avg; F_tp,fp is 0.5833." in out


def test_table_2_in_json() -> None:
    code, out, _ = run(TABLE_2, "--format", "json", "--replicates", "0", "--reported", "f1=67%")
    assert code == 0
    document = json.loads(out)
    assert document["version"] == 1
    assert (document["folds"], document["samples"], document["positives"]) == (4, 1504, 16)
    found = document["aggregates"]
    values = {name: round(100 * a["value"]) for name, a in found.items() if a["value"] is not None}
    assert values == {"f_avg": 67, "f_prre": 68, "f_tpfp": 77, "f_avg_valid": 89, "f_prre_valid": 91}
    assert found["f_tpfp"]["expected_bias"] == pytest.approx(-0.009112, abs=1e-6)
    assert (found["f_tpfp"]["ci"], found["f_tpfp"]["expected_bias_error"]) == (None, 0)
    assert found["f_prre"]["expected_bias_error"] > 0
    assert "no scores" in found["auc_avg"]["why"]
    assert document["per_fold"][1]["precision"] is None
    assert document["per_fold"][1] | {"tp": 0, "fp": 0, "fn": 4, "tn": 372} == document["per_fold"][1]
    assert [fold["anomalies"] for fold in document["per_fold"]] == [[], ["none-predicted"], [], []]
    assert document["reported"] == [{"name": "f1", "value": 0.67, "matches": ["f_avg"]}]


def test_several_experiments_in_json(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    rows = [f"{fold},{label},{label},{name}\n" for name in "ab" for fold in (1, 2) for label in (0, 1)]
    path.write_text("fold,y_true,y_pred,experiment\n" + "".join(rows))
    document = json.loads(run(str(path), "--format", "json", "--replicates", "0")[1])
    assert [one["experiment"] for one in document["experiments"]] == ["a", "b"]
    assert document["experiments"][0]["aggregates"]["f_avg"]["value"] == 1


def test_markdown() -> None:
    _, out, _ = run(TABLE_2, "--format", "markdown", "--replicates", "0")
    assert "| F_tp,fp | 0.7692 |  | report this | −0.9 % | F of the counts summed over the folds |" in out
    assert "- Fold 2 has nothing predicted positive: precision is undefined there." in out


@pytest.mark.parametrize(
    ("reported", "digits", "says"),
    [
        ("f1=0.6925", None, "it may be F_avg or F~avg"),
        ("f1=0.7", None, "it may be F_avg, F_pr,re, F~avg or F~pr,re"),
        ("f1=0.7", "2", "no aggregate rounds to it"),
        ("F1=58.3%", None, "it is F_tp,fp."),
        ("auc=0.9", None, "the data allow no aggregate of this measure"),
    ],
)
def test_a_reported_number(reported: str, digits: str | None, says: str) -> None:
    options = ["--digits", digits] if digits else []
    _, out, _ = run(TABLE_1, "--reported", reported, *options, "--replicates", "0")
    assert says in out


def test_scores_and_several_experiments(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    true = rng.random(60) < 0.5
    experiment = np.array(["one", "two"])[np.arange(60) // 30]
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(60) % 3, true, true, rng.random(60), experiment=experiment), path)
    code, out, _ = run(str(path), "--replicates", "50", "--k", "5")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("Experiment")] == ["Experiment one", "Experiment two"]
    firsts = [line.split()[0] for line in out.splitlines() if line]
    assert firsts.count("AUC_avg") == firsts.count("P@5_merge") == 2


def test_an_undefined_value_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(60) % 3, np.arange(60) % 4 == 0, y_score=np.arange(60) * 7 % 60), path)
    for k, says in (
        ("50", "No value of P@50_avg: no fold has 50 samples."),
        ("61", "No value of P@61_merge: there are f"),
    ):
        assert says in run(str(path), "--replicates", "0", "--k", k)[1]
    found = json.loads(run(str(path), "--replicates", "0", "--k", "61", "--format", "json")[1])
    assert found["aggregates"]["p_at_k_merge"]["why"] == "there are fewer than 61 samples"
    write(FoldSet.from_arrays(np.arange(60) % 3, np.zeros(60), np.zeros(60), np.arange(60.0), positive=0), path)
    out = run(str(path), "--replicates", "0", "--positive", "0")[1]
    assert "No value of AUC_avg: no fold has both positives and negatives." in out
    assert "No value of AUC_merge: there are not both positives and negatives." in out
    assert "same for any scores" in out  # AP, which is 1


def test_equal_samples_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_pred,age,pixel_1\n1,0,1,30,.5\n1,1,1,40,.5\n2,0,0,30,.5\n2,1,1,30,.7\n")
    _, out, err = run(str(path), "--replicates", "0")
    assert "same features" not in out and "not used: age, pixel_1." in err
    _, out, err = run(str(path), "--replicates", "0", "--feature-columns", "age, pixel_*")
    assert "2 samples have the same features as a sample in another test fold (1 different rows)" in out
    assert err == ""
    code, _, err = run(str(path), "--feature-columns", "weight")
    assert (code, "has no column 'weight' for features: its columns are fold, y_true," in err) == (2, True)


def test_missing_columns_are_reported(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 60)
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(60) % 3, true, rng.permutation(true), rng.random((60, 3))), path)
    _, out, _ = run(str(path), "--replicates", "50")
    assert "No expected bias: it is computed for binary tasks only.\n" in out
    assert (
        "No interval of AUC_avg, AUC_merge, AP_avg, AP_merge: the samples are ranked by several columns of scores.\n"
        in out
    )
    _, out, _ = run(str(path), "--replicates", "0", "--format", "markdown")
    assert "No interval" not in out


def test_auc_of_several_classes_follows_the_average(tmp_path: Path) -> None:
    """The ranking averages of scikit-learn's documentation: its three classes and six samples."""
    path = tmp_path / "folds.csv"
    scores = ["7,2,1", "4,3,3", "1,8,1", "2,3,5", "4,4,2", "1,2,7"]
    rows = [f"1,{label},{score}\n" for label, score in zip("aabbcc", scores, strict=True)]
    path.write_text("fold,y_true,y_score_a,y_score_b,y_score_c\n" + "".join(rows))
    truth, score = list("aabbcc"), np.array([line.split(",") for line in scores], dtype=float) / 10
    for average in ("macro", "weighted", "micro"):
        found = json.loads(run(str(path), "--average", average, "--format", "json")[1])["aggregates"]
        expected = roc_auc_score(truth, score, multi_class="ovr", average=average)
        assert found["auc_avg"]["value"] == found["auc_merge"]["value"] == pytest.approx(expected)
        assert found["ap_avg"]["value"] == pytest.approx(average_precision_score(truth, score, average=average))
    assert expected != pytest.approx(roc_auc_score(truth, score, multi_class="ovr"))


def test_intervals_about_other_numbers_of_positives(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("fold,tp,fp,fn,tn\n" + "".join(f"{fold},4,2,1,93\n" for fold in range(10)))
    ends = {}
    for sizes in ("fixed", "random"):
        found = json.loads(run(str(path), "--format", "json", "--class-sizes", sizes)[1])["aggregates"]
        ends[sizes] = found["f_tpfp"]["ci"]
    assert ends["random"][0] < ends["fixed"][0] < ends["fixed"][1] < ends["random"][1]
    assert json.loads(run(str(path), "--format", "json")[1])["aggregates"]["f_tpfp"]["ci"] == ends["fixed"]
    code, _, err = run(str(path), "--class-sizes", "0.1")
    assert (code, "valid are fixed, random" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing.csv"], "cannot be read: No such file or directory."),
        ([TABLE_1, "--fold-column", "k"], "has no column 'k' for fold: its columns are fold, tp, fp, fn, tn."),
        ([TABLE_1, "--beta", "-1"], "The option --beta cannot be '-1'; valid is a number from 0 to 1000000."),
        ([TABLE_1, "--beta", "inf"], "The option --beta cannot be 'inf'; valid is a number from 0 to 1000000."),
        ([TABLE_1, "--beta", "1e300"], "The option --beta cannot be '1e+300'; valid is a number from 0 to 1000000."),
        ([TABLE_1, "--average", "mean"], "The option --average cannot be 'mean'; valid are binary, micro"),
        ([TABLE_1, "--reported", "0.69"], "write it like f1=0.69."),
        ([TABLE_1, "--reported", "kappa=0.69"], "valid are f1, f, fbeta, auc, ap, precision_at_k, pauc, auprg."),
        ([TABLE_1, "--reported", "f1=169"], "must be between 0 and 1"),
        ([TABLE_1, "--reported", "f1=.69", "--beta", "2"], "A reported f1 is F with beta 1, and what is computed is F"),
        ([TABLE_1, "--reported", "f0.5=.69"], "compute with beta 0.5 to compare them."),
        ([TABLE_1, "--k", "some"], "The option --k cannot be 'some'; valid is a whole number, 1 or more."),
        ([TABLE_1, "--k", "0"], "The option --k cannot be '0'; valid is a whole number, 1 or more."),
    ],
)
def test_usage_errors(arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("cvlint: ")
    assert says in err
    assert len(err.splitlines()) == 1


def test_unused_columns_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_pred,y_scores\n1,0,1,.5\n1,1,1,.7\n")
    code, _, err = run(str(path))
    assert code == 0
    assert err == f"cvlint: {path}: not used: y_scores.\n"


def test_a_reported_f_of_another_beta() -> None:
    for measure in ("f2", "F2.0", "f", "fbeta"):
        _, out, _ = run(TABLE_1, "--reported", f"{measure}=0.7527", "--beta", "2", "--replicates", "0")
        assert f"Reported {measure}=0.7527: it is F_tp,fp." in out


def test_counts_without_true_negatives_give_no_samples(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("fold,tp,fp,fn\n1,3,0,0\n2,4,1,0\n3,4,13,0\n4,3,5,1\n")
    _, out, _ = run(str(path))
    assert "0.466–0.711  report this" in out
    assert "fold  positives  TP  FP  FN  precision" in out
    document = json.loads(run(str(path), "--format", "json", "--replicates", "0")[1])
    assert (document["samples"], document["positives"]) == (None, 15)
    assert (document["per_fold"][0]["samples"], document["per_fold"][0]["tn"]) == (None, None)


def test_f_is_undefined_only_where_it_is_0_of_0(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("fold,tp,fp,fn,tn\n1,0,0,2,8\n2,0,3,0,7\n3,0,0,0,10\n4,1,0,0,9\n")
    document = json.loads(run(str(path), "--format", "json", "--replicates", "0")[1])
    assert [fold["f"] for fold in document["per_fold"]] == [0, 0, None, 1]
    path.write_text("fold,tp,fp,fn,tn\n1,0,0,0,8\n2,0,0,0,7\n")
    _, out, _ = run(str(path))
    assert next(line for line in out.splitlines() if line.startswith("F_tp,fp")).split()[1] == "undefined"
    assert "report this" not in out


def test_folds_of_one_sample_rank_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(40), np.arange(40) % 4 == 0, None, rng.random(40)), path)
    _, out, _ = run(str(path), "--replicates", "100")
    lines = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith(("AUC", "AP"))}
    assert (lines["AP_avg"][0], lines["AUC_avg"][0]) == ("1.0000", "undefined")
    assert "no fold has both classes, so that it is the same for any scores" in " ".join(lines["AP_avg"])
    assert lines["AP_merge"][0] != "undefined"
    assert "report this" not in out


def test_repetitions_are_averaged(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    true = np.tile(rng.random(60) < 0.5, 3)
    pred, repeat = true ^ (rng.random(180) < 0.3), np.repeat([1, 2, 3], 60)
    path = tmp_path / "folds.csv"
    write(FoldSet.from_arrays(np.arange(180) % 5, true, pred, repeat=repeat), path)
    _, out, _ = run(str(path), "--replicates", "0")
    each = [f1_score(true[repeat == r], pred[repeat == r]) for r in (1, 2, 3)]
    line = out.rpartition("Over the 3 repetitions")[2].splitlines()[3]
    span = f"{min(each):.4f}–{max(each):.4f}"
    assert line.split()[:4] == ["F_tp,fp", f"{np.mean(each):.4f}", span, f"{np.std(each, ddof=1):.4f}"]
    (found,) = json.loads(run(str(path), "--format", "json", "--replicates", "0")[1])["repetitions"]
    assert found["repetitions"] == 3
    assert found["aggregates"]["f_tpfp"]["mean"] == pytest.approx(np.mean(each))
    assert "## Over the 3 repetitions" in run(str(path), "--format", "markdown", "--replicates", "0")[1]


def test_the_positive_label_is_named_where_it_is_no_usual_one(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("fold,y_true,y_pred\n1,ja,ja\n1,nein,ja\n2,ja,nein\n2,nein,nein\n")
    assert (
        "The positive label is 'nein', and 'ja' is negative; --positive names another."
        in run(str(path), "--replicates", "0")[1]
    )
    assert "The positive label is 'ja'," in run(str(path), "--replicates", "0", "--positive", "ja")[1]
    assert "positive label" not in run(str(path), "--replicates", "0", "--average", "macro")[1]
    path.write_text(path.read_text().replace("ja", "1").replace("nein", "0"))
    assert "positive label" not in run(str(path), "--replicates", "0")[1]


@pytest.mark.parametrize(
    ("bias", "error", "shown"),
    [(-0.1929, 0.0039, "≈ −19 %"), (-0.1965, 0.0005, "−20 %"), (0.0071, 0, "+0.7 %"), (-0.0001, 0.0002, "0.0 %")],
)
def test_a_bias_has_only_certain_digits(bias: float, error: float, shown: str) -> None:
    assert relative(bias, error) == shown


def test_a_difference_of_nothing_has_no_minus() -> None:
    assert signed(-1e-9) == signed(0.0) == "+0.0000"


def test_partial_auc_and_precision_recall_gain(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    y = np.arange(90) % 3 == 0
    score = np.round(rng.normal(size=90) + y, 2)
    path = tmp_path / "scores.csv"
    rows = "".join(f"{i // 3 % 3},{int(t)},{s}\n" for i, (t, s) in enumerate(zip(y, score, strict=True)))
    path.write_text(f"fold,y_true,y_score\n{rows}")
    status, text, _ = invoke("recompute", str(path), "--max-fpr", "0.2", "--gain", "--format", "json")
    found = json.loads(text)["aggregates"]
    assert status == 0
    assert found["pauc_merge"]["value"] == pytest.approx(roc_auc_score(y, score, max_fpr=0.2))
    assert 0 < found["auprg_avg"]["value"] < 1
    assert (
        found["pauc_avg"]["why"]
        == "no interval: no interval of it is implemented; no expected_bias: "
        + found["auc_avg"]["why"].split("no expected_bias: ")[1]
    )
    assert "pAUC@0.2_avg" in invoke("recompute", str(path), "--max-fpr", "0.2")[1]
    assert "pAUC@0.2_avg" not in invoke("recompute", str(path))[1]
    for wrong in ("0", "1.5", "nan"):
        status, out, error = invoke("recompute", str(path), "--max-fpr", wrong)
        assert (status, out) == (2, "") and "valid is a number above 0, and at most 1" in error
    shown = invoke("curves", str(path), "--max-fpr", "0.2")[1]
    assert (
        f"under the ROC curve {roc_auc_score(y, score):.4f}, {roc_auc_score(y, score, max_fpr=0.2):.4f} up to" in shown
    )
