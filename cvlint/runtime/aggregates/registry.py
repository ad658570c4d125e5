"""The table of aggregates: one row for each, which everything that computes, writes or draws aggregates reads.

A new aggregate is a function (in `cvlint.runtime.measures`) and a row here. Rows of `COUNT_AGGREGATES` are computed
from the counts of the folds, as F_tp,fp and F_avg are; each row of `RANKING_MEASURES` makes two aggregates of a measure
of a ranking: the mean over folds (AUC_avg) and the value of all folds' scores merged (AUC_merge). A row of `FAMILIES`
says what the aggregates of one measure have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cvlint.runtime.intervals.bootstrap import ClassSizes, Interval
from cvlint.runtime.intervals.ranking_influence import RankedGroups, ap_variance, auc_variance
from cvlint.runtime.intervals.ranking_intervals import mean_interval, precision_interval, top_share
from cvlint.runtime.measures.counts import Average, Counts, Floats
from cvlint.runtime.measures.f_over_folds import f_avg, f_avg_valid, f_of_each_fold, f_prre, f_prre_valid, f_tpfp
from cvlint.runtime.measures.ranking import Ranking
from cvlint.runtime.measures.ranking_areas import checked_max_fpr, gain_area_of, partial_auc

OverFolds: TypeAlias = Callable[[Counts, float, Average], Floats | float]
OfEachFold: TypeAlias = Callable[[Counts, float, Average], Floats]


@dataclass(frozen=True, slots=True)
class Family:
    """A measure whose aggregates compete: one of them is the one to report."""

    reported_as: tuple[str, ...]
    """What users call it in ``--reported f1=0.69``; besides "f", F may carry its beta."""
    usual: str
    """The key of the aggregate that papers usually report instead of the right one; empty where there is none."""
    lacking: str
    """Why fold data allow none of its aggregates, as a half sentence."""


NO_COUNTS = "there are neither counts nor predictions"
NO_SCORES = "there are no scores, or labels of more than two classes without a column of scores each"

FAMILIES: dict[str, Family] = {
    "f": Family(("f", "fbeta"), "f_avg", NO_COUNTS),
    "auc": Family(("auc",), "auc_merge", NO_SCORES),
    "ap": Family(("ap",), "ap_merge", NO_SCORES),
    "p_at_k": Family(("precision_at_k",), "p_at_k_merge", NO_SCORES),
    "pauc": Family(("pauc",), "pauc_merge", NO_SCORES),
    "auprg": Family(("auprg",), "auprg_merge", NO_SCORES),
}


@dataclass(frozen=True, slots=True)
class CountAggregate:
    """An aggregate of the counts of all folds."""

    key: str
    label: str
    meaning: str
    """Its name in code and JSON ("f_tpfp"), its name in the paper ("F_tp,fp"), and what it is."""
    family: str
    """A key of `FAMILIES`."""
    function: OverFolds
    """Computes it from the counts, beta and the average over classes; NaN where it is undefined. It is not called where
    there is neither a positive sample nor a positive prediction, since no aggregate is defined then. For a mean over
    folds, counts of many experiments (experiments, folds, classes) give a value of each.
    """
    of_summed: OfEachFold | None = None
    """For a measure of the summed counts: that measure of each fold by itself, (folds,), so that the bootstrap can let
    a replicate take the place of a fold. None for a mean over folds.
    """
    right: bool = False
    """Whether it is the one to report of its family; exactly one in each family is."""
    skips_folds: bool = False
    """Whether it leaves out the folds in which precision or recall is undefined."""
    undefined: str = "no sample is positive, and none is predicted to be"
    """Why its value is NaN, as a half sentence."""


NO_VALID_FOLD = "no fold has both a positive sample and a positive prediction"

COUNT_AGGREGATES = (
    CountAggregate(
        "f_tpfp", "F_tp,fp", "F of the counts summed over the folds", "f", f_tpfp, f_of_each_fold, right=True
    ),
    CountAggregate("f_avg", "F_avg", "mean of the folds' F", "f", f_avg),
    CountAggregate("f_prre", "F_pr,re", "F of the folds' mean precision and mean recall", "f", f_prre),
    CountAggregate(
        "f_avg_valid",
        "F~avg",
        "mean of F over the valid folds only",
        "f",
        f_avg_valid,
        skips_folds=True,
        undefined=NO_VALID_FOLD,
    ),
    CountAggregate(
        "f_prre_valid",
        "F~pr,re",
        "F of mean precision and recall over the valid folds only",
        "f",
        f_prre_valid,
        skips_folds=True,
        undefined=NO_VALID_FOLD,
    ),
)


BOTH_CLASSES = ("no fold has both positives and negatives{of}", "there are not both positives and negatives{of}")


@dataclass(frozen=True, slots=True)
class RankingMeasure:
    """A measure of a ranking, which has a mean over folds (to report) and a value of all folds' scores merged."""

    family: str
    """A key of `FAMILIES`; the keys of the two aggregates are this with ``_avg`` and ``_merge`` behind it."""
    label: str
    """Its name in the paper; ``{k}`` stands for k."""
    function: Callable[[Ranking, int], float]
    """Computes it from a ranking and k; NaN where it is undefined."""
    summary: Callable[[Ranking, int, ClassSizes, RankedGroups | None], Any] | None = None
    """What must be known of each ranking, and of the groups of its samples, for an interval; its result is None where
    the measure is undefined.
    """
    interval: Callable[[Sequence[Any], float, ClassSizes], Interval | str] | None = None
    """The interval of the mean over some rankings, from their summaries; None where the aggregates have none."""
    needs_k: bool = False
    """Whether it is computed only where the user names k."""
    undefined: tuple[str, str] = BOTH_CLASSES
    """Why the mean over folds, and the merged value, is NaN, as half sentences; ``{of}`` stands for "of a class" where
    there are several columns of scores.
    """

    def why_undefined(self, merged: bool, k: int | None, rankings: int) -> str:
        """Why an aggregate of so many rankings is NaN, as a half sentence."""
        return self.undefined[merged].format(of=" of one of the classes" if rankings > 1 else "", k=k)

    @property
    def aggregates(self) -> tuple[tuple[str, str], ...]:
        """The key and the label of the mean over folds, and of the merged value."""
        return tuple((f"{self.family}_{way}", f"{self.label}_{way}") for way in ("avg", "merge"))


def area(
    family: str,
    label: str,
    of_ranking: Callable[[Ranking], float],
    variance: Callable[[Ranking, int, ClassSizes, RankedGroups | None], Any],
    undefined: tuple[str, str] = BOTH_CLASSES,
) -> RankingMeasure:
    """An area under a curve: no k belongs to it, and the variance of each ranking makes its interval."""
    return RankingMeasure(
        family, label, lambda ranking, k: of_ranking(ranking), variance, mean_interval, undefined=undefined
    )


RANKING_MEASURES = (
    area("auc", "AUC", Ranking.roc_auc, auc_variance),
    area(
        "ap",
        "AP",
        Ranking.average_precision,
        ap_variance,
        ("no fold has positives{of}", "there are no positives{of}"),
    ),
    RankingMeasure(
        family="p_at_k",
        label="P@{k}",
        function=Ranking.precision_at,
        summary=top_share,
        interval=precision_interval,
        needs_k=True,
        undefined=("no fold has {k} samples", "there are fewer than {k} samples"),
    ),
)


def asked_measures(max_fpr: float | None = None, gain: bool = False) -> tuple[RankingMeasure, ...]:
    """The measures of a ranking that are computed only where the user asks for them.

    Parameters
    ----------
    max_fpr
        The highest false positive rate of the partial AUC; None to leave it out.
    gain
        Whether to compute the area under the precision-recall-gain curve.
    """
    found = []
    if max_fpr is not None:
        limit = checked_max_fpr(max_fpr)
        found.append(RankingMeasure("pauc", f"pAUC@{limit:g}", lambda ranking, k: partial_auc(ranking, limit)))
    if gain:
        found.append(RankingMeasure("auprg", "AUPRG", lambda ranking, k: gain_area_of(ranking)))
    return tuple(found)


ALWAYS: dict[str, str] = {
    **{row.key: row.family for row in COUNT_AGGREGATES},
    **{key: row.family for row in RANKING_MEASURES if not row.needs_k for key, _ in row.aggregates},
}
"""The aggregates that every JSON document lists, even where the data do not allow them: their families, by key."""

LABELS: dict[str, str] = {
    **{row.key: row.label for row in COUNT_AGGREGATES},
    **{key: label for row in RANKING_MEASURES if not row.needs_k for key, label in row.aggregates},
}
"""The names of these aggregates in the paper, by their keys."""
