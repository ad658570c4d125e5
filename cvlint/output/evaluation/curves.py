"""Curves of experiments as text, and as rows of a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np

from cvlint.output.evaluation.class_names import positive_sentence
from cvlint.output.evaluation.recomputed import figure, share
from cvlint.output.evaluation.text_table import aligned
from cvlint.output.evaluation.thresholds import shortest
from cvlint.output.shared.locations import printable
from cvlint.output.shared.strangers_text import harmless_text
from cvlint.runtime.comparison.curve_bands import GRID, LEAST_ERRORS, Shown, runs, shown_differences
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking_areas import gain_area, gain_curve, partial_area
from cvlint.runtime.spaces.costspace import brier_cost, cost_envelope, expected_cost
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.spaces.envelopes import Comparison, Envelope, compare
from cvlint.runtime.spaces.fspace import f_at, f_envelope
from cvlint.runtime.thresholds.best_threshold import next_score
from cvlint.runtime.thresholds.operating_points import OperatingPoints

PREVALENCES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)
MOST_PAIRS = 100  # their number grows with the square of the experiments
NOT_DRAWN = "no bootstrap was asked for"
HEADER = ("experiment", "repeat", "class", "fold", "space", "threshold", "x", "y")
STEPS = 100  # of P(+) at which a table has the F curve, besides its crossings


def render_text(
    curves: Sequence[Curves],
    alpha: float,
    prevalence: float | None,
    bootstrap: Bootstrap | None = None,
    max_fpr: float | None = None,
) -> str:
    """The best thresholds of each experiment by P(+), and a comparison of the experiments.

    With ``max_fpr``, the partial AUC up to it is named, too. The bootstrap tells where one of two experiments is better
    by more than chance; None for points alone.
    """
    parts = [
        text
        for one in curves
        for text in (heading(one), *undefined(one), *areas(one, max_fpr), *best(one, alpha, prevalence))
    ]
    usable = [one for one in curves if one.points.defined]
    if any(len(one.points) > 1 for one in usable):
        parts.append(
            "These thresholds are the best on the test folds themselves, and so their F is optimistic: choose a "
            "threshold on other samples than those it is measured on.\n"
        )
    every = list(islice(pairs(usable), MOST_PAIRS + 1))
    if len(every) > MOST_PAIRS:
        parts.append(
            f"These curves make more than {MOST_PAIRS} pairs, which would take minutes to compare, and so none is: "
            "keep fewer experiments, or name two of them with 'cvlint compare'.\n"
        )
        return harmless_text("\n".join(parts))
    crossings = [sentence for pair in every for sentence in compared(*pair, alpha, bootstrap)]
    parts += ["".join(f"{sentence}\n" for sentence in crossings)] if crossings else []
    return harmless_text("\n".join(parts))


def heading(one: Curves) -> str:
    """A sentence about the samples of the curves."""
    name = printable(one.name)
    name = name if one.experiment != "" else name[:1].upper() + name[1:]  # only our own words get a capital
    of = one.points
    negatives = "an unknown number of negatives" if math.isnan(of.negatives) else counted(of.negatives, "negative")
    share_of = f" (P(+) = {of.prevalence:.4g})" if of.defined else ""
    folds = f"; {counted(len(one.folds), 'fold')}" if one.folds else ""
    positive = positive_sentence(one.classes)
    says = f"{name}: {counted(of.positives, 'positive')}, {negatives}{share_of}{folds}."
    return f"{says} {positive}\n" if positive else f"{says}\n"


def counted(number: float, thing: str) -> str:
    """A number of things, which may be a sum of weights."""
    return f"{figure('samples', number)} {thing}{'' if number == 1 else 's'}"


def undefined(one: Curves) -> Iterator[str]:
    """Sentences about undefined rates."""
    if math.isnan(one.points.negatives):
        yield "Without true negatives (a column tn) the false positive rate is unknown, and its curves are undefined.\n"
        return
    if not one.points.defined:
        lacking = "negatives" if one.points.positives else "positives"
        yield f"There are no {lacking}, so that its curves are undefined.\n"
        return
    for lacking in ("positives", "negatives"):
        names = [printable(str(name)) for name, points in one.folds if not getattr(points, lacking)]
        if names:
            which = f"Fold {names[0]} has" if len(names) == 1 else f"The folds {', '.join(names)} have"
            yield f"{which} no {lacking}: no curve of {'its' if len(names) == 1 else 'their'} own is drawn.\n"


def areas(one: Curves, max_fpr: float | None) -> Iterator[str]:
    """A sentence about the areas under the curves of all folds together; nothing for decisions without scores."""
    points = one.points
    if not points.defined or len(points) == 1:
        return
    whole = share(partial_area(points.tpr, points.fpr, 1.0))
    gain = share(gain_area(points.tpr, points.fpr, points.prevalence))
    part = ""
    if max_fpr is not None:
        part = f", {share(partial_area(points.tpr, points.fpr, max_fpr))} up to FPR {max_fpr:g} (0.5 is chance)"
    yield (
        f"Areas of all folds' scores together: under the ROC curve {whole}{part}, and under the precision-recall-gain "
        f"curve {gain} (0 is chance).\n"
    )


def best(one: Curves, alpha: float, prevalence: float | None) -> Iterator[str]:
    """A table of the best threshold by P(+); for decisions without scores, of their F."""
    points = one.points
    if not points.defined:
        return
    envelope = f_envelope(points.tpr, points.fpr, alpha)
    asked = {*PREVALENCES, points.prevalence} | ({prevalence} if prevalence is not None else set())
    rows = [["P(+)", "F", "precision", "TPR", "FPR", "threshold", "best for P(+)", ""]]
    for p in sorted(asked):
        i, low, high = envelope.pieces()[int(envelope.piece(p))]
        tpr, fpr, at = points.tpr[i], points.fpr[i], float(points.thresholds[i])
        threshold = shortest(at, next_score(points, at))
        shares = [share(float(v)) for v in (f_at(tpr, fpr, p, alpha), points.precision(p)[i], tpr, fpr)]
        notes = ["of these samples"] if p == points.prevalence else []
        notes += ["asked for"] if p == prevalence else []
        rows.append([f"{p:.4g}", *shares, threshold, f"{low:.4g}–{high:.4g}", ", ".join(notes)])
    crisp = len(points) == 1
    if crisp:
        rows = [[*row[:5], row[-1]] for row in rows]
    what = "The F of its decisions" if crisp else "The best threshold"
    lines = aligned(rows, left=lambda column, cell: column == len(rows[0]) - 1)
    yield f"{what} by P(+), for F with alpha {alpha:g}:\n\n" + "".join(f"{line}\n" for line in lines)


def pairs(curves: Sequence[Curves]) -> Iterator[tuple[Curves, Curves]]:
    """Pairs of experiments of the same class, in the same repetition where both have several."""
    for one, other in combinations(curves, 2):
        together = one.repeat == other.repeat or "" in (one.repeat, other.repeat)
        if one.target == other.target and together:
            yield one, other


def compared(one: Curves, other: Curves, alpha: float, bootstrap: Bootstrap | None) -> Iterator[str]:
    """Sentences about which of two experiments is better at which P(+), in F and in cost."""
    names = printable(one.name), printable(other.name)
    bands: tuple[Shown | str, Shown | str] = (NOT_DRAWN, NOT_DRAWN)
    if bootstrap is not None:
        bands = shown_differences(one, other, alpha, bootstrap)
    said = [note for band in bands if isinstance(band, Shown) for note in band.notes]
    yield from (f"warning: {printable(note)}" for note in dict.fromkeys(said))
    for (envelope, axis, where, better), band in zip(spaces(alpha), bands, strict=True):
        found = compare(envelope(one.points), envelope(other.points))
        if set(found.better) == {0}:
            yield verdict(found, *names, axis, where, better)
            continue
        yield f"{where}, {shown_sentence(band, *names, axis, better)}"
        yield verdict(found, *names, axis, "On these samples alone", "is ahead of")


def shown_sentence(band: Shown | str, one: str, other: str, axis: str, better: str) -> str:
    """Where one of two experiments is better by more than chance, as the rest of a sentence."""
    if isinstance(band, str):
        return f"it is not known whether {one} and {other} differ by more than chance: {band}."
    holds = "the interval of the difference holds 0"
    holds = holds if band.paired else f"{holds} (both are drawn alone, because they are not on the same samples)"
    beyond = ""
    if band.few is not None and band.few.any():
        ends = listed([places(low, high) for low, high in runs(band.few)], axis)
        beyond = f", or fewer than {LEAST_ERRORS} missed positives or false alarms decide, which show nothing ({ends})"
    parts = []
    for sign, winner, loser in ((-1, one, other), (1, other, one)):
        ranges = [places(low, high) for low, high in band.ranges(sign)]
        if ranges:
            parts.append(f"{winner} {better} {loser} {listed(ranges, axis)}")
    if not parts:
        return f"these data show no difference between {one} and {other}: {holds} at every {axis}{beyond}."
    return f"{'; '.join(parts)}; elsewhere {holds}{beyond}."


def places(low: float, high: float) -> str:
    """A range of a grid in words."""
    if low == high:
        return f"at {low:.4g}"
    if low <= GRID[0]:
        return f"up to {high:.4g}"
    return f"from {low:.4g}" if high >= GRID[-1] else f"from {low:.4g} to {high:.4g}"


def listed(ranges: Sequence[str], axis: str) -> str:
    """Ranges in words, with the name of the axis once."""
    if ranges[0] == f"up to {GRID[-1]:.4g}":
        return f"at every {axis}"
    first, *rest = ranges
    head, _, tail = first.partition(" ") if not first.startswith("up to") else ("up to", "", first[6:])
    named = f"{head} {axis} = {tail}"
    return " and ".join([named, *rest])


def spaces(alpha: float) -> Iterator[tuple[Callable[[OperatingPoints], Envelope], str, str, str]]:
    """F and cost space: the envelope, the x axis, the start of a sentence, and the words for "is better"."""
    yield lambda p: f_envelope(p.tpr, p.fpr, alpha), "P(+)", f"In F with alpha {alpha:g}", "is better than"
    yield lambda p: cost_envelope(p.tpr, p.fpr), "PC(+)", "In expected cost", "costs less than"


def verdict(found: Comparison, one: str, other: str, axis: str, where: str, better: str) -> str:
    """A comparison as a sentence."""
    says = {-1: f"{one} {better} {other}", 1: f"{other} {better} {one}", 0: "they are equal"}
    if set(found.better) == {0}:
        return f"{where}, {one} and {other} are equal for every {axis}."
    parts = []
    for sign in dict.fromkeys(sign for sign in found.better if sign):
        parts.append(f"{says[sign]} {intervals(found, sign, axis)}")
    if 0 in found.better:
        parts.append(f"{says[0]} {intervals(found, 0, axis)}")
    return f"{where}, {'; '.join(parts)}."


def intervals(found: Comparison, sign: int, axis: str) -> str:
    """The intervals in which a comparison has one result: "below P(+) = 0.13 and above 0.6"."""
    places: list[str] = []
    for low, high, better in zip(found.bounds[:-1], found.bounds[1:], found.better, strict=True):
        if better != sign:
            continue
        say = f"{axis} = " if not places else ""
        match low > 0, high < 1:
            case False, False:
                return f"for every {axis}"
            case False, True:
                places.append(f"below {say}{high:.4g}")
            case True, False:
                places.append(f"above {say}{low:.4g}")
            case _:
                places.append(f"between {say}{low:.4g} and {high:.4g}")
    return places[0] if len(places) == 1 else f"{', '.join(places[:-1])} and {places[-1]}"


def rows_of(curves: Sequence[Curves], alpha: float, prevalence: float | None) -> Iterator[tuple[Any, ...]]:
    """Every point of every curve, with the columns of `HEADER`.

    x and y are FPR and TPR ("roc"), recall and precision ("pr"), recall gain and precision gain ("prg", at the P(+) of
    the samples), PC(+) and NEC ("cost", and "brier" for uncorrected
    probabilities), or P(+) and F ("f"). Precision, also of single folds, is at the P(+) of the samples of all folds
    unless another one is given. The threshold is that of the point, or of the best point at x. It is empty where
    decisions have no threshold; y is empty where it is undefined, and the fold for all folds together.
    """
    for one in curves:
        place = one.experiment, one.repeat, one.target
        share_of = one.points.prevalence if prevalence is None else prevalence
        for fold, points in (("", one.points), *one.folds):
            if not points.defined:
                continue
            precision = points.precision(share_of)
            for space, x, y in (("roc", points.fpr, points.tpr), ("pr", points.tpr, precision)):
                yield from ((*place, fold, space, *cells) for cells in numbers(points.thresholds, x, y))
            if len(points) > 1:
                x, y = gain_curve(points.tpr, points.fpr, points.prevalence)
                at = np.append(np.nan, points.thresholds[len(points) + 1 - len(x) :])
                yield from ((*place, fold, "prg", *cells) for cells in numbers(at, x, y))
        if one.points.defined:
            for space, at, x, y in envelope_points(one.points, alpha):
                yield from ((*place, "", space, *cells) for cells in numbers(at, x, y))


def envelope_points(points: OperatingPoints, alpha: float) -> Iterator[tuple[str, Floats, Floats, Floats]]:
    """The curves in cost and F-measure space: the name, thresholds, x and y."""
    cost = cost_envelope(points.tpr, points.fpr)
    i = cost.best(cost.bounds)
    yield "cost", points.thresholds[i], cost.bounds, expected_cost(points.tpr[i], points.fpr[i], cost.bounds)
    if points.has_probabilities:
        x = np.linspace(0, 1, STEPS + 1)
        yield "brier", np.full(len(x), np.nan), x, brier_cost(points, x)
    curve = f_envelope(points.tpr, points.fpr, alpha)
    x = np.union1d(curve.bounds, np.linspace(0, 1, STEPS + 1))
    i = curve.best(x)
    yield "f", points.thresholds[i], x, f_at(points.tpr[i], points.fpr[i], x, alpha)


def numbers(*columns: Floats) -> Iterator[tuple[float | str, ...]]:
    """The rows of some columns, empty where a number is undefined."""
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield tuple("" if math.isnan(value) else value for value in row)
