"""What a finding's number was in a run, and what it should have been: findings joined with recorded experiments."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cvlint.findings.finding import Finding, Location, Measured
from cvlint.recording.call_sites import Site
from cvlint.recording.experiment_names import label_of
from cvlint.recording.experiments import Experiment, Use
from cvlint.recording.records import Options
from cvlint.rules.catalogue import Pair
from cvlint.runtime.aggregates.recompute import recompute
from cvlint.runtime.aggregates.results import Aggregate, Recomputed
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap, Interval
from cvlint.runtime.intervals.count_bootstrap import sample_tpfp_interval, tpfp_interval
from cvlint.runtime.measures.counts import AVERAGES, Average, f_from_rates

CLOSE = 1e-6  # torchmetrics returns numbers of single precision
RANKED = ("auc_merge", "ap_merge")
NOT_REACHED = "Not reached in this run: no call of a measure was recorded at the places of its trace."
NOT_RECORDED = (
    "Not measured: the folds of its trace were run through, and no call of a measure was recorded there; calls in "
    "processes that the script starts, and in scorers of its own that a cross-validation calls, are not."
)
MOST_CELLS = 20_000
"""Of the confusion tables of all folds: the bootstrap of more takes too much memory."""

DRAWN = 5_000_000
"""Samples that a bootstrap draws one by one in all: its interval needs the fewer replicates the more samples."""


@dataclass(frozen=True, slots=True)
class Doubt(Exception):
    """Why an experiment allows no honest number; a whole sentence."""

    message: str


def attach(
    findings: Iterable[Finding],
    experiments: Sequence[Experiment],
    pairs: Mapping[str, Sequence[Pair]],
    folder: str,
    splits: Iterable[Site] = (),
) -> tuple[Finding, ...]:
    """Findings with what they amounted to in a run.

    Parameters
    ----------
    findings
        Of a check.
    experiments
        What was recorded; the paths of its sites are absolute.
    pairs
        By the name of each rule, the aggregates that it compares.
    folder
        What the findings' paths are relative to.
    splits
        Where data were split into folds, if that is known: an experiment whose folds were made elsewhere is none of
        a finding's then.

    Returns
    -------
    tuple of Finding
        In the same order, each with an entry in ``measured`` for every experiment that was recorded at the places of
        its trace, or with the reason in ``unmeasured``.
    """
    sites = set(splits)
    return tuple(attached(finding, experiments, pairs.get(finding.rule, ()), folder, sites) for finding in findings)


def attached(
    finding: Finding, experiments: Sequence[Experiment], pairs: Sequence[Pair], folder: str, splits: Iterable[Site]
) -> Finding:
    """One finding with what it amounted to."""
    if not pairs:
        return finding
    met = list(meetings(finding, experiments, pairs, folder))
    if any(at(site, finding, folder) for site in splits):
        met = [one for one in met if one[0].split is None or at(one[0].split.site, finding, folder)]
        if not met:
            return replace(finding, unmeasured=NOT_RECORDED)
    if not met:
        return replace(finding, unmeasured=NOT_REACHED)
    measured, doubts = [], []
    for experiment, pair, uses in met:
        try:
            measured.append(compared(experiment, pair, uses))
        except Doubt as doubt:
            doubts.append(doubt.message)
        except FoldDataError as error:
            doubts.append(f"Not measured: {error}")
    return replace(finding, measured=tuple(measured), unmeasured="" if measured else doubts[0])


def at(site: Site | None, finding: Finding, folder: str) -> bool:
    """Whether a place lies in the trace of a finding."""
    return site is not None and any(within(site, step.location, folder, True) for step in finding.trace)


def meetings(
    finding: Finding, experiments: Sequence[Experiment], pairs: Sequence[Pair], folder: str
) -> Iterator[tuple[Experiment, Pair, tuple[Use, ...]]]:
    """The experiments that were recorded at the places of a finding, once for each way in which they were measured.

    With each come the aggregates to compare, and the calls that measured it in that way.
    """
    steps = [step.location for step in finding.trace] + [finding.location]
    places = steps[: steps.index(finding.location) + 1]  # what comes after is made of the same values again
    exact = any(within(use.site, place, folder, True) for e in experiments for use in e.uses for place in places)
    for experiment in experiments:
        here = [u for u in experiment.uses if any(within(u.site, place, folder, exact) for place in places)]
        for pair in pairs:
            ways: dict[Options, list[Use]] = {}
            for use in here:
                if use.measure in pair.measures or not use.measure:
                    ways.setdefault(use.options, []).append(use)
            if ways:
                yield from ((experiment, pair, tuple(uses)) for uses in ways.values())
                break


def within(site: Site, place: Location, folder: str, exact: bool) -> bool:
    """Whether a call was made in a stretch of source text; ``exact`` looks at columns, where they are known."""
    if site.cell != place.cell or not place.line <= site.line <= place.end_line:
        return False
    if not same_file(site.path, os.path.join(folder, place.path)):
        return False
    if not exact or site.column is None or site.end_column is None:
        return True
    starts = (place.line, place.column) <= (site.line, site.column)
    return starts and (site.end_line, site.end_column) <= (place.end_line, place.end_column)


def same_file(one: str, other: str) -> bool:
    """Whether two paths name one file, links followed."""
    return os.path.normpath(one) == os.path.normpath(other) or os.path.realpath(one) == os.path.realpath(other)


def compared(experiment: Experiment, pair: Pair, uses: Sequence[Use]) -> Measured:
    """The faulty aggregate and the right one of an experiment.

    Raises
    ------
    Doubt
        When the calls computed something else, or there is nothing to compare.
    """
    if len(experiment.parts) < 2:
        raise Doubt("Not measured: the calls that were recorded could not be told apart into folds.")
    use = next((use for use in uses if use.measure not in ("precision", "recall")), uses[0])
    results = ranked(experiment, use, pair) if pair.faulty in RANKED else recomputed(experiment, use)
    faulty, right = (aggregates(results, name) for name in (pair.faulty, pair.right))
    value, right_value = mean(faulty), mean(right)
    if math.isnan(value) or math.isnan(right_value):
        raise Doubt("Not measured: an aggregate is undefined for the folds of this run.")
    returned = returned_value(pair.faulty, uses, results)
    if returned is not None and not math.isclose(returned, value, abs_tol=CLOSE):
        raise Doubt(
            f"Not measured: the calls of {use.function} returned {returned:.3f} on the whole, "
            f"and {faulty[0].label} of the recorded folds is {value:.3f}."
        )
    interval = right[0].interval if len(right) == 1 else None
    return Measured(
        pair.faulty,
        value,
        pair.right,
        right_value,
        None if interval is None else (interval.low, interval.high),
        len(experiment.parts),
        experiment.repeats,
        label_of(replace(experiment, uses=alike(experiment, use))),
        experiment.caution,
    )


def alike(experiment: Experiment, use: Use) -> tuple[Use, ...]:
    """The calls of an experiment without those that compute the same measure in another way."""
    return tuple(u for u in experiment.uses if u.options == use.options or u.measure != use.measure)


def aggregates(results: Sequence[Recomputed], name: str) -> list[Aggregate]:
    """An aggregate in each repetition."""
    return [a for result in results for a in result.aggregates if a.name == name]


def mean(found: Sequence[Aggregate]) -> float:
    """The mean over the repetitions."""
    return float(np.mean([a.value for a in found]))


def ranked(experiment: Experiment, use: Use, pair: Pair) -> tuple[Recomputed, ...]:
    """Every aggregate of an experiment's scores; the positive label is the one that scikit-learn takes."""
    labels = np.unique(np.concatenate([part.y_true for part in experiment.parts]))
    auc = pair.faulty == "auc_merge"  # it takes the greater label as the positive one, and knows no pos_label
    positive = plain(labels[-1]) if auc and len(labels) == 2 else use.options.positive
    folds = fold_set(experiment, positive, "y_score")
    return recompute(folds, bootstrap=drawn(folds) if auc else None)


def recomputed(experiment: Experiment, use: Use) -> tuple[Recomputed, ...]:
    """Every aggregate of an experiment, computed in the way of one of its calls.

    Raises
    ------
    Doubt
        When the call looked at some of the classes, or at each by itself.
    """
    options = use.options
    average: Any = "binary" if use.measure == "counts" else options.average
    if average not in AVERAGES:
        raise Doubt(f"Not measured: the average {average!r} of {use.function} gives no single number to compare.")
    if options.labels is not None and experiment.parts[0].y_true.ndim > 1:
        average = "binary" if len(options.labels) == 1 else average
        experiment, options = of_labels(experiment, options.labels), replace(options, labels=None)
    if options.labels is not None and len(options.labels) == 1:
        folds, average = fold_set(experiment, plain(options.labels[0]), "y_pred"), "binary"
    else:
        folds = fold_set(experiment, options.positive if average == "binary" else None, "y_pred")
    if options.labels is not None and len(options.labels) > 1:
        left = set(map(str, folds.classes)) - {str(plain(label)) for label in options.labels}
        if left:
            raise Doubt(f"Not measured: the calls of {use.function} left out the classes {', '.join(sorted(left))}.")
    average = "macro" if use.measure == "counts" and folds.kind != "binary" else average
    found = recompute(folds, beta=options.beta, average=average)
    if len(found) > 1 or folds.weight is not None:
        return found
    interval = interval_of(folds, options.beta, average)
    several = (replace(a, interval=interval) if a.name == "f_tpfp" else a for a in found[0].aggregates)
    return (replace(found[0], aggregates=tuple(several)),)


def interval_of(folds: FoldSet, beta: float, average: Average) -> Interval | None:
    """The interval of F_tp,fp; None where it is not known, or would take too much memory."""
    tables = folds.tables()
    if tables is None:
        return sample_tpfp_interval(folds, folds.kind, beta, average, drawn(folds))
    if tables.size > MOST_CELLS:
        return None
    return tpfp_interval(tables, "multiclass" if average != "binary" else folds.kind, beta, average, Bootstrap())


def of_labels(experiment: Experiment, columns: Sequence[int]) -> Experiment:
    """An experiment of several labels a sample, with some of them: a label is the number of its column."""
    chosen = np.array(columns, dtype=np.intp)
    parts = [
        replace(p, y_true=p.y_true[:, chosen], y_pred=None if p.y_pred is None else p.y_pred[:, chosen], y_score=None)
        for p in experiment.parts
    ]
    return replace(experiment, parts=tuple(parts))


def drawn(folds: FoldSet) -> Bootstrap:
    """How often samples are drawn one by one."""
    return Bootstrap(min(2000, max(200, DRAWN // len(folds))))


def fold_set(experiment: Experiment, positive: Any, measured: str) -> FoldSet:
    """The folds of an experiment with what is measured, and the positive label that a call names of two labels.

    Raises
    ------
    Doubt
        When what is measured, "y_pred" or "y_score", was not recorded, or the folds differ in their columns.
    """
    parts = experiment.parts
    size = len(parts) // experiment.repeats
    lengths = [len(part.y_true) for part in parts]

    def whole(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        if any(v is None for v in values):
            return None
        if len({v.shape[1:] for v in values}) > 1:
            raise Doubt("Not measured: the folds have different numbers of labels or scores.")
        return np.concatenate(values)

    values = whole(measured)
    if values is None:
        raise Doubt(f"Not measured: {'labels' if measured == 'y_pred' else 'scores'} of the folds were not recorded.")
    y_true = whole("y_true")
    if y_true.ndim > 1:
        positive = None
    labels = {str(plain(v)) for some in (y_true, values if measured == "y_pred" else y_true) for v in np.unique(some)}
    return FoldSet.from_arrays(
        np.repeat([i % size for i in range(len(parts))], lengths),
        y_true,
        **{measured: values},
        repeat=np.repeat([i // size for i in range(len(parts))], lengths) if experiment.repeats > 1 else None,
        weight=whole("weight"),
        positive=positive if len(labels) <= 2 and str(positive) in labels else None,
    )


def plain(label: Any) -> Any:
    """A label as Python's own type."""
    return label.item() if hasattr(label, "item") else label


def returned_value(faulty: str, uses: Sequence[Use], results: Sequence[Recomputed]) -> float | None:
    """The faulty aggregate out of what the script's own calls returned; None where they do not tell."""
    values = {use.measure: use.values for use in uses if use.values and None not in use.values}
    match faulty:
        case "f_avg" if "f-measure" in values:
            return float(np.mean(np.array(values["f-measure"], dtype=np.float64)))
        case "f_avg_valid" if "f-measure" in values:
            rows = [row for result in results for row in result.rows]
            kept = [v for v, row in zip(values["f-measure"], rows, strict=False) if row.f is not None and row.valid]
            return float(np.mean(np.array(kept, dtype=np.float64))) if kept else None
        case "f_prre" if "precision" in values and "recall" in values:
            rates = [float(np.mean(np.array(values[name], dtype=np.float64))) for name in ("precision", "recall")]
            return float(f_from_rates(rates[0], rates[1]))
        case "auc_merge" | "ap_merge":
            single = [use.values[0] for use in uses if use.pooled and len(use.values) == 1]
            return single[0] if single else None
        case _:
            return None
