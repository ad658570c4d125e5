"""How much better F looks when the threshold is chosen on the fold that it is measured on: the winner's curse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import NOT_ASKED, Bootstrap, Interval, shifted_interval
from cvlint.runtime.intervals.drawn_counts import drawn_sizes
from cvlint.runtime.measures.counts import Floats, f_from_counts
from cvlint.runtime.simulation.random_rankings import MOST_SAMPLES, best_prefixes
from cvlint.runtime.thresholds.best_threshold import BestThreshold, best_of, next_score, optimal_probability
from cvlint.runtime.thresholds.nested_interval import nested_interval
from cvlint.runtime.thresholds.operating_points import are_probabilities, operating_points

RUNS = 1_000  # random rankings for the comparison with the best F of a label
ONE_FOLD = "there is only one fold, so that there are no others to choose on"
WEIGHTED = "the samples have weights"
CHOSEN_ON_THEM = "its threshold follows from the samples of all folds, which drawing these again does not show"
LEAST = 10  # of each class in each fold: with two (five), intervals of 95 % of the gain of "own" hold it in 84 (91) %
TOO_FEW = f"a fold has fewer than {LEAST} positives, or negatives"
NO_PROBABILITIES = "the scores are not from 0 to 1"
Way: TypeAlias = Literal["pooled", "own", "nested", "rule"]
MOST_RANKED = 1_000_000_000  # samples, each counted once for each fold: some minutes
WAYS: tuple[Way, ...] = ("pooled", "own", "nested", "rule")
DEPENDENT: tuple[Way, ...] = ("pooled", "rule")
"""The ways with a threshold that hangs on the samples of all folds, or nearly all."""


@dataclass(frozen=True, slots=True)
class FoldChoice:
    """The thresholds of one fold."""

    fold: Label
    samples: float
    positives: float
    """Its name and sizes; sums of weights where samples have weights."""
    own: BestThreshold
    """The best threshold on the fold itself, and its F there."""
    nested: float
    """The best threshold on the other folds together; NaN where there are none."""
    nested_f: float
    """The F of that threshold on this fold; NaN without other folds, 0 where the fold has no positives."""
    rule: float
    """The threshold F* / (1 + beta²) with the F* of the other folds; NaN without other folds."""
    nested_next_score: float
    rule_next_score: float
    """The next lower score of all folds: all thresholds above it, up to ``nested`` and ``rule``, decide alike."""


@dataclass(frozen=True, eq=False, slots=True)
class Optimism:
    """F_tp,fp of the same scores with thresholds that are chosen in several ways, each from 0 to 1."""

    pooled: BestThreshold
    """The best threshold for all folds together, and its F on these same folds."""
    f: dict[Way, float]
    """F by the way of choosing. "pooled": the threshold of ``pooled`` in all folds. "own": in each fold the one that is
    best on it. "nested": in each fold the one that is best on the other folds, which is the F to report. "rule": in
    each fold F* / (1 + beta²) with the F* of the other folds. The last two are NaN where there is one fold, and the
    last where scores are not from 0 to 1.
    """
    rows: tuple[FoldChoice, ...]
    """The folds."""
    intervals: dict[Way, Interval | str]
    """Bootstrap intervals of the F of "nested" and of the gain of "own", or why there are none. The gains of the other
    ways have none.
    """
    rule_draws: Interval | str
    """How far the gain of "rule" lies from other draws of the samples with the same thresholds, or why that is not
    known. As an interval it would be too narrow.
    """

    def gain(self, way: Way) -> float:
        """How much higher F is with one way of choosing than with thresholds chosen on the other folds."""
        return self.f[way] - self.f["nested"]


def optimism(folds: FoldSet, column: int = 0, beta: float = 1.0, bootstrap: Bootstrap | None = None) -> Optimism:
    """Choose the threshold of each fold on the fold itself, on the others and on all, and compute F of the counts.

    Parameters
    ----------
    folds
        With scores, of one repetition of one experiment. A threshold means the same in all folds only where the
        models' scores have one scale, as probabilities do.
    column
        The number of the column of scores, which belongs to one class.
    beta
        The weight of recall against precision.
    bootstrap
        For intervals; None for none. It draws as many samples of each class as there are. The interval of "nested"
        also allows for other thresholds in other experiments.

    Raises
    ------
    ValueError
        When the set holds no scores.
    FoldDataError
        For so many folds and samples that it would take longer than some minutes.

    References
    ----------
    Lipton et al. 2014, section 8; Forman & Scholz 2010, section 2.3, for F of the summed counts.
    """
    if folds.folds * len(folds) > MOST_RANKED:
        raise FoldDataError(
            f"there are {folds.folds:,} folds and {len(folds):,} samples: a fold's threshold follows from the samples "
            f"of all others, which takes too long above {MOST_RANKED:,} folds × samples: join folds, or take a part."
        )
    truth, score, weight = folds.is_class(column), folds.scores(column), folds.weight
    mass = np.ones(len(folds)) if weight is None else weight

    def best_on(rows: NDArray[np.bool_]) -> BestThreshold:
        return best_of(operating_points(truth[rows], score[rows], None if weight is None else mass[rows]), beta)

    points, several = operating_points(truth, score, weight), folds.folds > 1
    pooled = best_of(points, beta)
    threshold: dict[Way, Floats] = {way: np.full(folds.folds, np.nan) for way in WAYS}
    threshold["pooled"][:] = pooled.threshold
    rows = []
    for code, name in enumerate(folds.fold_names):
        here = folds.fold == code
        own = best_on(here)
        threshold["own"][code] = own.threshold
        if several:
            others = best_on(~here)
            threshold["nested"][code], threshold["rule"][code] = others.threshold, optimal_probability(others.f, beta)
        nested, rule = float(threshold["nested"][code]), float(threshold["rule"][code])
        f = f_of_decisions(truth[here], score[here] >= nested, mass[here], beta) if several else np.nan
        sizes = float(mass[here].sum()), float(mass[here & truth].sum())
        lower = next_score(points, nested), next_score(points, rule)
        rows.append(FoldChoice(name, *sizes, own, nested, f, rule, *lower))
    decided: dict[Way, NDArray[np.bool_]] = {way: score >= t[folds.fold] for way, t in threshold.items()}
    values = {way: f_of_decisions(truth, positive, mass, beta) for way, positive in decided.items()}
    unknown: set[Way] = {"nested", "rule"} if not several else set() if are_probabilities(score) else {"rule"}
    values |= dict.fromkeys(unknown, np.nan)
    found = intervals(folds, truth, score, decided, beta, bootstrap)
    if "rule" in unknown and isinstance(found["rule"], Interval):
        found |= {"rule": NO_PROBABILITIES}
    shown = {way: CHOSEN_ON_THEM if way in DEPENDENT and isinstance(i, Interval) else i for way, i in found.items()}
    return Optimism(pooled, values, tuple(rows), shown, found["rule"])


def f_of_decisions(truth: NDArray[np.bool_], positive: NDArray[np.bool_], mass: Floats, beta: float) -> float:
    """F_beta of decisions about weighted samples."""
    tp, fp, fn = (float(mass[chosen].sum()) for chosen in (truth & positive, ~truth & positive, truth & ~positive))
    return float(f_from_counts(tp, fp, fn, beta))


def intervals(
    folds: FoldSet,
    truth: NDArray[np.bool_],
    score: Floats,
    decided: dict[Way, NDArray[np.bool_]],
    beta: float,
    bootstrap: Bootstrap | None,
) -> dict[Way, Interval | str]:
    """The intervals of the F of "nested", and, given the thresholds, of all gains, from the same draws.

    The decisions of the four ways put each sample into one of sixteen cells.
    """
    if bootstrap is None:
        return dict.fromkeys(WAYS, NOT_ASKED)
    if folds.folds == 1 or folds.weight is not None:
        return dict.fromkeys(WAYS, ONE_FOLD if folds.folds == 1 else WEIGHTED)
    cells = 2 ** len(WAYS)
    cell = sum(decided[way].astype(np.intp) << bit for bit, way in enumerate(WAYS))
    tables = np.bincount(truth * cells + cell, minlength=2 * cells).reshape(2, cells)  # the negatives, the positives
    drawn = drawn_cells(tables, bootstrap)
    f, now = (f_of_cells(each, beta) for each in (drawn, tables[None]))
    found: dict[Way, Interval | str] = {}
    level, sizes_of, seed = bootstrap.level, bootstrap.class_sizes, bootstrap.seed
    for way in WAYS:
        if way == "nested":
            fold, value = folds.fold.astype(np.intp), float(now[way][0])
            found[way] = nested_interval(value, f[way], fold, truth, score, beta, level, sizes_of, seed)
        else:
            gains, gain = (each[way] - each["nested"] for each in (f, now))
            found[way] = shifted_interval(float(gain[0]), gains, level, lowest=-1.0)
    sizes = np.bincount(folds.fold.astype(np.intp) * 2 + truth, minlength=2 * folds.folds)
    return found | ({"own": TOO_FEW} if sizes.min() < LEAST else {})


def drawn_cells(tables: NDArray[np.int64], bootstrap: Bootstrap) -> NDArray[np.int64]:
    """Draws of (class, cell) tables: (replicates, class, cell).

    To the samples of a class one is added that all ways call positive, or none does, with the same probability: what
    they decide about it does not differ.
    """
    rng = np.random.default_rng(bootstrap.seed)
    added = np.zeros(tables.shape)
    added[:, [0, -1]] = 0.5
    shares = (tables + added) / (tables.sum(axis=1, keepdims=True) + 1)
    now = tables.sum(axis=1)[None]
    sizes = drawn_sizes(rng, now, bootstrap.replicates, bootstrap.class_sizes)[:, 0]
    return rng.multinomial(sizes, np.broadcast_to(shares, (bootstrap.replicates, *shares.shape)))


def f_of_cells(tables: NDArray[np.int64], beta: float) -> dict[Way, Floats]:
    """F of each way, (replicates,), from tables (replicates, class, cell)."""
    negatives, positives = tables[:, 0], tables[:, 1]
    found: dict[Way, Floats] = {}
    for bit, way in enumerate(WAYS):
        called = (np.arange(tables.shape[2]) >> bit) & 1 == 1
        tp, fp = positives[:, called].sum(axis=1), negatives[:, called].sum(axis=1)
        found[way] = f_from_counts(tp, fp, positives.sum(axis=1) - tp, beta)
    return found


def chance_of(f: float, samples: int, positives: int, beta: float = 1.0, runs: int = RUNS, seed: int = 0) -> float:
    """The probability that random scores reach a best F_beta of at least ``f``.

    Parameters
    ----------
    f
        The highest F_beta over all thresholds on given scores.
    samples, positives
        Their numbers; up to 999,999,999 samples.
    beta
        The weight of recall against precision.
    runs, seed
        The number of random rankings, and the seed of the random numbers.

    Returns
    -------
    float
        (1 + the rankings that reach it) / (1 + runs), so never 0; NaN without positives, or with too many samples.

    Notes
    -----
    The random rankings have no ties. Where the scores have ties, there are fewer thresholds, and the true probability
    is lower than the result: the error is on the safe side.

    References
    ----------
    Lipton et al. 2014, section 8; Phipson & Smyth 2010, for the 1 that is added.
    """
    if not 0 < positives <= samples < MOST_SAMPLES:
        return float("nan")
    found = best_prefixes(np.full(runs, positives), samples, np.random.default_rng(seed), beta).f
    return float((1 + (found >= f * (1 - 1e-12)).sum()) / (1 + runs))
