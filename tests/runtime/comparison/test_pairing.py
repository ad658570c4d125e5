"""Only the same samples in the same folds are compared; everything else is refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cvlint.runtime import FoldDataError, FoldSet
from cvlint.runtime.comparison.pairing import paired

GOOD: dict[str, Any] = {
    "fold": [1, 1, 1, 2, 2, 2],
    "y_true": [0, 1, 0, 1, 0, 1],
    "y_pred": [0, 1, 1, 1, 0, 0],
    "sample_id": ["a", "b", "c", "d", "e", "f"],
}


def made(**changes: Any) -> FoldSet:
    given = {**GOOD, **changes}
    return FoldSet.from_arrays(**{name: values for name, values in given.items() if values is not None})


def moved(order: list[int], **changes: Any) -> FoldSet:
    return made(**{name: [values[i] for i in order] for name, values in {**GOOD, **changes}.items()})


def test_shuffled_samples_are_matched_by_their_identity() -> None:
    order = [5, 2, 0, 1, 4, 3]
    pair = paired(made(), moved(order, y_pred=[1, 0, 0, 0, 1, 1]))
    assert pair.second.y_pred is not None
    assert pair.second.y_pred.tolist() == [1, 0, 0, 0, 1, 1]
    assert pair.matched_by == "sample_id"


def test_numbers_and_texts_of_the_same_identity() -> None:
    pair = paired(made(sample_id=[1, 2, 3, 4, 5, 6]), made(sample_id=["1", "2", "3", "4", "5", "6"]))
    assert pair.matched_by == "sample_id"


def test_rows_are_matched_where_samples_have_no_identity() -> None:
    assert paired(made(sample_id=None), made(sample_id=None)).matched_by == "row"


def test_folds_may_have_other_names() -> None:
    paired(made(), made(fold=["x", "x", "x", "y", "y", "y"]))
    paired(made(), made(fold=[2, 2, 2, 1, 1, 1]))


def test_groups_of_one_are_those_of_both() -> None:
    for pair in (paired(made(group=list("uvwxyz")), made()), paired(made(), made(group=list("uvwxyz")))):
        assert pair.first.group is not None and pair.second.group is not None


def test_groups_of_one_that_are_taken_for_both_are_named() -> None:
    grouped = made(group=list("uvwxyz"))
    note = "B has no column group: the groups of A are taken for both, as their samples are the same."
    assert paired(grouped, made()).notes == (note,)
    assert paired(made(), grouped, ("one", "two")).notes[0].startswith("one has no column group: the groups of two")
    assert paired(grouped, grouped).notes == paired(made(), made()).notes == ()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another fold": ({"fold": [1, 1, 2, 2, 2, 1]}, "sample 'c' has another fold in B than in A (and 1 more)"),
    "more folds": ({"fold": [1, 1, 3, 2, 2, 2]}, "sample 'c' has another fold in B than in A"),
    "renamed samples": ({"sample_id": list("abcdex")}, "sample 'f' is in A and not in B"),
    "samples twice": ({"sample_id": list("abcdee")}, "B: sample 'e' occurs twice"),
    "another truth": ({"y_true": [0, 1, 0, 1, 1, 1]}, "sample 'e' has another true label in B than in A"),
    "weights": ({"weight": [1.0] * 6}, "B has a column weight and A has none"),
    "repetitions": ({"repeat": [1] * 6}, "B has a column repeat and A has none"),
    "a label that is no class": (
        {"y_pred": [0, 1, 1, 2, 0, 0]},
        "y_pred is 2 in row 4, and y_true is 0 or 1 everywhere",
    ),
    "no identity, another order": (
        {"sample_id": None, "y_true": [1, 0, 0, 1, 0, 1]},
        "sample 'a' has another true label in B than in A (and 1 more) (no sample_id in B",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_match_is_refused(case: str) -> None:
    changes, sentence = REFUSED[case]
    with pytest.raises(FoldDataError) as refused:
        paired(made(), made(**changes))
    assert sentence in str(refused.value)


def test_other_refusals() -> None:
    with pytest.raises(FoldDataError, match="A has 6 samples and B has 5: only"):
        paired(made(sample_id=None), moved([0, 1, 2, 3, 4]))
    sentence = "A has 6 samples and B has 4; sample 'e' is in A and not in B \\(and 1 more in one only\\)"
    with pytest.raises(FoldDataError, match=sentence):
        paired(made(), moved([0, 1, 2, 3]))
    with pytest.raises(FoldDataError, match="B: sample 'c' occurs twice"):
        paired(made(), moved([0, 1, 2, 3, 4, 5, 2]))
    with pytest.raises(FoldDataError, match="'a' has another group"):
        paired(made(group=list("uvwxyz")), made(group=list("Uvwxyz")))
    with pytest.raises(FoldDataError, match="'b' has another weight"):
        paired(made(weight=[1.0] * 6), made(weight=[1.0, 2.0, 1.0, 1.0, 1.0, 1.0]))
    three = {"y_true": [0, 1, 2, 0, 1, 2]}
    with pytest.raises(FoldDataError, match=r"B has the label 3 \(predicted for sample 'd'\), and A does not have it"):
        paired(made(**three), made(**three, y_pred=[0, 1, 1, 3, 0, 0]))
    with pytest.raises(FoldDataError, match="A has predicted labels only and B has scores only"):
        paired(made(), made(y_pred=None, y_score=np.linspace(0, 1, 6)))
    with pytest.raises(FoldDataError, match="another row of features"):
        paired(made(row_hash=[1, 2, 3, 4, 5, 6]), made(row_hash=[2, 1, 3, 4, 5, 6]))
    with pytest.raises(FoldDataError, match="name one positive label for both"):
        paired(made(positive=0), made(positive=1))
    with pytest.raises(FoldDataError, match="B holds several experiments"):
        paired(made(), made(experiment=list("xxxyyy")))
    with pytest.raises(FoldDataError, match="occurs twice in repetition 1"):
        paired(made(repeat=[1, 1, 1, 2, 2, 2], sample_id=list("aabcde")), made(repeat=[1] * 3 + [2] * 3))
    with pytest.raises(FoldDataError, match="another repetition"):
        paired(made(repeat=[1, 1, 1, 2, 2, 2], sample_id=None), made(repeat=[1, 1, 2, 1, 2, 2], sample_id=None))
