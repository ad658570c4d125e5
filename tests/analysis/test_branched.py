"""Tables that note what changes: an arm of a branch can be undone, done again and joined, and costs what it changes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.analysis.branched import NOTHING, Branched, Changes
from cvlint.analysis.domain import lattice
from cvlint.analysis.domain.value import Data
from cvlint.workspace.steps.analyse import check
from tests.fuzz.growing import branches
from tests.fuzz.trial import OPTIONS

KEYS = "abcd"


def change(table: dict[str, int], number: int, rng: random.Random) -> None:
    """Change a table by one of all ways that there are."""
    key = rng.choice(KEYS)
    match number % 7:
        case 0 | 1:
            table[key] = number
        case 2:
            table.pop(key, None)
        case 3:
            table.update({key: number}, b=number)
        case 4:
            table.setdefault(key, number)
        case 5 if table:
            del table[rng.choice(list(table))]
            table |= {key: -number}
        case 6 if table and rng.random() < 0.5:
            table.popitem()
        case 6:
            table.clear()


@given(st.integers(), st.lists(st.integers(0, 99), max_size=12), st.lists(st.integers(0, 99), max_size=12))
def test_what_changes_is_undone_and_done_again(seed: int, first: list[int], second: list[int]) -> None:
    table: Branched[str, int] = Branched({"a": 1, "b": 2})
    rng = random.Random(seed)
    outer = Changes(table)
    for number in first:
        change(table, number, rng)
    middle = dict(table)
    inner = Changes(table)
    for number in second:
        change(table, number, rng)
    inner.end()
    end = dict(table)
    inner.undo()
    assert table == middle
    inner.redo()
    assert table == end
    outer.end()
    outer.undo()
    assert table == {"a": 1, "b": 2} and table.log is None
    outer.redo()
    assert table == end


def test_a_log_has_only_what_changed() -> None:
    table = Branched({number: str(number) for number in range(100)})
    changes = Changes(table)
    table[3] = "three"
    table[100] = "new"
    del table[5]
    changes.end()
    assert changes.before == [{3: "3", 100: NOTHING, 5: "5"}]
    assert changes.after == [{3: "three", 100: "new", 5: NOTHING}]


def test_the_work_of_branches_grows_as_the_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    for size in (100, 400):
        (tmp_path / "train.py").write_text(branches(size)["train.py"])
        spent = 0

        def work(amount: int) -> None:
            nonlocal spent
            spent += amount

        monkeypatch.setattr("cvlint.analysis.heap.branches.work", work)
        monkeypatch.setattr("cvlint.analysis.interpreter.statements.work", work)
        check([tmp_path / "train.py"], OPTIONS)
        done.append(spent)
    assert 0 < done[1] < 4.1 * done[0]


def test_values_that_differ_in_their_labels_are_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copies = []

    def replace(value: Data, **changes: object) -> Data:
        copies.append(value)
        return original(value, **changes)

    original = lattice.replace
    monkeypatch.setattr(lattice, "replace", replace)
    values = [Data(labels=frozenset((str(number),))) for number in range(50)]  # type: ignore[arg-type]
    joined = lattice.join(values)
    assert isinstance(joined, Data) and len(joined.labels) == 50 and len(copies) == 1


def test_a_table_that_is_merged_in_place_stays_the_table() -> None:
    table: Branched[str, int] = Branched({"a": 1})
    same = table
    same |= {"b": 2}
    assert same is table == {"a": 1, "b": 2}
