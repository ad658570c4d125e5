"""The prefilter agrees with a plain search, and sees the edges of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.prefilter import Prefilter


@given(st.lists(st.text("abAB", max_size=3)), st.text("abAB", max_size=20))
def test_finds_what_a_plain_search_finds(words: list[str], text: str) -> None:
    expected = any(word.lower() in text.lower() for word in words)
    assert Prefilter(words).may_hold(text.encode()) == expected


def test_case_and_encoding_do_not_matter() -> None:
    assert Prefilter(["F1_Score"]).may_hold(b"\xff\xfe from x import f1_SCORE")
    assert not Prefilter(["f1", "auc"]).may_hold(b"\x00 nothing here")
    assert not Prefilter([]).may_hold(b"x")


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
def test_edges(text: bytes, found: bool) -> None:
    assert Prefilter(["|fold|"]).may_hold(text) is found
