"""The numbers of each counter-example agree with papers, scikit-learn and closed forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    precision_recall_curve,
    precision_score,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cvlint.rules.catalogue import load_rules
from cvlint.runtime.examples import (
    definition_examples,
    fold_examples,
    protocol_examples,
    selection_examples,
    training_examples,
)
from cvlint.runtime.examples.counter_examples import EXAMPLES, CounterExample, counter_example


def made(rule_name: str) -> CounterExample:
    found = counter_example(rule_name)
    assert found is not None
    return found


def numbers(text: str) -> list[float]:
    """The decimal numbers of a text, in their order: neither the 1 of F1 nor whole numbers."""
    return [float(number) for number in re.findall(r"\d+\.\d+", text)]


def column(example: CounterExample, name: str) -> list[float]:
    place = example.columns.index(name)
    return [float(row[place].replace(",", "")) for row in example.rows]


def as_shown(value: float) -> Any:
    """A number that is shown with two decimals."""
    return pytest.approx(value, abs=0.00501)


def labels_of(cells: Any) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted labels of TP, FP, FN, TN samples."""
    whole = [int(cell) for cell in cells]
    return np.repeat([1, 0, 1, 0], whole), np.repeat([1, 1, 0, 0], whole)


def test_every_shipped_rule_has_one() -> None:
    assert [rule.name for rule in load_rules() if counter_example(rule.name) is None] == []


def test_a_rule_of_a_user_has_no_counter_example() -> None:
    assert counter_example("mean-of-my-measure") is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_form(name: str) -> None:
    example = made(name)
    assert counter_example(name) == example  # computed twice, with the same numbers
    assert 2 <= len(example.rows) <= 12
    assert {len(row) for row in example.rows} == {len(example.columns)}
    assert example.title.endswith((".", ").")) and example.conclusion.endswith(".")
    assert numbers(example.conclusion)
    assert "|" not in "".join((*example.columns, *(cell for row in example.rows for cell in row)))  # ends a cell


def test_mean_of_fold_f() -> None:
    f_avg, f_prre, f_tpfp, ratio = numbers(made("mean-of-fold-f").conclusion)
    assert [f_avg, f_prre, f_tpfp] == [0.69, 0.73, 0.58]  # as printed in Table 1
    each = [f1_score(*labels_of(cells)) for cells in fold_examples.TABLE_1]
    pooled = f1_score(*labels_of(np.sum(fold_examples.TABLE_1, axis=0)))
    assert [f_avg, f_tpfp, ratio] == [as_shown(v) for v in (np.mean(each), pooled, np.mean(each) / pooled)]
    assert column(made("mean-of-fold-f"), "F") == [as_shown(f) for f in (*each, pooled)]


def test_f_of_mean_pr() -> None:
    example = made("f-of-mean-pr")
    mean_precision, _, _, f_prre, ratio, f_tpfp = numbers(example.conclusion)
    assert [mean_precision, f_prre, f_tpfp] == [0.60, 0.73, 0.58]  # as printed in Table 1
    assert ratio == 1.26  # "F_pr,re = 1.26 × F_tp,fp", section 3.1
    assert column(example, "recall")[-2:] == [0.94, as_shown(14 / 15)]


def test_skipped_undefined_fold() -> None:
    f_avg_valid, f_prre_valid, f_avg, f_tpfp = numbers(made("skipped-undefined-fold").conclusion)
    assert [f_avg_valid, f_prre_valid, f_avg, f_tpfp] == [0.89, 0.91, 0.67, 0.77]  # as printed in Table 2


def expected_f_of_guesses(positives: int, negatives: int) -> tuple[np.ndarray, np.ndarray]:
    """What F can be when each sample is called positive by a coin, and how likely each value is."""
    tp, fp = np.meshgrid(np.arange(positives + 1), np.arange(negatives + 1), indexing="ij")
    chances = binom.pmf(tp, positives, 0.5) * binom.pmf(fp, negatives, 0.5)
    f = 2 * tp / np.maximum(positives + tp + fp, 1)
    order = np.argsort(f, axis=None)
    return f.reshape(-1)[order], chances.reshape(-1)[order]


def expected_best(values: np.ndarray, chances: np.ndarray, tried: int) -> float:
    """The expected maximum of independent values."""
    below = np.concatenate(([0.0], np.cumsum(chances))) ** tried
    return float(values @ np.diff(below))


def test_search_best_f() -> None:
    example = made("search-best-f")
    best, fresh, single = numbers(example.conclusion)
    k = selection_examples.FOLDS
    positives = selection_examples.POSITIVES
    negatives = selection_examples.SAMPLES - positives
    assert single == pytest.approx(
        np.prod(expected_f_of_guesses(positives // k, negatives // k), axis=0).sum(), abs=0.02
    )
    assert fresh == pytest.approx(np.prod(expected_f_of_guesses(positives, negatives), axis=0).sum(), abs=0.02)
    assert best > fresh + 0.07
    assert column(example, "best F_avg") == sorted(column(example, "best F_avg"))


def test_max_over_test() -> None:
    example = made("max-over-test")
    positives = selection_examples.POSITIVES
    values, chances = expected_f_of_guesses(positives, selection_examples.SAMPLES - positives)
    expected = [expected_best(values, chances, tried) for tried in selection_examples.TRIED]
    assert column(example, "best F on the test part") == pytest.approx(expected, abs=0.015)
    assert column(example, "F of that model on fresh data") == pytest.approx([expected[0]] * len(expected), abs=0.015)
    best, fresh = numbers(example.conclusion)
    assert best > 1.4 * fresh


def test_mean_of_batch_f() -> None:
    example = made("mean-of-batch-f")
    y_true, y_pred = fold_examples.labels_and_predictions()
    means = []
    for size in column(example, "batch size"):
        parts = np.split(np.arange(len(y_true)), range(int(size), len(y_true), int(size)))
        means.append(np.mean([f1_score(y_true[part], y_pred[part], zero_division=0) for part in parts]))
    assert column(example, "mean of the batches' F") == [as_shown(mean) for mean in means]
    whole, *batches = numbers(example.conclusion)
    assert whole == as_shown(f1_score(y_true, y_pred))
    assert whole - batches[0] > 0.2 and batches == sorted(batches)


def test_mixed_aggregation() -> None:
    example = made("mixed-aggregation")
    f_avg, f_tpfp = [], []
    for row in example.rows:
        folds = [[int(n) for n in cell.split("/")] for cell in row[1:-2]]
        f_avg.append(sum(Fraction(2 * tp, 2 * tp + fp + fn) for tp, fp, fn in folds) / len(folds))
        tp, fp, fn = map(sum, zip(*folds, strict=True))
        f_tpfp.append(Fraction(2 * tp, 2 * tp + fp + fn))
    assert f_avg[0] > f_avg[1] and f_tpfp[0] > f_tpfp[1]  # A is better by both
    assert f_avg[1] > f_tpfp[0]  # and worse when they are mixed
    assert [round(100 * f) for f in (f_avg[1], f_tpfp[1])] == [69, 58]  # B is Table 1
    shown = [f_avg[0], f_avg[1], f_tpfp[0], f_tpfp[1], f_avg[1], f_tpfp[0]]
    assert numbers(example.conclusion) == [as_shown(float(f)) for f in shown]


def test_mean_of_fold_ratio() -> None:
    mean, pooled, share, weight = numbers(made("mean-of-fold-ratio").conclusion)
    assert mean == 0.60  # as printed in Table 1
    assert [pooled, share, weight] == [as_shown(14 / 33), as_shown(17 / 33), 0.25]


@pytest.mark.parametrize(
    ("name", "measure"), [("auc-merge", roc_auc_score), ("ranking-merge", average_precision_score)]
)
def test_scores_on_different_scales(name: str, measure: Callable[..., float]) -> None:
    folds = fold_examples.scores_on_different_scales()
    y_true, score = folds.is_class(0), folds.scores(0)
    each = [measure(y_true[folds.fold == i], score[folds.fold == i]) for i in range(folds.folds)]
    mean, merged, *_ = numbers(made(name).conclusion)
    assert mean == as_shown(np.mean(each)) == 1
    assert merged == as_shown(measure(y_true, score))
    assert merged < 0.9


def test_precision_among_the_first_of_merged_scores() -> None:
    folds = fold_examples.scores_on_different_scales()
    y_true, score = folds.is_class(0), folds.scores(0)
    first = np.argsort(-score)[: y_true.sum()]
    assert numbers(made("ranking-merge").conclusion)[-1] == as_shown(y_true[first].mean())


def test_auc_hard_labels() -> None:
    example = made("auc-hard-labels")
    y_true, score = definition_examples.calibrated_scores()
    expected = [roc_auc_score(y_true, score), *(roc_auc_score(y_true, score > c) for c in definition_examples.CUTS)]
    assert column(example, "AUC") == [as_shown(auc) for auc in expected]
    auc, _, of_labels, *_ = numbers(example.conclusion)
    assert auc - of_labels > 0.2
    _, recall, specificity, _ = example.rows[1 + definition_examples.CUTS.index(0.5)]
    assert of_labels == pytest.approx((float(recall) + float(specificity)) / 2, abs=0.0101)


def test_unstratified_folds() -> None:
    example = made("unstratified-folds")
    rng = np.random.default_rng(5)
    for row in example.rows:
        positives, folds = int(row[0]), protocol_examples.FOLDS
        for n, shown in zip(protocol_examples.SIZES, row[1:], strict=False):
            drawn = rng.permuted(np.tile(np.arange(n) < positives, (3000, 1)), axis=1).reshape(3000, folds, -1)
            assert float(shown) == pytest.approx((~drawn.any(axis=2)).any(axis=1).mean(), abs=0.03)
        y_true = np.arange(protocol_examples.SIZES[0]) < positives
        if positives >= folds:
            parts = StratifiedKFold(folds, shuffle=True, random_state=0).split(y_true, y_true)
            assert float(row[-1]) == 0 and all(y_true[test].any() for _, test in parts)
        else:
            assert float(row[-1]) == 1  # there are not enough to go round
    assert numbers(example.conclusion)[0] > 0.5


def test_resampled_before_split() -> None:
    before, after = numbers(made("resampled-before-split").conclusion)[:2]
    features = np.random.default_rng(7).normal(size=(300, 5))  # other noise than the example's
    y_true = np.arange(300) < 60
    copied = np.concatenate((np.arange(300), np.resize(np.flatnonzero(y_true), 180)))
    found = []
    for rows in (copied, np.arange(300)):  # copies in the training part do not move a nearest neighbour
        y_pred = np.zeros(len(rows), dtype=bool)
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(rows, y_true[rows]):
            model = KNeighborsClassifier(1).fit(features[rows[train]], y_true[rows[train]])
            y_pred[test] = model.predict(features[rows[test]])
        found.append(f1_score(y_true[rows], y_pred))
    assert before == pytest.approx(found[0], abs=0.05)
    assert after == pytest.approx(found[1], abs=0.12)
    assert before > 0.8 and after < 0.3


def test_preprocess_before_split() -> None:
    example = made("preprocess-before-split")
    leaked, furthest, honest = numbers(example.conclusion)
    assert leaked > 0.85 and furthest >= leaked
    assert honest == pytest.approx(0.5, abs=0.06)
    n, count = protocol_examples.NOISE_SAMPLES, protocol_examples.SELECTED[1]
    y_true = np.arange(n) < n // 2
    split = PredefinedSplit(np.arange(n) % protocol_examples.FOLDS)
    for seed in range(3):
        features = np.random.default_rng(seed).normal(size=(n, protocol_examples.NOISE_FEATURES))
        chosen = SelectKBest(k=count).fit_transform(features, y_true)  # F of one-way ANOVA ranks as |correlation| does
        inside = make_pipeline(SelectKBest(k=count), NearestCentroid())
        outside = cross_val_score(NearestCentroid(), chosen, y_true, cv=split).mean()
        accuracies = [outside, cross_val_score(inside, features, y_true, cv=split).mean()]
        assert protocol_examples.centroid_measures(seed)[1, 2:] == pytest.approx(accuracies, abs=1e-12)


def test_refit_on_test() -> None:
    example = made("refit-on-test")
    rng = np.random.default_rng(0)
    found = []
    for share in training_examples.PREVALENCES:
        y_true = np.arange(40_000) < share * 40_000
        marker = rng.normal(size=40_000) + training_examples.DISTANCE * y_true
        scalers = [
            StandardScaler().fit([[-1.0], [3.0]]),
            StandardScaler().fit(marker[:, None]),
        ]  # 1 is the mean of half
        found.append([f1_score(y_true, scaler.transform(marker[:, None])[:, 0] > 0) for scaler in scalers])
    assert column(example, "F, transform") == pytest.approx([one for one, _ in found], abs=0.02)
    assert column(example, "F, fitted again") == pytest.approx([other for _, other in found], abs=0.02)
    fitted_again, model = numbers(example.conclusion)
    assert model > fitted_again + 0.1


def test_test_in_training() -> None:
    example = made("test-in-training")
    seen, unseen = numbers(example.conclusion)
    assert seen == 1.0 and unseen == pytest.approx(0.5, abs=0.06)
    assert column(example, "F, fitted to all rows") == sorted(column(example, "F, fitted to all rows"), reverse=True)
    n, first = training_examples.SAMPLES, training_examples.TEST_SAMPLES
    for seed in range(2):
        rng = np.random.default_rng(seed)
        markers, y_true = rng.normal(size=(n, training_examples.MARKERS)), rng.permutation(n) < n // 2
        for k, row in zip(training_examples.NEIGHBOURS, training_examples.neighbour_measures(seed), strict=True):
            for start, f in zip((0, first), row, strict=True):
                model = KNeighborsClassifier(k).fit(markers[start:], y_true[start:])
                assert f == pytest.approx(f1_score(y_true[:first], model.predict(markers[:first])))


def test_training_score_only() -> None:
    example = made("training-score-only")
    trained, new = numbers(example.conclusion)
    assert trained > 0.95 and new == pytest.approx(0.5, abs=0.06)
    assert column(example, "F on the training rows") == sorted(column(example, "F on the training rows"))
    assert column(example, "F on new rows") == pytest.approx([0.5] * len(training_examples.COLUMNS), abs=0.08)
    rng = np.random.default_rng(0)
    features, _ = rng.normal(size=(2, training_examples.TRAINING_SAMPLES, training_examples.COLUMNS[-1]))
    y_true = rng.permutation(training_examples.TRAINING_SAMPLES) < training_examples.TRAINING_SAMPLES // 2
    for count, (on_training, _) in zip(training_examples.COLUMNS, training_examples.linear_measures(0), strict=True):
        model = RidgeClassifier(alpha=1e-9, fit_intercept=False, solver="svd").fit(features[:, :count], y_true)
        assert on_training == pytest.approx(f1_score(y_true, model.predict(features[:, :count])))


def test_wrong_f_definition() -> None:
    example = made("wrong-f-definition")
    precision, recall, f1, mean, f2, unsquared, turned = np.array(
        [[float(cell) for cell in row] for row in example.rows]
    ).T
    below = {name: b * precision + recall for name, b in (("f1", 1), ("f2", 4), ("unsquared", 2))}
    assert f1 == as_shown(2 * precision * recall / below["f1"])
    assert f2 == as_shown(5 * precision * recall / below["f2"])  # Sasaki: beta is squared
    assert unsquared == as_shown(3 * precision * recall / below["unsquared"])
    assert turned == as_shown(5 * precision * recall / (precision + 4 * recall))
    assert mean == as_shown((precision + recall) / 2)
    assert (mean - f1).max() > 0.4 and np.abs(turned - f2).max() > 0.2
    assert f1[-1] == mean[-1] == f2[-1] == unsquared[-1] == turned[-1]  # equal P and R hide every mistake


def test_unguarded_f() -> None:
    example = made("unguarded-f")
    labels = [labels_of(cells) for cells in definition_examples.UNDEFINED_FOLDS]
    each = [f1_score(*fold, zero_division=0) for fold in labels]
    assert column(example, "2TP / (2TP + FP + FN)") == [as_shown(f) for f in each]
    assert np.isnan(column(example, "2PR / (P + R)")).tolist() == [f == 0 for f in each]
    assert "make the mean NaN" in example.conclusion
    pooled = f1_score(*(np.concatenate(side) for side in zip(*labels, strict=True)))
    assert numbers(example.conclusion) == [as_shown(np.mean([f for f in each if f])), as_shown(pooled)]


def test_macro_f_of_means() -> None:
    table = np.array(definition_examples.CLASSES)
    y_true, y_pred = (np.repeat(side.reshape(-1), table.reshape(-1)) for side in np.indices(table.shape))
    macro, of_means = numbers(made("macro-f-of-means").conclusion)
    precision, recall = (score(y_true, y_pred, average="macro") for score in (precision_score, recall_score))
    assert macro == as_shown(f1_score(y_true, y_pred, average="macro"))
    assert of_means == as_shown(2 * precision * recall / (precision + recall))
    assert of_means - macro > 0.1


def test_threshold_on_test() -> None:
    example = made("threshold-on-test")
    for n, on_test, on_fresh in zip(*(column(example, name) for name in example.columns), strict=True):
        rng, positives = np.random.default_rng(0), int(n) // 10
        test, fresh = (selection_examples.hits_and_scores(rng, int(n), positives) for _ in range(2))
        found = []
        for tp, score, fresh_tp, fresh_score in zip(*test, *fresh, strict=True):
            precision, recall, thresholds = precision_recall_curve(np.diff(tp, prepend=0), score)
            f = (2 * precision * recall / np.maximum(precision + recall, 1e-12))[-2::-1]  # highest threshold first
            threshold = thresholds[::-1][(f >= f.max() - 1e-12).argmax()]
            predicted = fresh_score >= threshold
            found.append((f.max(), 2 * np.diff(fresh_tp, prepend=0)[predicted].sum() / (predicted.sum() + positives)))
        assert [on_test, on_fresh] == pytest.approx(np.mean(found, axis=0), abs=0.000501)
        assert on_fresh < 2 * 0.1 / 1.1  # no threshold of random scores is better than all positive: Lipton et al.
    gaps = np.subtract(column(example, "F1 on the test part"), column(example, "F1 on fresh data"))
    assert (np.diff(gaps) < 0).all() and gaps[-1] > 0  # the curse shrinks with more data


def test_per_label_f_threshold() -> None:
    example = made("per-label-f-threshold")
    n = selection_examples.LABEL_SAMPLES
    base_rates = np.array(column(example, "positives")) / n
    assert column(example, "predicted positive") == [n] * len(base_rates)  # theorem 2 of Lipton et al.
    expected = 2 * base_rates / (1 + base_rates)
    assert column(example, "best E(F1)") == pytest.approx(expected, abs=0.0000501)
    assert numbers(example.conclusion) == [pytest.approx(expected[-2], abs=0.0000501)]
    drawn = np.random.default_rng(0).random((2000, 1000)).argsort(axis=1)[:, :100] < 100  # as often as it occurs
    assert column(example, example.columns[-1])[1] == pytest.approx(drawn.mean(), abs=0.005)


def test_f_across_priors() -> None:
    example = made("f-across-priors")
    b = np.array(column(example, "prevalence"))
    precision = 0.8 * b / (0.8 * b + 0.1 * (1 - b))
    assert column(example, "precision") == as_shown(precision)
    assert column(example, "F") == as_shown(2 * precision * 0.8 / (precision + 0.8))
    normal = NormalDist()
    auc = normal.cdf((normal.inv_cdf(0.8) + normal.inv_cdf(0.9)) / 2**0.5)
    steady = {"recall": 0.8, "false positive rate": 0.1, "AUC": auc}
    for name, value in steady.items():
        assert column(example, name) == [as_shown(value)] * len(b)
    first, last, *_ = numbers(example.conclusion)[2:]
    assert first - last > 0.5
