"""The prefilter agrees with a plain search, and respects word boundaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.knowledge.loader import load_knowledge
from cvlint.source.prefilter import Prefilter


@given(st.lists(st.text("abAB", min_size=1, max_size=3)), st.text("abAB", max_size=20))
def test_finds_what_a_plain_search_finds(words: list[str], text: str) -> None:
    expected = any(word.lower() in text.lower() for word in words)
    assert Prefilter({word: [word] for word in words}).may_hold(text.encode()) == expected


def test_case_and_encoding_do_not_matter() -> None:
    assert Prefilter({"F1": ["F1_Score"]}).may_hold(b"\xff\xfe from x import f1_SCORE")
    assert not Prefilter({"f1": ["f1"]}).may_hold(b"\x00 nothing here")
    assert not Prefilter({}).may_hold(b"x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"fold", True),
        (b"k_fold", True),
        (b"fold_1", True),
        (b"folder", False),
        (b"unfold", False),
        (b"folder, then a fold.", True),
    ],
)
def test_word_boundaries(text: bytes, found: bool) -> None:
    assert Prefilter({"fold": ["|fold|"]}).may_hold(text) is found


def test_joined_words_must_all_occur() -> None:
    prefilter = Prefilter({"fold": ["|fold| & |train"]})
    assert prefilter.may_hold(b"for fold in folds: train(fold)")
    assert not prefilter.may_hold(b"fold the paper")
    assert not prefilter.may_hold(b"fold the constraint")


def test_every_word_contains_the_part_of_its_list() -> None:
    for part, words in load_knowledge().prefilter_words.items():
        for word in words:
            assert any(part in piece for piece in word.split(" & ")), (part, word)
