"""Which aggregate printed values can be, with a proof where one is impossible, in exact arithmetic.

This module holds one judge for each aggregate. It decides by bounds and by a search of pooled tables; where the claim
has the sizes of the folds, `known_folds` searches the tables of the folds. `reported_values` holds the claim and the
verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from cvlint.runtime.consistency.confusion_tables import MEASURES, exactly
from cvlint.runtime.consistency.known_folds import (
    auc_avg_of_folds,
    f_avg_of_defined_folds,
    f_avg_of_folds,
    f_prre_of_defined_folds,
    f_prre_of_folds,
)
from cvlint.runtime.consistency.reported_values import Claim, Printed, Verdict, harmonic
from cvlint.runtime.errors import FoldDataError

MOST_POSITIVES = 5_000_000  # the search tries every number of true positives
POOLED = "Considered: every table of the counts of all folds together."
WHICHEVER = "Considered: means over any folds, all or only some."
ANYTHING = Printed("", Fraction(0), Fraction(1))


def verdicts(claim: Claim) -> tuple[Verdict, ...]:
    """Judge each aggregate that the printed F may be.

    Parameters
    ----------
    claim
        The printed values.

    Returns
    -------
    tuple of Verdict
        For F_tp,fp, F_pr,re, F_avg, and the last two over the folds in which precision and recall are defined (F~pr,re
        and F~avg); with a printed AUC also for AUC_merge and AUC_avg. "Impossible" is proved: nothing that the reason
        names as considered rounds to these values. "Possible" comes with an example where the numbers of positives and
        negatives are known (for means over folds, those of each fold); elsewhere it says that nothing printed excludes
        it.

    Notes
    -----
    F is concave in precision and recall, so the mean of F is at most F of the means; it is at least what the convex
    envelope over the unit square has, max(0, mean precision + mean recall - 1). In means over all folds, an undefined
    precision, recall or F counts as 0. Beside means over the defined folds, accuracy, specificity and balanced accuracy
    can be means over these folds, or over all.
    """
    found = (
        f_tpfp_verdict(claim),
        f_prre_verdict(claim),
        f_avg_verdict(claim),
        f_prre_valid_verdict(claim),
        f_avg_valid_verdict(claim),
    )
    return (
        found if claim.auc is None else (*found, auc_merge_verdict(claim, claim.auc), auc_avg_verdict(claim, claim.auc))
    )


def f_prre_verdict(claim: Claim) -> Verdict:
    """F_pr,re: by a search of the folds' tables where their sizes are known, unless bounds exclude it at once."""
    plain = f_of_printed_rates(claim)
    return plain if claim.sizes is None or not plain.possible else f_prre_of_folds(claim, claim.sizes)


def f_avg_verdict(claim: Claim) -> Verdict:
    """F_avg: by a search of the folds' tables where their sizes are known, unless bounds exclude it at once."""
    plain = f_avg_by_bounds(claim)
    return plain if claim.sizes is None or not plain.possible else f_avg_of_folds(claim, claim.sizes)


def f_prre_valid_verdict(claim: Claim) -> Verdict:
    """F~pr,re: F_pr,re over the folds in which precision and recall are defined; the bounds are the same."""
    plain = f_of_printed_rates(claim, "f_prre_valid")
    return plain if claim.sizes is None or not plain.possible else f_prre_of_defined_folds(claim, claim.sizes)


def f_avg_valid_verdict(claim: Claim) -> Verdict:
    """F~avg: the mean of F over the folds in which precision and recall are defined; the bounds are the same."""
    plain = f_avg_by_bounds(claim, "f_avg_valid")
    return plain if claim.sizes is None or not plain.possible else f_avg_of_defined_folds(claim, claim.sizes)


def auc_avg_verdict(claim: Claim, auc: Printed) -> Verdict:
    """AUC_avg, together with the other printed means."""
    if claim.sizes is None:
        return Verdict("auc_avg", True, "Nothing is known of it without the folds.")
    return auc_avg_of_folds(claim, claim.sizes, auc)


def auc_merge_verdict(claim: Claim, auc: Printed) -> Verdict:
    """AUC_merge: the ROC curve of all scores together goes through the point of the pooled table."""
    if claim.positives is None or claim.negatives is None:
        return Verdict("auc_merge", True, "Nothing is known of it without the numbers of positives and negatives.")
    given = "if the predictions are the scores above one threshold"
    p, n = claim.positives, claim.negatives
    for tp, least in matching_tables(replace(claim, f=ANYTHING), p, n):
        # The more FP, the lower both bounds: AUC is at most 1 - FP FN / (P N) and at least TP TN / (P N).
        need = ceil(n - auc.high * p * n / tp) if tp else 0
        fp = max(least, need)
        table = (p, n, tp, fp)
        low, high = (exactly(MEASURES[name], table) for name in ("least_auc", "greatest_auc"))
        fits = fp <= n and all(v.holds(exactly(MEASURES[name], table)) for name, v in claim.rates().items())
        steps = floor(2 * p * n * min(high, auc.high)) >= ceil(2 * p * n * max(low, auc.low))  # a tie counts half
        if fits and steps:
            return Verdict("auc_merge", True, f"For example with TP {tp} and FP {fp}, {given}.", (table,))
    reason = (
        f"No table of counts with {p} positives and {n} negatives rounds to the other values and allows it, {given}."
    )
    return Verdict("auc_merge", False, reason)


def interval_text(low: Fraction, high: Fraction) -> str:
    """An interval as text."""
    return f"from {float(low):.4f} to {float(high):.4f}"


def f_of_printed_rates(claim: Claim, name: str = "f_prre") -> Verdict:
    """F of the printed precision and recall; a value that is not printed can be anything from 0 to 1."""
    p, r = claim.precision, claim.recall
    low = harmonic(p.low if p else Fraction(0), r.low if r else Fraction(0), claim.beta)
    high = harmonic(p.high if p else Fraction(1), r.high if r else Fraction(1), claim.beta)
    possible = low <= claim.f.high and claim.f.low <= high
    considered = POOLED if name == "f_tpfp" else WHICHEVER
    if p is None or r is None:
        reason = f"With what is printed, F of precision and recall lies {interval_text(low, high)}."
        return Verdict(name, possible, reason if possible else f"{reason} {considered}")
    whence = f"Precision {p.text} and recall {r.text}, as far as they are rounded, give F {interval_text(low, high)}"
    if possible:
        return Verdict(name, True, f"{whence}.")
    return Verdict(name, False, f"{whence}, and never {claim.f.text}. {considered}")


def f_avg_by_bounds(claim: Claim, name: str = "f_avg") -> Verdict:
    """F_avg or F~avg, by its bounds for the printed means of precision and recall."""
    p, r = claim.precision, claim.recall
    low = max(Fraction(0), (p.low if p else Fraction(0)) + (r.low if r else Fraction(0)) - 1)
    high = harmonic(p.high if p else Fraction(1), r.high if r else Fraction(1), claim.beta)
    possible = low <= claim.f.high and claim.f.low <= high
    reason = f"With these means of precision and recall the mean of the folds' F lies {interval_text(low, high)}."
    return Verdict(name, possible, reason if possible else f"{reason} {WHICHEVER}")


def f_tpfp_verdict(claim: Claim) -> Verdict:
    """F_tp,fp: by a search of all pooled tables where the numbers of both classes are known."""
    plain = f_of_printed_rates(claim, "f_tpfp")
    if claim.positives is None or claim.negatives is None:
        return plain
    found = next(matching_tables(claim, claim.positives, claim.negatives), None)
    if found is None:
        what = f"{claim.positives} positives and {claim.negatives} negatives"
        return Verdict("f_tpfp", False, f"No table of counts with {what} rounds to the printed values. {POOLED}")
    tp, fp = found
    p, n = claim.positives, claim.negatives
    reason = f"For example TP {tp}, FP {fp}, FN {p - tp} and TN {n - fp}."
    return Verdict("f_tpfp", True, reason, ((p, n, tp, fp),))


def matching_tables(claim: Claim, positives: int, negatives: int) -> Iterator[tuple[int, int]]:
    """The TP and (least) FP of tables that round to all printed values; an undefined precision counts as 0.

    Raises
    ------
    FoldDataError
        When there is no positive or no negative, or too many positives to go through.
    """
    if positives < 1 or negatives < 1 or positives > MOST_POSITIVES:
        raise FoldDataError(f"the counts must be from 1 up, and at most {MOST_POSITIVES} positives can be searched.")
    first = ceil(claim.recall.low * positives) if claim.recall else 0
    last = floor(claim.recall.high * positives) if claim.recall else positives
    square = claim.beta**2
    for tp in range(first, last + 1):
        low, high = Fraction(0), Fraction(negatives)
        weighted = (1 + square) * tp
        for printed, top, rest in (
            (claim.f, weighted, weighted + square * (positives - tp)),
            (claim.precision, Fraction(tp), Fraction(tp)),
        ):
            if printed is None:
                continue
            if not tp:  # F and precision are 0 for every FP
                high = high if printed.holds(Fraction(0)) else Fraction(-1)
                continue
            low = max(low, top / printed.high - rest) if printed.high else Fraction(negatives + 1)
            high = min(high, top / printed.low - rest) if printed.low else high
        for printed, most, each in (  # a value that falls from ``most`` by 1 / ``each`` with every false positive
            (claim.accuracy, tp + negatives, positives + negatives),
            (claim.specificity, negatives, negatives),
            (claim.balanced_accuracy, negatives + Fraction(tp * negatives, positives), 2 * negatives),
        ):
            if printed is not None:
                low, high = max(low, most - printed.high * each), min(high, most - printed.low * each)
        if ceil(low) <= floor(high):
            yield tp, ceil(low)
