"""A mean of fold F that only chooses parameters is a note, wherever it is computed; the best of a search is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

FIXTURES = Path(__file__).parents[2] / "fixtures" / "mean-of-fold-f"


def severities(text: bytes, rule: str = "mean-of-fold-f") -> list[str]:
    """The severities of the findings of a rule in a program."""
    options = CheckOptions(frozenset({rule}))
    return [finding.severity for finding in check_bytes(text, Path("a.py"), "a.py", options).findings]


@pytest.mark.parametrize("name", ["faulty_objective_of_a_search.py", "faulty_helper_of_an_objective.py"])
def test_mean_that_an_optimiser_maximises_is_a_note(name: str) -> None:
    assert severities((FIXTURES / name).read_bytes()) == ["note"]


def test_best_mean_that_is_reported_is_the_best_of_a_search() -> None:
    text = (FIXTURES / "faulty_helper_of_an_objective.py").read_bytes() + b"print(study.best_value)\n"
    assert severities(text) == []
    assert severities(text, "search-best-f") == ["warning"]


def test_a_loss_is_a_note_and_a_mean_that_is_compared_is_silent() -> None:
    assert severities((FIXTURES / "faulty_loss_of_a_worker.py").read_bytes()) == ["note", "note", "error"]
