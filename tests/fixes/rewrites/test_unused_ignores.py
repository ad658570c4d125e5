"""Comments that suppress nothing are taken away, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.findings.suppression.apply import UNUSED, SuppressionOptions, apply_comments
from cvlint.findings.suppression.comments import file_key, ignores_of
from cvlint.fixes.fixer import Fixed, Fixer
from cvlint.rules.comment_rules import all_rules
from cvlint.source.module import read_bytes
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

OPTIONS = CheckOptions(frozenset(rule.name for rule in all_rules() if rule.enabled))


def active_findings(data: bytes, name: str) -> list[Finding]:
    """The active findings of a check, as the command makes it."""
    source = read_bytes(data, Path(name), name).source
    assert source is not None
    checked = check_bytes(data, Path(name), name, OPTIONS)
    options = SuppressionOptions(all_rules(), OPTIONS.rules)
    report = apply_comments(Report(checked.findings, (), 1), ignores_of(source), frozenset({file_key(name)}), options)
    return [finding for finding in report.findings if finding.suppressed is None]


def fixed(data: bytes, name: str = "a.py", unsafe: bool = False) -> Fixed:
    return Fixer(OPTIONS, unsafe).fix(data, Path(name), name, active_findings(data, name))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # cvlint: ignore[auc-merge] why\n", "x = 1\n"),
        ("x = 1\t# cvlint: ignore[auc-merge]   ", "x = 1"),
        ("x = 1\n# cvlint: ignore-file[auc-merge]\ny = 2\n", "x = 1\ny = 2\n"),
        ("x = 1\n    # cvlint: ignore-file", "x = 1"),
        ("# cvlint: ignore-file\r\nx = 1\r\n", "x = 1\r\n"),
        ("x = 1  # noqa: CVL101\n", "x = 1\n"),
        ("x = 1  # noqa: E501, CVL101,F401 long\n", "x = 1  # noqa: E501,F401 long\n"),
        ("x = 1  # noqa: CVL101, E501\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # a one # cvlint: ignore[CVL2] # noqa: E501\n", "x = 1  # a one # noqa: E501\n"),
        ("x = 1  # a one # cvlint: ignore[CVL2] b\n", "x = 1  # a one\n"),
        ("x = (1,  # cvlint: ignore\n     2)\n", "x = (1,\n     2)\n"),
        ("x = (1,\n     # cvlint: ignore\n     2)\n", "x = (1,\n     2)\n"),
        ("x = 1  # cvlint: ignore[CVL101]\ny = 2  # cvlint: ignore[CVL101]\n", "x = 1\ny = 2\n"),
        ('s = "# cvlint: ignore"  # cvlint: ignore\n', 's = "# cvlint: ignore"\n'),
        ("def f():\n    # cvlint: ignore[CVL101]\n    return 1\n", "def f():\n    return 1\n"),
    ],
)
def test_what_is_left(before: str, after: str) -> None:
    assert fixed(before.encode()).data.decode() == after
    again = fixed(after.encode())
    assert (again.data.decode(), again.count) == (after, 0)


USED = """from sklearn.model_selection import cross_val_score
print(cross_val_score(m, X, y, scoring="f1").mean())  """


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# cvlint: ignore[CVL2, mean-of-fold-f] as in Table 2", "# cvlint: ignore[mean-of-fold-f] as in Table 2"),
        ("# cvlint: ignore[CVL101,CVL201 CVL202]", "# cvlint: ignore[CVL101]"),
        ("# cvlint: ignore[ auc-merge,  CVL101 ]", "# cvlint: ignore[ CVL101]"),
        ("# noqa: CVL201 CVL101 E501", "# noqa: CVL101 E501"),
        ("# cvlint: ignore[CVL101] # cvlint: ignore[CVL201]", "# cvlint: ignore[CVL101]"),
        ("# cvlint: ignore[CVL101]", "# cvlint: ignore[CVL101]"),
    ],
)
def test_rules_that_are_of_use_stay(comment: str, left: str) -> None:
    after = fixed(f"{USED}{comment}\n".encode())
    assert after.data.decode() == f"{USED}{left}\n"
    assert not active_findings(after.data, "a.py")


@pytest.mark.parametrize(
    "comment",
    [
        "# cvlint: ignore[auc-merged]",  # another name was meant
        "# cvlint: ignore[auc-merged, auc-merge]",
        "# cvlint: off",
        "# noqa",
        "# noqa: E501",
    ],
)
def test_what_its_author_must_settle(comment: str) -> None:
    data = f"x = 1  {comment}\n".encode()
    assert fixed(data) == Fixed("a.py", data, data, 0, 0)
    assert all(
        finding.fix is not None and finding.fix.safety == "suggestion" for finding in active_findings(data, "a.py")
    )


def test_a_comment_that_would_make_another_one_a_coding() -> None:
    """In the third line it declares no encoding, and in the second it would."""
    data = "#!/usr/bin/python\n# cvlint: ignore-file\n# coding: latin-1\nprint('é')\n".encode()
    assert fixed(data).data == data


def test_what_is_fixed_beside_it() -> None:
    """A comment goes, and the finding further on in the file is fixed at its new place."""
    data = USED.replace("print", "# cvlint: ignore-file[CVL201]\nx = 1  # noqa: CVL402\nprint").rstrip().encode()
    after = fixed(data, unsafe=True)
    assert after.count == 3
    assert after.data.decode() == (
        "from sklearn.metrics import f1_score\nfrom sklearn.model_selection import cross_val_predict\n"
        "x = 1\nprint(f1_score(y, cross_val_predict(m, X, y)))"
    )


lines = st.sampled_from(
    [
        ("x = 1", ""),
        ("if x:\n    x = 2", ""),
        ('s = f"{x} # noqa: CVL101"  ', ""),
        ("é = (1,", " 2)"),
        ("", ""),
        ("# Größe", ""),
        ('t = """', '# cvlint: ignore"""'),
        ("x \\", "  = 1"),
    ]
)
marks = st.sampled_from(
    ["", "  # cvlint: ignore[auc-merge] so", "# cvlint: ignore", "\t# noqa: CVL101 ", "  # noqa: E1, CVL101"]
)
left = {"  # noqa: E1, CVL101": "  # noqa: E1"}


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """A program with comments of no use, and without them."""
    before, after = ["import os"], ["import os"]
    for first, second in draw(st.lists(lines, min_size=1, max_size=6)):
        open_string = '"""' in first or first.endswith("\\")
        one = "" if open_string else draw(marks)
        two = draw(marks) if second else ""
        for text, mark in [(first, one)] + ([(second, two)] if second else []):
            before.append(text + mark)
            kept = (text + left[mark]) if mark in left else text.rstrip(" \t") if mark else text
            after += [kept] if kept or not mark else []
    return "\n".join(before), "\n".join(after)


@settings(max_examples=80)
@given(programs(), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_scripts(pair: tuple[str, str], newline: str, bom: bool, ended: bool) -> None:
    data, expected = (
        (b"\xef\xbb\xbf" if bom else b"") + f"{text}\nend = 1{chr(10) * ended}".replace("\n", newline).encode()
        for text in pair
    )
    assert fixed(data).data.decode() == expected.decode()


@settings(max_examples=60)
@given(st.lists(programs(), min_size=1, max_size=3), st.sampled_from([None, 1, "\t"]), st.booleans(), st.booleans())
def test_notebooks(cells: list[tuple[str, str]], indent: int | str | None, ascii_only: bool, listed: bool) -> None:
    """The JSON of the fixed notebook is that of a notebook without the comments, byte for byte."""
    data, expected = (notebook([pair[side] for pair in cells], indent, ascii_only, listed) for side in (0, 1))
    assert fixed(data, "a.ipynb").data.decode() == expected.decode()


def notebook(texts: list[str], indent: int | str | None, ascii_only: bool, listed: bool) -> bytes:
    cells = [
        {
            "outputs": [{"output_type": "stream", "text": ["1e-05 é\n"], "name": "stdout"}],
            "cell_type": "code",
            "source": text.splitlines(True) if listed else text,
            "metadata": {"z": 1.0},
        }
        for text in texts
    ]
    document = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}
    return (json.dumps(document, indent=indent, ensure_ascii=ascii_only) + "\n").encode()


def test_a_finding_tells_what_is_left() -> None:
    (finding,) = active_findings(f"{USED}# cvlint: ignore[auc-merge, CVL101]\n".encode(), "a.py")
    assert finding.rule == UNUSED and finding.fix is not None
    assert (finding.fix.safety, finding.fix.message) == ("safe", "# cvlint: ignore[CVL101]")
