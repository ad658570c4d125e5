"""Where comments apply, and that very many of them cost no more than their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.findings.finding import Report
from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
from cvlint.findings.suppression.comments import file_key, ignores_of
from cvlint.findings.suppression.ignore import Ignore
from cvlint.findings.suppression.places import FileComments
from cvlint.rules.comment_rules import all_rules
from cvlint.source.location import Location
from cvlint.source.module import read_bytes
from tests.fuzz.trial import Counter

OPTIONS = SuppressionOptions(all_rules(), frozenset(rule.name for rule in all_rules()))


def ignores(text: str) -> tuple[Ignore, ...]:
    source = read_bytes(text.encode(), Path("a.py"), "a.py").source
    assert source is not None
    return ignores_of(source)


def calls(text: str) -> int:
    """The calls that it takes to report comments without an effect."""
    found = ignores(text)
    with Counter(10**8) as counter:
        report = apply_comments(Report((), (), 1), found, frozenset({file_key("a.py")}), OPTIONS)
    assert len(report.findings) == len(found)
    return counter.calls


@pytest.mark.parametrize("line", ["x = 1  # cvlint: ignore[auc-merge]\n", "# cvlint: ignore[auc-merge]\n"])
def test_the_work_grows_with_the_number_of_comments(line: str) -> None:
    calls(line * 10)
    assert calls(line * 400 + "x = 1\n") < 2.5 * calls(line * 200 + "x = 1\n")


def test_which_comments_overlap_with_a_place() -> None:
    text = """\
# cvlint: ignore[auc-merge] a
x = f(  # cvlint: ignore[auc-merge] b
    1,  # cvlint: ignore[auc-merge] c
)
y = 2  # cvlint: ignore[auc-merge] d
z = 3
w = 4  # cvlint: ignore[auc-merge] e
# cvlint: ignore-file[auc-merge] f
"""
    comments = FileComments(ignores(text))

    def reasons(first: int, last: int) -> str:
        place = Location("a.py", None, first, 1, last, 2)
        begins = "".join(one.reason for one in comments.at_start_of(place))
        return f"{begins} {''.join(one.reason for one in comments.overlapping(place))}"

    assert reasons(1, 1) == "a a"
    assert reasons(3, 3) == "abc abc"
    assert reasons(4, 5) == "abc abcd"
    assert reasons(5, 5) == "d d"
    assert reasons(6, 6) == " "
    assert reasons(6, 7) == " e"
    assert reasons(1, 9) == "a abcde"
    assert [one.reason for one in comments.whole] == ["f"]
    other_cell = Location("a.py", 2, 1, 1, 9, 1)
    assert comments.overlapping(other_cell) == comments.at_start_of(other_cell) == []
