"""Join findings with recorded experiments: the value that the code computed, and the correct one."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cvlint.findings.finding import Finding, Measured
from cvlint.recording.call_sites import CallSite
from cvlint.recording.experiment_names import label_of
from cvlint.recording.experiments import Experiment, Measurement
from cvlint.recording.records import CAPTURE, MeasureOptions
from cvlint.rules.catalogue import AggregatePair
from cvlint.runtime.aggregates.recompute import recompute
from cvlint.runtime.aggregates.results import Aggregate, Recomputed
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap, Interval
from cvlint.runtime.intervals.count_bootstrap import sample_tpfp_interval, tpfp_interval
from cvlint.runtime.measures.counts import AVERAGES, Average, f_from_rates
from cvlint.source.location import Location

Match = tuple[Experiment, AggregatePair, tuple[Measurement, ...]]
"""An experiment, the aggregates to compare, and its measurements with the same options."""

CLOSE = 1e-6  # torchmetrics returns single precision
RANKED = ("auc_merge", "ap_merge")
BY_HAND = (
    "A formula that is written by hand cannot be measured: call a function of sklearn.metrics in its place, take its "
    "counts from confusion_matrix, or hand the folds over with cvlint.runtime.capture in the same loop, and run again."
)
NOT_REACHED = (
    "Not measured: no call of a measure was recorded at the places of its trace, so that this run did not reach them, "
    f"or computes the measure without such a call. {BY_HAND}"
)
NOT_RECORDED = (
    f"Not measured: the folds of its trace were run through, and no call of a measure was recorded there. {BY_HAND} "
    "Nor does a run see calls in other programs that the script starts, what metric objects of Keras and "
    "torchmetrics compute, and what Lightning logs."
)
MOST_CELLS = 20_000
"""The limit for cells in the confusion tables of all folds: a bootstrap of more takes too much memory."""

DRAWN = 5_000_000
"""The number of samples that a bootstrap draws in all replicates; larger data need fewer replicates."""


@dataclass(frozen=True, slots=True)
class NotMeasured(Exception):
    """The reason why an experiment gives no honest number, as a whole sentence."""

    message: str


def attach_measurements(
    findings: Iterable[Finding],
    experiments: Sequence[Experiment],
    pairs: Mapping[str, Sequence[AggregatePair]],
    folder: str,
    splits: Iterable[CallSite] = (),
) -> tuple[Finding, ...]:
    """Add to findings the values that a run measured.

    Parameters
    ----------
    findings
        The findings of a check.
    experiments
        The recorded experiments; the paths of their call sites are absolute.
    pairs
        The aggregates that each rule compares, by the name of the rule.
    folder
        The folder that the paths of the findings start from.
    splits
        The call sites of splitters. If one of them lies in the trace of a finding, only experiments with folds from
        there belong to the finding.

    Returns
    -------
    tuple of Finding
        The findings in the same order. ``measured`` holds an entry for each experiment that was recorded in the trace
        of the finding; if there is none, ``unmeasured`` holds the reason.
    """
    sites = set(splits)
    return tuple(
        with_measurements(finding, experiments, pairs.get(finding.rule, ()), folder, sites) for finding in findings
    )


def with_measurements(
    finding: Finding,
    experiments: Sequence[Experiment],
    pairs: Sequence[AggregatePair],
    folder: str,
    splits: Iterable[CallSite],
) -> Finding:
    """Add the measured values to one finding."""
    if not pairs:
        return finding
    matches = list(matching_experiments(finding, experiments, pairs, folder))
    if any(at(site, finding, folder) for site in splits):
        matches = [one for one in matches if one[0].split is None or at(one[0].split.site, finding, folder)]
        matches = matches or counted_in_the_loop(finding, experiments, pairs, folder)
        if not matches:
            return replace(finding, unmeasured=NOT_RECORDED)
    if not matches:
        return replace(finding, unmeasured=NOT_REACHED)
    measured, doubts = [], []
    for experiment, pair, measurements in matches:
        try:
            measured.append(comparison(experiment, pair, measurements))
        except NotMeasured as doubt:
            doubts.append(doubt.message)
        except FoldDataError as error:
            doubts.append(f"Not measured: {error}")
    return replace(finding, measured=tuple(measured), unmeasured="" if measured else doubts[0])


def at(site: CallSite | None, finding: Finding, folder: str) -> bool:
    """Whether a call site lies in the trace of a finding."""
    return site is not None and any(within(site, step.location, folder, True) for step in finding.trace)


def matching_experiments(
    finding: Finding, experiments: Sequence[Experiment], pairs: Sequence[AggregatePair], folder: str
) -> Iterator[tuple[Experiment, AggregatePair, tuple[Measurement, ...]]]:
    """Find the experiments that were recorded in the trace of a finding, once for each set of options of their calls.

    Each comes with the aggregates to compare, and with the measurements that used these options.
    """
    steps = [step.location for step in finding.trace] + [finding.location]
    places = steps[: steps.index(finding.location) + 1]  # later steps use the same values again
    exact = any(
        within(measurement.site, place, folder, True)
        for e in experiments
        for measurement in e.measurements
        for place in places
    )
    for experiment in experiments:
        here = [u for u in experiment.measurements if any(within(u.site, place, folder, exact) for place in places)]
        for pair in pairs:
            by_options: dict[MeasureOptions, list[Measurement]] = {}
            for measurement in here:
                if measurement.measure in pair.measures or not measurement.measure:
                    by_options.setdefault(measurement.options, []).append(measurement)
            if by_options:
                yield from ((experiment, pair, tuple(measurements)) for measurements in by_options.values())
                break


def counted_in_the_loop(
    finding: Finding, experiments: Sequence[Experiment], pairs: Sequence[AggregatePair], folder: str
) -> list[Match]:
    """Find the folds that belong to a formula that is written by hand: those that the script hands over in the loop.

    Otherwise its counts may come from `confusion_matrix`. This call is not in the trace, which begins at the formula.
    So it counts only if it is the only measure in the loop over the finding's folds; else it may belong to another
    model.
    """
    counted = [
        (experiment, measurement)
        for experiment in experiments
        if experiment.split is not None and at(experiment.split.site, finding, folder)
        for measurement in experiment.measurements
    ]
    counted = [one for one in counted if one[1].function == CAPTURE] or counted
    if len(counted) != 1 or counted[0][1].measure != "counts" or counted[0][1].pooled:
        return []
    pair = next((pair for pair in pairs if pair.faulty == "f_avg"), None)
    experiment, measurement = counted[0]
    return [] if pair is None else [(experiment, pair, (measurement,))]


def within(site: CallSite, place: Location, folder: str, exact: bool) -> bool:
    """Whether a call site lies in a span of source text; ``exact`` compares columns, if they are known."""
    if site.cell != place.cell or not place.line <= site.line <= place.end_line:
        return False
    if not same_file(site.path, os.path.join(folder, place.path)):
        return False
    if not exact or site.column is None or site.end_column is None:
        return True
    starts = (place.line, place.column) <= (site.line, site.column)
    return starts and (site.end_line, site.end_column) <= (place.end_line, place.end_column)


def same_file(one: str, other: str) -> bool:
    """Whether two paths name one file, after following links."""
    return os.path.normpath(one) == os.path.normpath(other) or os.path.realpath(one) == os.path.realpath(other)


def comparison(experiment: Experiment, pair: AggregatePair, measurements: Sequence[Measurement]) -> Measured:
    """Compute the faulty and the right aggregate of an experiment.

    Raises
    ------
    Doubt
        If the calls computed something else, or there is nothing to compare.
    """
    if len(experiment.folds) < 2:
        raise NotMeasured("Not measured: the calls that were recorded could not be told apart into folds.")
    measurement = next(
        (measurement for measurement in measurements if measurement.measure not in ("precision", "recall")),
        measurements[0],
    )
    results = ranked(experiment, measurement, pair) if pair.faulty in RANKED else recomputed(experiment, measurement)
    faulty, right = (aggregates(results, name) for name in (pair.faulty, pair.right))
    value, right_value = mean(faulty), mean(right)
    if math.isnan(value) or math.isnan(right_value):
        raise NotMeasured("Not measured: an aggregate is undefined for the folds of this run.")
    returned = returned_value(pair.faulty, measurements, results)
    if returned is not None and not math.isclose(returned, value, abs_tol=CLOSE):
        raise NotMeasured(
            f"Not measured: the calls of {measurement.function} returned {returned:.3f} on the whole, "
            f"and {faulty[0].label} of the recorded folds is {value:.3f}."
        )
    interval = right[0].interval if len(right) == 1 else None
    return Measured(
        pair.faulty,
        value,
        pair.right,
        right_value,
        None if interval is None else (interval.low, interval.high),
        len(experiment.folds),
        experiment.repeats,
        label_of(replace(experiment, measurements=with_options_of(experiment, measurement))),
        experiment.caution,
    )


def with_options_of(experiment: Experiment, measurement: Measurement) -> tuple[Measurement, ...]:
    """The measurements of an experiment without those that compute the same measure with other options."""
    return tuple(
        u for u in experiment.measurements if u.options == measurement.options or u.measure != measurement.measure
    )


def aggregates(results: Sequence[Recomputed], name: str) -> list[Aggregate]:
    """Pick one aggregate from each repetition."""
    return [a for result in results for a in result.aggregates if a.name == name]


def mean(found: Sequence[Aggregate]) -> float:
    """The mean over the repetitions."""
    return float(np.mean([a.value for a in found]))


def ranked(experiment: Experiment, measurement: Measurement, pair: AggregatePair) -> tuple[Recomputed, ...]:
    """Compute the aggregates of an experiment's scores, with the positive label that scikit-learn uses."""
    labels = np.unique(np.concatenate([part.y_true for part in experiment.folds]))
    auc = pair.faulty == "auc_merge"  # roc_auc_score uses the greater label as the positive one; it has no pos_label
    positive = plain(labels[-1]) if auc and len(labels) == 2 else measurement.options.positive
    folds = fold_set(experiment, positive, "y_score")
    return recompute(folds, bootstrap=sample_bootstrap(folds) if auc else None)


def recomputed(experiment: Experiment, measurement: Measurement) -> tuple[Recomputed, ...]:
    """Compute the aggregates of an experiment with the options of one of its calls.

    Raises
    ------
    Doubt
        If the call measured only some classes, or each class separately.
    """
    options = measurement.options
    average: Any = "binary" if measurement.measure == "counts" else options.average
    if average not in AVERAGES:
        raise NotMeasured(
            f"Not measured: the average {average!r} of {measurement.function} gives no single number to compare."
        )
    if options.labels is not None and experiment.folds[0].y_true.ndim > 1:
        average = "binary" if len(options.labels) == 1 else average
        experiment, options = of_labels(experiment, options.labels), replace(options, labels=None)
    if options.labels is not None and len(options.labels) == 1:
        folds, average = fold_set(experiment, plain(options.labels[0]), "y_pred"), "binary"
    else:
        folds = fold_set(experiment, options.positive if average == "binary" else None, "y_pred")
    if options.labels is not None and len(options.labels) > 1:
        left = set(map(str, folds.classes)) - {str(plain(label)) for label in options.labels}
        if left:
            raise NotMeasured(
                f"Not measured: the calls of {measurement.function} left out the classes {', '.join(sorted(left))}."
            )
    average = "macro" if measurement.measure == "counts" and folds.kind != "binary" else average
    found = recompute(folds, beta=options.beta, average=average)
    if len(found) > 1 or folds.weight is not None:
        return found
    interval = interval_of(folds, options.beta, average)
    several = (replace(a, interval=interval) if a.name == "f_tpfp" else a for a in found[0].aggregates)
    return (replace(found[0], aggregates=tuple(several)),)


def interval_of(folds: FoldSet, beta: float, average: Average) -> Interval | None:
    """Compute the interval of F_tp,fp; None if it is unknown or needs too much memory."""
    if folds.group is not None:
        one = recompute(folds, beta=beta, average=average, bootstrap=sample_bootstrap(folds))[0]
        return next(a.interval for a in one.aggregates if a.name == "f_tpfp")
    tables = folds.tables()
    if tables is None:
        return sample_tpfp_interval(folds, folds.kind, beta, average, sample_bootstrap(folds))
    if tables.size > MOST_CELLS:
        return None
    return tpfp_interval(tables, "multiclass" if average != "binary" else folds.kind, beta, average, Bootstrap())


def of_labels(experiment: Experiment, columns: Sequence[int]) -> Experiment:
    """Select some labels of a multilabel experiment; a label is the number of its column."""
    chosen = np.array(columns, dtype=np.intp)
    parts = [
        replace(p, y_true=p.y_true[:, chosen], y_pred=None if p.y_pred is None else p.y_pred[:, chosen], y_score=None)
        for p in experiment.folds
    ]
    return replace(experiment, folds=tuple(parts))


def sample_bootstrap(folds: FoldSet) -> Bootstrap:
    """Choose the number of replicates of a bootstrap that draws samples."""
    return Bootstrap(min(2000, max(200, DRAWN // len(folds))))


def fold_set(experiment: Experiment, positive: Any, measured: str) -> FoldSet:
    """Build the fold data of an experiment, with the positive label that a call names for two labels.

    Raises
    ------
    Doubt
        If "y_pred" or "y_score" was not recorded, or if the folds differ in their columns.
    """
    parts = experiment.folds
    size = len(parts) // experiment.repeats
    lengths = [len(part.y_true) for part in parts]

    def whole(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        if any(v is None for v in values):
            return None
        if len({v.shape[1:] for v in values}) > 1:
            raise NotMeasured("Not measured: the folds have different numbers of labels or scores.")
        return np.concatenate(values)

    values = whole(measured)
    if values is None:
        raise NotMeasured(
            f"Not measured: {'labels' if measured == 'y_pred' else 'scores'} of the folds were not recorded."
        )
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
        group=whole("group"),
        positive=positive if len(labels) <= 2 and str(positive) in labels else None,
    )


def plain(label: Any) -> Any:
    """Convert a label to a Python type."""
    return label.item() if hasattr(label, "item") else label


def returned_value(faulty: str, measurements: Sequence[Measurement], results: Sequence[Recomputed]) -> float | None:
    """Compute the faulty aggregate from the results of the script's own calls; None if they are not enough."""
    values = {
        measurement.measure: measurement.values
        for measurement in measurements
        if measurement.values and None not in measurement.values
    }
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
            single = [
                measurement.values[0]
                for measurement in measurements
                if measurement.pooled and len(measurement.values) == 1
            ]
            return single[0] if single else None
        case _:
            return None
