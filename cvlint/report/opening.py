"""The first sentences of the page: which number to report, and which one not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cvlint.output.evaluation.recomputed import share
from cvlint.report.discrepancies import Discrepancy
from cvlint.report.experiments import EvaluatedExperiment, Headline
from cvlint.runtime.aggregates.results import Aggregate

NAMES = {"f": "F", "auc": "AUC", "ap": "average precision"}
MOST_NAMED = 3
"""The number of experiments that a sentence names."""


def opening(experiments: Sequence[EvaluatedExperiment], found: Sequence[Discrepancy]) -> list[str]:
    """Say for each measure which number to report.

    Parameters
    ----------
    experiments
        The experiments, at least one.
    found
        The published numbers and those of the code, with the right ones.
    """
    if len(experiments) > 1:
        return list(_of_several(experiments))
    return [_of_one(headline, found) for headline in experiments[0].headlines if is_reportable(headline.right)]


def is_reportable(aggregate: Aggregate) -> bool:
    """Tell whether an aggregate is defined, and says something about the classifier."""
    return aggregate.value == aggregate.value and not aggregate.vacuous


def _of_one(headline: Headline, found: Sequence[Discrepancy]) -> str:
    right, rival = headline.right, headline.rival
    sentence = f"Report {NAMES.get(right.family, right.label)} = {right.value:.3f} ({right.label})"
    wrong = next((one for one in found if one.right == right.label and differ(one.value, right.value)), None)
    if wrong is not None:
        return f"{sentence}, not {wrong.value:.3f} ({wrong.wrong})."
    if rival.value != rival.value or not differ(rival.value, right.value):
        return f"{sentence}."
    return f"{sentence}, not {rival.value:.3f} ({rival.label})."


def _of_several(experiments: Sequence[EvaluatedExperiment]) -> Iterator[str]:
    for family, name in NAMES.items():
        headlines = [(one.name, headline) for one in experiments if (headline := one.headline(family)) is not None]
        shown = [(who, headline.right) for who, headline in headlines if is_reportable(headline.right)]
        if not shown:
            continue
        values = ", ".join(
            f"{share(right.value)} ({who.removeprefix('Experiment ')})" for who, right in shown[:MOST_NAMED]
        )
        more = f" and {len(shown) - MOST_NAMED} more below" if len(shown) > MOST_NAMED else ""
        yield f"Report {name} as {shown[0][1].label}: {values}{more}."


def differ(one: float, other: float) -> bool:
    """Tell whether two values differ where both are printed with three digits."""
    return f"{one:.3f}" != f"{other:.3f}"


def without_undefined(aggregates: Sequence[Aggregate]) -> list[Aggregate]:
    """The aggregates over defined folds that equal those over all folds, because every fold is defined."""
    values = {one.name: one.value for one in aggregates}
    suffix = "_valid"
    return [
        one
        for one in aggregates
        if one.name.endswith(suffix) and one.value == values.get(one.name.removesuffix(suffix), float("nan"))
    ]
