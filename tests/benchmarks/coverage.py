"""How often the intervals that cvlint prints hold what they are about: ``python -m tests.benchmarks.coverage``.

Experiments are drawn again and again from one distribution: ten folds, scores that are normal within each class, and
decisions at the threshold with the highest F. For each interval the table says in how many of the experiments it holds
what cvlint says it is about: the true value for AP, whose mean small folds raise, and for all others the mean of the
aggregate over the experiments. Beside it stands how many hold the mean, and how many the true value, where the
aggregate estimates a value of the distribution itself (F, AUC, AP): for AP the first of them is no figure of merit. The
experiments without an interval are counted: their reason is printed below. A nominal 95 % interval holds what it is
about in 95 % of them; 1,000 repetitions tell that up to 1.4 points. A line is marked where its share is not from 93 to
97 %, or is below 90 % with two to five positives a fold, if at least a hundred intervals tell it: by "!" where its own
95 % interval (Wilson 1927) does not reach those bounds either, by "?" where it does, so that it may be chance. Of 2,000
lines some are: repeat them with another ``--seed`` and more ``--repetitions``.

The kinds "binary" to "groups" are what ``cvlint recompute`` prints, "thresholds" what ``cvlint threshold`` prints,
"compare-…" what ``cvlint compare`` prints, and "curves…" the bands of ``cvlint curves``, which hold a curve only where
they do so at every place. The whole table takes some hours: ``--kind``, ``--prior`` and ``--samples`` choose a part.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from multiprocessing import Pool
from typing import Any

import numpy as np

from cvlint.runtime import Bootstrap, recompute
from cvlint.runtime.aggregates import count_aggregates
from cvlint.runtime.intervals.bootstrap import CLASS_SIZES
from cvlint.runtime.measures.counts import Average
from cvlint.runtime.thresholds.optimism import optimism
from tests.benchmarks.drawn.experiments import FOLDS, Setting
from tests.benchmarks.drawn.pairs import COMPARED, CURVES, Row, band_rows, difference_rows
from tests.benchmarks.drawn.shared_draws import kept, share_draws

PRIORS, SIZES = (0.5, 0.1, 0.01), (500, 2_000, 5_000)
SIZED = ("binary", "weighted", "multiclass", "thresholds")  # kinds whose intervals have the option --class-sizes
KINDS = (*SIZED, "multilabel", "groups", *(f"compare-{kind}" for kind in COMPARED), *CURVES)
AVERAGES: dict[str, tuple[Average, ...]] = {
    "multiclass": ("macro", "weighted", "micro"),
    "multilabel": ("macro", "weighted", "micro"),
}
ASKED, ASKED_OF_FEW = (0.93, 0.97), 0.9  # with five positives a fold or more, and with two
ENOUGH = 100
Z = 1.96
PARTS = 20


def measured(setting: Setting, rng: np.random.Generator, seed: int) -> Iterator[Row]:
    """Every interval of one experiment, or why there is none, with the value that it is around.

    With one seed, experiments would share the chance by which some hundred replicates are too close or too far.
    """
    kept.clear()
    bootstrap = Bootstrap(setting.replicates, seed=seed, class_sizes=setting.class_sizes)
    if setting.kind.startswith("compare-"):
        yield from difference_rows(setting, bootstrap, rng)
    elif setting.kind.startswith("curves"):
        yield from band_rows(setting, bootstrap, rng)
    elif setting.kind == "thresholds":
        found = optimism(setting.experiment(rng), bootstrap=bootstrap)
        for way, interval in found.intervals.items():
            yield way, found.f[way] - (0 if way == "nested" else found.f["nested"]), interval
    else:
        folds = setting.experiment(rng)
        for average in AVERAGES.get(setting.kind, ("binary",)):
            (result,) = recompute(folds, average=average, k=setting.k or None, bootstrap=bootstrap)
            for a in result.aggregates:
                name = a.name if average == "binary" else f"{a.name} {average}"
                yield name, a.value, a.interval or a.why.get("interval", a.why.get("value", ""))


def run(task: tuple[Setting, int, int]) -> list[list[Row]]:
    """Some experiments of one setting."""
    count_aggregates.expected_biases = lambda *_: "it is left out"  # simulated, slow, and no part of an interval
    setting, seed, times = task
    rng = np.random.default_rng(seed)
    return [list(measured(setting, rng, seed * times + n)) for n in range(times)]


def table(setting: Setting, every: list[list[Row]], positives: float) -> Iterator[str]:
    """The lines of one setting."""
    reasons: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name in dict.fromkeys(name for one in every for name, *_ in one):
        rows = [(value, interval) for one in every for own, value, interval in one if own == name]
        known = [interval for _, interval in rows if not isinstance(interval, str)]
        for _, interval in rows:
            if isinstance(interval, str):
                reasons[interval][name] += 1
        about = [value for value, _ in rows if not np.isnan(value).any()]
        mean = np.mean(about, axis=0) if about else float("nan")
        truth = setting.true_values.get(name)
        held = [share(known, mean), None if truth is None else share(known, truth)]
        judged = held[1] if name.startswith("ap_") and truth is not None else held[0]
        shown = "   ".join("     " if each is None else f"{each:5.3f}" for each in (judged, *held))
        finite = [np.asarray(i.high - i.low)[np.isfinite(i.high)] for i in known]  # a band has none where few decide
        width = f"{np.mean([each.mean() for each in finite if each.size]):.3f}" if known else ""
        mark = "" if judged is None or len(known) < ENOUGH else mark_of(judged, len(known), positives)
        yield f"  {name:22} {np.mean(mean):6.3f}   {shown}   {width:5}   {len(rows) - len(known):7} {mark}".rstrip()
    for why, names in reasons.items():
        yield f"    no interval of {', '.join(f'{name} ({times})' for name, times in names.items())}: {why}"


def mark_of(held: float, times: int, positives: float) -> str:
    """A mark where so many intervals hold their value less often, or more often, than is asked for."""
    if positives < 2:
        return ""
    low, high = ASKED if positives >= 5 else (ASKED_OF_FEW, 1.0)
    centre, reach = (held + Z**2 / 2 / times), Z * sqrt(held * (1 - held) / times + Z**2 / 4 / times**2)
    within = [(centre + side * reach) / (1 + Z**2 / times) for side in (-1, 1)]
    if low <= held <= high:
        return ""
    return "?" if within[0] <= high and within[1] >= low else "!"


def share(known: Sequence[Any], value: Any) -> float | None:
    """The share of the intervals that hold a value, or of the bands that hold a curve; None without any."""
    return float(np.mean([np.all((i.low <= value) & (value <= i.high)) for i in known])) if known else None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add: Any = parser.add_argument
    add("--repetitions", type=int, default=1_000, help="experiments of each setting; default: 1000")
    add("--replicates", type=int, default=1_000, help="replicates of each bootstrap; default: 1000")
    add("--prior", type=float, action="append", help="P(+); default: .5, .1 and .01; may be repeated")
    add("--samples", type=int, action="append", help="default: 500, 2000 and 5000; may be repeated")
    add("--separation", type=float, default=2.0, help="of the classes, in standard deviations; default: 2, AUC .921")
    add("--class-sizes", choices=CLASS_SIZES, action="append", help="of the experiments and of the intervals")
    add("--kind", choices=KINDS, action="append", help="of intervals; default: all; may be repeated")
    add("--k", type=int, default=10, help="of precision at k; default: 10; 0 leaves it out")
    add("--jitter", type=float, default=0.0, help="how far the models of the folds differ; default: 0")
    add("--seed", type=int, default=0, help="of the first of the 20 parts of each setting; default: 0")
    add("--jobs", type=int, default=2)
    given = parser.parse_args()
    started = time.perf_counter()
    with Pool(given.jobs, share_draws) as pool:
        for kind, class_sizes in product(given.kind or KINDS, given.class_sizes or CLASS_SIZES):
            if class_sizes == "random" and kind not in SIZED:
                continue
            for prior, samples in product(given.prior or PRIORS, given.samples or SIZES):
                options = (given.separation, given.replicates, class_sizes, given.k, given.jitter)
                setting = Setting(kind, prior, samples, *options)
                sizes = [given.repetitions // PARTS] * (PARTS - 1)
                sizes.append(given.repetitions - sum(sizes))
                tasks = [(setting, seed, times) for seed, times in enumerate(sizes, given.seed) if times]
                every = [one for part in pool.map(run, tasks, chunksize=1) for one in part]
                several = kind.endswith("multiclass")
                rare = samples * prior / FOLDS / (2 if several else 1)
                print(
                    f"{kind}, class sizes {class_sizes}, P(+) {prior:g}, {samples} samples, {rare:g} positives a fold"
                    f"{' of each rare class' if several else ''}: {len(every)} experiments\n"
                    "  interval of              mean   holds    mean    true   width   without"
                )
                print("\n".join(table(setting, every, rare)), flush=True)
    print(f"{given.repetitions} repetitions of each setting: {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
