"""A bounded share of the fuzzing, with fixed seeds: `python -m tests.fuzz.run 100000` runs the whole."""

from __future__ import annotations

import pytest

from tests.fuzz.mutators import MUTATORS, made
from tests.fuzz.trial import fault

SHARE = 4
"""Inputs for each mutator."""


@pytest.mark.parametrize("mutator", MUTATORS, ids=lambda mutator: mutator.__name__)
def test_no_input_breaks_a_check(mutator: object) -> None:
    first = MUTATORS.index(mutator)  # type: ignore[arg-type]
    seeds = range(first, SHARE * len(MUTATORS), len(MUTATORS))
    assert {seed: found for seed in seeds if (found := fault(*made(seed))) is not None} == {}


def test_an_input_is_the_same_for_the_same_seed() -> None:
    assert [made(seed) for seed in range(20)] == [made(seed) for seed in range(20)]
    assert len({made(seed) for seed in range(70)}) > 60
