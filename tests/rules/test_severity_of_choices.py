"""A mean of fold F that only chooses parameters is a note, wherever it is computed; a reported one is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

FIXTURES = Path(__file__).parents[2] / "fixtures" / "mean-of-fold-f"


def severities(text: bytes) -> list[str]:
    """The severities of the findings of mean-of-fold-f in a program."""
    options = CheckOptions(frozenset({"mean-of-fold-f"}))
    return [finding.severity for finding in check_bytes(text, Path("a.py"), "a.py", options).findings]


@pytest.mark.parametrize("name", ["faulty_objective_of_a_search.py", "faulty_helper_of_an_objective.py"])
def test_mean_that_an_optimiser_maximises_is_a_note(name: str) -> None:
    assert severities((FIXTURES / name).read_bytes()) == ["note"]


def test_best_mean_that_is_reported_is_an_error() -> None:
    text = (FIXTURES / "faulty_helper_of_an_objective.py").read_bytes() + b"print(study.best_value)\n"
    assert "error" in severities(text)


def test_losses_and_means_that_are_compared_are_notes() -> None:
    assert severities((FIXTURES / "faulty_loss_of_a_worker.py").read_bytes()) == ["note", "note", "note", "error"]
