"""Files with more than one kind of line end."""

from __future__ import annotations

import pytest

from tests.fixes.conftest import fixed

LINES = [
    "from sklearn.metrics import f1_score",
    "from sklearn.model_selection import cross_val_predict, cross_val_score",
    "print(cross_val_score(",
    "    model,  # a forest",
    "    X, y,",
    "    scoring='f1',",
    "    cv=5,  # folds",
    ").mean())",
]


@pytest.mark.parametrize("period", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ends", ["\r\n,\n", "\n,\r\n", "\r,\n", "\n,\r\n,\r"])
def test_lines_that_stay_keep_their_ends(ends: str, period: int) -> None:
    kinds = ends.split(",")
    ended = [line + kinds[number // period % len(kinds)] for number, line in enumerate(LINES)]
    after = fixed("".join(ended).encode())
    assert after.count == 1
    new = after.data.decode().splitlines(keepends=True)
    kept = [line for line in ended if line in new]
    assert [line.rstrip("\r\n") for line in kept] == [LINES[i] for i in (0, 3, 4, 6)]


def test_a_new_line_ends_as_the_one_above() -> None:
    text = (
        "from sklearn.model_selection import cross_val_score\r\n"
        "s = cross_val_score(m, X, y, scoring='f1')\n"
        "print(s.mean(), s.std())\r\n"
    )
    assert fixed(text.encode()).data.decode() == (
        "from sklearn.metrics import f1_score\r\n"
        "from sklearn.model_selection import cross_val_predict, cross_val_score\r\n"
        "s = cross_val_score(m, X, y, scoring='f1')\n"
        "pooled_f = f1_score(y, cross_val_predict(m, X, y))\n"
        "print(pooled_f, s.std())\r\n"
    )
