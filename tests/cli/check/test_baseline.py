"""``--baseline`` and ``--write-baseline`` with the real engine."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from cvlint.findings.finding import Report
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.settings.baseline_file import read_baseline

OTHER = """

def second():
    aucs = []
    for train, test in StratifiedKFold(5).split(X, y):
        model.fit(X[train], y[train])
        aucs.append(f1_score(y[test], model.predict(X[test])))
    return np.mean(aucs)
"""


@pytest.fixture
def known(run: Any, faulty: Path, tmp_path: Path) -> Path:
    """A baseline that holds the fault of train.py."""
    run("check", "--write-baseline", "known.json")
    return tmp_path / "known.json"


def test_writing_prints_the_number_of_findings(run: Any, faulty: Path, tmp_path: Path) -> None:
    result = run("check", "--write-baseline", "known.json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "The baseline 'known.json' holds 1 finding.\n", "")
    row = json.loads((tmp_path / "known.json").read_text())["findings"][0]
    assert row.pop("hash")
    assert row == {"path": "train.py", "function": "", "rule": "mean-of-fold-f", "count": 1, "confidence": "high"}
    assert run("check", "--write-baseline", "known.json", "--select", "CVL201").stdout == (
        "The baseline 'known.json' holds 1 finding, 1 of them from before, because this check did not look for them.\n"
    )


def test_known_findings_are_neither_reported_nor_fail(run: Any, known: Path, faulty: Path) -> None:
    result = run("check", "--baseline", "known.json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "No new faults found in 1 file; the baseline hides 1 finding.\n"
    document = json.loads(run("check", "--baseline", "known.json", "--format", "json").stdout)
    assert document["findings"] == []
    assert document["summary"]["in_baseline"] == 1
    faulty.write_text("# moved\n" + faulty.read_text().replace("print(np.mean(scores))", "print( np.mean(scores, ) )"))
    assert run("check", "--baseline", "known.json").exit_code == 0


def test_new_findings_fail(run: Any, known: Path, faulty: Path) -> None:
    faulty.write_text(faulty.read_text() + OTHER)
    result = run("check", "--baseline", "known.json", "--format", "concise")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith("train.py:17:12: CVL101") and result.stdout.count("\n") == 1
    summary = run("check", "--baseline", "known.json").stdout.splitlines()[-2]
    assert summary == "Found 1 error in 1 file; the baseline hides 1 finding."
    assert json.loads(run("check", "--format", "json").stdout)["summary"]["findings"] == 2


def test_init_is_no_advice_where_a_baseline_is(run: Any, known: Path, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "second.py").write_text(faulty.read_text())
    advice = "`cvlint init` accepts what is there"
    assert advice in run("check", "second.py").stdout
    with_baseline = run("check", "second.py", "--baseline", "known.json").stdout
    assert "`cvlint rule mean-of-fold-f` explains" in with_baseline and advice not in with_baseline


def test_expired_entries_are_reported_with_the_command_that_removes_them(
    run: Any, known: Path, faulty: Path, tmp_path: Path
) -> None:
    faulty.rename(tmp_path / "my train.py")
    message = (
        "The baseline 'known.json' holds 1 finding that is gone (mean-of-fold-f in train.py): "
        "`cvlint check . --write-baseline known.json` brings it up to date.\n"
    )
    result = run("check", ".", "--baseline", "known.json")
    assert (result.exit_code, result.stderr) == (1, message)
    assert run("check", "--baseline", "known.json", "--format", "json").stderr == ""
    assert run("check", "my train.py", "--baseline", "known.json").stderr == ""  # the other file was not checked
    assert run(*shlex.split(message.split("`")[1])[1:]).stdout == "The baseline 'known.json' holds 1 finding.\n"
    result = run("check", "--baseline", "known.json")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("options", [("--select", "CVL201"), ("--ignore", "CVL1")])
def test_entries_outside_of_the_check_are_not_expired(run: Any, known: Path, options: tuple[str, ...]) -> None:
    result = run("check", "--baseline", "known.json", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    run("check", "--write-baseline", "known.json", *options)
    assert run("check", "--baseline", "known.json").exit_code == 0


@pytest.mark.parametrize(
    ("options", "config"),
    [
        (("--exclude", "train.py"), ""),
        ((), 'exclude = ["train.py"]\n'),
        ((), 'per-file-ignores = {"train.py" = ["CVL101"]}\n'),
        ((), None),
    ],
)
def test_entries_of_excluded_files_are_not_expired(
    run: Any, known: Path, options: tuple[str, ...], config: str | None
) -> None:
    (known.parent / "other.py").write_text("x = 1\n")
    if config is None:
        (known.parent / ".git").mkdir()
        (known.parent / ".gitignore").write_text("train.py\n")
    else:
        (known.parent / "cvlint.toml").write_text(config)
    result = run("check", "--baseline", "known.json", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    run("check", "--write-baseline", "known.json", *options)
    assert len(read_baseline(known)) == 1
    (known.parent / "train.py").unlink()
    left = 1 if config and "per-file" in config else 0  # nobody looks for this rule in a file of this name
    run("check", "--write-baseline", "known.json", *options)
    assert len(read_baseline(known)) == left


def test_an_entry_is_not_expired_without_its_importer(run: Any, evaluation: Path, tmp_path: Path) -> None:
    run("check", "--write-baseline", "known.json")
    assert [one.path for one in read_baseline(tmp_path / "known.json")] == [str(evaluation.resolve())]
    assert run("check", "evaluation.py", "--baseline", "known.json").stderr == ""
    run("check", "evaluation.py", "--write-baseline", "known.json")
    assert len(read_baseline(tmp_path / "known.json")) == 1
    (tmp_path / "train.py").unlink()
    assert "is gone" in run("check", "evaluation.py", "--baseline", "known.json").stderr


def test_entries_of_an_unreadable_file_are_not_expired(run: Any, known: Path, engine: Any) -> None:
    engine.report = Report((), (UnreadFile("train.py", "not valid Python 3", 3),), 1)
    assert run("check", "--baseline", "known.json", "--ignore-errors").stderr == "train.py:3: not valid Python 3\n"
    run("check", "--write-baseline", "known.json")
    assert len(read_baseline(known)) == 1


def test_paths_are_those_of_the_baseline(
    run: Any, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    faulty.rename(tmp_path / "src" / "train.py")
    (tmp_path / "kept").mkdir()
    run("check", "--write-baseline", "kept/known.json")
    assert json.loads((tmp_path / "kept" / "known.json").read_text())["findings"][0]["path"] == "../src/train.py"
    assert run("check", str(tmp_path), "--baseline", "kept/known.json").exit_code == 0
    monkeypatch.chdir(tmp_path / "src")
    assert run("check", "--baseline", "../kept/known.json").exit_code == 0
    source = (tmp_path / "src" / "train.py").read_text()
    result = run("check", "-", "--stdin-filename", "train.py", "--baseline", "../kept/known.json", input=source)
    assert result.exit_code == 0
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    assert run("check", "--baseline", str(tmp_path / "link" / "known.json")).exit_code == 0


def test_expired_entries_are_reported_through_a_link_to_the_folder(run: Any, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    faulty.rename(tmp_path / "src" / "train.py")
    (tmp_path / "link").symlink_to(tmp_path / "src")
    run("check", "link", "--write-baseline", "known.json")
    assert json.loads((tmp_path / "known.json").read_text())["findings"][0]["path"] == "src/train.py"
    (tmp_path / "src" / "train.py").write_text("pass\n")
    assert "holds 1 finding that is gone" in run("check", "link", "--baseline", "known.json").stderr


def test_the_config_names_it_from_its_own_folder(
    run: Any, known: Path, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text('[tool.cvlint]\nbaseline = "known.json"\n')
    (tmp_path / "src").mkdir()
    faulty.rename(tmp_path / "src" / "train.py")
    run("check", "--write-baseline", "known.json")
    monkeypatch.chdir(tmp_path / "src")
    assert run("check").exit_code == 0
    (tmp_path / "empty.json").write_text('{"version": 1, "findings": []}')
    assert run("check", "--baseline", "../empty.json").exit_code == 1
    config.write_text("[tool.cvlint]\nbaseline = 1\n")
    assert run("check").stderr == f"cvlint: The key 'baseline' in [tool.cvlint] of {config} must be a string.\n"


def test_a_baseline_that_is_written_need_not_exist(run: Any, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('baseline = "known.json"\n')
    missing = run("check")
    assert missing.exit_code == 2
    assert "There is no baseline" in missing.stderr
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    assert run("check").exit_code == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--baseline", "a b.json"),
            "There is no baseline 'a b.json'; `cvlint check --write-baseline 'a b.json'` creates it.",
        ),
        (("--baseline", "."), "The baseline cannot be '.', because that is not a file."),
        (("--baseline", "train.py"), "The file 'train.py' is not a baseline: it is not valid JSON"),
        (("--baseline", "binary"), "The file 'binary' is not a baseline: it is not UTF-8 text."),
        (("--baseline", "future.json"), "The file 'future.json' has the version 9, and this cvlint reads version 1."),
        (("--write-baseline", "train.py"), "The file 'train.py' is not a baseline: it is not valid JSON"),
        (("--write-baseline", "."), "The option --write-baseline cannot be '.'"),
        (("--write-baseline", ""), "The option --write-baseline cannot be ''"),
        (("--write-baseline", "no/known.json"), "because there is no folder 'no'."),
        (("--write-baseline", "a.json", "--baseline", "b.json"), "cannot go together"),
        (("--write-baseline", "a.json", "--output", "b.txt"), "--write-baseline and --output cannot go together"),
    ],
)
def test_usage_errors(run: Any, faulty: Path, tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "future.json").write_text('{"version": 9, "findings": []}')
    before = faulty.read_text()
    result = run("check", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert faulty.read_text() == before


def test_a_full_disk_is_reported(run: Any, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run("check", "--write-baseline", "known.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "cvlint: The baseline cannot be written to 'known.json': No space left on device.\n"
