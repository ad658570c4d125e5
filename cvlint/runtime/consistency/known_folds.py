"""Which aggregate over folds a printed value can be, where the sizes of the folds are known.

`possible_aggregates` calls these judges for AUC_avg, and for F_avg and F_pr,re over all or only the defined folds. Each
turns the printed values into ranges of means over folds, lets `mean_feasibility` search the tables of the folds for
such means, and checks what it finds exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from cvlint.runtime.consistency.averaged_folds import AveragedFolds, over_defined_folds
from cvlint.runtime.consistency.confusion_tables import CELL, MEASURES, FoldSizes, Quotient, Table, exactly, f_measure
from cvlint.runtime.consistency.count_sums import Effort, Exhausted, MeanRange
from cvlint.runtime.consistency.mean_feasibility import Answer, search
from cvlint.runtime.consistency.reported_values import Claim, Printed, Verdict, harmonic

DEEPEST = 5  # how often a range of recall is halved, at most, to follow the curve of one F
DEEPEST_OF_DEFINED = 3  # the same for each number of defined folds, of which there are many
SHOWN = 12  # folds of an example in a sentence
MOST_LOOKS = 20_000_000  # tables in all searches with different numbers of defined folds
Searched: TypeAlias = Callable[[Claim, FoldSizes, AveragedFolds, bool, Effort], Answer]
OF_ALL = "all folds, where an undefined precision, recall or F of a fold counts as 0"
OF_DEFINED = "the folds in which precision and recall are defined, however many these are"
ZERO, ONE = Fraction(0), Fraction(1)


def f_avg_of_folds(claim: Claim, sizes: FoldSizes) -> Verdict:
    """Whether the printed F can be the mean of the folds' F, together with the other printed means."""
    over = AveragedFolds(len(sizes.choices))
    return verdict_from("f_avg", claim, limited(lambda effort: search_mean_f(claim, sizes, over, True, effort)))


def f_prre_of_folds(claim: Claim, sizes: FoldSizes) -> Verdict:
    """Whether the printed F can be F of the means of precision and recall."""
    over = AveragedFolds(len(sizes.choices))
    return verdict_from("f_prre", claim, limited(lambda effort: search_f_of_means(claim, sizes, over, True, effort)))


def f_avg_of_defined_folds(claim: Claim, sizes: FoldSizes) -> Verdict:
    """Whether the printed F can be the mean of F over the folds in which precision and recall are defined."""
    answer = limited(lambda effort: search_defined(claim, sizes, search_mean_f, effort))
    return verdict_from("f_avg_valid", claim, answer, over=OF_DEFINED)


def f_prre_of_defined_folds(claim: Claim, sizes: FoldSizes) -> Verdict:
    """Whether the printed F can be F of precision and recall, both means over the folds in which both are defined."""
    answer = limited(lambda effort: search_defined(claim, sizes, search_f_of_means, effort))
    return verdict_from("f_prre_valid", claim, answer, over=OF_DEFINED)


def limited(searched: Callable[[Effort], Answer]) -> Answer:
    """The answer of a search, or that it was given up."""
    try:
        return searched(Effort())
    except Exhausted:
        return Answer(None, given_up=True)


def search_defined(claim: Claim, sizes: FoldSizes, one: Searched, effort: Effort) -> Answer:
    """Search with every number of defined folds: first quickly for an example, and then thoroughly for a proof."""
    waiting = list(over_defined_folds(claim, len(sizes.choices)))
    most = max(1, MOST_LOOKS // sum(len(table) for table in {id(t): t for t in sizes.tables()}.values()))
    cut, waiting = len(waiting) > most, waiting[:most]
    for thorough in (False, True):
        undecided = []
        for over in waiting:
            answer = one(claim, sizes, over, thorough, effort)
            if answer.possible:
                return answer
            if answer.possible is None:
                undecided.append(over)
        waiting = undecided
    return Answer(None if cut or waiting else False)


def search_mean_f(claim: Claim, sizes: FoldSizes, over: AveragedFolds, thorough: bool, effort: Effort) -> Answer:
    """Search tables of the folds for the printed mean of F, and for the other means."""
    ranges = [over.averaged(f_measure(claim.beta), claim.f.low, claim.f.high), *over.printed_rates(claim)]
    return search(sizes, ranges, lambda tables: all_in_ranges(ranges, tables), thorough=thorough, effort=effort)


def search_f_of_means(claim: Claim, sizes: FoldSizes, over: AveragedFolds, thorough: bool, effort: Effort) -> Answer:
    """Search tables of the folds for means of precision and recall that give the printed F."""
    recall = claim.recall or Printed("", ZERO, ONE)
    first = DEEPEST if not thorough else 0 if over.defined is None else DEEPEST - DEEPEST_OF_DEFINED
    return search_along_curve(claim, sizes, over, recall.low, recall.high, first, thorough, effort)


def search_along_curve(
    claim: Claim,
    sizes: FoldSizes,
    over: AveragedFolds,
    low: Fraction,
    high: Fraction,
    depth: int,
    thorough: bool,
    effort: Effort,
) -> Answer:
    """Search with a mean recall from ``low`` to ``high``, and halve the range where the search does not decide.

    For each recall, F bounds precision; for a range of recall, the bounds at its two ends hold.
    """
    others = over.printed_rates(claim, frozenset({"precision", "recall"}))
    least, most = precision_for(claim.f.low, high, claim.beta), precision_for(claim.f.high, low, claim.beta)
    if least is None:
        return Answer(False)
    printed = claim.precision or Printed("", ZERO, ONE)
    least, most = max(least, printed.low), min(ONE if most is None else most, printed.high)
    if least > most:
        return Answer(False)
    both = (("recall", low, high), ("precision", least, most))
    ranges = [*(over.averaged(MEASURES[name], start, end) for name, start, end in both), *others]

    def accept(tables: Sequence[Table]) -> bool | None:
        inside = all_in_ranges(ranges, tables)
        if inside:
            error = sensitivity(claim.beta) / over.share
            return within(claim.f.low, mean_f(over.taken(tables), claim.beta), claim.f.high, error)
        return inside

    leaf = depth == DEEPEST
    answer = search(sizes, ranges, accept, thorough=leaf and thorough, effort=effort)
    if answer.possible is not None or leaf:
        return answer
    middle = (low + high) / 2
    below = search_along_curve(claim, sizes, over, low, middle, depth + 1, thorough, effort)
    if below.possible:
        return below
    above = search_along_curve(claim, sizes, over, middle, high, depth + 1, thorough, effort)
    return below if above.possible is False else above


def precision_for(f: Fraction, recall: Fraction, beta: Fraction) -> Fraction | None:
    """The precision that gives F at this recall; None where even a precision of 1 gives less."""
    square = beta**2
    if not f:
        return ZERO
    if harmonic(ONE, recall, beta) < f:
        return None
    return f * recall / ((1 + square) * recall - square * f)


def mean_f(tables: Sequence[Table], beta: Fraction) -> Fraction:
    """F of the exact means of precision and recall."""
    precision, recall = (mean(MEASURES[name], tables) for name in ("precision", "recall"))
    return harmonic(precision, recall, beta)


def mean(measure: Quotient, tables: Sequence[Table]) -> Fraction:
    """The exact mean of a measure over the folds."""
    return sum((exactly(measure, table) for table in tables), ZERO) / len(tables)


def all_in_ranges(ranges: Sequence[MeanRange], tables: Sequence[Table]) -> bool | None:
    """Whether the exact means are in the ranges; None where one is too near an end for its cell to decide."""
    found: bool | None = True
    for r in ranges:
        inside = within(r.low, mean(r.measure, tables), r.high, ONE)
        if inside is False:
            return False
        found = found and inside
    return found


def within(low: Fraction, value: Fraction, high: Fraction, factor: Fraction) -> bool | None:
    """Whether a value is in a range; None where it is outside by at most ``factor`` cells."""
    if low <= value <= high:
        return True
    return None if low - factor / CELL <= value <= high + factor / CELL else False


def sensitivity(beta: Fraction) -> Fraction:
    """How much F can change, at most, for each unit that precision and recall change."""
    square = beta**2
    return (1 + square) * (1 + (1 / square if square else 0))


def auc_avg_of_folds(claim: Claim, sizes: FoldSizes, auc: Printed) -> Verdict:
    """Whether the printed AUC can be the mean of the folds' AUC: the ROC curve of each fold goes through its point."""
    ranges = [
        *AveragedFolds(len(sizes.choices)).printed_rates(claim),
        MeanRange(MEASURES["least_auc"], ZERO, auc.high),
        MeanRange(MEASURES["greatest_auc"], auc.low, ONE),
    ]

    def accept(tables: Sequence[Table]) -> bool | None:
        inside = all_in_ranges(ranges, tables)
        return inside if not inside or auc_is_reachable(tables, auc) else None

    answer = limited(lambda effort: search(sizes, ranges, accept, effort=effort))
    return verdict_from("auc_avg", claim, answer, ", if the predictions are the scores above a threshold")


def auc_is_reachable(tables: Sequence[Table], auc: Printed) -> bool:
    """Whether these tables certainly allow a mean AUC in the printed range.

    Between its bounds, an AUC can be every multiple of 1 / (positives × negatives).
    """
    if not all(p and n for p, n, _, _ in tables):
        return False
    least, greatest = (mean(MEASURES[name], tables) for name in ("least_auc", "greatest_auc"))
    step = Fraction(1, min(p * n for p, n, _, _ in tables) * len(tables))
    return auc.holds(least) or auc.holds(greatest) or min(auc.high, greatest) - max(auc.low, least) >= step


def verdict_from(name: str, claim: Claim, answer: Answer, given: str = "", over: str = OF_ALL) -> Verdict:
    """The verdict with the answer of the search in a sentence."""
    match answer.possible:
        case True:
            sizes, _, tp, fp = (shown_counts(column) for column in zip(*answer.tables, strict=True))
            known = claim.sizes is not None and all(len(choice) == 1 for choice in claim.sizes.choices)
            where = "the folds" if known else f"folds of {sizes} positives"
            return Verdict(name, True, f"For example TP {tp} and FP {fp} in {where}{given}.", answer.tables)
        case False:
            reason = f"No tables of counts of these folds have means that round to what is printed{given}. Considered: "
            reason += f"every table of each fold, with means over {over}."
            return Verdict(name, False, reason)
        case _:
            reason = f"This is not proved: the search neither found tables of these folds nor excluded all{given}."
            if answer.given_up:
                reason += " It was given up after as many tables and sums as it may look at."
            return Verdict(name, True, reason)


def shown_counts(counts: Sequence[int]) -> str:
    """The counts of the first folds."""
    return ", ".join(map(str, counts[:SHOWN])) + (" …" if len(counts) > SHOWN else "")
