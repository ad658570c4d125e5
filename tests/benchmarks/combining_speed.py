"""How fast classifiers are combined: ``python combining_speed.py``.

Prints the seconds of (a) `combined` for 20 classifiers of 100 thresholds each on 10 000 samples, for one iteration and
for ten. Then, for the first few classifiers, it prints one iteration next to (b) the same with arrays of booleans, one
pair of thresholds and one function at a time, and b/a; both must find the same hull. Seconds are processor time, so
other processes do not count.
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations, product

import numpy as np

from cvlint.runtime.combination.boolean_functions import FUNCTIONS
from cvlint.runtime.combination.combining import combined, evenly_spread
from cvlint.runtime.combination.roc_hull import RocHull
from cvlint.runtime.thresholds.operating_points import hull_index, operating_points


def by_booleans(y: np.ndarray, scores: dict[str, np.ndarray], thresholds: int) -> list[tuple[int, int]]:
    """FP and TP of the vertices of the hull."""
    decisions = {
        name: [s >= t for t in evenly_spread(operating_points(y, s), thresholds)] for name, s in scores.items()
    }
    points = {(0, 0)} | {(int(d[~y].sum()), int(d[y].sum())) for each in decisions.values() for d in each}
    for one, other in combinations(decisions, 2):
        for a, b in product(decisions[one], decisions[other]):
            for function in FUNCTIONS:
                found = table(function.cells, a, b)
                tp = int(np.count_nonzero(found & y))
                points.add((int(np.count_nonzero(found)) - tp, tp))
    every = np.array(sorted(points))
    return [tuple(point) for point in every[hull_index(every[:, 0], every[:, 1])].tolist()]


def table(cells: tuple[bool, ...], a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A function of booleans by numpy's operators."""
    parts = [part for says, part in zip(cells, (~a & ~b, ~a & b, a & ~b, a & b), strict=True) if says]
    return np.logical_or.reduce(parts)


def vertices(hull: RocHull) -> list[tuple[int, int]]:
    """FP and TP of the vertices that can be best."""
    return [(int(fp), int(tp)) for fp, tp in zip(hull.fp, hull.tp, strict=True)]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classifiers", type=int, default=20)
    parser.add_argument("--compared", type=int, default=3, help="how many of them are combined by booleans, too (3)")
    parser.add_argument("--thresholds", type=int, default=100)
    parser.add_argument("--samples", type=int, default=10_000)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    y = rng.random(given.samples) < 0.1
    shared = rng.normal(size=given.samples) / 2
    scores = {f"c{i}": 1.5 * y + shared + rng.normal(size=given.samples) for i in range(given.classifiers)}
    for iterations in (1, 10):
        start = time.process_time()
        hulls = combined(y, scores, thresholds=given.thresholds, iterations=iterations)
        seconds = time.process_time() - start
        print(
            f"{len(scores)} classifiers, {len(hulls) - 1:3} iterations: {seconds:6.2f} s, area {hulls[-1].area():.4f}"
        )
    few = dict(list(scores.items())[: given.compared])
    start = time.process_time()
    hull = combined(y, few, thresholds=given.thresholds, iterations=1)[-1]
    a = time.process_time() - start
    start = time.process_time()
    by_force = by_booleans(y, few, given.thresholds)
    b = time.process_time() - start
    ends = {(0, 0), (int((~y).sum()), int(y.sum()))}  # that all or nothing is positive, which both have or could have
    same = set(vertices(hull)) - ends == set(by_force) - ends
    print(f"{len(few)} classifiers, iterations:  1  ours {a:6.2f} s  booleans {b:6.2f} s  b/a {b / a:5.1f}")
    print(f"the same hull: {same}")


if __name__ == "__main__":
    main()
