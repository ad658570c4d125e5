"""``cvlint simulate`` as a user calls it."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from functools import partial

import pytest

from tests.cli.conftest import invoke

run = partial(invoke, "simulate")


def test_text() -> None:
    code, out, _ = run("--repetitions", "2000", "--auc", "0.9", "--positives", "40")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("1000 samples, 40 positives, 10 folds, stratified; true precision 0.8, recall 0.8")
    assert [line.split()[0] for line in lines[3:8]] == ["F_tp,fp", "F_avg", "F_pr,re", "F~avg", "F~pr,re"]
    assert lines[3].split()[1:4] == ["−0.03", "%", "exact"]
    assert "some fold has no positives with probability 0.1304;" in out
    assert "AUC_avg is 0.9000 and AUC_merge 0.8258" in out


def test_json_and_csv_agree() -> None:
    options = ["--repetitions", "1000", "--unstratified", "--precision", "0.5", "--recall", "0.9", "--seed", "5"]
    document = json.loads(run(*options, "--format", "json")[1])
    rows = list(csv.DictReader(io.StringIO(run(*options, "--format", "csv")[1])))
    assert document["setting"]["stratified"] is False
    assert [r["aggregate"] for r in rows] == list(document["aggregates"])
    for row, aggregate in zip(rows, document["aggregates"].values(), strict=True):
        assert float(row["relative_bias"]) == pytest.approx(aggregate["relative_bias"], rel=1e-5)


def test_figure_4() -> None:
    code, out, _ = run("--figure", "4", "--repetitions", "500")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 3 * 5 * 100
    assert {row["positives"] for row in rows} == {"10", "50", "250"}
    assert (rows[-1]["from"], rows[-1]["to"], rows[-1]["figure"]) == ("0.99", "1", "4")
    for positives in ("10", "50", "250"):
        own = [row for row in rows if row["positives"] == positives and row["aggregate"] == "f_tpfp"]
        assert sum(float(row["share"]) for row in own) == pytest.approx(1)


def test_a_figure() -> None:
    code, out, _ = run("--figure", "8", "--repetitions", "100")
    assert code == 0
    assert len(out.splitlines()) == 1 + 3 * 8 * 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--positives", "0"], "cannot be a cross-validation"),
        (["--f", "2"], "Precision and recall must be above 0 and at most 1"),
        (["--repetitions", "1"], "valid is a whole number, 2 or more."),
        (["--figure", "3"], "The option --figure cannot be '3'; valid are 4, 5, 6, 7, 8"),
        (["--auc", "1.5"], "The AUC must lie between 0 and 1"),
    ],
)
def test_usage_errors(arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_all_figures_in_one_table() -> None:
    code, out, _ = run("--figure", "all", "--repetitions", "10")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert Counter(row["figure"] for row in rows) == {"4": 1500, "5": 205, "6": 120, "7": 120, "8": 120}
    assert rows[0]["share"] and not rows[0]["relative_bias"]
    assert rows[-1]["relative_bias"] and not rows[-1]["share"]
