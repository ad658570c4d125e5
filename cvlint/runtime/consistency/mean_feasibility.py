"""Whether folds can have given means of measures: yes with an example, no with a proof, or undecided.

The search drops tables that cannot take part, looks for an example by random walks, looks for a direction that
separates all sums from the ranges, and tries all sums where they are few enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil, floor, lcm
from typing import TypeAlias

import numpy as np

from cvlint.runtime.consistency.confusion_tables import FoldSizes, Integers, Table
from cvlint.runtime.consistency.count_sums import STEP, Effort, MeanRange, SumProblem, sums_in_box
from cvlint.runtime.measures.counts import Floats

MOST_CHECKS = 2_000  # candidates that are checked in exact fractions
QUICK = 50_000  # with at most so many sums of half of the folds, all sums are tried at once
MOST_BOTTOMS = 100  # distinct denominators whose common multiple is computed
ROUNDS = 6  # of dropping tables by the best directions
STEPS = 600  # of the search for a direction in which the folds cannot reach the range
ENDS = 30  # ends of walks around which all sums are tried
FREE = 20_000  # sums of half of the open folds that are tried there
STARTS = 100  # of the walks towards the range
LEAST_STARTS = 5
MOST_LOOKS = 4_000_000  # tables that all walks together look at, if each looked at every table once
NEAR = 20_000  # tables of a fold that a walk looks at in one step

Accept: TypeAlias = Callable[[Sequence[Table]], bool | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether folds can have the means: True with tables as an example, False with a proof, None for undecided."""

    possible: bool | None
    tables: tuple[Table, ...] = ()
    given_up: bool = False
    """Whether the search has used up its effort."""


def search(
    sizes: FoldSizes,
    ranges: Sequence[MeanRange],
    accept: Accept,
    *,
    thorough: bool = True,
    effort: Effort | None = None,
) -> Answer:
    """Search the tables of counts of all folds.

    Parameters
    ----------
    sizes
        The numbers of positives and negatives of the folds.
    ranges
        The ranges of the means over the folds.
    accept
        The exact test of tables, one for each fold; it must imply the ranges. It gives None where they fail, but other
        tables in the same cells might pass.
    thorough
        Whether to try all sums when nothing quicker decides.
    effort
        What this search, with others, may look at; by default it has its own.

    Returns
    -------
    Answer
        ``possible`` is False only when no tables with means in the ranges exist: either a direction separates all sums
        from the ranges, which is checked in whole numbers, or all sums were tried.

    Raises
    ------
    FoldDataError
        When the folds are too large.
    Exhausted
        When the effort is used up.
    """
    problem = SumProblem.of(sizes, ranges, effort)
    if any(excluded_by_denominators(r, problem.tables) for r in ranges):
        return Answer(False)
    problem = problem.pruned()
    for _ in range(ROUNDS):
        if problem.empty:
            return Answer(False)
        if problem.halves <= QUICK:
            return exhaustive_answer(problem, accept)
        if tables := example_from_walks(problem, accept):
            return Answer(True, tables)
        smaller = problem
        for direction in directions(problem):
            smaller = smaller.along(direction)
        smaller = smaller.pruned()
        stuck = smaller.size > 0.9 * problem.size
        problem = smaller
        if stuck:
            break
    if problem.empty:
        return Answer(False)
    return exhaustive_answer(problem, accept) if thorough else Answer(None)


def excluded_by_denominators(wanted: MeanRange, tables: Sequence[Integers]) -> bool:
    """Whether no mean can be in the range, because all sums are multiples of one fraction that is not in it.

    This decides about accuracy, and about recall where all folds have the same number of positives.
    """
    common = 1
    for kind in {id(t): t for t in tables}.values():
        bottoms = np.unique(wanted.measure(*kind.T)[1]).tolist()
        if len(bottoms) > MOST_BOTTOMS:
            return False
        common = lcm(common, *(max(bottom, 1) for bottom in bottoms))
    return floor(wanted.high * len(tables) * common) < ceil(wanted.low * len(tables) * common)


def example_from_walks(problem: SumProblem, accept: Accept) -> tuple[Table, ...]:
    """Accepted tables, found by walks or around their ends; empty where no walk succeeds."""
    ends = []
    for cost, picks in walks(problem):
        if not cost and accept(tables := problem.chosen(picks)):
            return tables
        ends.append((cost, picks))
    rng = np.random.default_rng(0)
    for _, picks in sorted(ends)[:ENDS]:
        around = with_few_open_folds(problem, picks, rng)
        for found in islice(sums_in_box(around), ENDS):
            if found is not None and accept(tables := around.chosen(found)):
                return tables
    return ()


def with_few_open_folds(problem: SumProblem, picks: Sequence[int], rng: np.random.Generator) -> SumProblem:
    """The problem with all folds but a few fixed to a choice; so few stay open that all their sums can be tried."""
    tables = [t[i : i + 1] for t, i in zip(problem.tables, picks, strict=True)]
    vectors = [v[i : i + 1] for v, i in zip(problem.vectors, picks, strict=True)]
    halves = [1, 1]
    for fold in rng.permutation(len(picks)):
        rows = len(problem.vectors[fold])
        if halves[0] * rows > FREE:
            break
        halves = sorted((halves[0] * rows, halves[1]))
        tables[fold], vectors[fold] = problem.tables[fold], problem.vectors[fold]
    return replace(problem, tables=tables, vectors=vectors)


def exhaustive_answer(problem: SumProblem, accept: Accept) -> Answer:
    """The answer of trying all sums."""
    sure = True
    for checks, found in enumerate(sums_in_box(problem)):
        if found is None or checks > MOST_CHECKS:
            return Answer(None)
        verdict = accept(tables := problem.chosen(found))
        if verdict:
            return Answer(True, tables)
        sure = sure and verdict is not None
    return Answer(False if sure else None)


def walks(problem: SumProblem) -> Iterator[tuple[float, list[int]]]:
    """Local searches: choices of tables, and how far their sum is from the box.

    Each walk changes one fold after the other for the better. The number of positives of each fold is drawn once for
    each walk.
    """
    rng = np.random.default_rng(0)
    d, k, width = problem.given, len(problem.vectors), problem.width
    made = {id(v): v[:, :d].astype(np.float64) for v in problem.vectors}
    vectors = [made[id(v)] for v in problem.vectors]
    low, high = problem.low[:d].astype(np.float64), problem.high[:d].astype(np.float64)
    picks: list[int] = []
    best = float("inf")
    step = sum(min(len(v), NEAR) for v in vectors)
    for _ in range(max(LEAST_STARTS, min(STARTS, MOST_LOOKS // step))):
        rows = [
            np.flatnonzero(t[:, 0] == p) for t, p in zip(problem.tables, drawn_positives(problem, rng), strict=True)
        ]
        if not all(len(r) for r in rows):
            continue
        same = picks and all(picks[i] in rows[i] for i in range(k)) if problem.fixed else False
        trial = list(picks) if same else [int(rng.choice(r)) for r in rows]
        for fold in rng.choice(k, min(k, 3), replace=False):
            trial[fold] = int(rng.choice(rows[fold]))
        total = np.sum([v[i] for v, i in zip(vectors, trial, strict=True)], axis=0)
        cost = float((np.maximum(np.maximum(low - total, total - high), 0) / width).sum())
        moved = True
        while moved and cost:
            moved = False
            for fold in rng.permutation(k):
                problem.effort.spend(STEP + min(len(rows[fold]), NEAR))
                own, at = vectors[fold], rows[fold]
                at = at if len(at) <= NEAR else rng.choice(at, NEAR)
                reached = total - own[trial[fold]] + own[at]
                costs = (np.maximum(np.maximum(low - reached, reached - high), 0) / width).sum(axis=1)
                i = int(costs.argmin())
                if costs[i] < cost * (1 - 1e-9):
                    trial[fold], total, cost, moved = int(at[i]), reached[i], float(costs[i]), True
        yield cost, list(trial)
        if cost <= best:
            picks, best = trial, cost


def drawn_positives(problem: SumProblem, rng: np.random.Generator) -> list[int]:
    """A random number of positives for each fold, as an unstratified split gives it."""
    if problem.positives is None:
        return [int(t[0, 0]) for t in problem.tables]
    sizes = [int(t[0, 0] + t[0, 1]) for t in problem.tables]
    return [int(p) for p in rng.multivariate_hypergeometric(sizes, problem.positives)]


def directions(problem: SumProblem) -> list[Floats]:
    """The directions that separate the sums best from the ranges, by the ellipsoid method."""
    d, width = problem.given, problem.width
    kinds = {id(v): v[:, :d] / width for v in problem.vectors}
    often = {i: sum(id(v) == i for v in problem.vectors) for i in kinds}
    low, high = problem.low[:d] / width, problem.high[:d] / width
    centre, shape = np.zeros(d), np.eye(d)
    best, found = float("-inf"), [np.zeros(d)]
    for _ in range(STEPS):
        problem.effort.spend(STEP + sum(map(len, kinds.values())))
        slope = np.sum([often[i] * v[int((v @ centre).argmin())] for i, v in kinds.items()], axis=0)
        slope -= np.where(centre > 0, high, low)
        length = float(np.linalg.norm(centre))
        if length and slope @ centre / length > best:
            best = float(slope @ centre) / length
            found.append(centre / width)
            if best > 0 and problem.along(found[-1]).pruned().empty:
                break
        if length > 1:  # outside the unit ball: cut towards it
            slope = -centre
        spread = float(np.sqrt(max(slope @ shape @ slope, 0.0)))
        if spread < 1e-9:
            break
        step = shape @ slope / spread
        if d == 1:
            centre, shape = centre + step / 2, shape / 4
            continue
        centre = centre + step / (d + 1)
        shape = d * d / (d * d - 1) * (shape - 2 / (d + 1) * np.outer(step, step))
    return [direction for direction in found[-3:] if direction.any()]
