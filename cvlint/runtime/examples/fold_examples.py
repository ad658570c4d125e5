"""Counter-examples about measures aggregated over folds or batches, and about scores pooled over folds."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.recompute import recompute
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.examples.example_table import CounterExample, shown, whole
from cvlint.runtime.measures.counts import Counts
from cvlint.runtime.measures.f_over_folds import f_aggregates

# TP, FP, FN and TN of each fold, from Forman & Scholz 2010.
TABLE_1 = ((3, 0, 0, 373), (4, 1, 0, 371), (4, 13, 0, 359), (3, 5, 1, 367))
TABLE_2 = ((2, 0, 2, 372), (0, 0, 4, 372), (4, 0, 0, 372), (4, 0, 0, 372))

BATCHES = (16, 32, 64, 128, 256, 512, 1024)
SAMPLES = 4096
PREVALENCE, RECALL, FALSE_ALARMS = 0.05, 0.8, 0.02
MOST_FALSE_POSITIVES = 15  # in a fold of a rival classifier: a little more than the worst fold of Table 1
SHIFTS = (0.0, 0.3, 0.6, 0.9)  # of the scores of each fold's model


def counts_in_folds(folds: tuple[tuple[int, int, int, int], ...]) -> Counts:
    """The counts of folds, from rows of TP, FP, FN and TN."""
    return Counts(np.array(folds, dtype=np.float64).T[:, :, None])


def mean_of_fold_f() -> CounterExample:
    """F_avg, F_pr,re and F_tp,fp of the same predictions.

    See Forman & Scholz 2010, section 3.1 and table 1.
    """
    counts = counts_in_folds(TABLE_1)
    found = f_aggregates(counts)
    f_avg, f_prre, f_tpfp = shown(found.f_avg, found.f_prre, found.f_tpfp)
    return CounterExample(
        f"One classifier in {len(TABLE_1)} stratified folds with {counts.positives.sum():.0f} positives among "
        f"{counts.cells.sum():,.0f} samples (Forman & Scholz 2010, table 1).",
        ("fold", "TP", "FP", "FN", "precision", "recall", "F"),
        fold_rows(counts, ("TP", "FP", "FN", "precision", "recall", "F")),
        f"The same predictions have F_avg {f_avg} (the mean of the folds' F), F_pr,re {f_prre} (F of mean precision "
        f"and mean recall) and F_tp,fp {f_tpfp} (F of the summed counts): F_avg is "
        f"{found.f_avg / found.f_tpfp:.2f} times F_tp,fp.",
    )


def fold_rows(counts: Counts, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """A row for each fold and one for the summed counts; precision is 0 where nothing is predicted positive."""

    def row(name: str, fold: Counts) -> tuple[str, ...]:
        cells = dict(zip(("TP", "FP", "FN", "TN"), whole(*fold.cells[:, 0, 0]), strict=True))
        measures = shown(fold.precision(0.0)[0, 0], fold.recall(0.0)[0, 0], fold.f()[0, 0])
        cells.update(zip(("precision", "recall", "F"), measures, strict=True))
        return (name, *(cells[column] for column in columns))

    folds = tuple(row(str(i + 1), counts.one(i)) for i in range(counts.cells.shape[1]))
    return (*folds, row("all", counts.summed()))


def f_of_mean_pr() -> CounterExample:
    """F_pr,re against F_tp,fp.

    See Forman & Scholz 2010, section 3.1 and table 1.
    """
    counts = counts_in_folds(TABLE_1)
    found, total = f_aggregates(counts), counts.summed()
    precision, recall = float(counts.precision(0.0).mean()), float(counts.recall(0.0).mean())
    *folds, _ = fold_rows(counts, ("precision", "recall", "F"))
    pooled = shown(float(total.precision()[0, 0]), float(total.recall()[0, 0]), found.f_tpfp)
    means = shown(precision, recall, found.f_prre)
    worst = float(counts.precision(0.0).min())
    return CounterExample(
        f"Precision and recall of one classifier in {len(TABLE_1)} stratified folds (Forman & Scholz 2010, table 1).",
        ("fold", "precision", "recall", "F"),
        (*folds, ("mean P, mean R, and their F", *means), ("summed counts", *pooled)),
        f"The mean precision, {means[0]}, smooths over the fold in which it is {worst:.2f}; of the summed counts it is "
        f"{pooled[0]}. F_pr,re is {means[2]}, {found.f_prre / found.f_tpfp:.2f} times F_tp,fp, which is {pooled[2]}.",
    )


def skipped_undefined_fold() -> CounterExample:
    """F~avg and F~pr,re, which leave out a fold without positive predictions.

    See Forman & Scholz 2010, section 3.1 and table 2.
    """
    counts = counts_in_folds(TABLE_2)
    found = f_aggregates(counts)
    f_avg, _, f_tpfp, f_avg_valid, f_prre_valid = shown(*astuple(found))
    skipped = np.flatnonzero(~counts.valid[:, 0])
    lost = float(counts.fn[skipped].sum())
    return CounterExample(
        f"One classifier in {len(TABLE_2)} stratified folds; in fold {skipped[0] + 1} it predicts nothing positive, so "
        "that precision is undefined there and read as 0 (Forman & Scholz 2010, table 2).",
        ("fold", "TP", "FP", "FN", "precision", "recall", "F"),
        fold_rows(counts, ("TP", "FP", "FN", "precision", "recall", "F")),
        f"Without fold {skipped[0] + 1}, F~avg is {f_avg_valid} and F~pr,re {f_prre_valid}: the {lost:.0f} positives "
        f"missed there no longer count. With it F_avg is {f_avg}; F_tp,fp, which no undefined fold disturbs, is "
        f"{f_tpfp}.",
    )


def mean_of_batch_f() -> CounterExample:
    """The mean of the batches' F against F of the whole test set.

    See Forman & Scholz 2010, sections 2.2 and 3.1, about folds; a batch is a smaller fold.
    """
    y_true, y_pred = labels_and_predictions()
    rows, means = [], {}
    for size in (*BATCHES, SAMPLES):
        counts = FoldSet.from_arrays(np.arange(SAMPLES) // size, y_true, y_pred).counts()
        assert counts is not None  # labels are given
        means[size] = f_aggregates(counts).f_avg
        without = int((counts.positives == 0).sum())
        rows.append((*whole(size, SAMPLES // size, without), *shown(means[size])))
    return CounterExample(
        f"One classifier's predictions for {SAMPLES:,} samples of which {y_true.mean():.1%} are positive, cut into "
        "batches; F is 0 in a batch where it is undefined.",
        ("batch size", "batches", "batches without positives", "mean of the batches' F"),
        tuple(rows),
        f"F of the whole set is {means[SAMPLES]:.2f}. Averaged over batches of {BATCHES[0]}, of {BATCHES[1]} and of "
        f"{BATCHES[2]}, the same predictions have {means[BATCHES[0]]:.2f}, {means[BATCHES[1]]:.2f} and "
        f"{means[BATCHES[2]]:.2f}: the batch size is measured, too.",
    )


def labels_and_predictions() -> tuple[NDArray[np.bool_], ...]:
    """True labels of a rare class in random order, and the predictions of a good classifier, (SAMPLES,) each."""
    rng = np.random.default_rng(0)
    y_true = rng.random(SAMPLES) < PREVALENCE
    return y_true, rng.random(SAMPLES) < np.where(y_true, RECALL, FALSE_ALARMS)


def mixed_aggregation() -> CounterExample:
    """A classifier that is better by both aggregates loses when one aggregate is set against the other.

    See Forman & Scholz 2010, sections 1 and 3.1; classifier B is from table 1.
    """
    counts = {"A": rival_of_table_1(), "B": counts_in_folds(TABLE_1)}
    found = {name: f_aggregates(each) for name, each in counts.items()}
    (a_avg, a_tpfp), (b_avg, b_tpfp) = (shown(f.f_avg, f.f_tpfp) for f in found.values())
    rows = (
        (name, *(f"{tp:.0f}/{fp:.0f}/{fn:.0f}" for tp, fp, fn, _ in each.cells[:, :, 0].T))
        for name, each in counts.items()
    )
    return CounterExample(
        f"Two classifiers in the same {len(TABLE_1)} folds, with TP/FP/FN of each: B is that of Forman & Scholz 2010, "
        "table 1, and A raises fewer false alarms.",
        ("classifier", *(f"fold {i + 1}" for i in range(len(TABLE_1))), "F_avg", "F_tp,fp"),
        tuple((*row, *shown(f.f_avg, f.f_tpfp)) for row, f in zip(rows, found.values(), strict=True)),
        f"A is better by F_avg ({a_avg} against {b_avg}) and by F_tp,fp ({a_tpfp} against {b_tpfp}). Mixed, F_avg of "
        f"B, {b_avg}, beats F_tp,fp of A, {a_tpfp}: the order is turned round by the way of averaging.",
    )


def rival_of_table_1() -> Counts:
    """The classifier with the true positives of Table 1 that differs most clearly from it in all three comparisons.

    The search tries 0 to `MOST_FALSE_POSITIVES` false positives in each fold, and maximises the smallest of the three
    gaps.
    """
    base = counts_in_folds(TABLE_1).cells
    tried = np.indices((MOST_FALSE_POSITIVES + 1,) * len(TABLE_1)).reshape(len(TABLE_1), -1).astype(np.float64)
    cells = np.broadcast_to(base, (*base.shape[:2], tried.shape[1])).copy()
    cells[3] += cells[1] - tried  # one false positive less is one true negative more
    cells[1] = tried
    rivals, target = Counts(cells), f_aggregates(Counts(base))
    f_avg, f_tpfp = rivals.f().mean(axis=0), rivals.summed().f()[0]
    gaps = np.minimum(f_avg - target.f_avg, np.minimum(f_tpfp - target.f_tpfp, target.f_avg - f_tpfp))
    return Counts(cells[:, :, [int(gaps.argmax())]])


def mean_of_fold_ratio() -> CounterExample:
    """Precision averaged over folds against precision of the summed counts.

    See Forman & Scholz 2010, section 3.1 and table 1.
    """
    counts = counts_in_folds(TABLE_1)
    mean, pooled = float(counts.precision().mean()), float(counts.summed().precision()[0, 0])
    share = counts.predicted[:, 0] / counts.predicted.sum()
    heaviest = int(share.argmax())
    return CounterExample(
        f"Precision of one classifier in {len(TABLE_1)} stratified folds (Forman & Scholz 2010, table 1).",
        ("fold", "TP", "FP", "precision", "share of all positive predictions"),
        tuple(
            (*row, *shown(part))
            for row, part in zip(fold_rows(counts, ("TP", "FP", "precision")), (*share, share.sum()), strict=True)
        ),
        f"The mean of the folds' precision is {mean:.2f}; of all positive predictions together {pooled:.2f} are right. "
        f"Fold {heaviest + 1} makes {share[heaviest]:.2f} of them and has {1 / len(TABLE_1):.2f} of the mean.",
    )


def auc_merge() -> CounterExample:
    """AUC_merge of models that each rank perfectly, on scales of their own.

    See Forman & Scholz 2010, sections 2.4 and 3.2.
    """
    folds = scores_on_different_scales()
    (found,) = recompute(folds)
    mean, merged = shown(found.value("auc_avg"), found.value("auc_merge"))
    return CounterExample(
        title_of_scales(folds),
        ("fold", "scores of the negatives", "scores of the positives", "AUC"),
        score_rows(folds, [ranking.roc_auc() for ranking in folds.fold_rankings(0)]),
        f"AUC_avg is {mean}, since in each fold every positive is above every negative. AUC_merge is {merged}: it "
        "compares positives of one model with negatives of another.",
    )


def ranking_merge() -> CounterExample:
    """Average precision of merged scores, of models that each rank perfectly, on scales of their own.

    See Forman & Scholz 2010, sections 2.4 and 3.2.
    """
    folds = scores_on_different_scales()
    (found,) = recompute(folds)
    mean, merged = shown(found.value("ap_avg"), found.value("ap_merge"))
    k = int(folds.whole_ranking(0).positives.size)
    precision_at = folds.whole_ranking(0).precision_at(k)
    return CounterExample(
        title_of_scales(folds),
        ("fold", "scores of the negatives", "scores of the positives", "average precision"),
        score_rows(folds, [ranking.average_precision() for ranking in folds.fold_rankings(0)]),
        f"The mean of the folds' average precision is {mean}; of the merged scores it is {merged}, and precision among "
        f"the first {k} of them, as many as there are positives, is {precision_at:.2f}.",
    )


def scores_on_different_scales() -> FoldSet:
    """Folds with 10 positives and 40 negatives each; in each the scores are perfect, and shifted by `SHIFTS`."""
    rng = np.random.default_rng(0)
    y_true = np.tile(np.arange(50) < 10, len(SHIFTS))
    fold = np.repeat(np.arange(len(SHIFTS)), 50)
    score = 0.5 * rng.random(len(y_true)) + 0.5 * y_true + np.array(SHIFTS)[fold]
    return FoldSet.from_arrays(fold + 1, y_true, y_score=score)


def title_of_scales(folds: FoldSet) -> str:
    """The setting of `scores_on_different_scales`, as a sentence."""
    return (
        f"The models of {folds.folds} folds, each of which scores its {folds.summed(folds.is_class(0))[0]:.0f} "
        f"positives above its {folds.summed(~folds.is_class(0))[0]:.0f} negatives, on a scale of its own."
    )


def score_rows(folds: FoldSet, measured: list[float]) -> tuple[tuple[str, ...], ...]:
    """A row for each fold: the range of the scores of each class, and a measure."""
    return tuple(
        (
            str(name),
            *(f"{side.min():.2f} to {side.max():.2f}" for side in (ranking.negatives, ranking.positives)),
            *shown(value),
        )
        for name, ranking, value in zip(folds.fold_names, folds.fold_rankings(0), measured, strict=True)
    )
