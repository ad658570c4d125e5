"""Write the formulas of the aggregates with the numbers of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cvlint.output.evaluation.recomputed import figure, share
from cvlint.report.experiments import EvaluatedExperiment
from cvlint.runtime.aggregates.results import Aggregate, FoldRow

MOST_TERMS = 12
"""The number of terms of a sum that are written out."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """An aggregate, and its formula with numbers, which may be empty."""

    aggregate: Aggregate
    numbers: str


def calculations(experiment: EvaluatedExperiment) -> list[Calculation]:
    """Write the calculation of each aggregate."""
    rows, beta = experiment.found.rows, experiment.found.beta
    counted = bool(rows) and all(row.tp is not None for row in rows)
    return [Calculation(a, with_numbers(a, rows, beta, counted)) for a in experiment.found.aggregates]


def with_numbers(aggregate: Aggregate, rows: Sequence[FoldRow], beta: float, counted: bool) -> str:
    """Write the formula of an aggregate with the numbers of the folds; empty if the table of folds lacks them."""
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
    """Write F of the summed counts."""
    tp, fp, fn = (sum(getattr(row, cell) or 0 for row in rows) for cell in ("tp", "fp", "fn"))
    own, missed = (f"{1 + beta**2:g}·", "" if beta == 1 else f"{beta**2:g}·")
    hit, wrong, lost = (figure("tp", value) for value in (tp, fp, fn))
    return f"{own}{hit} / ({own}{hit} + {wrong} + {missed}{lost})"


def mean_formula(values: Sequence[float | None]) -> str:
    """Write the mean over folds; an undefined value counts as 0."""
    terms = list(written([0.0 if value is None or value != value else value for value in values]))
    return f"({' + '.join(terms)}) / {len(values)}"


def written(values: Sequence[float]) -> Iterator[str]:
    """Write the terms of a sum; a long sum leaves out its middle."""
    if len(values) <= MOST_TERMS:
        yield from map(share, values)
        return
    yield from map(share, values[: MOST_TERMS - 2])
    yield "…"
    yield share(values[-1])


def rates_formula(rows: Sequence[FoldRow], beta: float, aggregate: Aggregate) -> str:
    """Write F of the mean precision and the mean recall; an undefined value counts as 0."""
    rates = []
    for name in ("precision", "recall"):
        values = [getattr(row, name) for row in rows]
        rates.append(share(sum(v for v in values if v is not None and v == v) / len(rows)))
    p, r = rates
    own, weight = f"{1 + beta**2:g}", "" if beta == 1 else f"{beta**2:g}·"
    formula = f"{own}·{p}·{r} / ({weight}{p} + {r})"
    return f"mean precision {p}, mean recall {r}; {formula} = {share(aggregate.value)}"
