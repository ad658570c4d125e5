"""The expected biases are those of drawing the counts of each fold many times."""

from __future__ import annotations

import numpy as np
import pytest

from cvlint.runtime import Counts, FoldSet, f_aggregates, recompute
from cvlint.runtime.aggregates.expected_bias import ENOUGH, expected_biases
from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES
from cvlint.runtime.simulation.monte_carlo import simulate
from cvlint.runtime.simulation.simulated_cv import Setting


def counts_of(rows: list[tuple[int, int, int, int]]) -> Counts:
    return Counts(np.array(rows, dtype=float).T[:, :, None])


def test_equal_folds_are_a_stratified_setting() -> None:
    found = expected_biases(counts_of([(4, 1, 1, 94)] * 10), 1.0)
    theirs = {o.name: o for o in simulate(Setting(1000, 50, 10, 0.8, 0.8), 50_000)}
    assert isinstance(found, dict)
    for name, bias in found.items():  # fewer repetitions are enough for what is shown of a bias
        assert bias.error <= max(ENOUGH, theirs[name].error * 1.01)
        assert bias.value == pytest.approx(theirs[name].bias, abs=4 * (bias.error + theirs[name].error))
    assert [name for name, bias in found.items() if bias.error] == ["f_prre", "f_prre_valid"]


def test_unequal_folds_with_one_without_positives() -> None:
    rows = [(2, 1, 1, 6), (3, 0, 1, 20), (0, 1, 0, 9), (1, 2, 2, 5)]
    found = expected_biases(counts_of(rows), 2.0)
    assert isinstance(found, dict)
    rng = np.random.default_rng(1)
    tp, fp, fn, tn = np.array(rows).T
    recall, alarms = tp.sum() / (tp + fn).sum(), fp.sum() / (fp + tn).sum()
    true = f_aggregates(counts_of(rows), 2.0).f_tpfp
    hits, wrong = rng.binomial(tp + fn, recall, (6_000, 4)), rng.binomial(fp + tn, alarms, (6_000, 4))
    drawn = Counts(np.stack((hits, wrong, tp + fn - hits, fp + tn - wrong))[..., None] * 1.0)
    rules = {row.key: row for row in COUNT_AGGREGATES}
    for name, bias in found.items():
        each = np.asarray(rules[name].function(drawn, 2.0, "binary")) / true - 1
        several = each[~np.isnan(each)]
        assert abs(several.mean() - bias.value) < 4 * (several.std() / len(several) ** 0.5 + bias.error)


@pytest.mark.parametrize(
    ("rows", "weighted", "says"),
    [
        ([(1, 0, 0, 5)], False, "for 2 to 1,000 folds"),
        ([(0, 1, 2, 5), (0, 0, 1, 5)], False, "no true positive"),
        ([(1, 1, 2, 0), (1, 0, 1, 0)], False, "no true negatives, or they are not known"),
        ([(1.5, 1, 2, 4), (1, 0, 1, 3)], False, "sums of weights"),
        ([(1, 1, 2, 4), (1, 0, 1, 3)], True, "sums of weights"),
    ],
)
def test_reasons_for_none(rows: list[tuple[int, int, int, int]], weighted: bool, says: str) -> None:
    assert says in str(expected_biases(counts_of(rows), 1.0, weighted))


def test_several_classes_have_no_expected_bias() -> None:
    folds = FoldSet.from_arrays([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 1, 2])
    (found,) = recompute(folds)
    assert {a.why["expected_bias"] for a in found.aggregates} == {"it is computed for binary tasks only"}
    assert all(a.expected_bias is None for a in found.aggregates)


def test_a_single_label_of_several_has_no_expected_bias() -> None:
    """Samples with labels of which only one is known are no binary task: it says nothing of those without it."""
    cells = counts_of([(4, 1, 1, 94)] * 10).cells
    assert expected_biases(Counts(cells, "multilabel"), 1.0) == "it is computed for binary tasks only"


def test_very_many_samples_take_no_sums() -> None:
    """Ten folds of half a million are drawn as numbers; the bias is next to nothing, and known to be."""
    found = expected_biases(counts_of([(40_000, 10_000, 10_000, 440_000)] * 10), 1.0)
    assert isinstance(found, dict)
    assert all(abs(bias.value) < 4 * bias.error and 0 < bias.error <= ENOUGH for bias in found.values())
