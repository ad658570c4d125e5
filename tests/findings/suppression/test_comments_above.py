"""A comment on a line of its own applies to the statement below it, like a comment in that statement."""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report, TraceStep
from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
from cvlint.findings.suppression.comments import comments, ignores_of
from cvlint.rules.comment_rules import all_rules
from tests.findings.suppression.test_suppression import USUAL, at, finding, is_program, outcome, shown, source_of

IGNORE = "# cvlint: ignore[CVL101] as agreed"
PIECES = (
    *("# c\n", "# c\n", "\n", "x = 1\n", "x = 1  # d\n", "y = (1,  # d\n     # e\n     2)\n", 's = """\n# no\n"""\n'),
    *("@d\n", "@d(1,\n   2)  # d\n", "def f(a,\n      b): pass\n", "class C: pass\n", "if x: pass\n", "else: pass\n"),
    *(
        "for a in (1,\n          2):\n    pass\n",
        "for a in b:\n    # c\n    pass\n    # c\n",
        "z = 1 + \\\n    2\n",
        "  # c\n",
    ),
)


def statements(text: str) -> dict[int, tuple[int, str]]:
    """The last line and the first token of the logical line that begins in a line, according to ``tokenize``."""
    made: dict[int, tuple[int, str]] = {}
    first: tokenize.TokenInfo | None = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        match token.type:
            case tokenize.NEWLINE if first is not None:
                made[first.start[0]], first = (token.start[0], first.string), None
            case tokenize.NL | tokenize.COMMENT | tokenize.INDENT | tokenize.DEDENT | tokenize.NEWLINE:
                pass
            case _:
                first = first or token
    return made


def end_below(line: int, begun: dict[int, tuple[int, str]], alone: set[int]) -> int:
    """The last line of the statement below a comment on a line of its own, found by going down line by line."""
    seen, end = line + 1, line
    while True:
        if seen in begun:
            end, opening = begun[seen]
            if opening != "@":
                return end
            seen = end + 1
        elif seen in alone:
            seen += 1
        else:
            return end


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=8).map("".join).filter(is_program))
def test_the_statement_below_is_the_one_that_tokenize_finds(text: str) -> None:
    begun = statements(text)
    found = comments(text)
    alone = {one.line for one in found if one.first == one.last and one.line not in begun}
    for one in found:
        assert one.below == (end_below(one.line, begun, alone) if one.line in alone else one.last)


@pytest.mark.parametrize(
    "text",
    [
        f"{IGNORE}\nx = f(\n    1\n)\n",
        f"{IGNORE}\n# another\n# cvlint: ignore[CVL101]\nx = f(\n    1)\n",
        f"# another\n{IGNORE}\n# another\n\nx = 1\n{IGNORE}\nx = f(\n    1)\n",
        f"{IGNORE}\n@decorator\n# another\n@decorator(\n    1)\ndef f(a,\n      b):\n    return a\n",
        f"{IGNORE}\nfor a in (1,\n    2):\n    pass\n",
        f"{IGNORE}\nwith f(\n    1):\n    pass\n",
        f"if a:\n    x = 1\n    {IGNORE}\nx = f(\n    1)\n",
    ],
)
def test_a_comment_above_suppresses_on_any_line_of_the_statement(text: str) -> None:
    (*_, above) = [ignore for ignore in ignores_of(source_of(text)) if ignore.reason]
    begun = statements(text)
    last = begun[max(first for first in begun if first <= above.last)][0]
    assert above.last == last > above.location.line
    for line in range(above.location.line + 1, last + 1):
        assert (line, "mean-of-fold-f") not in shown(outcome(text, finding(line)))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{IGNORE}\n\nx = 1\n", 3),  # an empty line between
        (f"{IGNORE}\nx = 1\ny = 2\n", 3),  # another statement between
        (f"x = 1\n{IGNORE}\n", 1),
        (f"{IGNORE}\nfor a in b:\n    x = 1\n", 3),  # a loop is no more than its head
        (f"{IGNORE}\ndef f():\n    x = 1\n", 3),
        (f"{IGNORE}\n@d\ndef f():\n    x = 1\n", 4),
        (f"def f():  {IGNORE}\n    x = 1\n", 2),
        (f"with f():  {IGNORE}\n    x = 1\n", 2),
        (f'"""\n{IGNORE}"""\nx = 1\n', 3),  # no comment
        ("# noqa: CVL101 as agreed\nx = 1\n", 2),  # for flake8 and ruff such a comment is for its own line
        (f"f(1,\n  {IGNORE}\n  2)\nx = 1\n", 4),  # in a statement, and not above the next
    ],
)
def test_comments_above_that_suppress_nothing(text: str, line: int) -> None:
    assert (line, "mean-of-fold-f") in shown(outcome(text, finding(line)))


def test_a_comment_above_a_step_of_the_trace_suppresses() -> None:
    text = f"for a in b:\n    {IGNORE}\n    scores.append(1)\nx = 1\n"
    assert shown(outcome(text, finding(4, 3))) == []
    loop = replace(finding(4), trace=(TraceStep(replace(at(1), end_line=3), "a loop"),))
    assert shown(outcome(text, loop)) == [(2, "unused-ignore"), (4, "mean-of-fold-f")]


def test_an_unused_comment_above_is_reported_and_can_need_a_reason() -> None:
    text = "# cvlint: ignore[CVL101, CVL201]\nx = 1\n"
    assert shown(outcome(text, finding(2))) == [(1, "unused-ignore")]
    assert shown(outcome(text, finding(2), finding(2, rule="auc-merge"))) == []
    assert shown(outcome(text, finding(2), reasons=True)) == [(1, "ignore-without-reason"), (2, "mean-of-fold-f")]
    assert shown(outcome(f"{IGNORE}\nx = 1\n", finding(2), reasons=True)) == []
    one = "# cvlint: ignore[unused-ignore] it may be wanted again\n"
    assert shown(outcome(f"{one}# cvlint: ignore[CVL201]\nx = 1\n")) == []


def test_a_comment_above_does_not_reach_into_the_next_cell() -> None:
    def ignored(*cells: str) -> list[tuple[int | None, int, int]]:
        made = [{"cell_type": "code", "source": source} for source in cells]
        ignores = ignores_of(source_of(json.dumps({"cells": made}), "a.ipynb"))
        return [(one.location.cell, one.first, one.last) for one in ignores]

    assert ignored("x = 1", f"y = 1\n{IGNORE}\nf(\n 1)") == [(2, 2, 4)]
    for end in ("", "\n"):
        assert ignored(f"y = 1\n{IGNORE}{end}", "f(\n 1)") == [(1, 2, 2)]
    text = json.dumps({"cells": [{"cell_type": "code", "source": source} for source in (IGNORE, "x = 1")]})
    one = replace(finding(1), location=replace(at(1, "a.ipynb"), cell=2))
    ignores = ignores_of(source_of(text, "a.ipynb"))
    (kept,) = apply_comments(
        Report((one,), (), 1), ignores, frozenset(), SuppressionOptions(all_rules(), USUAL)
    ).findings
    assert kept.suppressed is None


LINES = ("x = f(1)", "for a in b:", "    y = 2", "    z = (3)", "def g():", "    return 4", "w = 5")
FOUND = st.builds(finding, st.integers(1, 7), st.integers(1, 7), rule=st.sampled_from(["mean-of-fold-f", "auc-merge"]))


def moved(one: Finding, line: int) -> Finding:
    """A finding with its locations after a line was inserted."""

    def shifted(old: int) -> int:
        return old + (old >= line)

    return finding(shifted(one.location.line), *(shifted(s.location.line) for s in one.trace), rule=one.rule)


@given(
    st.integers(1, len(LINES)),
    st.sampled_from(["# cvlint: ignore[CVL1]", "# cvlint: ignore because"]),
    st.lists(FOUND, max_size=4, unique_by=lambda one: (one.location, one.rule)),
    st.booleans(),
)
def test_a_comment_above_a_statement_acts_like_one_in_it(
    line: int, comment: str, findings: Sequence[Finding], reasons: bool
) -> None:
    behind = "\n".join(f"{text}  {comment}" if n == line else text for n, text in enumerate(LINES, 1))
    above = "\n".join(f"{comment}\n{text}" if n == line else text for n, text in enumerate(LINES, 1))
    about = ("unused-ignore", "ignore-without-reason")
    first = outcome(behind, *findings, reasons=reasons)
    second = outcome(above, *(moved(one, line) for one in findings), reasons=reasons)
    assert [
        (moved(one, line).location, one.rule, bool(one.suppressed)) for one in first.findings if one.rule not in about
    ] == [(one.location, one.rule, bool(one.suppressed)) for one in second.findings if one.rule not in about]
    assert [one.message for one in first.findings if one.rule in about] == [
        one.message for one in second.findings if one.rule in about
    ]
