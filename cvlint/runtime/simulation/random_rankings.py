"""The best F-measure over all thresholds of random scores: the winner's curse of choosing a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.recall_weight import checked_beta

Integers: TypeAlias = NDArray[np.int64]

RUNS = 1_000  # at a time: bounds the memory
MOST_SAMPLES = 1_000_000_000  # numpy draws hypergeometric numbers only below that


@dataclass(frozen=True, eq=False, slots=True)
class ChosenAtRandom:
    """The threshold with the best F_beta in each run, where scores and labels are independent."""

    positives: Integers
    """The positives among the samples, (runs,)."""
    predicted: Integers
    """How many samples the best threshold calls positive, (runs,); the fewest among equal ones; 0 without positives."""
    f: Floats
    """Its F_beta on the samples that it is chosen on, (runs,); 0 without positives."""


def winners_curse(samples: int, prevalence: float, runs: int, beta: float = 1.0, seed: int = 0) -> ChosenAtRandom:
    """Choose the threshold with the best F_beta on random labels with a base rate, and on random scores.

    Parameters
    ----------
    samples
        The number in each run, from 1 to 999,999,999.
    prevalence
        The base rate b, from 0 to 1: each sample is positive with this probability.
    runs
        The number of runs.
    beta
        The weight of recall against precision.
    seed
        The seed of the random numbers.

    Returns
    -------
    ChosenAtRandom
        Drawn from the exact distribution; see `best_prefixes`.

    Raises
    ------
    FoldDataError
        For numbers outside these ranges.

    References
    ----------
    Lipton et al. 2014, section 8 and figure 8. That section compares a threshold that calls only the first sample
    positive with one that calls all so. It prints F1 = 2 / (2 + b n) for the first; with tp = 1 and fn = b n - 1 it
    is 2 / (1 + b n). The printed bound b >= (sqrt(1 + 8/n) - 1) / 2 follows from neither: the printed F1 gives
    b >= (sqrt(1 + 4 n) - 1) / (2 n), which is the n >= (1 - b) / b² that the text goes on with, and the right F1
    gives b >= 1 / sqrt(n) (`one_prediction_bound`). It also says that all are called positive at "a threshold of 0",
    although half of its scores, normal around b, can be lower: the right threshold is the lowest score.
    """
    if not (1 <= samples < MOST_SAMPLES and runs >= 1 and 0 <= prevalence <= 1):
        raise FoldDataError(
            f"{runs} runs of {samples} samples at a base rate of {prevalence:g} cannot be simulated: at least one run "
            f"is needed, from 1 to {MOST_SAMPLES - 1:,} samples, and a base rate from 0 to 1."
        )
    rng = np.random.default_rng(seed)
    return best_prefixes(rng.binomial(samples, prevalence, runs), samples, rng, beta)


def one_prediction_bound(samples: int) -> float:
    """The base rate above which calling all n samples positive has a higher F1 than a single, right prediction.

    2b / (1 + b) > 2 / (1 + b n) holds for b > 1 / sqrt(n). See `winners_curse` on what the paper prints.
    """
    return float(1 / np.sqrt(samples))


def best_prefixes(positives: NDArray[Any], samples: int, rng: np.random.Generator, beta: float = 1.0) -> ChosenAtRandom:
    """In each run rank samples at random, and find how many top samples give the best F_beta as positive predictions.

    Parameters
    ----------
    positives
        The number of positives of each run, (runs,), from 0 to ``samples``.
    samples
        The number of samples in each run.
    rng
        The random number generator.
    beta
        The weight of recall against precision.

    Notes
    -----
    Only the places of the positives matter, and most places are never drawn. With a positives, the first x samples,
    j of them positive, have F = (1 + beta²) j / (beta² a + x). Take a stretch of the ranking that begins after x
    samples with j positives and has m positives itself. Its F is at most (1 + beta²) (j + m) / (beta² a + x + m), as if
    its positives came first; at its end F is (1 + beta²) (j + m) / (beta² a + x + length). A stretch whose maximum is
    below the F at another's end is dropped. The others are halved, with a hypergeometric number of their positives in
    the first half, until they have one positive, at a random place, or positives only. This draws a random order
    lazily, so the result has exactly the distribution of a random order.
    """
    count = np.asarray(positives, dtype=np.int64)
    parts = [best_of_block(count[i : i + RUNS], samples, rng, beta) for i in range(0, len(count), RUNS)]
    predicted = np.concatenate([p for p, _ in parts]) if parts else np.zeros(0, dtype=np.int64)
    return ChosenAtRandom(count, predicted, np.concatenate([f for _, f in parts]) if parts else np.zeros(0))


@dataclass(frozen=True, eq=False, slots=True)
class Stretches:
    """Stretches of rankings: the run of each, the samples and positives before it, its length and its positives."""

    run: Integers
    start: Integers
    before: Integers
    length: Integers
    positives: Integers

    def taken(self, chosen: NDArray[np.bool_]) -> Stretches:
        """The chosen stretches."""
        return Stretches(
            self.run[chosen],
            self.start[chosen],
            self.before[chosen],
            self.length[chosen],
            self.positives[chosen],
        )

    def halves(self, rng: np.random.Generator) -> Stretches:
        """Both halves of each stretch, without the halves that have no positives."""
        half = self.length // 2
        first = rng.hypergeometric(self.positives, self.length - self.positives, half)
        both = Stretches(
            np.concatenate((self.run, self.run)),
            np.concatenate((self.start, self.start + half)),
            np.concatenate((self.before, self.before + first)),
            np.concatenate((half, self.length - half)),
            np.concatenate((first, self.positives - first)),
        )
        return both.taken(both.positives > 0)

    def placed(self, rng: np.random.Generator) -> Stretches:
        """The same stretches; those with a single positive end at a random place, with this positive."""
        single = self.positives == 1
        length = self.length.copy()
        length[single] = rng.integers(1, length[single] + 1)
        return Stretches(self.run, self.start, self.before, length, self.positives)


def best_of_block(positives: Integers, samples: int, rng: np.random.Generator, beta: float) -> tuple[Integers, Floats]:
    """The number of predictions with the best F, and that F, of each run."""
    runs = len(positives)
    square = checked_beta(beta) ** 2
    weighed = square * positives
    most = (1 + square) * positives / (weighed + samples)  # F where all samples are called positive
    ends: list[tuple[Integers, Integers, Floats]] = []
    every = np.arange(runs)
    open_ones = Stretches(every, 0 * every, 0 * every, np.full(runs, samples), positives).taken(positives > 0)
    while len(open_ones.run):
        open_ones = open_ones.placed(rng)
        o = open_ones
        hits, bottom = (1 + square) * (o.before + o.positives), weighed[o.run] + o.start
        at_end = hits / (bottom + o.length)
        np.maximum.at(most, o.run, at_end)
        known = (o.positives == 1) | (o.positives == o.length)
        good = at_end >= most[o.run]
        ends.append((o.run[good], (o.start + o.length)[good], at_end[good]))
        open_ones = o.taken(~known & (hits / (bottom + o.positives) >= most[o.run])).halves(rng)
    predicted = np.zeros(runs, dtype=np.int64)
    run, place, f = (np.concatenate(column) for column in zip(*ends, strict=True)) if ends else (every[:0],) * 3
    best = f == most[run]
    order = np.lexsort((-place[best], run[best]))  # among equal ones, the first place is written last
    predicted[run[best][order]] = place[best][order]
    if not beta:  # the precision is 1 at each of the positives at the top of a ranking, which may be one stretch
        predicted[most == 1] = 1
    return predicted, np.asarray(most)
