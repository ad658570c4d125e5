"""Texts are put together only where every part is known and short."""

from __future__ import annotations

from cvlint.analysis.domain.texts import MOST_CHARACTERS, formatted, is_same_file, text_of


def test_known_values_are_filled_in() -> None:
    assert formatted("auc_{}_{}", ["test", "old"]) == "auc_test_old"


def test_numbers_are_texts_unless_they_are_too_long() -> None:
    assert (text_of(3), formatted("fold{}", [3]), text_of(0.5)) == ("3", "fold3", "0.5")
    assert text_of(2 ** (MOST_CHARACTERS - 1)) is not None
    assert text_of(1 << MOST_CHARACTERS) is None
    assert text_of("x" * (MOST_CHARACTERS + 1)) is None


def test_in_unknown_folders_files_are_the_same_by_their_names() -> None:
    assert is_same_file("\0one\0/scores.npy", "\0other\0/scores.npy")
    assert not is_same_file("\0one\0/scores.npy", "\0other\0/labels.npy")
    assert not is_same_file("\0one\0/scores.npy", "known/labels.npy")


def test_a_template_that_is_too_long_is_not_filled_in() -> None:
    assert formatted("x" * (MOST_CHARACTERS + 1) + "{}", ["test"]) is None
