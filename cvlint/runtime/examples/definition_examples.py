"""Counter-examples of what a measure is: formulas of F, labels in place of scores, and the prevalence in F."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.examples.example_table import CounterExample, shown, whole
from cvlint.runtime.examples.fold_examples import counts_in_folds
from cvlint.runtime.measures.counts import Counts, Floats, counts_of, f_from_rates
from cvlint.runtime.measures.f_over_folds import f_aggregates
from cvlint.runtime.measures.ranking import Ranking

CUTS = (0.1, 0.3, 0.5, 0.7, 0.9)
USUAL_CUT = 0.5  # of `.predict` in a binary task
DISTANCE = 1.5  # between the means of the classes' scores, in standard deviations
PAIRS = ((1.0, 0.02), (0.9, 0.1), (0.2, 0.9), (0.5, 0.7), (0.6, 0.6))  # precision and recall
BETA = 2.0
UNDEFINED_FOLDS = ((2, 0, 2, 96), (0, 0, 4, 96), (0, 3, 4, 93), (4, 0, 0, 96), (3, 1, 1, 95))
CLASSES = ((20, 80, 0), (0, 98, 2), (0, 70, 30))  # samples by true class and predicted class
PREVALENCES = (0.5, 0.2, 0.05, 0.01)
RECALL, FALSE_ALARMS = 0.8, 0.1
GRID = 1_000  # scores of each class


def auc_hard_labels() -> CounterExample:
    """AUC of scores against the "AUC" of labels that come from cutting the scores.

    See Forman & Scholz 2010, section 2.4.
    """
    y_true, score = calibrated_scores()
    auc = Ranking.of(y_true, score).roc_auc()
    rows, halves = [], {}
    for cut in CUTS:
        y_pred = score > cut
        halves[cut] = Ranking.of(y_true, y_pred.astype(np.float64)).roc_auc()
        rates = (float(y_pred[y_true].mean()), float((~y_pred[~y_true]).mean()))
        rows.append((f"labels, cut at {cut:.1f}", *shown(*rates, halves[cut])))
    return CounterExample(
        f"Calibrated probabilities of {len(y_true):,} samples, {y_true.mean():.1%} of them positive, and the labels "
        "that are left when they are cut.",
        ("what AUC is given", "recall", "specificity", "AUC"),
        (("scores", "", "", *shown(auc)), *rows),
        f"The scores have AUC {auc:.2f}. Cut at {USUAL_CUT:.1f}, as `.predict` does, {halves[USUAL_CUT]:.2f} is left, "
        f"which is (recall + specificity) / 2; the cuts of these scores give {min(halves.values()):.2f} to "
        f"{max(halves.values()):.2f}.",
    )


def calibrated_scores() -> tuple[NDArray[np.bool_], Floats]:
    """Labels, a tenth of them positive, and their probabilities given one normal feature, (2000,) each."""
    rng = np.random.default_rng(0)
    y_true = rng.random(2_000) < 0.1
    feature = rng.normal(size=len(y_true)) + DISTANCE * y_true
    log_odds = np.log(0.1 / 0.9) + DISTANCE * feature - DISTANCE**2 / 2
    return y_true, 1 / (1 + np.exp(-log_odds))


def wrong_f_definition() -> CounterExample:
    """Formulas that are called F but are not, against F1 and F2.

    Without the square, beta acts as its root would; with the square on the other side, as its reciprocal.

    See Sasaki 2007, sections 2 and 3.
    """
    precision, recall = np.array(PAIRS).T
    f1, mean = f_from_rates(precision, recall), (precision + recall) / 2
    f2, unsquared, turned = (f_from_rates(precision, recall, beta) for beta in (BETA, BETA**0.5, 1 / BETA))
    furthest, worst = (int(np.abs(gap).argmax()) for gap in (mean - f1, unsquared - f2))
    return CounterExample(
        f"Classifiers with a known precision P and recall R, and what wrong formulas make of them (beta = {BETA:g}).",
        ("P", "R", "F1", "(P + R) / 2", "F2", "beta not squared", "beta² at R instead of P"),
        tuple(shown(*row) for row in np.stack((precision, recall, f1, mean, f2, unsquared, turned), axis=1)),
        f"At P = {precision[furthest]:.2f} and R = {recall[furthest]:.2f}, (P + R) / 2 is {mean[furthest]:.2f} and F1 "
        f"is {f1[furthest]:.2f}. At P = {precision[worst]:.2f} and R = {recall[worst]:.2f}, F2 is "
        f"{f2[worst]:.2f}; with beta not squared it becomes {unsquared[worst]:.2f}, and with beta² on the wrong side "
        f"{turned[worst]:.2f}.",
    )


def unguarded_f() -> CounterExample:
    """2PR / (P + R) without a guard, in folds where it is undefined, against 2TP / (2TP + FP + FN).

    See Forman & Scholz 2010, section 2.2, equations 1 and 2.
    """
    counts = counts_in_folds(UNDEFINED_FOLDS)
    precision, recall = counts.precision()[:, 0], counts.recall()[:, 0]
    with np.errstate(invalid="ignore"):  # this 0 / 0 is the fault to show
        unguarded = 2 * precision * recall / (precision + recall)
    found = f_aggregates(counts)
    undefined = np.isnan(unguarded)
    (mean,) = shown(float(unguarded.mean()))
    return CounterExample(
        f"{len(unguarded)} folds; in one nothing is predicted positive, in another nothing that is predicted is right.",
        ("fold", "TP", "FP", "FN", "P", "R", "2PR / (P + R)", "2TP / (2TP + FP + FN)"),
        tuple(
            (str(i + 1), *whole(*counts.cells[:3, i, 0]), *shown(precision[i], recall[i], unguarded[i], f))
            for i, f in enumerate(counts.f()[:, 0])
        ),
        f"{undefined.sum()} undefined folds make the mean {mean}, and a nanmean that passes over them "
        f"{np.nanmean(unguarded):.2f}. 2TP / (2TP + FP + FN) is {counts.f()[undefined].max():.0f} there, and of the "
        f"summed counts it is {found.f_tpfp:.2f}.",
    )


def macro_f_of_means() -> CounterExample:
    """F of mean precision and mean recall of classes against the mean of the classes' F.

    See Opitz & Burst 2019, sections 2 and 3.
    """
    counts = counts_of(np.array([CLASSES]), "multiclass")
    precision, recall, f = counts.precision()[0], counts.recall()[0], counts.f()[0]
    macro = f_aggregates(counts, average="macro").f_tpfp
    of_means = float(f_from_rates(precision.mean(), recall.mean()))
    rows = ((name, *shown(*row)) for name, *row in zip("abc", precision, recall, f, strict=True))
    return CounterExample(
        f"A classifier of {len(CLASSES)} classes of {sum(CLASSES[0])} samples each that predicts one of them far too "
        "often.",
        ("class", "precision", "recall", "F"),
        (*rows, ("mean", *shown(precision.mean(), recall.mean(), macro))),
        f"Macro-F, the mean of the classes' F, is {macro:.2f}. F of the mean precision and the mean recall is "
        f"{of_means:.2f}: that precision is bought with recall in one class, and the reverse in another, is averaged "
        "away.",
    )


def f_across_priors() -> CounterExample:
    """One classifier measured at several prevalences.

    See Soleymani et al. 2020, section 3; Forman & Scholz 2010, section 2.2.
    """
    rows, found = [], []
    for prevalence in PREVALENCES:
        counts, auc = at_prevalence(prevalence)
        rates = (counts.recall(), counts.fp / (counts.fp + counts.tn))
        found.append((*(float(measure[0, 0]) for measure in (counts.precision(), counts.f(), *rates)), auc))
        rows.append((f"{prevalence:.2f}", *shown(*found[-1])))
    (first_p, first_f, recall, false_alarms, auc), (last_p, last_f, *_) = found[0], found[-1]
    return CounterExample(
        "One classifier, with one threshold, on data that differ in nothing but the share of positives.",
        ("prevalence", "precision", "F", "recall", "false positive rate", "AUC"),
        tuple(rows),
        f"From prevalence {PREVALENCES[0]:.2f} to {PREVALENCES[-1]:.2f}, F falls from {first_f:.2f} to {last_f:.2f} "
        f"and precision from {first_p:.2f} to {last_p:.2f}, while recall ({recall:.2f}), false positive rate "
        f"({false_alarms:.2f}) and AUC ({auc:.2f}) stay: the data changed, and not the classifier.",
    )


def at_prevalence(prevalence: float) -> tuple[Counts, float]:
    """Counts and AUC of normal scores at a prevalence, cut where recall and false positive rate are as given.

    The scores of each class are `GRID` quantiles; weights of the classes stand for their shares.
    """
    normal = NormalDist()
    quantiles = np.array([normal.inv_cdf((i + 0.5) / GRID) for i in range(GRID)])
    cut = normal.inv_cdf(1 - FALSE_ALARMS)
    score = np.concatenate((quantiles, quantiles + cut - normal.inv_cdf(1 - RECALL)))
    y_true = np.repeat((False, True), GRID)
    weight = np.where(y_true, prevalence, 1 - prevalence)
    folds = FoldSet.from_arrays(np.zeros(2 * GRID), y_true, score > cut, score, weight=weight)
    counts = folds.counts()
    assert counts is not None  # labels are given
    return counts, folds.whole_ranking(0).roc_auc()
