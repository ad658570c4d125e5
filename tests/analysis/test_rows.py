"""Sets of rows: which are the same, and what is kept of them after a branch."""

from __future__ import annotations

import pytest

from cvlint.analysis.domain.rows import RowSet, RowsOf, is_root, unify
from cvlint.analysis.row_store import RowsLeft, RowStore


def test_rows_that_were_put_together_are_no_root() -> None:
    one = RowSet()
    assert is_root(one)
    assert not is_root(RowSet(contains=(one,))) and not is_root(one.part("a", "train"))


@pytest.mark.parametrize("turned", [False, True])
def test_rows_of_which_nothing_is_known_are_those_of_the_part_they_are_used_with(turned: bool) -> None:
    """Even if they were used with other data before: those must then be of the same part."""
    part, labels = RowSet().part("a", "train"), RowSet(is_paired=True)
    unify(*((labels, part) if turned else (part, labels)))
    assert labels.found is part
    assert not part.is_paired


def test_labels_that_were_used_with_other_features_do_not_make_them_the_same() -> None:
    one, other = RowSet(), RowSet(is_paired=True)
    unify(one, other)
    assert one.found is not other.found
    unify(one, other, is_sure=True)
    assert one.found is other.found


def test_after_a_branch_a_name_holds_known_rows_only_if_both_arms_leave_them() -> None:
    known, assumed = RowsOf(RowSet().part("a", "train")), RowsOf(RowSet(is_assumed=True))
    for mine, theirs in ((known, assumed), (assumed, known)):
        store = RowStore()
        store.held["X"] = mine
        store.join(RowsLeft({"X": theirs}, {}, {}))
        assert not store.held
    assert known.rows.found is not assumed.rows.found
    other = RowsOf(RowSet(is_assumed=True))
    store = RowStore()
    store.held["X"] = assumed
    store.join(RowsLeft({"X": other}, {}, {}))
    assert store.held["X"].rows.found is other.rows.found
