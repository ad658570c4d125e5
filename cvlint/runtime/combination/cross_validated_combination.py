"""The F of combinations of classifiers on folds that they are not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.combination.combining import ITERATIONS, THRESHOLDS, combined
from cvlint.runtime.combination.decision_rules import Scores
from cvlint.runtime.combination.paired_experiments import SameSamples
from cvlint.runtime.combination.roc_hull import Combination, RocHull
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.fmeasure import checked_alpha
from cvlint.runtime.spaces.fspace import f_at
from cvlint.runtime.thresholds.operating_points import checked_prevalence

MEAN = "mean of scores"


@dataclass(frozen=True, slots=True)
class Method:
    """A way to choose a rule: from single classifiers, from the mean of their scores, or after some iterations."""

    iterations: int = 0
    mean: bool = False


@dataclass(frozen=True, slots=True)
class HeldOutResult:
    """The F of a way to choose a rule, where each fold is left out in turn."""

    method: Method
    rules: tuple[Combination, ...]
    """The rule chosen without each fold, (folds,)."""
    chosen_f: float
    """F on the folds that the rule is chosen on, from the counts summed over all choices."""
    held_out_f: float
    """F on the folds that are left out, from the counts summed over them: F_tp,fp."""

    @property
    def optimism(self) -> float:
        """How much higher F is where the rule is chosen, which is due to chance."""
        return self.chosen_f - self.held_out_f


def leave_one_fold_out(
    samples: SameSamples,
    *,
    prevalence: float | None = None,
    alpha: float = 0.5,
    thresholds: int = THRESHOLDS,
    iterations: int = ITERATIONS,
) -> list[HeldOutResult]:
    """Choose a rule on all folds but one and measure it on that one, each fold in turn.

    The best single threshold and the mean of the scores are measured in the same way, for comparison.

    Parameters
    ----------
    samples
        The classifiers' scores.
    prevalence
        The P(+) to choose and to measure at, from 0 to 1; by default that of the samples.
    alpha
        The weight of precision in F, from 0 to 1.
    thresholds, iterations
        As for `cvlint.runtime.combination.combining.combined`.

    Returns
    -------
    list of HeldOutResult
        The best single threshold, the mean of scores where all are from 0 to 1, and the combinations after each number
        of iterations up to the last one that changes a rule. A fold with fewer iterations keeps its last rule.

    Raises
    ------
    FoldDataError
        With a single fold; when a class is absent from all folds but one; for a prevalence or alpha outside 0 to 1.

    References
    ----------
    Forman & Scholz 2010, section 2.3, for the sums over folds. Thresholds on the scores of different folds' models
    suppose that these share a scale, as calibrated probabilities do.
    """
    if len(samples.fold_names) < 2:
        raise FoldDataError(
            "there is one fold only: a rule that is chosen and measured on the same samples looks better than it is; "
            "two folds or more are needed."
        )
    p = samples.prevalence if prevalence is None else checked_prevalence(prevalence)
    checked_alpha(alpha)
    mean = samples.mean_score()
    alone: list[tuple[RocHull, ...]] = []
    of_mean: list[RocHull] = []
    for code, name in enumerate(samples.fold_names):
        rows = samples.fold != code
        truth, scores = samples.taken(rows)
        try:
            alone.append(combined(truth, scores, thresholds=thresholds, iterations=iterations))
            if mean is not None:
                of_mean += combined(truth, {MEAN: mean[rows]}, thresholds=thresholds, iterations=0)
        except FoldDataError as error:
            raise FoldDataError(f"without fold {name!r} {error}") from None
    rounds = [[found[min(number, len(found) - 1)] for found in alone] for number in range(max(map(len, alone)))]
    rules = [chosen(hulls, p, alpha) for hulls in rounds]
    results = [held_out_result(Method(), rules[0], samples, samples.scores, p, alpha)]
    if mean is not None:
        results.append(held_out_result(Method(mean=True), chosen(of_mean, p, alpha), samples, {MEAN: mean}, p, alpha))
    decided = [[combination.rule for combination in each] for each in rules]
    changed = (number for number, (before, now) in enumerate(pairwise(decided), 1) if now != before)
    last = max(changed, default=min(iterations, 1))
    for number in range(1, last + 1):
        results.append(
            held_out_result(Method(number), rules[min(number, len(rules) - 1)], samples, samples.scores, p, alpha)
        )
    return results


def chosen(hulls: Sequence[RocHull], prevalence: float, alpha: float) -> tuple[Combination, ...]:
    """The rule with the highest F on each hull, one hull for each fold that is left out."""
    return tuple(hull.best(prevalence, alpha) for hull in hulls)


def held_out_result(
    method: Method,
    rules: tuple[Combination, ...],
    samples: SameSamples,
    scores: Scores,
    prevalence: float,
    alpha: float,
) -> HeldOutResult:
    """Measure the rules of a method, one for each fold, where they are chosen and on the fold that is left out."""
    there, here = np.zeros((2, 2)), np.zeros((2, 2))
    for code, rule in enumerate(rules):
        decisions, inside = rule.decide(scores), samples.fold == code
        there += holding(decisions[~inside], samples.y_true[~inside])
        here += holding(decisions[inside], samples.y_true[inside])
    chosen_f, held_out_f = (
        float(f_at(tpr, fpr, prevalence, alpha)) for tpr, fpr in (there[0] / there[1], here[0] / here[1])
    )
    return HeldOutResult(method, rules, chosen_f, held_out_f)


def holding(decisions: NDArray[np.bool_], y_true: NDArray[np.bool_]) -> Floats:
    """The counts of a decision, and of the samples: [[TP, FP], [P, N]]."""
    held = [(decisions & y_true).sum(), (decisions & ~y_true).sum()]
    return np.array([held, [y_true.sum(), (~y_true).sum()]], dtype=np.float64)
