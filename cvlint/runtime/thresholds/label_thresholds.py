"""All results about the thresholds of an experiment: of its one class, or of each of several labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.intervals.bootstrap import Bootstrap, Interval
from cvlint.runtime.measures.counts import Kind
from cvlint.runtime.thresholds.best_threshold import (
    BestThreshold,
    at_prevalence,
    at_threshold,
    best_of,
    optimal_probability,
)
from cvlint.runtime.thresholds.calibration import Calibration, check_calibration
from cvlint.runtime.thresholds.expected_f import uninformative_f
from cvlint.runtime.thresholds.operating_points import OperatingPoints, operating_points
from cvlint.runtime.thresholds.optimism import Optimism, Way, chance_of, optimism

LOSS = 0.01  # of F, up to which the rule F*/2 may still be used
CHANCE = 0.05  # above this probability a random ranking explains the best F


@dataclass(frozen=True, slots=True)
class Deployed:
    """Thresholds at another prevalence; TPR and FPR of each threshold stay the same."""

    prevalence: float
    """That other P(+)."""
    best: BestThreshold
    kept: BestThreshold
    """The threshold with the highest F at it, and the best threshold of the folds with its F at it."""
    rule: BestThreshold | None
    """The threshold of the rule F*/2 for scores that are calibrated for it, as a threshold of the folds' scores; None
    where the scores are not probabilities, and where a class is absent.
    """


@dataclass(frozen=True, eq=False, slots=True)
class LabelThresholds:
    """The thresholds of one label."""

    label: Label
    """Its name."""
    samples: float
    positives: float
    """Their numbers; sums of weights where samples have weights."""
    optimism: Optimism
    """F with thresholds that are chosen in several ways."""
    calibration: Calibration | None
    """Whether the rule F*/2 fits; None where the scores are not from 0 to 1."""
    all_positive_f: float
    """The F of calling all samples positive."""
    chance: float
    """The probability that random scores reach the best F; NaN where it is unknown (without positives, and with
    weights).
    """
    deployed: Deployed | None
    """The thresholds at another prevalence, if the user names one."""

    @property
    def noise(self) -> bool:
        """Whether the threshold is noise: chance explains its F, or calling all positive is as good on other folds."""
        if not self.positives or self.chance > CHANCE:
            return True
        return self.optimism.f["nested"] <= self.all_positive_f  # NaN is not

    @property
    def rule_fits(self) -> bool:
        """Whether the rule F*/2 may be used.

        It may where its F on each fold, with the F* of the other folds, is at most 0.01 lower than that of the
        threshold chosen on the other folds, or where the interval of the difference includes 0. With a single fold,
        the comparison is with the best threshold on the same samples.
        """
        if self.calibration is None:
            return False
        gain, interval = self.optimism.gain("rule"), self.optimism.rule_draws
        if np.isnan(gain):
            return self.calibration.loss <= LOSS
        return gain >= -LOSS or (isinstance(interval, Interval) and interval.high >= 0)


@dataclass(frozen=True, eq=False, slots=True)
class ExperimentThresholds:
    """The thresholds of one experiment in one repetition."""

    experiment: Label
    repeat: Label
    """Their names; "" where they have none."""
    kind: Kind
    """Either "binary", "multiclass" (each class against the rest) or "multilabel"."""
    beta: float
    """The weight of recall in F."""
    labels: tuple[LabelThresholds, ...]
    """One for each column of scores."""
    classes: tuple[Label, Label] | None = None
    """The negative and the positive label of a binary task, as `FoldSet.unclear_classes`."""

    def macro(self, way: Way) -> float:
        """The mean over the labels of F with thresholds chosen in one way; NaN where it is undefined."""
        return float(np.mean([label.optimism.f[way] for label in self.labels]))


def experiment_thresholds(
    folds: FoldSet,
    beta: float = 1.0,
    prevalence: float | None = None,
    bootstrap: Bootstrap | None = None,
    experiment: Label = "",
) -> tuple[ExperimentThresholds, ...]:
    """The thresholds of each label, for each repetition.

    Parameters
    ----------
    folds
        With scores, of one experiment.
    beta
        The weight of recall against precision, finite and at least 0.
    prevalence
        P(+) where the thresholds will be used, from 0 to 1; None if it is that of the folds.
    bootstrap
        For the intervals of the optimism; None for none.
    experiment
        Its name.

    Raises
    ------
    ValueError
        When the set holds no scores.
    FoldDataError
        For a prevalence outside 0 to 1.

    References
    ----------
    Lipton et al. 2014, sections 4, 6 and 8.
    """
    return tuple(
        ExperimentThresholds(
            experiment,
            repeat,
            part.kind,
            beta,
            tuple(
                label_thresholds(part, column, label, beta, prevalence, bootstrap)
                for column, label in enumerate(part.targets)
            ),
            part.unclear_classes,
        )
        for repeat, part in folds.parts("repeat")
    )


def label_thresholds(
    folds: FoldSet, column: int, label: Label, beta: float, prevalence: float | None, bootstrap: Bootstrap | None
) -> LabelThresholds:
    """The thresholds of the label of one column of scores, as in `experiment_thresholds`."""
    truth, score = folds.is_class(column), folds.scores(column)
    points = operating_points(truth, score, folds.weight)
    found = optimism(folds, column, beta, bootstrap)
    calibration = check_calibration(truth, score, beta, folds.weight)
    seed = 0 if bootstrap is None else bootstrap.seed
    positives = int(truth.sum())
    chance = chance_of(found.pooled.f, len(folds), positives, beta, seed=seed) if folds.weight is None else float("nan")
    return LabelThresholds(
        label,
        points.positives + points.negatives,
        points.positives,
        found,
        calibration,
        float(uninformative_f(points.prevalence, beta)),
        chance,
        None if prevalence is None else deployed(points, found.pooled, calibration, beta, prevalence),
    )


def deployed(
    points: OperatingPoints, pooled: BestThreshold, calibration: Calibration | None, beta: float, prevalence: float
) -> Deployed:
    """The thresholds at another prevalence, from the operating points at that of the folds."""
    best = best_of(points, beta, prevalence)
    rule = None
    if calibration is not None and points.defined and 0 < prevalence < 1:
        there = optimal_probability(best.f, beta)
        here = float(at_prevalence(there, prevalence, points.prevalence))
        rule = at_threshold(points, here, beta, prevalence)
    return Deployed(prevalence, best, at_threshold(points, pooled.threshold, beta, prevalence), rule)
