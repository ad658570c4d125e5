"""Every aggregate of random experiments is what scikit-learn and plain formulas give.

Random are the kind of task, the names of labels, folds that lack a class, ties, weights, repetitions, the average over
classes, beta and k.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, fbeta_score, multilabel_confusion_matrix, roc_auc_score

from cvlint.runtime import FoldSet, recompute
from cvlint.runtime.measures.counts import AVERAGES

NAMES: tuple[tuple[Any, ...], ...] = ((0, 1, 2), ("a", "b", "c"), (-1, 1, 7), ("no", "yes", "zebra"), (0.5, 1.5, 2.5))

KINDS = ("binary", "multiclass", "multilabel")
BETAS = (0.0, 0.5, 1.0, 2.0, 1_000.0)


@dataclass(frozen=True)
class Experiment:
    """Random fold data as arrays of codes, and how they are aggregated."""

    kind: str
    names: tuple[Any, ...]
    fold: np.ndarray
    repeat: np.ndarray
    true: np.ndarray
    pred: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None
    average: str
    beta: float
    k: int

    def folds(self) -> FoldSet:
        multilabel = self.kind == "multilabel"
        names = np.array(self.names)
        true, pred = (v if multilabel else names[v] for v in (self.true, self.pred))
        return FoldSet.from_arrays(
            self.fold,
            true,
            pred,
            self.score[:, 0] if self.kind == "binary" else self.score,
            repeat=self.repeat,
            weight=self.weight,
            positive=names[1].item() if self.kind == "binary" else None,
            labels=self.names if multilabel else None,
        )

    def rows(self, chosen: np.ndarray) -> Experiment:
        arrays = {n: getattr(self, n)[chosen] for n in ("fold", "repeat", "true", "pred", "score")}
        weight = None if self.weight is None else self.weight[chosen]
        return Experiment(
            self.kind, self.names, **arrays, weight=weight, average=self.average, beta=self.beta, k=self.k
        )


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    kind = draw(st.sampled_from(KINDS))
    classes = 2 if kind == "binary" else 3
    n, rng = draw(st.integers(4, 40)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shares = rng.dirichlet(np.full(classes, 0.7))
    if kind == "multilabel":
        true, pred = (rng.random((n, classes)) < rng.random(classes) for _ in range(2))
        true[:, 0] |= not true.any()
    else:
        true, pred = (rng.choice(classes, n, p=shares) for _ in range(2))
        true[:classes] = range(classes)  # so that every label is known, if perhaps not in every repetition
    ties = draw(st.sampled_from([2, 5, 1_000_000]))
    return Experiment(
        kind,
        draw(st.sampled_from(NAMES))[:classes],
        rng.integers(0, draw(st.integers(1, 4)), n),
        rng.integers(0, draw(st.integers(1, 2)), n),
        true,
        pred,
        rng.integers(0, ties, (n, classes)) / 7,
        draw(st.sampled_from([None, rng.uniform(0.1, 3, n), rng.integers(1, 3, n) * 1.0])),
        draw(st.sampled_from(AVERAGES if kind == "binary" else AVERAGES[1:])),
        draw(st.one_of(st.sampled_from(BETAS), st.floats(0.01, 100))),
        draw(st.integers(1, 6)),
    )


def cells(e: Experiment) -> np.ndarray:
    """TP, FP, FN and TN of each class, (4, classes), of all samples."""
    labels = None if e.kind == "multilabel" else range(len(e.names))
    tables = multilabel_confusion_matrix(e.true, e.pred, sample_weight=e.weight, labels=labels)
    found = np.array([tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0]], dtype=float)
    return found[:, 1:] if e.average == "binary" else found


def f_of(e: Experiment) -> float:
    labels = {"average": "binary", "pos_label": 1} if e.average == "binary" else {"average": e.average}
    return float(fbeta_score(e.true, e.pred, beta=e.beta, sample_weight=e.weight, zero_division=0, **labels))


def ratio(a: float, b: float, undefined: float = 0.0) -> float:
    return a / b if b else undefined


def over_folds(e: Experiment, valid_only: bool, rates_first: bool) -> float:
    """F_avg over valid folds, F_pr,re and F~pr,re, written out for each class."""
    each = [cells(part) for part in in_folds(e)]
    if e.average == "micro":
        each = [c.sum(axis=1, keepdims=True) for c in each]
    values = []
    for j in range(each[0].shape[1]):
        chosen = [c[:, j] for c in each if not valid_only or (c[0, j] + c[2, j] and c[0, j] + c[1, j])]
        if not chosen:
            values.append(math.nan)
            continue
        p = np.mean([ratio(tp, tp + fp) for tp, fp, _, _ in chosen])
        r = np.mean([ratio(tp, tp + fn) for tp, _, fn, _ in chosen])
        b = e.beta**2
        f = np.mean([ratio((1 + b) * tp, (1 + b) * tp + b * fn + fp) for tp, fp, fn, _ in chosen])
        values.append(ratio((1 + b) * p * r, b * p + r) if rates_first else f)
    total = sum(each)
    positives, called = total[0] + total[2], total[0] + total[1]
    if e.average == "weighted" and positives.any():
        weights = positives
    else:
        every = e.kind == "multilabel" or e.average in ("binary", "micro")
        weights = np.ones(len(values)) if every else positives + called > 0
    known = [(v, w) for v, w in zip(values, weights, strict=True) if w]
    return sum(v * w for v, w in known) / sum(w for _, w in known)


def in_folds(e: Experiment) -> list[Experiment]:
    return [e.rows(e.fold == i) for i in np.unique(e.fold)]


Rank = Callable[..., float]


def auc(true: np.ndarray, score: np.ndarray, weight: np.ndarray | None) -> float:
    return float(roc_auc_score(true, score, sample_weight=weight)) if 0 < true.sum() < len(true) else math.nan


def ap(true: np.ndarray, score: np.ndarray, weight: np.ndarray | None) -> float:
    return float(average_precision_score(true, score, sample_weight=weight)) if true.any() else math.nan


def indicators(e: Experiment) -> np.ndarray:
    if e.kind == "binary":
        return e.true[:, None] == 1
    return e.true if e.kind == "multilabel" else e.true[:, None] == np.arange(len(e.names))


def columns(e: Experiment, measure: Rank) -> np.ndarray:
    """The measure of each class, one against the rest."""
    return np.array([measure(t, s, e.weight) for t, s in zip(indicators(e).T, e.score.T, strict=False)])


def masses(e: Experiment) -> np.ndarray:
    return np.average(indicators(e), axis=0, weights=e.weight) * (len(e.true) if e.weight is None else e.weight.sum())


def ranked(e: Experiment, measure: Rank) -> float:
    """The measure of one set of samples with scikit-learn's own average over classes."""
    if e.kind == "binary":
        return float(columns(e, measure)[0])
    truth = indicators(e)
    if e.average == "micro":
        weight = None if e.weight is None else np.repeat(e.weight, truth.shape[1])
        return measure(truth.ravel(), e.score.ravel(), weight)
    if e.average == "weighted":
        if not truth.any():
            return math.nan
        of_each, weights = columns(e, measure), masses(e)
        return float(np.average(np.where(weights > 0, of_each, 0.0), weights=weights))
    return float(columns(e, measure).mean())


def mean_ranked(e: Experiment, measure: Rank) -> float:
    """The mean over the folds that define the measure; a macro average takes it for each class."""
    if e.average == "macro" and e.kind != "binary":
        return float(nanmean(np.array([columns(part, measure) for part in in_folds(e)])).mean())
    return float(nanmean(np.array([[ranked(part, measure)] for part in in_folds(e)]))[0])


def nanmean(values: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(np.nanmean(values, axis=0))


def expected(e: Experiment) -> dict[str, float]:
    total = cells(e)
    found = {
        "f_tpfp": f_of(e),
        "f_avg": float(np.mean([f_of(part) for part in in_folds(e)])),
        "f_prre": over_folds(e, False, True),
        "f_avg_valid": over_folds(e, True, False),
        "f_prre_valid": over_folds(e, True, True),
    }
    if not total[:3].any():
        found = dict.fromkeys(found, math.nan)
    for name, measure in (("auc", auc), ("ap", ap)):
        found |= {f"{name}_avg": mean_ranked(e, measure), f"{name}_merge": ranked(e, measure)}
    return found


@settings(max_examples=60, deadline=None)
@given(experiments())
def test_every_aggregate(e: Experiment) -> None:
    found = recompute(e.folds(), average=e.average, beta=e.beta)  # type: ignore[arg-type]
    assert len(found) == len(np.unique(e.repeat))
    for result, repeat in zip(found, np.unique(e.repeat), strict=True):
        part = e.rows(e.repeat == repeat)
        ours = {a.name: a.value for a in result.aggregates}
        assert ours == pytest.approx(expected(part), abs=1e-12, nan_ok=True)
        areas = [row.auc for row in result.rows]
        assert areas == pytest.approx([ranked(fold, auc) for fold in in_folds(part)], abs=1e-12, nan_ok=True)


def lacks_a_class(e: Experiment) -> bool:
    """Whether in some fold a measure is undefined for a class."""
    return any(not 0 < side.sum() < len(side) for part in in_folds(e) for side in indicators(part).T)


COVERED: dict[str, Callable[[Experiment], bool]] = {
    **{
        f"{kind} {own}": lambda e, k=kind, a=own: (e.kind, e.average) == (k, a)
        for kind in KINDS
        for own in AVERAGES[1:]
    },
    "binary": lambda e: e.average == "binary",
    **{f"beta {beta}": lambda e, b=beta: e.beta == b for beta in BETAS},
    "ties of both classes": lambda e: any(
        set(s[t]) & set(s[~t]) for t, s in zip(indicators(e).T, e.score.T, strict=False)
    ),
    "weights": lambda e: e.weight is not None and len(np.unique(e.weight)) > 2,
    "undefined folds": lambda e: len(in_folds(e)) > 1 and lacks_a_class(e),
    "a fold without anything true or called": lambda e: any(not cells(part)[:3].any() for part in in_folds(e)),
    "repetitions": lambda e: len(np.unique(e.repeat)) == 2,
    **{f"labels {names}": lambda e, n=names: e.names == n[: len(e.names)] for names in NAMES},
}


@pytest.mark.parametrize("word", COVERED)
def test_experiments_cover(word: str) -> None:
    """Each word of what this file promises occurs among its experiments."""
    find(experiments(), COVERED[word], settings=settings(max_examples=2_000, database=None, phases=[Phase.generate]))


KIND_AND_AVERAGE = ["binary", *(f"{kind} {own}" for kind in KINDS for own in AVERAGES[1:])]
CONDITIONS = ["ties of both classes", "weights", "undefined folds", "repetitions"]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("kind", KIND_AND_AVERAGE)
def test_experiments_cover_every_combination(kind: str, condition: str) -> None:
    """Each average of each kind of task occurs with ties, weights, undefined folds and repetitions."""

    def both(e: Experiment) -> bool:
        return COVERED[kind](e) and COVERED[condition](e)

    find(experiments(), both, settings=settings(max_examples=4_000, database=None, phases=[Phase.generate]))


def precision_at(truth: np.ndarray, score: np.ndarray, weight: np.ndarray | None, k: int) -> float:
    """The ratio of the expected weights of true positives and of all samples among the first k, over orders of ties."""
    if k > len(truth):
        return math.nan
    mass = np.ones(len(truth)) if weight is None else weight
    bar = np.sort(score)[-k]
    sure, tied = np.flatnonzero(score > bar), np.flatnonzero(score == bar)
    taken = (k - len(sure)) / len(tied)
    chance = np.zeros(len(truth))
    chance[sure], chance[tied] = 1, taken
    return float((mass * truth * chance).sum() / (mass * chance).sum())


@settings(max_examples=40, deadline=None)
@given(experiments())
def test_precision_at_k(e: Experiment) -> None:
    def measure(truth: np.ndarray, score: np.ndarray, weight: np.ndarray | None) -> float:
        return precision_at(truth, score, weight, e.k)

    found = recompute(e.folds(), average=e.average, k=e.k)  # type: ignore[arg-type]
    for result, repeat in zip(found, np.unique(e.repeat), strict=True):
        part = e.rows(e.repeat == repeat)
        assert result.value("p_at_k_merge") == pytest.approx(ranked(part, measure), abs=1e-12, nan_ok=True)
        assert result.value("p_at_k_avg") == pytest.approx(mean_ranked(part, measure), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("average", AVERAGES[1:])
def test_scikit_learn_averages_classes_as_this_file_does(average: str) -> None:
    """The averages above are written out, because scikit-learn refuses folds that lack a class."""
    rng = np.random.default_rng(4)
    true, score = rng.integers(0, 3, 60), rng.dirichlet(np.ones(3), 60)
    weight = rng.uniform(0.5, 2, 60)
    fold = repeat = np.zeros(60, dtype=int)
    e = Experiment("multiclass", ("a", "b", "c"), fold, repeat, true, true, score, weight, average, 1.0, 1)
    areas = roc_auc_score(true, score, multi_class="ovr", average=average, sample_weight=weight)
    assert ranked(e, auc) == pytest.approx(areas, abs=1e-12)
    precisions = average_precision_score(true, score, average=average, sample_weight=weight)
    assert ranked(e, ap) == pytest.approx(precisions, abs=1e-12)
    (found,) = recompute(e.folds(), average=average)  # type: ignore[arg-type]
    assert (found.value("auc_merge"), found.value("ap_avg")) == pytest.approx((areas, precisions), abs=1e-12)


def test_weighted_f_of_a_fold_without_true_labels() -> None:
    """Fold 1 holds no true label of any class, and F of it is 0, as in scikit-learn and with the plain mean."""
    rows = np.array([[1, 0, 0, 0, 1], [1, 0, 0, 0, 0], [2, 1, 0, 1, 0], [2, 0, 1, 0, 1], [2, 1, 1, 0, 1]])
    folds = FoldSet.from_arrays(rows[:, 0], rows[:, 1:3], rows[:, 3:])
    (weighted,), (macro,) = (recompute(folds, average=a) for a in ("weighted", "macro"))
    assert weighted.value("f_avg") == pytest.approx(5 / 12)
    assert macro.value("f_avg") == pytest.approx(5 / 12)


def test_a_fold_without_negatives_has_an_average_precision_of_1() -> None:
    fold, true = [1, 1, 2, 2, 2], [1, 1, 0, 1, 0]
    (found,) = recompute(FoldSet.from_arrays(fold, true, y_score=[0.1, 0.2, 0.9, 0.5, 0.1]))
    assert found.value("ap_avg") == pytest.approx((1 + 1 / 2) / 2)
    (mean,) = (a for a in found.aggregates if a.name == "ap_avg")
    assert (mean.note, mean.vacuous) == ("", False)


def test_ranking_nothing_is_said() -> None:
    (found,) = recompute(FoldSet.from_arrays([1, 2, 3], [1, 1, 0], y_score=[0.1, 0.2, 0.9]))
    (mean,) = (a for a in found.aggregates if a.name == "ap_avg")
    assert (mean.value, mean.vacuous) == (1, True)
    assert "no fold has both classes" in mean.note


@pytest.mark.parametrize("average", AVERAGES[1:])
def test_a_binary_ranking_is_of_the_positive_label(average: str) -> None:
    folds = FoldSet.from_arrays([1, 1, 1, 2, 2, 2], [0, 1, 1, 0, 1, 0], y_score=[0.1, 0.9, 0.1, 0.3, 0.2, 0.8])
    (ours,), (binary,) = recompute(folds, average=average), recompute(folds)  # type: ignore[arg-type]
    assert [a.value for a in ours.aggregates] == [a.value for a in binary.aggregates]
    assert all("of the positive label" in a.note for a in ours.aggregates)
    assert not any(a.note for a in binary.aggregates)


def test_weights_count_in_precision_at_k_without_ties() -> None:
    truth, score = np.array([1, 0, 1, 0, 1]), np.array([0.9, 0.8, 0.7, 0.2, 0.1])
    weight = np.array([1.0, 5.0, 2.0, 1.0, 1.0])
    (found,) = recompute(FoldSet.from_arrays([0] * 5, truth, y_score=score, weight=weight), k=3)
    assert found.value("p_at_k_avg") == pytest.approx(3 / 8)


@pytest.mark.parametrize("beta", [math.inf, -math.inf, math.nan, -1.0, 1e7, 1e300])
def test_a_beta_without_meaning_is_refused(beta: float) -> None:
    from cvlint.runtime import Counts, FoldDataError, f_aggregates, f_from_counts, f_from_rates
    from cvlint.runtime.aggregates.recompute import recompute_counts

    counts = Counts(np.ones((4, 2, 1)))
    folds = FoldSet.from_arrays([1, 1, 2, 2], [0, 1, 0, 1], [1, 1, 0, 1])
    for call in (
        lambda: recompute(folds, beta=beta),
        lambda: recompute_counts(counts, (1, 2), beta=beta),
        lambda: f_aggregates(counts, beta),
        lambda: f_from_counts(1, 1, 1, beta),
        lambda: f_from_rates(0.5, 0.5, beta),
    ):
        with pytest.raises(FoldDataError, match="the weight of recall is a number from 0 to 1,000,000"):
            call()
