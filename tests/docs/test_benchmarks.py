"""The page of benchmarks: one command writes its figures, and they name no place on the machine."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.benchmarks import processes
from tests.benchmarks.__main__ import BEGIN, END, PAGE, ratios, write_page
from tests.benchmarks.processes import Cost, cost, measured


def test_only_what_stands_between_the_marks_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Before\n\n{BEGIN}\n\nold\n\n{END}\n\n# Behind\n")
    write_page(page, "new")
    write_page(page, "newer")
    assert page.read_text() == f"# Before\n\n{BEGIN}\n\nnewer\n\n{END}\n\n# Behind\n"


def test_the_page_holds_figures_and_no_path() -> None:
    text = PAGE.read_text(encoding="utf-8")
    figures = text[text.index(BEGIN) : text.index(END)]
    assert len(re.findall(r"^\| \*\*cvlint\*\*.* \| [\d.]+ \|", figures, re.MULTILINE)) == 4
    assert "÷ ruff" in figures
    assert not re.search(r"(?<![\w.])/\w|[A-Z]:\\", figures)


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the benchmark runs on POSIX systems")
def test_a_run_is_measured_with_the_processes_that_it_starts(tmp_path: Path) -> None:
    work = "x = bytes(60_000_000); sum(i * i for i in range(400_000))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}])"
    runs = {
        name: lambda text=text: cost((sys.executable, "-c", text), tmp_path, dict(os.environ))
        for name, text in (("pass", "pass"), ("nested", nested))
    }
    costs = measured(runs, 1)
    assert costs["nested"].processor > costs["pass"].processor
    assert costs["nested"].megabytes > 50


def test_figures_are_ratios() -> None:
    rows = list(ratios({"a": Cost(4, 9, 100)}, base=Cost(2, 1, 1), files=10))
    assert rows == ["| a | 2.00 | 400.0 ms | 100 MB |"]


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the benchmark runs on POSIX systems")
def test_a_run_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LONGEST", 0.2)
    with pytest.raises(TimeoutError):
        cost((sys.executable, "-c", "import time; time.sleep(60)"), tmp_path, dict(os.environ))
