"""Fingerprints: they do not depend on formatting, change with the code, and are unique."""

from __future__ import annotations

import ast
import cProfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.findings.finding import Finding
from cvlint.findings.fingerprint import Identity, identity
from cvlint.rules.catalogue import load_rules
from cvlint.source.module import Source, read_bytes
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

ROOT = Path(__file__).parents[2]
ALL = CheckOptions(frozenset(rule.name for rule in load_rules()), "low")

CODE = """\
import numpy as np

class Trainer:
    def evaluate(self, X, y):
        scores = []
        for train, test in StratifiedKFold(5).split(X, y):
            scores.append(f1_score(y[test], self.fit(X[train]).predict(X[test])))
        if np.mean(scores) > 0.5:
            print("F1", np.mean(scores), f"{np.mean(scores):.2f} Prüfung", 1e-3, *[None])
            print("F1")
        return np.mean(scores)
"""


def findings_in(text: str, path: str = "train.py") -> tuple[Finding, ...]:
    return check_bytes(text.encode(), Path("/nowhere") / path, path, ALL).findings


def source_of(code: str, path: str = "train.py") -> Source:
    source = read_bytes(code.encode(), Path("/nowhere") / path, path).source
    assert source is not None
    return source


def identities(code: str = CODE, text: str = "np.mean(scores)", path: str = "train.py") -> list[Identity]:
    """The expressions with this text, in order."""
    source = source_of(code, path)
    found = [node for node in ast.walk(source.tree) if isinstance(node, ast.expr) and ast.unparse(node) == text]
    return [identity("r", source, node) for node in sorted(found, key=lambda node: (node.lineno, node.col_offset))]


def test_fingerprints_stay_the_same_in_every_release_and_every_python() -> None:
    # A change here makes every baseline of every user worthless, and every alert of theirs a new one.
    head, shown, formatted, last = identities()
    assert {one.function for one in (head, shown, formatted, last)} == {"Trainer.evaluate"}
    assert (head.statement, head.fingerprint) == ("6fb77280049c91e8", "dbc251ec8b81675a")
    assert (shown.statement, shown.fingerprint) == ("3d8af6226fda09d0", "2167ccd8d9e9f984")
    assert (last.statement, last.fingerprint) == ("92fe403bd78ffcae", "a6bfc3b7a1f8f306")
    assert formatted.statement == shown.statement
    assert formatted.fingerprint != shown.fingerprint


@given(st.data())
def test_other_lines_change_no_fingerprint(data: st.DataObject) -> None:
    spaces = st.text(" \t", max_size=3)
    added = st.sampled_from(["", "# a comment", "\f"])
    lines = []
    for line in CODE.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += [indent + data.draw(added), line + data.draw(spaces) + data.draw(st.sampled_from(["", "# noted"]))]
    above = data.draw(st.sampled_from(["", "x = 1\n", "def other():\n    return np.mean(scores)\n"]))
    assert set(identities()) <= set(identities(above + "\n".join(lines)))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ('print("F1", ', "print('F1',", 0),
        ('print("F1", ', "print(\n'F' '1', # what it is\n", 0),
        ("np.mean(scores) > 0.5", "(np.mean(scores)) > .5", 0),
        ('            print("F1")\n', "", 0),  # what stands below a head is not part of it
        ('            print("F1")\n', '            pass\n            print("F1")\n', 0),
        ("> 0.5", "> 0.6", 1),
        ('print("F1", ', 'print("F", ', 2),
        ("return np.mean(scores)", "return float(np.mean(scores))", 1),
        ("evaluate", "assess", 4),
        ("class Trainer", "class Model", 4),
    ],
)
def test_edits_that_change_a_fingerprint(before: str, after: str, changed: int) -> None:
    assert before in CODE
    new = identities(CODE.replace(before, after))
    assert sum(one != other for one, other in zip(identities(), new, strict=True)) == changed


def test_rules_files_and_equal_statements_have_different_fingerprints() -> None:
    source = source_of("f(x)\n")
    node = source.tree.body[0]
    assert identity("r", source, node) != identity("s", source, node)
    (here,), (there,) = identities("f(x)\n", "f(x)"), identities("f(x)\n", "f(x)", path="eval.py")
    assert here.fingerprint != there.fingerprint
    first, second, inside = identities("f(x)\nf(x)\ndef g():\n    f(x)\n", "f(x)")
    assert first.statement == second.statement == inside.statement
    assert len({first.fingerprint, second.fingerprint, inside.fingerprint}) == 3
    assert inside.function == "g"


def test_a_fingerprint_in_a_decorator_does_not_depend_on_the_body() -> None:
    short, long = "@d(f(x))\ndef g():\n    pass\n", "@d(f(x))\ndef g():\n    a = b\n    pass\n"
    assert identities(short, "f(x)") == identities(long, "f(x)")


def test_handlers_and_cases_have_their_own_fingerprints() -> None:
    code = "try:\n    a()\nexcept A:\n    b()\nexcept B:\n    b()\n"
    source = source_of(code + "match x:\n    case 1:\n        b()\n    case 2:\n        b()\n")
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, (ast.Try, ast.ExceptHandler, ast.match_case))]
    assert len({identity("r", source, node).statement for node in nodes}) == 5


def test_nodes_made_by_the_analysis_are_found_by_position() -> None:
    source = source_of("def g():\n    a = f(x) / 2\n    b = f(x)\n")
    assignment = source.tree.body[0].body[0]  # type: ignore[attr-defined]
    made = ast.copy_location(ast.parse("1 / 2", mode="eval").body, assignment.value)
    assert identity("r", source, made) == identity("r", source, assignment.value)
    made.end_lineno = made.end_col_offset = None  # type: ignore[attr-defined]
    assert identity("r", source, made).statement == identity("r", source, assignment).statement


def test_deep_and_long_files() -> None:
    imports = "from sklearn.metrics import f1_score\nfrom sklearn.model_selection import StratifiedKFold\n"
    deep = imports + CODE.replace("return np.mean(scores)", "return np.mean(scores)" + " + 1" * 550)
    assert "Trainer.evaluate" in {one.function for one in findings_in(deep)}
    assert calls_of_identities(1200) < 2.5 * calls_of_identities(600)  # each costs what it costs in a short file


def calls_of_identities(statements: int) -> int:
    """The number of calls that it takes to number so many equal statements."""
    source = source_of("f(x)\n" * statements)
    with cProfile.Profile() as profile:
        assert len({identity("r", source, node).fingerprint for node in source.tree.body}) == statements
    return sum(entry.callcount for entry in profile.getstats())


def test_the_path_starts_from_the_repository(tmp_path: Path) -> None:
    def fingerprint(folder: str, display: str) -> str:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        source = read_bytes(b"f(x)\n", tmp_path / folder / "train.py", display).source
        assert source is not None
        return identity("r", source, source.tree.body[0]).fingerprint

    (tmp_path / "one" / ".git").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / ".git").write_text("gitdir: elsewhere\n")  # as in a work tree
    paths = {fingerprint("one/src", shown) for shown in ("train.py", "src/train.py", "../src/train.py")}
    assert paths == {fingerprint("two/src", "train.py")}
    assert fingerprint("one", "train.py") not in paths


def fixtures() -> list[Path]:
    found = sorted(path for path in (ROOT / "fixtures").rglob("*.py") if path.stat().st_size < 20_000)
    return [path for path in found if "ignore" not in (text := path.read_text(errors="replace")) and "noqa" not in text]


def test_formatting_changes_no_fingerprint_of_the_fixtures_and_all_differ() -> None:
    found = 0
    for path in fixtures()[::3]:
        text = path.read_text(encoding="utf-8", errors="replace")
        source = read_bytes(text.encode(), path, "train.py").source
        if source is None or source.text != text:
            continue
        try:
            rewritten = "# written anew\n\n" + ast.unparse(source.tree)
        except ValueError:  # an f-string that Python cannot write back
            continue
        known = Counter((f.rule, f.fingerprint, f.statement) for f in findings_in(text))
        assert known == Counter((f.rule, f.fingerprint, f.statement) for f in findings_in(rewritten)), path
        assert set(known.values()) <= {1}, path
        found += len(known)
    assert found > 100
