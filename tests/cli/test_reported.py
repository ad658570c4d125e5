"""``cvlint reported`` as a user calls it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cvlint.cli import main


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["reported", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_text() -> None:
    code, out, _ = run("--precision", ".60", "--recall", ".94", "--f1", ".69")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["F_tp,fp", "impossible"],
        ["F_pr,re", "impossible"],
        ["F_avg", "possible"],
    ]
    assert "give F from 0.7272 to 0.7377, and never .69." in out


def test_json_with_counts() -> None:
    _, out, _ = run("--f1", "0.733", "--positives", "15", "--negatives", "1489", "--format", "json")
    document = json.loads(out)
    assert document["version"] == 1
    assert [v["possible"] for v in document["verdicts"]] == [True, True, True]
    assert document["verdicts"][0]["reason"].startswith("For example TP ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "The option --f1 is missing."),
        (["--f1", "69"], "The option --f1 cannot be '69': valid is a number from 0 to 1"),
        (["--f1", ".6", "--positives", "5"], "The numbers of positives and of negatives are needed together."),
        (["--f1", ".6", "--positives", "0", "--negatives", "5"], "The counts must be from 1 up"),
        (["--f1", ".6", "--beta", "-1"], "The option --beta cannot be '-1'"),
    ],
)
def test_refusals(arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1
