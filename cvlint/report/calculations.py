"""How the aggregates of an experiment come about, with its own numbers in the formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cvlint.output.evaluation.recomputed import figure, share
from cvlint.report.experiments import Experiment
from cvlint.runtime.aggregates.results import Aggregate, FoldRow

MOST_TERMS = 12
"""Terms of a sum that are written out."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """An aggregate, its formula in words, and the formula with numbers; that may be empty."""

    aggregate: Aggregate
    numbers: str


def calculations(experiment: Experiment) -> list[Calculation]:
    """The calculation of each aggregate."""
    rows, beta = experiment.found.rows, experiment.found.beta
    counted = bool(rows) and all(row.tp is not None for row in rows)
    return [Calculation(a, with_numbers(a, rows, beta, counted)) for a in experiment.found.aggregates]


def with_numbers(aggregate: Aggregate, rows: Sequence[FoldRow], beta: float, counted: bool) -> str:
    """An aggregate's formula with the numbers of the folds; empty where the table of folds does not hold them."""
    valid = [row for row in rows if row.f is not None and row.valid]
    match aggregate.name:
        case _ if aggregate.value != aggregate.value:
            return ""
        case "f_tpfp" if counted:
            return f"{summed_formula(rows, beta)} = {share(aggregate.value)}"
        case "f_avg" if counted:
            return f"{mean_formula([row.f for row in rows])} = {share(aggregate.value)}"
        case "f_avg_valid" if counted and valid:
            return f"{mean_formula([row.f for row in valid])} = {share(aggregate.value)}"
        case "f_prre" if counted:
            return rates_formula(rows, beta, aggregate)
        case "f_prre_valid" if counted and valid:
            return rates_formula(valid, beta, aggregate)
        case "auc_avg":
            defined = [row.auc for row in rows if row.auc is not None and row.auc == row.auc]
            return f"{mean_formula(defined)} = {share(aggregate.value)}" if defined else ""
        case _:
            return ""


def summed_formula(rows: Sequence[FoldRow], beta: float) -> str:
    """F of the summed counts."""
    tp, fp, fn = (sum(getattr(row, cell) or 0 for row in rows) for cell in ("tp", "fp", "fn"))
    own, missed = (f"{1 + beta**2:g}·", "" if beta == 1 else f"{beta**2:g}·")
    hit, wrong, lost = (figure("tp", value) for value in (tp, fp, fn))
    return f"{own}{hit} / ({own}{hit} + {wrong} + {missed}{lost})"


def mean_formula(values: Sequence[float | None]) -> str:
    """The mean over folds, an undefined value counting 0."""
    terms = list(written([0.0 if value is None or value != value else value for value in values]))
    return f"({' + '.join(terms)}) / {len(values)}"


def written(values: Sequence[float]) -> Iterator[str]:
    """The terms of a sum, those in the middle of a long one left out."""
    if len(values) <= MOST_TERMS:
        yield from map(share, values)
        return
    yield from map(share, values[: MOST_TERMS - 2])
    yield "…"
    yield share(values[-1])


def rates_formula(rows: Sequence[FoldRow], beta: float, aggregate: Aggregate) -> str:
    """F of the mean precision and the mean recall, an undefined one counting 0."""
    rates = []
    for name in ("precision", "recall"):
        values = [getattr(row, name) for row in rows]
        rates.append(share(sum(v for v in values if v is not None and v == v) / len(rows)))
    p, r = rates
    own, weight = f"{1 + beta**2:g}", "" if beta == 1 else f"{beta**2:g}·"
    formula = f"{own}·{p}·{r} / ({weight}{p} + {r})"
    return f"mean precision {p}, mean recall {r}; {formula} = {share(aggregate.value)}"
