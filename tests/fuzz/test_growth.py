"""Programs of twice the size take about twice the work: the calls of functions are counted, and nothing is timed.

The sizes are small here; `python -m tests.fuzz.run growth` doubles them up to thousands of lines.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from cvlint.analysis.domain.texts import MOST_CHARACTERS, formatted, joined, percent, text_of
from cvlint.analysis.domain.work import METER, UNBOUNDED, WorkSpent, work
from cvlint.analysis.interpreter import driver
from cvlint.analysis.relevance import leading_names
from cvlint.source.definitions import Definition
from cvlint.workspace.file_check import OUT_OF_BUDGET
from cvlint.workspace.steps.analyse import check
from tests.fuzz.growing import (
    FOLDS,
    HEAD,
    PATTERNS,
    Files,
    appended,
    cases_of_names,
    dependences,
    loops,
    nested_lists,
    one_ring,
    text_parts_in_loop,
    turned_flags,
)
from tests.fuzz.long_files import OTHERS, Texts, first_file
from tests.fuzz.trial import OPTIONS, counted

SIZE = 16


def written(files: Files, folder: Path) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / next(iter(files))


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what is loaded once, so that no test counts it."""
    counted(written({"a.py": HEAD + FOLDS}, tmp_path_factory.mktemp("warm")), 1)


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work that each file may do is smaller here, so that it is soon used up."""
    monkeypatch.setattr(driver, "MIN_WORK", 20_000)
    monkeypatch.setattr(driver, "MIN_STEPS", 2_000)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.__name__)
def test_the_work_does_not_explode(pattern: Callable[[int], Files], tmp_path: Path) -> None:
    small, large = pattern(SIZE), pattern(2 * SIZE)
    _, calls = counted(written(small, tmp_path / "small"), sum(map(len, small.values())))
    _, more = counted(written(large, tmp_path / "large"), sum(map(len, large.values())))
    assert more < 3.5 * calls + 200_000 or more < 1_000_000  # the floor of the work that each file may do


def lines_executed(path: Path) -> Counter[tuple[str, int]]:
    """How often a check executes each line of cvlint; a loop in an expression counts once a pass."""
    return lines_of(lambda: check([path], OPTIONS))


def lines_of(call: Callable[[], object]) -> Counter[tuple[str, int]]:
    """How often a call executes each line of cvlint."""
    hits: Counter[tuple[str, int]] = Counter()

    def at_line(frame: FrameType, event: str, argument: Any) -> Any:
        hits[frame.f_code.co_filename, frame.f_lineno] += event == "line"
        return at_line

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        return at_line if "cvlint" in frame.f_code.co_filename else None

    outer = sys.gettrace()
    sys.settrace(at_call)
    try:
        call()
    finally:
        sys.settrace(outer)
    return hits


SHAPES = [*map(first_file, (loops, text_parts_in_loop, dependences, turned_flags, cases_of_names)), *OTHERS]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_no_line_is_executed_more_than_in_proportion(shape: Texts, tmp_path: Path) -> None:
    """The calls do not show a search through all that was computed so far, as one expression does it."""
    small = lines_executed(written({"train.py": shape(3 * SIZE)}, tmp_path / "small"))
    large = lines_executed(written({"train.py": shape(6 * SIZE)}, tmp_path / "large"))
    assert [line for line, hits in large.items() if hits > 2.5 * small[line] + 200] == []


def test_a_block_that_binds_and_uses_many_names_is_visited_once() -> None:
    """The check of a single file does without the relevance of its blocks."""

    def block(size: int) -> list[Definition]:
        names = frozenset(f"n{number}" for number in range(size))
        return [Definition(names, names, frozenset(("f1",)), (1, 0))]

    hits = lines_of(lambda: leading_names(block(200), frozenset(("f1",))))
    assert max(hits.values()) < 1_000


def test_the_memory_is_bounded(tmp_path: Path) -> None:
    for pattern in (appended, nested_lists, one_ring):
        path = written(pattern(100), tmp_path / pattern.__name__)
        tracemalloc.start()
        check([path], OPTIONS)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20e6


def test_a_file_whose_work_is_used_up_is_told_and_keeps_its_findings(tmp_path: Path) -> None:
    loop = FOLDS.replace("    f1 =", "    scores.append(").rstrip() + ")\n"
    text = HEAD + "scores = []\n" + loop + "print(np.mean(scores))\n"
    path = written({"train.py": text + one_ring(300)["train.py"]}, tmp_path)
    report, _ = counted(path, 100_000)
    assert [error.message for error in report.errors] == [OUT_OF_BUDGET]
    assert "mean-of-fold-f" in {finding.rule for finding in report.findings}
    assert METER.left == UNBOUNDED
    again, _ = counted(path, 100_000)
    assert again == report


def test_a_long_comment_buys_no_work_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The budgets grow with the length of a file, which has 5 MB at most, up to a bound."""
    text = appended(100)["train.py"]
    path = written({"train.py": f"{text}#{'x' * 100_000}\n"}, tmp_path)
    assert not check([path], OPTIONS).errors
    for name in ("MAX_WORK", "MAX_STEPS"):
        with monkeypatch.context() as patch:
            patch.setattr(driver, name, 300)
            assert [error.message for error in check([path], OPTIONS).errors] == [OUT_OF_BUDGET]


def test_wherever_the_steps_are_used_up_that_is_no_fault_of_cvlint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the code of a library's function begins, which the knowledge gives."""
    path = tmp_path / "train.py"
    path.write_text("from dataclasses import replace\n" + HEAD + "box = replace(box, a=1)\n" * 3 + FOLDS)
    monkeypatch.setattr(driver, "STEPS_PER_CHARACTER", 0)
    told = set()
    for steps in range(1, 60):
        monkeypatch.setattr(driver, "MIN_STEPS", steps)
        told |= {error.message for error in check([path], OPTIONS).errors}
    assert told == {OUT_OF_BUDGET}


def test_the_meter_raises_when_nothing_is_left() -> None:
    METER.left = 3
    try:
        work(3)
        with pytest.raises(WorkSpent):
            work(1)
    finally:
        METER.left = UNBOUNDED


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("%s_macro", "f1", "f1_macro"),
        ("%03d", 5, "005"),
        ("%1000000000d", 5, None),
        ("%*d", 5, None),
        ("%d", "a", None),
        ("%s", "a" * 600, None),
        ("%s", 1 << 1_000, None),
        ("a" * 600 + "%s", "", None),
    ],
)
def test_percent_is_computed_only_for_short_texts(template: str, value: object, text: str | None) -> None:
    assert percent(template, value) == text


def test_texts_are_known_up_to_a_length() -> None:
    assert joined(("a", "b")) == "ab"
    assert joined(("a" * MOST_CHARACTERS, "b")) is None
    assert formatted("{}_{}", ["f1", 3]) == "f1_3"
    assert formatted("{}", ["a" * 600]) is None
    assert text_of("a" * MOST_CHARACTERS) is not None
    assert text_of("a" * (MOST_CHARACTERS + 1)) is None
    assert text_of(0xF << 30_000) is None
    assert OPTIONS.jobs == 1
