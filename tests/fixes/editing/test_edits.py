"""Test edits and offsets, with one character for each offset."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cvlint.fixes.editing.edits import Edit, edited, in_order, moved

edits = st.lists(
    st.builds(
        lambda start, width, text: Edit(start, start + width, text),
        st.integers(0, 20),
        st.integers(0, 5),
        st.text("xy", max_size=3),
    ),
    max_size=5,
)


@given(edits)
def test_offsets_move_with_the_text(given_edits: list[Edit]) -> None:
    text = "".join(chr(ord("A") + number) for number in range(25))
    ordered = in_order(given_edits)
    if ordered is None:
        return
    new = edited(text, ordered)
    for offset, char in enumerate(text):
        first, last = moved(offset, ordered)
        replaced = [edit for edit in ordered if edit.start <= offset < edit.end]
        assert new[first:last] == replaced[0].text if replaced else new[first] == char


def test_edits_of_the_same_text_are_refused() -> None:
    assert in_order([Edit(0, 3, "a"), Edit(2, 4, "b")]) is None
    assert in_order([Edit(1, 1, "a"), Edit(1, 1, "b")]) is None
    assert in_order([Edit(2, 2, "b"), Edit(0, 2, "a"), Edit(0, 2, "a")]) == (Edit(0, 2, "a"), Edit(2, 2, "b"))
