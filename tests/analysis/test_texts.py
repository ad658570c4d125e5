"""Texts are put together only where every part is known and short."""

from __future__ import annotations

from cvlint.analysis.domain.texts import MOST_CHARACTERS, formatted


def test_known_values_are_filled_in() -> None:
    assert formatted("auc_{}_{}", ["test", "old"]) == "auc_test_old"


def test_a_template_that_is_too_long_is_not_filled_in() -> None:
    assert formatted("x" * (MOST_CHARACTERS + 1) + "{}", ["test"]) is None
