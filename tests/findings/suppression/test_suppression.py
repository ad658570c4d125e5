"""Comments that suppress findings: their positions and directives, and their effect on a report."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report, TraceStep, with_suppressed, without_suppressed
from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
from cvlint.findings.suppression.comments import Ignore, comments, directives, file_key, ignores_of
from cvlint.fixes.rewrites.ignore_comments import free_lines, with_ignores
from cvlint.rules.catalogue import RuleError, load_rules
from cvlint.rules.comment_rules import all_rules, meta_rules
from cvlint.source.location import Location
from cvlint.source.module import Source, read_bytes
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

ROOT = Path(__file__).parents[3]
FOLDERS = sorted(path for path in (ROOT / "fixtures").iterdir() if path.is_dir())
USUAL = frozenset(rule.name for rule in all_rules() if rule.enabled)
EVERYTHING = CheckOptions(frozenset(rule.name for rule in load_rules()), "low")
CODES = {rule.name: rule.code for rule in all_rules()}


def source_of(code: str, path: str = "train.py") -> Source:
    source = read_bytes(code.encode(), Path(path), path).source
    assert source is not None
    return source


def finding(line: int, *steps: int, rule: str = "mean-of-fold-f", path: str = "train.py") -> Finding:
    trace = tuple(TraceStep(at(step, path), "a step") for step in steps)
    return Finding(rule, CODES[rule], "error", "high", at(line, path), "Why.", trace)


def at(line: int, path: str = "train.py") -> Location:
    return Location(path, None, line, 1, line, 2)


def outcome(code: str, *findings: Finding, selected: frozenset[str] = USUAL, reasons: bool = False) -> Report:
    """The report on some findings after the comments of ``train.py`` are applied."""
    options = SuppressionOptions(all_rules(), selected, "medium", reasons)
    return apply_comments(Report(findings, (), 1), ignores_of(source_of(code)), frozenset({"train.py"}), options)


def shown(report: Report) -> list[tuple[int, str]]:
    return [(one.location.line, one.rule) for one in report.findings if one.suppressed is None]


# What a comment says.


@pytest.mark.parametrize(
    ("comment", "kind", "words", "reason"),
    [
        ("# cvlint: ignore[mean-of-fold-f] as in Table 2", "line", ("mean-of-fold-f",), "as in Table 2"),
        ("#cvlint:ignore[mean-of-fold-f]", "line", ("mean-of-fold-f",), ""),
        ("# cvlint: ignore[CVL101, auc-merge,CVL2]: see #12", "line", ("CVL101", "auc-merge", "CVL2"), "see #12"),
        ("# cvlint: ignore", "line", (), ""),
        ("# cvlint: ignore -- for speed", "line", (), "for speed"),
        ("# CVLINT: Ignore-File [auc-merge] old", "file", ("auc-merge",), "old"),
        ("# cvlint: ignore-file", "file", (), ""),
        ("# noqa", "noqa", (), ""),
        ("# NOQA:CVL101", "noqa", ("CVL101",), ""),
        ("# noqa: E501, CVL101 CVL2 for the table", "noqa", ("CVL101", "CVL2"), "for the table"),
        ("# cvlint: ignored", "unclear", (), ""),
        ("# cvlint: off", "unclear", (), ""),
        ("# cvlint: ignore[auc-merge", "unclear", (), ""),
        ("# cvlint: ignore[]", "unclear", (), ""),
        ("# cvlint: ignore (auc-merge)", "unclear", (), ""),
        ("# cvlint: ignore: CVL101", "unclear", (), ""),
        ("# cvlint: ignore=CVL101 agreed", "unclear", (), ""),
        ("# cvlint: ignore-file: CVL101", "unclear", (), ""),
        ("# cvlint: ignore[CVL101][CVL201] agreed", "unclear", (), ""),
        ("# cvlint: ignore[CVL101] (agreed)", "line", ("CVL101",), "(agreed)"),
        ("# cvlint: ignore[CVL101] [12] says so", "line", ("CVL101",), "[12] says so"),
        ("# cvlint: ignore[CVL101] #12: agreed", "line", ("CVL101",), "#12: agreed"),
        ("# cvlint: ignore[CVL101] see issue #12: agreed", "line", ("CVL101",), "see issue #12: agreed"),
    ],
)
def test_directives_of_a_comment(comment: str, kind: str, words: tuple[str, ...], reason: str) -> None:
    (said,) = directives(comment)
    assert (said.kind, said.words, said.reason) == (kind, words, reason)
    assert comment.startswith(said.comment)
    assert reason not in said.comment or not reason


@pytest.mark.parametrize(
    "comment", ["# noqa: E501", "# noqa: because", "# flake8: noqa", "# see cvlint", "# ignore[auc-merge]", "#", ""]
)
def test_comments_for_other_tools_are_no_directives(comment: str) -> None:
    assert list(directives(comment)) == []


def test_a_comment_can_hold_several_directives() -> None:
    text = "# the mean # type: ignore[x] # cvlint: ignore[CVL101] as agreed # noqa: CVL201, E501 # pylint: disable=x"
    assert [(said.kind, said.words, said.reason) for said in directives(text)] == [
        ("line", ("CVL101",), "as agreed"),
        ("noqa", ("CVL201",), ""),
    ]


@given(st.text(alphabet="#:[],- \tcvlintgorefaqCVL01—é", max_size=60))
def test_any_comment_is_read(text: str) -> None:
    for said in directives(f"# cvlint: ignore{text}"):
        assert said.comment in f"# cvlint: ignore{text}"
        assert all(word and "," not in word for word in said.words)


@pytest.mark.parametrize("filler", ["#", " ", "# ", "a", ",", "[", ":", "A1 ", "#a:"])
@pytest.mark.parametrize("end", ["", "[", "]", ":", "#"])
def test_a_long_comment_takes_no_time(filler: str, end: str) -> None:
    for start in ("#", "# cvlint: ignore", "# cvlint: ignore[", "# noqa", "# noqa:"):
        list(directives(start + filler * 50_000 + end))  # in steps that grow with its square it would take minutes


# Where a comment is.


def by_tokenize(text: str) -> list[tuple[str, int, int, int]]:
    """The comments of a program and the logical lines around them, according to ``tokenize``."""
    made: list[tuple[str, int, int, int]] = []
    waiting: list[tuple[str, int]] = []
    first = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        match token.type:
            case tokenize.COMMENT:
                waiting.append((token.string, token.start[0]))
            case tokenize.NEWLINE | tokenize.NL | tokenize.ENDMARKER if not first or token.type != tokenize.NL:
                made += [(*one, first or one[1], token.start[0] if first else one[1]) for one in waiting]
                waiting, first = [], 0
            case tokenize.NL | tokenize.INDENT | tokenize.DEDENT:
                pass
            case _:
                first = first or token.start[0]
    return made


def is_program(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
            by_tokenize(text)
    except (SyntaxError, ValueError, tokenize.TokenError):
        return False
    return True


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_comments_of_real_files_are_those_of_tokenize(folder: Path) -> None:
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if is_program(text):
            assert [one[:4] for one in comments(text)] == by_tokenize(text), path


PIECES = [
    *(
        "x = 1",
        "print(",
        ")",
        "y = [",
        "]",
        "\n",
        "\n",
        "\n    ",
        "# c\n",
        "  # noqa\n",
        "\\\n",
        ", ",
        "1",
        "; ",
        "if x:",
    ),
    *(
        '"# no"',
        "'''# no\n'''",
        'f"{x}# no"',
        'f"""\n# no {x}\n"""',
        '"a\\\n# no"',
        "def f():\n",
        "r'\\'",
        "pass",
        " + ",
    ),
]


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: "".join(pieces) + "\n").filter(is_program))
def test_comments_of_any_program_are_those_of_tokenize(text: str) -> None:
    if "\\" in map(str.strip, text.split("\n")):
        return  # a backslash with nothing before it belongs to no statement, and to ours
    assert [one[:4] for one in comments(text)] == by_tokenize(text)


def test_text_in_a_newer_f_string_is_not_a_comment() -> None:
    text = 'print(f"{d["# cvlint: ignore"]}")\ny = 1  # cvlint: ignore\n'
    (comment,) = comments(text)
    assert (comment.line, comment.first, comment.last) == (2, 2, 2)


def test_cells_count_their_own_lines(tmp_path: Path) -> None:
    text = '{"nbformat": 4, "metadata": {}, "cells": [%s, {"cell_type": "markdown", "source": "# noqa"}, %s]}'
    cells = ['{"cell_type": "code", "source": "%ls\\n"}', '{"cell_type": "code", "source": "f(\\n 1)  # noqa: CVL101"}']
    (ignore,) = ignores_of(source_of(text % tuple(cells), "a.ipynb"))
    assert ignore.location == Location("a.ipynb", 2, 2, 6, 2, 20)
    assert (ignore.first, ignore.last) == (1, 2)


def test_a_comment_in_another_cell_suppresses_nothing() -> None:
    (ignore,) = ignores_of(source_of('{"cells": [{"cell_type": "code", "source": "f()  # noqa"}]}', "a.ipynb"))
    options = SuppressionOptions(all_rules(), USUAL)
    for cell, is_suppressed in ((1, True), (2, False)):
        one = replace(finding(1), location=replace(at(1, "a.ipynb"), cell=cell))
        (after,) = apply_comments(Report((one,), (), 1), [ignore], frozenset(), options).findings
        assert (after.suppressed is not None) == is_suppressed


# What it leaves of a report.

WHOLE = "x = f(\n    1,{0}\n){1}\nfor a in b:{2}\n    y = 2{3}\n{4}\nz = 3{5}\n"


def code(**comments_at: str) -> str:
    """Six places for comments: c0 and c1 in a statement, c2 in a loop's head, c3 in its body, c4 alone, c5 far away."""
    return WHOLE.format(*(f"  # {comments_at[f'c{n}']}" if f"c{n}" in comments_at else "" for n in range(6)))


@pytest.mark.parametrize("place", ["c0", "c1"])
@pytest.mark.parametrize("comment", ["cvlint: ignore[mean-of-fold-f]", "cvlint: ignore", "noqa", "noqa: E501, CVL101"])
@pytest.mark.parametrize("line", [1, 2, 3])
def test_a_comment_on_any_line_of_the_statement_suppresses(place: str, comment: str, line: int) -> None:
    assert shown(outcome(code(**{place: comment}), finding(line))) == []


@pytest.mark.parametrize("place", ["c2", "c3", "c4", "c5"])
@pytest.mark.parametrize("line", [1, 2, 3])
def test_a_comment_at_another_statement_suppresses_nothing(place: str, line: int) -> None:
    report = outcome(code(**{place: "cvlint: ignore[CVL101]"}), finding(line))
    assert (line, "mean-of-fold-f") in shown(report)
    assert "unused-ignore" in {rule for _, rule in shown(report)}


def test_any_line_of_a_compound_statement_suppresses_a_finding_that_spans_it() -> None:
    whole = replace(finding(4), location=replace(at(4), end_line=5))
    assert shown(outcome(code(c3="noqa"), whole)) == []
    assert len(shown(outcome(code(c4="cvlint: ignore"), whole))) == 2
    step = replace(finding(7), trace=(TraceStep(whole.location, "a loop"),))
    assert shown(outcome(code(c2="cvlint: ignore"), step)) == []
    assert len(shown(outcome(code(c3="cvlint: ignore"), step))) == 2


def test_the_head_of_a_loop_is_not_its_body() -> None:
    assert shown(outcome(code(c2="cvlint: ignore"), finding(4))) == []
    assert len(shown(outcome(code(c3="cvlint: ignore"), finding(4)))) == 2


def test_a_comment_at_a_step_of_the_trace_suppresses_unless_it_is_a_noqa() -> None:
    assert shown(outcome(code(c3="cvlint: ignore[CVL1]"), finding(7, 1, 5))) == []
    assert shown(outcome(code(c3="noqa: CVL101"), finding(7, 1, 5))) == [(5, "unused-ignore"), (7, "mean-of-fold-f")]


def test_ignore_file_suppresses_findings_in_its_own_file_only() -> None:
    text = code(c4="cvlint: ignore-file[mean-of-fold-f] of old")
    assert shown(outcome(text, finding(1), finding(7))) == []
    other = finding(1, path="other.py")
    assert shown(outcome(text, replace(other, trace=finding(1, 1).trace)))[0] == (1, "mean-of-fold-f")


def test_a_step_in_another_file_is_found_by_any_spelling() -> None:
    ignores = ignores_of(source_of("f()  # cvlint: ignore\n", "lib.py"))
    through = replace(finding(9), trace=(TraceStep(at(1, "pkg/../lib.py"), "there"),))
    (one,) = apply_comments(
        Report((through,), (), 1), ignores, frozenset(), SuppressionOptions(all_rules(), USUAL)
    ).findings
    assert one.suppressed is not None
    assert (one.suppressed.location.path, one.suppressed.comment) == (file_key("pkg/../lib.py"), "# cvlint: ignore")


def test_a_comment_on_another_rule_suppresses_nothing() -> None:
    text = code(c1="cvlint: ignore[auc-merge, CVL3]")
    assert shown(outcome(text, finding(1))) == [(1, "mean-of-fold-f"), (3, "unused-ignore")]
    assert shown(outcome(text, finding(1, rule="auc-merge"), finding(1, rule="unstratified-folds"))) == []


def test_the_comment_at_the_finding_itself_is_named() -> None:
    report = outcome(code(c1="cvlint: ignore here", c3="cvlint: ignore there", c4="cvlint: ignore-file"), finding(1, 5))
    (one,) = report.findings  # and all of them were of use
    assert one.suppressed is not None
    assert (one.suppressed.location.line, one.suppressed.reason) == (3, "here")


def test_suppressed_findings_are_counted_and_can_be_shown() -> None:
    whole = outcome(code(c1="cvlint: ignore"), finding(1), finding(7))
    active = without_suppressed(whole)
    assert (shown(active), active.suppressed) == ([(7, "mean-of-fold-f")], 1)
    assert with_suppressed(active, whole) == whole


def message(report: Report) -> str:
    (one,) = (one for one in report.findings if one.rule in {rule.name for rule in meta_rules()})
    return one.message


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("cvlint: ignore", "The comment `# cvlint: ignore` suppresses nothing here."),
        (
            "cvlint: ignore-file[auc-merge]",
            "The comment `# cvlint: ignore-file[auc-merge]` suppresses nothing in this file.",
        ),
        ("noqa: CVL201", "The comment `# noqa: CVL201` suppresses nothing here."),
        (
            "cvlint: ignore[mean-of-fold-f, auc-merge]",
            "The comment `# cvlint: ignore[mean-of-fold-f, auc-merge]` suppresses no finding of auc-merge here.",
        ),
        (
            "cvlint: ignore[CVL101, auc-merg]",
            "The comment `# cvlint: ignore[CVL101, auc-merg]` names 'auc-merg', and there is no such rule "
            "(did you mean 'auc-merge'?).",
        ),
        (
            "cvlint: off",
            "The comment `# cvlint: off` cannot be understood; write `# cvlint: ignore[rule] reason`, or `ignore-file` "
            "to mean the whole file.",
        ),
    ],
)
def test_messages_about_unused_comments(comment: str, says: str) -> None:
    findings = [finding(1)] if "mean-of-fold-f" in comment or "CVL101" in comment else []
    report = outcome(code(c1=comment), *findings)
    assert message(report) == says
    one = report.findings[-1]
    assert (one.code, one.severity, one.location.line, one.location.column) == ("CVL001", "note", 3, 4)


def test_a_comment_with_very_many_blanks_is_read_once() -> None:
    """The word without its blanks: to look for it from each blank again would take minutes."""
    report = outcome(code(c1=f"cvlint: ignore[mean-of-fold-f{' ' * 300_000}]"))
    assert [rule for _, rule in shown(report)] == ["unused-ignore"]


@pytest.mark.parametrize(
    ("comment", "is_clear"),
    [
        ("cvlint: ignore CVL201 only", False),
        ("cvlint: ignore mean-of-fold-f", False),
        ("cvlint: ignore -- cvl1: agreed", False),
        ("cvlint: ignore-file auc-merge, agreed", False),
        ("cvlint: ignore[CVL101] [auc-merge] agreed", False),
        ("cvlint: ignore all are agreed", True),
        ("cvlint: ignore the rule mean-of-fold-f here", True),
        ("cvlint: ignore[CVL101] CVL201 is another matter", True),
        ("cvlint: ignore[CVL101] [Forman 2010] agreed", True),
    ],
)
@pytest.mark.parametrize("reasons", [True, False])
def test_a_rule_without_brackets_is_no_reason(comment: str, is_clear: bool, reasons: bool) -> None:
    report = outcome(code(c1=comment), finding(1), reasons=reasons)
    assert shown(report) == ([] if is_clear else [(1, "mean-of-fold-f"), (3, "unused-ignore")])
    assert is_clear or message(report).startswith(f"The comment `# {comment.replace('-- ', '')}` cannot be understood")


@pytest.mark.parametrize("comment", ["noqa", "noqa: E501"])
def test_comments_for_other_linters_are_not_judged(comment: str) -> None:
    assert outcome(code(c1=comment)).findings == ()


@pytest.mark.parametrize(
    ("comment", "selected", "told"),
    [
        ("cvlint: ignore[auc-merge]", {"mean-of-fold-f"}, False),
        ("cvlint: ignore[auc-merge]", {"auc-merge"}, True),
        ("cvlint: ignore[CVL2]", {"auc-merge"}, False),
        ("cvlint: ignore[CVL2]", {"auc-merge", "ranking-merge", "auc-hard-labels"}, True),
        ("cvlint: ignore", {"auc-merge"}, False),
        ("cvlint: ignore", USUAL, True),
        ("cvlint: ignore[mean-of-fold-ratio]", USUAL, False),  # off by default
        ("cvlint: ignore[mean-of-fold-ratio]", USUAL | {"mean-of-fold-ratio"}, True),
        ("cvlint: ignore[no-such-rule]", {"auc-merge"}, True),
    ],
)
def test_only_comments_on_selected_rules_are_judged(comment: str, selected: set[str], told: bool) -> None:
    chosen = frozenset(selected) | {"unused-ignore"}
    assert bool(outcome(code(c1=comment), selected=chosen).findings) == told
    assert outcome(code(c1=comment), selected=chosen - {"unused-ignore"}).findings == ()


def test_a_comment_on_a_finding_that_is_not_shown_is_used() -> None:
    unsure = replace(finding(1), confidence="low")
    (one,) = outcome(code(c1="cvlint: ignore", c5="cvlint: ignore"), unsure).findings
    assert (one.rule, one.location.line) == ("unused-ignore", 7)


def test_only_files_that_were_checked_are_judged() -> None:
    ignores = ignores_of(source_of("f()  # cvlint: ignore\n"))
    assert (
        apply_comments(
            Report((), (), 1), ignores, frozenset({"other.py"}), SuppressionOptions(all_rules(), USUAL)
        ).findings
        == ()
    )


def test_a_reason_may_be_required() -> None:
    text = code(c1="cvlint: ignore[mean-of-fold-f]", c5="noqa: CVL101 as agreed")
    report = outcome(text, finding(1), finding(7), reasons=True)
    assert shown(report) == [(1, "mean-of-fold-f"), (3, "ignore-without-reason")]
    assert report.findings[1].severity == "warning"
    assert message(report) == (
        "The comment `# cvlint: ignore[mean-of-fold-f]` gives no reason, so it suppresses nothing."
    )
    assert shown(outcome(text, finding(1), finding(7))) == []
    assert shown(outcome(code(c1="noqa"), finding(1), reasons=True)) == [(1, "mean-of-fold-f")]


def test_findings_about_comments_are_suppressed_by_name_only() -> None:
    assert len(shown(outcome(code(c1="cvlint: ignore", c4="cvlint: ignore-file[ALL]")))) == 2
    assert shown(outcome(code(c1="cvlint: ignore[auc-merge, CVL001]"))) == []
    assert shown(outcome(code(c1="cvlint: ignore[auc-merge]", c4="cvlint: ignore-file[unused-ignore]"))) == []


@given(
    st.dictionaries(
        st.sampled_from([f"c{n}" for n in range(6)]),
        st.sampled_from(
            ["cvlint: ignore", "noqa", "cvlint: ignore[CVL1] why", "noqa: CVL201", "cvlint: ignore-file[CVL2]"]
        ),
    ),
    st.lists(
        st.builds(
            finding,
            st.integers(1, 7),
            st.integers(1, 7),
            rule=st.sampled_from(["mean-of-fold-f", "auc-merge"]),
        ),
        max_size=5,
        unique_by=lambda one: (one.location, one.rule),
    ),
    st.booleans(),
)
def test_no_finding_is_lost_and_every_comment_is_used_or_reported(
    placed: dict[str, str], findings: Sequence[Finding], reasons: bool
) -> None:
    text = code(**placed)
    report = outcome(text, *findings, reasons=reasons)
    about = {rule.name for rule in meta_rules()}
    assert {(one.rule, one.location) for one in report.findings if one.rule not in about} == {
        (one.rule, one.location) for one in findings
    }
    without = outcome("\n".join(line.partition("#")[0] for line in text.split("\n")), *findings)
    assert without.findings == tuple(sorted(findings, key=lambda f: (f.location.sort_key, f.code)))
    told = {one.location for one in report.findings if one.rule in about}
    for ignore in ignores_of(source_of(text)):
        alone = apply_comments(
            Report(tuple(findings), (), 1),
            [ignore],
            frozenset({"train.py"}),
            SuppressionOptions(all_rules(), USUAL, "medium", reasons),
        )
        used = any(one.suppressed for one in alone.findings)
        assert used or ignore.location in told or (ignore.kind == "noqa" and not ignore.words)
        assert not (used and ignore.location in told)


# Comments that are written for findings.


def findings_in(data: bytes, path: str = "train.py") -> list[Finding]:
    return [one for one in check_bytes(data, Path(path), path, EVERYTHING).findings if one.location.path == path]


def is_quiet(data: bytes, path: str) -> bool:
    """Tell whether comments suppress all findings in a file, and all of them are used."""
    source = read_bytes(data, Path(path), path).source
    assert source is not None
    options = SuppressionOptions(all_rules(), EVERYTHING.rules | {"unused-ignore"}, "low")
    report = Report(tuple(findings_in(data, path)), (), 1)
    return not shown(apply_comments(report, ignores_of(source), frozenset({path}), options))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_ignores_written_into_fixtures_suppress_everything_and_change_nothing_else(folder: Path) -> None:
    for path in sorted(folder.rglob("*.py"))[::3]:
        data = path.read_bytes()
        found = findings_in(data)
        source = read_bytes(data, Path("train.py"), "train.py").source
        if not found or source is None:
            continue
        new = with_ignores(data, source, found)
        assert new is not None, path
        assert is_quiet(new, "train.py"), path
        for old, line in zip(data.splitlines(), new.splitlines(), strict=True):
            assert line == old or (line.startswith(old) and line[len(old) :].lstrip().startswith(b"# cvlint: ignore["))


HEAD = "import numpy as np\nfrom sklearn.model_selection import cross_val_score\n"
CALL = 'cross_val_score(m, X, y, cv=5, scoring="f1")'


@pytest.mark.parametrize(
    ("statement", "commented"),
    [
        (f"print({CALL}.mean())", 0),
        (f"print({CALL}.mean())  # as before", 0),
        (f'print("""\nthe mean:\n""", {CALL}.mean())', 2),
        (f'print({CALL}.mean(), """\n# no""")', 1),
        (f'print(f"""\n{{{CALL}.mean()}}\n""")', 2),
        (f"mean = \\\n    {CALL}.mean()", 1),
        (f"mean = {CALL}.mean() + \\\n    0", 1),
        (f"mean = (\n    {CALL}.mean()\n)", 1),
        (f"mean = (\n    0 + \\\n    {CALL}.mean() + \\\n    0\n)", 0),
        (f"if {CALL}.mean() > 0.5:\n    pass", 0),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_free_lines_are_lines_that_can_take_a_comment(statement: str, commented: int, end: str) -> None:
    text = (HEAD + statement).replace("\n", end or "\n") + end
    source = source_of(text)
    found = [one for one in findings_in(text.encode()) if one.rule == "mean-of-fold-f"]
    assert len(found) == 1
    new = with_ignores(text.encode(), source, found)
    assert new is not None
    assert is_quiet(new, "train.py")
    lines = text.splitlines(keepends=True)
    changed = [n for n, (a, b) in enumerate(zip(lines, new.decode().splitlines(keepends=True), strict=True)) if a != b]
    assert changed == [commented + 2]
    assert new.decode().replace("  # cvlint: ignore[mean-of-fold-f]", "") == text


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: "".join(pieces) + "\n").filter(is_program))
def test_a_comment_on_a_free_line_changes_nothing(text: str) -> None:
    lines = text.split("\n")
    for line, chosen in free_lines(text).items():
        if "#" in lines[line - 1] or line > len(lines):
            continue
        new = [*lines[: chosen - 1], f"{lines[chosen - 1]}  # cvlint: ignore", *lines[chosen:]]
        assert ast.dump(ast.parse("\n".join(new))) == ast.dump(ast.parse(text))


def test_text_that_would_not_be_a_comment_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f'{HEAD}print("""\nthe mean:\n""", {CALL}.mean())\n'.encode()
    source = source_of(text.decode())
    assert with_ignores(text, source, [finding(5)]) is not None
    assert with_ignores(text, source, [replace(finding(5), rule="odd]name")]) is None
    assert with_ignores(b"# changed\n" + text, source, [finding(5)]) is None
    monkeypatch.setattr("cvlint.fixes.rewrites.ignore_comments.free_lines", lambda text: {})
    assert with_ignores(text, source, [finding(3)]) is None


def test_encodings_and_marks_stay() -> None:
    text = f"# -*- coding: latin-1 -*-\n{HEAD}print('é', {CALL}.mean())\n"
    data = text.encode("latin-1")
    source = read_bytes(data, Path("train.py"), "train.py").source
    assert source is not None
    new = with_ignores(data, source, findings_in(data))
    assert new is not None
    assert new.decode("latin-1").replace("  # cvlint: ignore[mean-of-fold-f]", "") == text


# The rules about comments.


def test_meta_rules_are_rules_without_a_pattern() -> None:
    for rule in meta_rules():
        assert not rule.patterns
        assert rule.code.startswith("CVL0")
        assert rule.enabled
        assert all((rule.docs.what, rule.docs.why, rule.docs.bad, rule.docs.good, rule.docs.fix, rule.summary))
    assert [rule.name for rule in meta_rules()] == ["unused-ignore", "ignore-without-reason"]
    assert all_rules() == (*meta_rules(), *load_rules())
    assert len({rule.code for rule in all_rules()}) == len({rule.name for rule in all_rules()}) == len(all_rules())


@pytest.mark.parametrize("rule", meta_rules(), ids=lambda rule: rule.name)
def test_the_examples_of_meta_rules_are_right(rule: object) -> None:
    from cvlint.rules.catalogue import Rule

    assert isinstance(rule, Rule)
    for example, expected in ((rule.docs.bad, {rule.name}), (rule.docs.good, set())):
        found = findings_in(example.encode())
        report = outcome(example, *found, reasons=rule.name == "ignore-without-reason")
        assert {one for _, one in shown(report)} - {"mean-of-fold-f"} == expected


def test_a_project_rule_cannot_have_the_name_or_code_of_a_meta_rule(tmp_path: Path) -> None:
    text = (ROOT / "rules" / "CVL101-mean-of-fold-f.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace('"CVL101"', '"CVL001"').replace('"mean-of-fold-f"', '"my-own"'), encoding="utf-8")
    with pytest.raises(RuleError, match=r"unused-ignore \(CVL001\)"):
        all_rules(own)


def test_ignores_are_hashable() -> None:
    (one,) = ignores_of(source_of("f()  # cvlint: ignore\n"))
    assert isinstance(one, Ignore)
    assert one in {one}
