"""A verdict of "impossible" is right, and the values of real folds never get it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.runtime import Counts, FoldDataError, f_aggregates
from cvlint.runtime.consistency.possible_aggregates import matching_tables, verdicts
from cvlint.runtime.consistency.reported_values import Claim, Printed, harmonic


def rounded(value: float, digits: int) -> Printed:
    return Printed.of(f"{value:.{digits}f}", "value")


def possible(claim: Claim) -> dict[str, bool]:
    return {verdict.name: verdict.possible for verdict in verdicts(claim)}


def test_the_papers_first_table() -> None:
    found = possible(Claim(Printed.of(".69", ""), Printed.of(".60", ""), Printed.of(".94", "")))
    assert found == {"f_tpfp": False, "f_prre": False, "f_avg": True, "f_prre_valid": False, "f_avg_valid": True}
    assert possible(Claim(Printed.of("73%", ""), Printed.of(".60", ""), Printed.of(".94", "")))["f_prre"]


@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 4).filter(lambda c: c[0] + c[2] > 0), min_size=1, max_size=5),
    st.integers(1, 5),
    st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)]),
)
def test_real_folds_are_possible(folds: list[tuple[int, int, int, int]], digits: int, beta: Fraction) -> None:
    counts = Counts(np.array(folds, dtype=float).T[:, :, None])
    values = f_aggregates(counts, float(beta))
    p, r = (rounded(float(v.mean()), digits) for v in (counts.precision(0.0), counts.recall(0.0)))
    assert possible(Claim(rounded(values.f_avg, digits), p, r, beta=beta))["f_avg"]
    assert possible(Claim(rounded(values.f_prre, digits), p, r, beta=beta))["f_prre"]
    total = counts.summed()
    tp, fp, fn, tn = total.cells[:, 0, 0]
    if fp + tn == 0:
        return
    accuracy = rounded((tp + tn) / (tp + fp + fn + tn), digits)
    p, r = (rounded(float(v[0, 0]), digits) for v in (total.precision(0.0), total.recall(0.0)))
    claim = Claim(rounded(values.f_tpfp, digits), p, r, accuracy, int(tp + fn), int(fp + tn), beta)
    assert possible(claim)["f_tpfp"]


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(0, 100),
    st.none() | st.integers(0, 100),
    st.none() | st.integers(0, 100),
    st.none() | st.integers(0, 100),
)
def test_the_search_misses_no_table(
    positives: int, negatives: int, f: int, p: int | None, r: int | None, a: int | None
) -> None:
    printed = [None if v is None else Printed.of(f"{v}%", "value") for v in (f, p, r, a)]
    assert printed[0] is not None
    claim = Claim(printed[0], *printed[1:], positives, negatives)
    every = set()
    for tp in range(positives + 1):
        for fp in range(negatives + 1):
            precision = Fraction(tp, tp + fp) if tp + fp else Fraction(0)
            recall = Fraction(tp, positives)
            accuracy = Fraction(tp + negatives - fp, positives + negatives)
            values = (harmonic(precision, recall, Fraction(1)), precision, recall, accuracy)
            if all(q is None or q.holds(v) for q, v in zip(printed, values, strict=True)):
                every.add(tp)
    assert {tp for tp, _ in matching_tables(claim, positives, negatives)} == every


def test_the_example_is_one() -> None:
    claim = Claim(Printed.of(".5833", ""), None, None, None, 15, 1489)
    verdict = verdicts(claim)[0]
    assert verdict.possible
    tp, fp = next(matching_tables(claim, 15, 1489))
    assert round(2 * tp / (2 * tp + fp + 15 - tp), 4) == 0.5833
    assert f"TP {tp}, FP {fp}" in verdict.reason


@pytest.mark.parametrize("text", ["1.2", "-0.1", "abc", "", "1/2", "120%", "1e-3", "."])
def test_what_is_no_printed_value(text: str) -> None:
    with pytest.raises(FoldDataError, match="valid is a number from 0 to 1"):
        Printed.of(text, "--f1")


def test_digits_are_those_typed() -> None:
    found = Printed.of("69.0%", "")
    assert (found.low, found.high) == (Fraction(6895, 10000), Fraction(6905, 10000))
    assert Printed.of("1", "").high == 1
