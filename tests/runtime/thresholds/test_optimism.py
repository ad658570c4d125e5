"""Thresholds chosen on the fold itself, on the others and on all, against scikit-learn fold by fold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score

from cvlint.runtime import Bootstrap, FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import FEW, Interval
from cvlint.runtime.thresholds.label_thresholds import experiment_thresholds
from cvlint.runtime.thresholds.optimism import CHOSEN_ON_THEM, TOO_FEW, chance_of, optimism


def f_at(truth: np.ndarray, positive: np.ndarray, beta: float, weight: np.ndarray | None) -> float:
    return float(fbeta_score(truth, positive, beta=beta, sample_weight=weight, zero_division=0))


def best_cut(truth: np.ndarray, score: np.ndarray, beta: float, weight: np.ndarray | None) -> tuple[float, float]:
    """The highest of the best thresholds, and its F, by trying all."""
    cuts = [np.inf, *np.unique(score)[::-1]]
    mass = np.ones(len(truth)) if weight is None else weight
    positives = beta**2 * mass[truth].sum()
    bottoms = [positives + mass[score >= cut].sum() for cut in cuts]
    tops = [(1 + beta**2) * mass[truth & (score >= cut)].sum() for cut in cuts]
    values = [top / bottom if bottom else 0.0 for top, bottom in zip(tops, bottoms, strict=True)]
    place = next(i for i, f in enumerate(values) if f >= max(values) - 1e-12)
    return cuts[place], values[place]


@settings(max_examples=40)
@given(st.integers(2, 4), st.integers(0, 2**32 - 1), st.sampled_from([0.5, 1.0, 2.0]), st.booleans())
def test_fold_by_fold(k: int, seed: int, beta: float, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 40))
    fold = np.append(np.arange(k), rng.integers(0, k, n - k))
    truth, score = rng.random(n) < rng.random(), rng.integers(0, 15, n) / 14
    assume(truth.any() and not truth.all())
    weight = rng.integers(1, 5, n) / 4 if weighted else None
    found = optimism(FoldSet.from_arrays(fold, truth.astype(int), y_score=score, weight=weight), 0, beta)
    own, nested, rule = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, bool)
    for i in range(k):
        here = fold == i
        of_here, of_others = (None, None) if weight is None else (weight[here], weight[~here])
        cut, f = best_cut(truth[here], score[here], beta, of_here)
        other_cut, other_f = best_cut(truth[~here], score[~here], beta, of_others)
        own[here], nested[here] = score[here] >= cut, score[here] >= other_cut
        rule[here] = score[here] >= other_f / (1 + beta**2)
        row = found.rows[i]
        assert (row.own.threshold, row.nested) == (cut, other_cut)
        assert row.own.f == pytest.approx(f)
        assert row.nested_f == pytest.approx(f_at(truth[here], nested[here], beta, of_here))
    assert found.pooled.f == pytest.approx(best_cut(truth, score, beta, weight)[1])
    for way, positive in (("own", own), ("nested", nested)):
        assert found.f[way] == pytest.approx(f_at(truth, positive, beta, weight))
    if not (np.isclose(score, [[row.rule] for row in found.rows]).any()):  # no score lies on the threshold
        assert found.f["rule"] == pytest.approx(f_at(truth, rule, beta, weight))
    assert found.f["nested"] <= found.pooled.f + 1e-12 or len({row.nested for row in found.rows}) > 1


def some_folds(n: int = 1000, k: int = 5, informed: float = 1.0, seed: int = 0, rate: float = -2.5) -> FoldSet:
    """Calibrated scores where ``informed`` is 1; such that know nothing where it is 0."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(rate, 1.5, n)
    truth = rng.random(n) < 1 / (1 + np.exp(-logit))
    score = logit if informed else rng.permutation(logit)
    return FoldSet.from_arrays(np.arange(n) % k, truth.astype(int), y_score=1 / (1 + np.exp(-score)))


def test_the_intervals_are_those_of_samples_drawn_one_by_one() -> None:
    folds = some_folds()
    found = optimism(folds, bootstrap=Bootstrap(4000, seed=1))
    score, truth = folds.scores(0), folds.is_class(0)
    nested, own, rule = (
        np.array([value(row) for row in found.rows])[folds.fold] <= score
        for value in (lambda row: row.nested, lambda row: row.own.threshold, lambda row: row.rule)
    )
    rng = np.random.default_rng(2)
    strata = [np.flatnonzero(truth == t) for t in (False, True)]
    drawn = [np.concatenate([rng.choice(s, len(s)) for s in strata]) for _ in range(1000)]

    def f1(decided: np.ndarray) -> np.ndarray:
        """F1 is 2 tp / (positives + predicted)."""
        return np.array([2 * (truth & decided)[d].sum() / (truth[d].sum() + decided[d].sum()) for d in drawn])

    base = f1(nested)
    for values, value, interval in (
        (f1(own) - base, found.gain("own"), found.intervals["own"]),
        (f1(rule) - base, found.gain("rule"), found.rule_draws),
    ):
        assert isinstance(interval, Interval)
        moved = values - values.mean() + value
        assert (interval.low, interval.high) == pytest.approx(np.quantile(moved, [0.025, 0.975]), abs=0.015)
    assert found.intervals["pooled"] == found.intervals["rule"] == CHOSEN_ON_THEM


def test_why_there_are_no_intervals() -> None:
    folds = some_folds(100, 1)
    found = optimism(folds, bootstrap=Bootstrap(10))
    assert np.isnan(found.f["nested"]) and np.isnan(found.rows[0].nested) and np.isnan(found.gain("own"))
    assert "only one fold" in str(found.intervals["nested"])
    assert "no bootstrap" in str(optimism(some_folds()).intervals["own"])
    weighted = FoldSet.from_arrays([1, 1, 2, 2], [0, 1, 0, 1], y_score=[1, 2, 3, 4], weight=[1, 2, 1, 2])
    assert "weights" in str(optimism(weighted, bootstrap=Bootstrap(10)).intervals["own"])
    few = optimism(some_folds(60, 5), bootstrap=Bootstrap(10))
    assert few.intervals["own"] == TOO_FEW
    assert few.intervals["nested"] == FEW
    logits = FoldSet.from_arrays([1, 1, 2, 2], [0, 1, 0, 1], y_score=[1, 2, 3, 4])
    assert np.isnan(optimism(logits).f["rule"])
    assert "from 0 to 1" in str(optimism(logits, bootstrap=Bootstrap(10)).intervals["rule"])


def test_random_scores_have_optimism() -> None:
    """The best F of scores that know nothing on each test fold looks better than on other folds."""
    gains = [optimism(some_folds(400, informed=0, seed=s)).gain("own") for s in range(20)]
    assert np.mean(gains) > 0.05
    assert min(gains) > -0.05


def test_which_thresholds_are_noise() -> None:
    rng = np.random.default_rng(3)
    n = 2000
    known, rare, none = rng.random(n) < 0.2, rng.random(n) < 0.01, np.zeros(n, bool)
    scores = np.column_stack((known + rng.normal(0, 0.7, n), rng.normal(0, 1, n), rng.normal(0, 1, n)))
    truth = np.column_stack((known, rare, none)).astype(int)
    (found,) = experiment_thresholds(FoldSet.from_arrays(np.arange(n) % 4, truth, y_score=scores))
    assert [label.noise for label in found.labels] == [False, True, True]
    assert found.labels[0].chance < 0.01 < 0.05 < found.labels[1].chance
    assert np.isnan(found.labels[2].chance)
    assert found.macro("own") == pytest.approx(np.mean([label.optimism.f["own"] for label in found.labels]))


def test_the_probability_of_chance_is_right_for_random_scores() -> None:
    """The probabilities of rankings at random are spread evenly."""
    rng = np.random.default_rng(4)
    chances = []
    for _ in range(200):
        truth = rng.permutation(np.arange(150) < 12).astype(int)
        folds = FoldSet.from_arrays(np.arange(150) % 3, truth, y_score=rng.random(150))
        chances.append(chance_of(optimism(folds).pooled.f, 150, 12, runs=300, seed=1))
    assert 0.42 < np.mean(chances) < 0.58
    assert 2 <= np.sum(np.array(chances) <= 0.05) <= 22  # 10 are to be expected


def test_when_the_rule_fits() -> None:
    calibrated = some_folds(20_000, seed=1)
    (found,) = experiment_thresholds(calibrated, bootstrap=Bootstrap(500))[0].labels
    assert found.rule_fits and found.calibration is not None and found.calibration.plausible
    scores = calibrated.scores(0)
    for wrong in (np.sqrt(scores), scores / 20):
        data = FoldSet.from_arrays(calibrated.fold, calibrated.y_true, y_score=wrong)
        (found,) = experiment_thresholds(data, bootstrap=Bootstrap(500))[0].labels
        assert not found.rule_fits and found.calibration is not None and not found.calibration.plausible


def test_at_another_prevalence_of_calibrated_scores() -> None:
    """The best threshold there is half of the best F there, once the scores are corrected for the prevalence."""
    folds = some_folds(200_000, seed=2)
    (found,) = experiment_thresholds(folds, prevalence=0.01)[0].labels
    there = found.deployed
    assert there is not None and there.rule is not None
    assert there.kept.f < there.rule.f <= there.best.f
    assert there.rule.f == pytest.approx(there.best.f, abs=0.01)
    assert there.kept.threshold == found.optimism.pooled.threshold < there.best.threshold


def test_repetitions_are_kept_apart() -> None:
    once = some_folds(200)
    twice = FoldSet.from_arrays(
        np.tile(once.fold, 2),
        np.tile(once.y_true, 2),
        y_score=np.concatenate((once.scores(0), 1 - once.scores(0))),
        repeat=np.repeat([1, 2], 200),
    )
    first, second = experiment_thresholds(twice, experiment="e")
    assert (first.repeat, second.repeat, first.experiment) == (1, 2, "e")
    assert first.labels[0].optimism.f == pytest.approx(optimism(once).f)
    assert second.labels[0].optimism.pooled.f < first.labels[0].optimism.pooled.f


def test_more_folds_than_can_be_ranked_are_refused() -> None:
    n = 40_000
    folds = FoldSet.from_arrays(np.arange(n), np.arange(n) % 2, y_score=np.arange(n) % 7)
    with pytest.raises(FoldDataError, match="there are 40,000 folds and 40,000 samples: "):
        optimism(folds)
