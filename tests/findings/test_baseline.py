"""Baselines: the findings that they hide, the entries that expire, and the text of their files."""

from __future__ import annotations

import json
import ntpath
import posixpath
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.findings import baseline
from cvlint.findings.baseline import (
    BaselineEntry,
    BaselineError,
    FindingCount,
    baseline_of,
    hide,
    parse,
    render,
    size,
    subtracted,
)
from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.source.location import Location
from cvlint.workspace.steps.coverage import Coverage, expired, updated

FOLDER = "/home/lab"


def absolute(path: str) -> str:
    return posixpath.join(FOLDER, path)


def finding(path: str, function: str, rule: str, statement: str, line: int, confidence: str = "high") -> Finding:
    place = Location(path, None, line, 1, line, 2)
    return Finding(rule, "CVL101", "error", confidence, place, "Why.", function=function, statement=statement)  # type: ignore[arg-type]


def kind(one: Finding) -> tuple[str, ...]:
    return one.location.path, one.function, one.rule, one.statement


findings = st.lists(
    st.builds(
        finding,
        path=st.sampled_from(["a.py", "b/a.py"]),
        function=st.sampled_from(["", "A.f"]),
        rule=st.sampled_from(["mean-of-fold-f", "auc-merge"]),
        statement=st.sampled_from(["12", "34"]),
        line=st.integers(1, 9),
        confidence=st.sampled_from(CONFIDENCES),
    )
)
paths = st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), min_size=1).map("/".join)
entries = st.builds(
    BaselineEntry,
    path=paths.map(lambda path: posixpath.normpath(f"/{path}")),
    function=st.text(),
    rule=st.text(),
    hash=st.text(),
)
baselines = st.dictionaries(entries, st.builds(FindingCount, st.integers(1), st.sampled_from(CONFIDENCES)))


def nothing(path: str) -> frozenset[str]:
    return frozenset()


EVERYTHING = Coverage(paths=(FOLDER,), is_seen=lambda path: True, unselected=nothing, confidence="low")


@given(findings, findings)
def test_known_findings_are_hidden_and_new_ones_are_not(old: list[Finding], now: list[Finding]) -> None:
    report, rest = hide(Report(tuple(now), (), 3), baseline_of(old, absolute), absolute)
    before, after = Counter(map(kind, old)), Counter(map(kind, now))
    assert Counter(map(kind, report.findings)) == after - before
    assert size(rest) == sum((before - after).values())
    assert report.in_baseline == sum((before & after).values())
    in_order = iter(now)
    assert all(one in in_order for one in report.findings)
    assert report.files == 3


@given(findings, findings, findings)
def test_of_two_baselines_the_larger_count_is_hidden(
    old: list[Finding], other: list[Finding], now: list[Finding]
) -> None:
    one, two = baseline_of(old, absolute), baseline_of(other, absolute)
    left, _ = hide(Report(tuple(now), (), 1), two, absolute)
    left, _ = hide(left, subtracted(one, two), absolute)
    known = Counter(map(kind, old)) | Counter(map(kind, other))
    assert Counter(map(kind, left.findings)) == Counter(map(kind, now)) - known
    assert all(held.count > 0 for held in subtracted(one, two).values())


@given(findings, findings)
def test_an_updated_baseline_equals_a_new_one(old: list[Finding], now: list[Finding]) -> None:
    new = baseline_of(now, absolute)
    assert updated(baseline_of(old, absolute), new, EVERYTHING) == new
    assert updated(new, new, replace(EVERYTHING, paths=())) == new


@given(baselines, st.sampled_from(["/", "/home", "/home/lab"]))
def test_a_file_round_trips_and_is_sorted(made: dict[BaselineEntry, FindingCount], folder: str) -> None:
    text = render(made, folder)
    assert text.isascii()
    assert parse(text, folder) == made
    assert render(dict(reversed(made.items())), folder) == text
    rows = [json.loads(line.removesuffix(",")) for line in text.splitlines()[3:-3]]
    assert len(rows) == len(made)
    assert rows == sorted(rows, key=lambda row: (row["path"], row["function"], row["rule"], row["hash"]))


def test_the_text_of_a_baseline_file() -> None:
    made = baseline_of([finding("b/a.py", "A.f", "auc-merge", "12", line) for line in (4, 9)], absolute)
    entry = {"path": "b/a.py", "function": "A.f", "rule": "auc-merge", "hash": "12", "count": 2, "confidence": "high"}
    assert render(made, FOLDER) == f'{{\n"version": 1,\n"findings": [\n{json.dumps(entry)},\nnull\n]\n}}\n'
    assert '"path": "../lab/b/a.py"' in render(made, "/home/other")
    assert render({}, FOLDER) == '{\n"version": 1,\n"findings": [\nnull\n]\n}\n'


def test_an_entry_has_the_lowest_confidence_of_its_findings() -> None:
    found = [finding("a.py", "", "auc-merge", "12", 1, confidence) for confidence in ("high", "low", "medium")]
    assert list(baseline_of(found, absolute).values()) == [FindingCount(3, "low")]


def test_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "ospath", ntpath)
    here, elsewhere = BaselineEntry(r"C:\lab\src\a.py", "f", "r", "12"), BaselineEntry(r"D:\data\b.py", "f", "r", "12")
    made = {here: FindingCount(1, "high"), elsewhere: FindingCount(1, "high")}
    text = render(made, r"C:\lab")
    assert '"src/a.py"' in text and '"D:/data/b.py"' in text
    assert parse(text, r"C:\lab") == made
    assert Coverage((r"C:\lab",), lambda path: True, nothing, "low").covers(here, made[here])


@pytest.mark.parametrize(
    ("changes", "is_covered"),
    [
        ({}, True),
        ({"paths": ("/home/lab/src/a.py",)}, True),
        ({"paths": ("/",)}, True),
        ({"paths": ("/home/lab/sr",)}, False),
        ({"paths": ("/home/lab/src/b.py", "/home/lab/tests")}, False),
        ({"is_seen": lambda path: path != "/home/lab/src/a.py"}, False),
        ({"is_seen": lambda path: path == "/home/lab/src/a.py"}, True),
        ({"unselected": lambda path: frozenset({"auc-merge"} if path.endswith("src/a.py") else ())}, False),
        ({"unselected": lambda path: frozenset({"mean-of-fold-f"})}, True),
        ({"confidence": "medium"}, True),
        ({"confidence": "high"}, False),
    ],
)
def test_only_entries_that_a_check_covers_expire(changes: dict[str, object], is_covered: bool) -> None:
    entry, held = BaselineEntry("/home/lab/src/a.py", "", "auc-merge", "12"), FindingCount(1, "medium")
    scope = replace(EVERYTHING, **changes)  # type: ignore[arg-type]
    assert bool(expired({entry: held}, scope)) == is_covered
    assert updated({entry: held}, {}, scope) == ({} if is_covered else {entry: held})


ROW = {"path": "a.py", "function": "", "rule": "auc-merge", "hash": "12", "count": 1, "confidence": "high"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a baseline: it is not valid JSON (Expecting value in line 1)"),
        ("<<<<<<< HEAD\n", "not valid JSON"),
        ("[" * 100_000, "JSON"),
        ("9" * 10_000, "is not a baseline"),
        ("[]", "it has no 'version' and no list of 'findings'"),
        ('{"version": 1}', "it has no 'version'"),
        ('{"findings": []}', "it has no 'version'"),
        ('{"version": 1, "findings": {}}', "it has no 'version'"),
        ('{"version": 2, "findings": []}', "has the version 2, and this cvlint reads version 1"),
        ('{"version": 1, "findings": [null, 1]}', "its entry 1 lacks one of path, function, rule, hash, count"),
        *(
            (json.dumps({"version": 1, "findings": [ROW, {**ROW, key: wrong}, None]}), "its entry 2 lacks one of")
            for key, wrong in [("path", 1), ("rule", None), ("count", 0), ("count", "1"), ("confidence", "certain")]
        ),
    ],
)
def test_files_that_are_not_baselines(text: str, says: str) -> None:
    with pytest.raises(BaselineError) as raised:
        parse(text, FOLDER)
    assert says in str(raised.value)


def test_an_entry_twice_counts_once_as_after_a_merge() -> None:
    text = json.dumps({"version": 1, "findings": [ROW, {**ROW, "count": 3}, ROW]})
    assert [held.count for held in parse(text, FOLDER).values()] == [3]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("union", [False, True])
def test_git_merges_what_two_branches_change(tmp_path: Path, union: bool) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.hooksPath=")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def commit(*names: str) -> None:
        made = {BaselineEntry(f"{FOLDER}/{name}.py", "", "auc-merge", "12"): FindingCount(1, "high") for name in names}
        (tmp_path / "baseline.json").write_text(render(made, FOLDER))
        git("add", ".")
        git("commit", "-m", "change")

    git("init", "-b", "main")
    if union:
        (tmp_path / ".gitattributes").write_text("baseline.json merge=union\n")
    commit("b", "c", "d", "e", "f")
    git("checkout", "-b", "other")
    commit("b", "c", "d", "e", "f", "y")  # at the very end
    git("checkout", "main")
    # Next to the line that the other branch added, only union merges.
    commit("b", "c", "d", "e", "f", "z") if union else commit("a", "b", "c", "d", "f")
    git("merge", "other")
    names = [posixpath.basename(entry.path) for entry in parse((tmp_path / "baseline.json").read_text(), FOLDER)]
    assert sorted(names) == ([f"{n}.py" for n in "bcdefyz"] if union else [f"{n}.py" for n in "abcdfy"])
