"""``cvlint reported`` as a user calls it."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.cli.conftest import invoke

run = partial(invoke, "reported")


def test_text() -> None:
    code, out, _ = run("--precision", ".60", "--recall", ".94", "--f1", ".69")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["F_tp,fp", "impossible"],
        ["F_pr,re", "impossible"],
        ["F_avg", "possible"],
        ["F~pr,re", "impossible"],
        ["F~avg", "possible"],
    ]
    assert "give F from 0.7272 to 0.7377, and never .69." in out


def test_json_with_counts() -> None:
    _, out, _ = run("--f1", "0.733", "--positives", "15", "--negatives", "1489", "--format", "json")
    document = json.loads(out)
    assert document["version"] == 1
    assert [v["possible"] for v in document["verdicts"]] == [True] * 5
    assert document["verdicts"][0]["reason"].startswith("For example TP ")


def test_folds_in_json() -> None:
    sizes = ("--fold-positives", "52,74", "--fold-negatives", "94,37")
    rates = ("--recall", ".768", "--accuracy", ".573", "--balanced-accuracy", ".662")
    _, out, _ = run("--f1", ".639", *sizes, *rates, "--auc", ".7", "--format", "json")
    found = {v["aggregate"]: v for v in json.loads(out)["verdicts"]}
    assert list(found) == ["f_tpfp", "f_prre", "f_avg", "f_prre_valid", "f_avg_valid", "auc_merge", "auc_avg"]
    assert found["f_avg"]["example"] == [
        {"positives": 52, "negatives": 94, "tp": 49, "fp": 81},
        {"positives": 74, "negatives": 37, "tp": 44, "fp": 1},
    ]
    _, out, _ = run("--f1", ".637", *sizes, *rates, "--format", "json")
    assert [(v["possible"], v["proved"]) for v in json.loads(out)["verdicts"]] == [(False, True)] * 5


def test_a_verdict_without_proof_says_so() -> None:
    counts = ("--positives", "100", "--negatives", "900", "--folds", "10")
    _, out, _ = run("--f1", ".735", "--precision", ".60", "--recall", ".94", *counts)
    line = next(line for line in out.splitlines() if line.startswith("F_avg"))
    assert line.split()[1] == "possible"
    assert "This is not proved: the search neither found tables" in line or "For example" in line


@pytest.mark.parametrize("how", [[], ["--unstratified"]])
def test_folds(how: list[str]) -> None:
    code, out, _ = run("--f1", ".8", "--positives", "10", "--negatives", "90", "--folds", "5", *how)
    assert code == 0
    assert out.count(" possible ") == 5
    assert ("in folds of" in out) == bool(how)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "The option --f1 is missing."),
        (["--f1", "69"], "The option --f1 cannot be '69': valid is a number from 0 to 1"),
        (["--f1", ".6", "--positives", "5"], "The numbers of positives and of negatives are needed together."),
        (["--f1", ".6", "--positives", "0", "--negatives", "5"], "The counts must be from 1 up"),
        (["--f1", ".6", "--folds", "5"], "The option --folds needs --positives and --negatives."),
        (["--f1", ".6", "--unstratified"], "The option --unstratified needs --folds, the number of folds."),
        (["--f1", ".6", "--fold-positives", "3,4"], "--fold-positives and --fold-negatives are needed together."),
        (["--f1", ".6", "--fold-positives", "3,x", "--fold-negatives", "3,4"], "cannot be '3,x'; valid are whole"),
        (["--f1", ".6", "--fold-positives", "3", "--fold-negatives", "3,4"], "of 1 folds and negatives of 2"),
        (
            [
                "--f1",
                ".6",
                "--positives",
                "5",
                "--negatives",
                "7",
                "--fold-positives",
                "3,4",
                "--fold-negatives",
                "3,4",
            ],
            "do not add up to --positives and --negatives.",
        ),
        (["--f1", ".6", "--folds", "2", "--fold-positives", "3,4", "--fold-negatives", "3,4"], "leave out --folds"),
        (["--f1", ".6", "--folds", "900", "--positives", "900", "--negatives", "900"], "and at most 200."),
        (["--f1", ".6", "--folds", "2", "--positives", "9000", "--negatives", "9000"], "2,000,000 can be searched"),
        (["--f1", ".6", "--auc", "1.2"], "The option --auc cannot be '1.2'"),
        (["--f1", ".6", "--beta", "-1"], "The option --beta cannot be '-1'"),
    ],
)
def test_usage_errors(arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1
