"""The script that redraws the figures of Lipton et al. 2014 and recomputes what is printed there."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PAPERS = Path(__file__).parents[3] / "fixtures" / "papers"


@pytest.fixture
def lipton(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The script as a module, with fewer runs."""
    monkeypatch.syspath_prepend(PAPERS)
    module = importlib.import_module("lipton")
    monkeypatch.setattr(module, "RUNS", 200)
    yield module
    for name in ("lipton", "forman_scholz"):
        sys.modules.pop(name, None)


def test_the_numbers_printed(lipton: ModuleType) -> None:
    plain = [n for n in lipton.numbers() if n.printed.replace("e-", "").replace(".", "").isdigit()]
    wrong = [
        n.what
        for n in plain
        if abs(Decimal(n.recomputed) - Decimal(n.printed))
        > Decimal("0.51") * Decimal(1).scaleb(Decimal(n.printed).as_tuple().exponent)  # type: ignore[arg-type]
    ]
    assert len(plain) == 21
    assert wrong == [
        "micro F1, sums tp 30, fp 20, fn 10",
        "Phosphinic Acids: threshold at F1 1.544e-4",
        "least F1 above 0, of fewer than 2940 documents",
    ]


def test_the_kept_table_is_what_is_computed(lipton: ModuleType) -> None:
    kept = [line for line in (PAPERS / "lipton-numbers.md").read_text().splitlines() if line.startswith("| ")][2:]
    numbers = lipton.numbers()
    assert len(kept) == len(numbers)
    for line, n in zip(kept, numbers, strict=True):
        if n.exact:
            assert line == f"| {n.place} | {n.what} | {n.printed} | {n.recomputed} | {n.note} |"


def test_a_threshold_that_is_cut_off(lipton: ModuleType) -> None:
    """No F1 that rounds to the printed one has a half that rounds to the printed threshold; some are cut off to it."""
    halves = np.linspace(1.5435e-4, 1.5445e-4, 1001) / 2
    assert "7.71e-05" not in {f"{half:.2e}" for half in halves}
    assert "7.71" in {f"{np.floor(half * 1e7) / 100:.2f}" for half in halves}


def test_the_shapes_that_the_text_names(lipton: ModuleType) -> None:
    """F1 is concave in tp, accuracy linear, F1 convex in tn; figure 8 shifts to the left as b falls."""
    bend = {number: [np.diff(c.y, 2) for c in lipton.FIGURES[number]().panels[0].curves] for number in "235"}
    assert all((second < 0).all() for second in bend["2"])
    assert np.abs(bend["3"]).max() < 1e-12
    assert all((second > 0).all() for second in bend["5"])
    (curve,) = lipton.FIGURES["6"]().panels[0].curves
    assert curve.y == pytest.approx(2 * curve.x / (1 + curve.x))
    panels = lipton.FIGURES["8"]().panels
    right, left = ([p.curves[0].y for p in panels if p.title == f"b = {b:g}"] for b in (0.1, 0.001))
    assert right[0][-1] > 0.9 and left[0][0] > 0.6


def test_as_a_command() -> None:
    command = [sys.executable, str(PAPERS / "lipton.py")]
    drawn = subprocess.run([*command, "6"], capture_output=True, text=True, check=True)
    assert drawn.stdout.splitlines()[0] == "panel,curve,x,y,z"
    assert drawn.stdout.splitlines()[-1].split(",")[2:4] == ["1", "1"]
    refused = subprocess.run([*command, "7"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr == "There is no figure '7'; valid are 2, 3, 4, 5, 6, 8, or the option --numbers.\n"
