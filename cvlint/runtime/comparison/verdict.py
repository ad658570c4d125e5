"""The interval of a difference, and the sentence that says what it means."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from cvlint.runtime.comparison.paired_delong import DifferenceError
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.comparison.results import Difference, Needed, Verdict
from cvlint.runtime.intervals.bootstrap import EQUAL, NOT_ASKED, Bootstrap, Interval, measure_interval
from cvlint.runtime.intervals.student_t import half_width
from cvlint.runtime.measures.counts import Floats

POWER = 0.8
"""How often an experiment of the size that `Needed` names shows the difference."""

MOST_NEEDED = 10**9


def interval_of(
    own: Difference, drawn: Floats | str | None, pair: Pair, bootstrap: Bootstrap, freedom: float
) -> Difference:
    """The difference with the interval of its replicates, whose variance has so many degrees of freedom.

    With few of them the interval is wider, by as much as Student's t is than the normal distribution: this is the
    expanded percentile interval of Hesterberg (2015, What teachers should know about the bootstrap).
    """
    if drawn is None:
        return replace(own, why=NOT_ASKED)
    found = drawn if isinstance(drawn, str) else measure_interval(drawn, bootstrap.level)
    if isinstance(found, str) or isinstance(drawn, str):
        return replace(own, why=str(found))
    method = "bootstrap" if pair.first.group is None else "cluster bootstrap"
    centre, wide = float(np.mean(drawn)), half_width(bootstrap.level, freedom) / half_width(bootstrap.level, math.inf)
    low, high = (centre + wide * (end - centre) for end in (found.low, found.high))
    interval = Interval(max(-1.0, low), min(1.0, high), found.level)
    return replace(own, interval=interval, error=float(np.std(drawn, ddof=1)), method=method)


def t_interval(own: Difference, found: DifferenceError | str, level: float, method: str = "DeLong") -> Difference:
    """The difference with the interval of its standard error by Student's t."""
    if isinstance(found, str):
        return replace(own, why=found)
    reach = half_width(level, found.freedom) * found.error
    low, high = max(-1.0, own.value - reach), min(1.0, own.value + reach)
    interval = Interval(low, high, level)
    return replace(own, interval=interval, error=found.error, freedom=found.freedom, method=method)


def judged(one: Difference, pair: Pair, now: int, level: float) -> tuple[Verdict, str, Needed | None]:
    """The verdict on the second experiment, the sentences that say it, and what would show a difference of this size.

    Parameters
    ----------
    one
        The difference that decides.
    pair
        The experiments.
    now
        How many positives there are, or samples for several classes.
    level
        Of the intervals.
    """
    a, b = pair.names
    if pair.identical:
        return "equal", f"{a} and {b} predict the same for every sample.", None
    what = "positives" if pair.first.kind == "binary" else "samples"
    if one.value != one.value:
        return "undecided", f"These data cannot decide between {a} and {b}: {one.label} is undefined.", None
    size = f"{one.label} is {one.second:.4f} for {b} and {one.first:.4f} for {a}"
    if one.interval is None:
        if one.why == EQUAL and one.value == 0:
            return "no difference shown", f"These data show no difference between {a} and {b}: {size}.", None
        return (
            "undecided",
            f"These data cannot decide between {a} and {b}: {size}, without an interval: {one.why}.",
            None,
        )
    if one.shown:
        return shown(one, pair, size)
    between = f"{one.interval.level:.0%} interval of the difference {ends(one.interval)}"
    needed = Needed(what, now, number_needed(one, now, level))
    says = f"These data show no difference between {a} and {b}: {size} ({between}, which holds 0)."
    return "no difference shown", f"{says} {needed_sentence(needed)}", needed


def shown(one: Difference, pair: Pair, size: str) -> tuple[Verdict, str, None]:
    """The verdict where the trained models differ: on the methods only where other training data leave no doubt."""
    a, b = pair.names
    if one.interval is None:
        raise ValueError("the difference has no interval")
    better, level = one.value > 0, f"{one.interval.level:.0%}"
    if one.shown_of_methods:
        word: Verdict = "better" if better else "worse"
        says = f"{b} is {word} than {a}: {size} ({level} interval of the difference {ends(one.interval)})."
        return word, f"{says} The difference stays if other training data are allowed for.", None
    word = "trained models better" if better else "trained models worse"
    says = (
        f"The trained models of {b} are {'better' if better else 'worse'} than those of {a}: {size} ({level} interval "
        f"of the difference {ends(one.interval)})."
    )
    if one.stays is None:
        return word, f"{says} Whether the method is, cannot be said: {one.why_untrained}.", None
    may = "This does not show that the method is: with other training data the difference may turn."
    return word, f"{says} {may}", None


def ends(interval: Interval) -> str:
    """The ends of the interval of a difference in a sentence."""
    return f"{signed(interval.low)} to {signed(interval.high)}"


def number_needed(one: Difference, now: int, level: float) -> int | None:
    """How many positives (or samples) show a difference of this size in `POWER` of such experiments.

    The standard error falls with the square root of the number of samples.
    """
    if one.value == 0 or not one.error > 0:
        return None
    normal = NormalDist()
    factor = ((normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(POWER)) * one.error / one.value) ** 2
    number = math.ceil(now * factor) if factor < MOST_NEEDED else MOST_NEEDED + 1
    return None if number > MOST_NEEDED else number


def needed_sentence(needed: Needed) -> str:
    """How many positives would be needed, as a sentence."""
    if needed.number is None:
        return f"No number of {needed.what} would show a difference as small as this."
    return (
        f"To show a difference of this size in 4 of 5 such experiments, about {rounded(needed.number):,} {needed.what} "
        f"are needed; here there are {needed.now:,}."
    )


def rounded(number: int) -> int:
    """A number with two digits that count."""
    unit = int("1".ljust(len(str(number)) - 1, "0"))
    return -(-number // unit) * unit


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{round(value, 4) + 0.0:+.4f}".replace("-", "−")
