from __future__ import annotations

from hypothesis import assume, example, given
from hypothesis import strategies as st

from cvlint.output.shared.wrapping import display_width, shortened, wrapped

WORDS = st.lists(st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="`"), min_size=1, max_size=9))


@given(WORDS, st.integers(20, 60), st.integers(0, 9))
@example(["测试" * 4] * 9, 20, 0)
def test_words_stay_whole_and_lines_fit(words: list[str], columns: int, indent: int) -> None:
    assume(all(display_width(word) <= columns - indent for word in words))  # a wider one is cut: see below
    lines = list(wrapped(" ".join(words), columns, indent, indent))
    assert " ".join(lines).split() == " ".join(words).split()
    assert all(indent + display_width(line) <= columns for line in lines)


def test_code_stays_on_one_line() -> None:
    assert list(wrapped("Write this: `a b c d` and then go on", 20)) == ["Write this:", "`a b c d` and then", "go on"]


def test_a_word_that_is_too_wide_is_cut_on_a_terminal_alone() -> None:
    word = "x" * 100
    assert list(wrapped(f"a {word}", None)) == ["a", word]
    (_, cut) = wrapped(f"a {word}", 30)
    assert display_width(cut) == 30
    assert "…" in cut


@given(st.text(st.characters(exclude_categories=("C",))), st.integers(5, 40))
def test_shortened_text_fits(text: str, width: int) -> None:
    shown = shortened(text, width)
    assert display_width(shown) <= width
    assert shown == text or "…" in shown
