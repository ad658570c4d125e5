"""The inventory of a submission: every aggregation of a measure, right or wrong.

The names are those of Forman and Scholz: F_avg is the mean of the folds' F, F_tp,fp is F of the counts that are summed
over the folds, F_pr,re is F of the mean precision and the mean recall, AUC_avg is the mean of the folds' AUC, and
AUC_merge is the AUC of the scores of all folds together. A tilde (F~avg) marks a mean without the undefined folds.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cvlint.audit.data_part import MeasuredData, measured_data
from cvlint.findings.finding import CONFIDENCES, Confidence, Report
from cvlint.records import dataclass, replace
from cvlint.rules.report import confidence_of, folds_of, without_formula_parts
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from cvlint.analysis.domain.axis import Axes, Axis
    from cvlint.analysis.events import Event
    from cvlint.audit.fate import Fate

SYMBOLS = {"f-measure": "F", "roc-auc": "AUC", "average-precision": "AP"}
"""The first letters of the paper's names; the paper has no names for other measures."""

DROPPING = frozenset({"filter", "dropna", "nanmean"})
"""Ways to treat an undefined value that drop its fold; other ways replace the value by a number."""

WRONG = "wrong"
"""The shape of a formula that has the name of a measure and computes something else."""

AXIS_NAMES = {
    "fold": "folds",
    "batch": "batches",
    "epoch": "epochs",
    "repeat": "repetitions",
    "seed": "seeds",
    "label": "labels",
    "class": "classes",
    "dataset": "data sets",
    "candidate": "candidates",
}
"""What a loop of each kind goes over; another loop is only called a loop."""

UNKNOWN = "loop"
"""The kind of an axis of which only the loop is known."""


@dataclass(frozen=True, slots=True)
class Aggregation:
    """One number that is computed of a measure and may be reported."""

    location: Location
    """The location of the aggregation."""
    measure: str
    """The measure, "f-measure" for example."""
    name: str
    """The name in the paper, ``F_avg`` for example, or a few words where the paper has none."""
    meaning: str
    """An explanation of the name, as a clause."""
    confidence: Confidence
    """How sure cvlint is."""
    parts: tuple[Location, ...] = ()
    """The locations of the values from which the number is computed."""
    alone: bool = False
    """Whether it is a single value of the measure: no aggregation of it was seen."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The report on one submission for a reviewer; all paths are relative to its root.

    ``unmeasured`` counts the files that were read and contain no measure. The errors of the report include the files
    that were left out before the check.
    """

    submission: str
    aggregations: tuple[Aggregation, ...]
    report: Report
    unmeasured: int
    fates: tuple[Fate, ...] = ()


def aggregations(events: Iterable[Event]) -> list[Aggregation]:
    """List every aggregation among the events of one file.

    Parameters
    ----------
    events : iterable of Event
        The events of the analysis.

    Returns
    -------
    list of Aggregation
        All aggregations, and also single values that may be parts of another aggregation; see `inventory`.
    """
    kept = without_formula_parts(events)
    wrong = {event.node for event in kept if event.facts.get("shape") == WRONG}
    kept = [e for e in kept if e.name != "formula" or e.facts["shape"] == WRONG or e.node not in wrong]
    skipped = {axis for e in kept if e.name == "skip" and e.facts["how"] in DROPPING for axis in e.axes}
    in_parts = {step.node: event for event in kept if event.name == "split" for step in event.trace}
    found = (_aggregation(event, frozenset(skipped), in_parts) for event in kept)
    return [aggregation for aggregation in found if aggregation is not None]


def inventory(found: Iterable[Aggregation]) -> tuple[Aggregation, ...]:
    """Merge the aggregations of a whole submission: each once, sorted by location.

    A single value is left out where another aggregation uses it, or where the analysis of another file shows an
    aggregation at the same location.
    """
    surest: dict[tuple[Location, str, str], Aggregation] = {}
    for one in found:
        key = (one.location, one.measure, one.name)
        old = surest.get(key)
        if old is None or CONFIDENCES.index(one.confidence) < CONFIDENCES.index(old.confidence):
            surest[key] = one
    kept = list(surest.values())
    used = {place for one in kept for place in one.parts if place != one.location}
    known = {(one.location, one.measure) for one in kept if not one.alone}
    left = [one for one in kept if not (one.alone and (one.location in used or (one.location, one.measure) in known))]
    return tuple(sorted(left, key=lambda one: (one.location.sort_key, one.measure, one.name)))


def tally(found: Iterable[Aggregation]) -> list[tuple[str, str, int]]:
    """Count the locations of each kind of aggregation.

    Returns
    -------
    list of tuple
        Measure, name and number of locations; the most frequent measure is first, and its most frequent name.
    """
    places = Counter((one.measure, one.name) for one in found)
    totals = Counter(measure for measure, _ in places.elements())
    order = sorted(places.items(), key=lambda item: (-totals[item[0][0]], item[0][0], -item[1], item[0][1]))
    return [(measure, name, count) for (measure, name), count in order]


def audit(
    submission: str,
    report: Report,
    found: Iterable[Aggregation],
    left_out: Iterable[UnreadFile] = (),
    fates: Iterable[Fate] = (),
) -> Audit:
    """Make the report on a submission.

    Parameters
    ----------
    submission : str
        The name of the submission.
    report : Report
        The findings.
    found : iterable of Aggregation
        The aggregations in all of its files.
    left_out : iterable of UnreadFile
        Files that were left out before the check.
    fates : iterable of Fate
        What became of the values that were followed.
    """
    kept = inventory(found)
    listed = {aggregation.location.path for aggregation in kept} | {error.path for error in report.errors}
    errors = sorted((*report.errors, *left_out), key=lambda error: (error.path, error.line or 0))
    unmeasured = max(0, report.files - len(listed))
    return Audit(submission, kept, replace(report, errors=tuple(errors)), unmeasured, tuple(fates))


def as_notes(report: Report, rules: frozenset[str]) -> Report:
    """The report with the findings of some rules as notes: an audit also runs the rules that are off by default."""
    findings = tuple(replace(one, severity="note") if one.rule in rules else one for one in report.findings)
    return replace(report, findings=findings)


class _Named(NamedTuple):
    """The name and the meaning of an aggregation, and whether only names in the code say so."""

    name: str
    meaning: str
    heuristic: bool = False


def _aggregation(event: Event, skipped: Axes, in_parts: Mapping[ast.AST, Event]) -> Aggregation | None:
    named = _named(event, bool(skipped & event.axes), in_parts)
    if named is None:
        return None
    places = (step.source.location(step.node) for step in event.trace)
    confidence = confidence_of(event)
    return Aggregation(
        location=event.source.location(event.node),
        measure=str(event.measure),
        name=named.name,
        meaning=named.meaning,
        confidence="medium" if named.heuristic and confidence == "high" else confidence,
        parts=tuple(dict.fromkeys(places)),
        alone=_is_single(event),
    )


def _is_single(event: Event) -> bool:
    """Whether an event is one value of a measure, and no aggregation."""
    match event.name:
        case "measure":
            return not _known(event.axes)
        case "formula":
            return not event.axes and event.facts.get("shape") != WRONG
        case _:
            return False


def _known(axes: Iterable[Axis]) -> Axes:
    """The axes without loops of no known kind, which collect samples as often as parts of the data."""
    return frozenset(axis for axis in axes if axis.kind != UNKNOWN)


def _named(event: Event, skipping: bool, in_parts: Mapping[ast.AST, Event]) -> _Named | None:
    """The paper's name of an aggregation, and its meaning; None for an event that is none."""
    match event.name:
        case "reduce":
            return _reduced(event, skipping or event.facts.get("kind") == "nanmean")
        case "measure" if _known(event.axes):
            return _pooled(replace(event, axes=_known(event.axes)))
        case "formula" if _known(event.facts.get("pooled", ())) and not event.axes:
            return _pooled(replace(event, axes=_known(event.facts["pooled"])))
        case "formula" if event.facts["shape"] == WRONG:
            return _Named("wrong definition", f"a formula that is called {event.measure} and computes something else")
        case "formula" if event.axes:
            return _of_means(event, skipping)
        case "report":
            name = "AUC_avg" if event.measure.kind == "roc-auc" else "F_avg"
            known = event.measure.kind in ("roc-auc", "f-measure")
            return _Named(
                name if known else "mean over folds", "the mean over its own folds that a search gives its best"
            )
        case "measure" | "formula" if event.node in in_parts:
            folds = folds_of(in_parts[event.node])
            return _Named("of each fold", f"computed in each of {folds}, and no aggregation of it was seen")
        case "measure" if event.facts.get("scores") != "counts":
            return _single(measured_data(event.node, event.source.tree))
        case "measure" | "formula":
            return _Named("from counts", "computed by hand from counts; F_tp,fp if they are sums over the folds")
        case _:
            return None


def _single(data: MeasuredData) -> _Named:
    """A single value of a measure; it is called a hold-out only where a split is seen."""
    times = "computed in each pass of a loop" if data.in_loop else "computed once"
    inside = f" in each call of {data.function}" if data.function else ""
    named = f"data that are called {data.part} data" if data.by_name_only else f"the {data.part} part of a split"
    rest = "and no aggregation of it was seen" if data.in_loop else "and not pooled from folds as far as is seen"
    match data.part:
        case "training":
            meaning = f"{times}{inside} on {named}: it measures the fit, not the generalisation"
            return _Named("on the training data", meaning, data.by_name_only)
        case "test":
            name = "hold-out" if data.in_loop else "single hold-out"
            return _Named(name, f"{times}{inside} on {named}, {rest}", data.by_name_only)
        case None:
            return _Named("in each pass" if data.in_loop else "computed once", f"{times}{inside}, {rest}")


def _reduced(event: Event, skipping: bool) -> _Named:
    """A mean or a median of the values of a measure."""
    over = _axes_and_splitter(event)
    chosen = ", by which something is chosen" if event.facts.get("use") == "choice" else ""
    if event.facts["kind"] == "median":
        return _Named(f"median over {_axis_names(event)}", f"the median of the values of {over}{chosen}")
    valid = " where it is defined" if skipping else ""
    symbol = SYMBOLS.get(event.measure.kind)
    name = f"mean over {_axis_names(event)}"
    if symbol is not None and _is_of_folds(event):
        name = "F~avg" if symbol == "F" and skipping else f"{symbol}_avg"
    return _Named(name, f"the mean over {over}{valid}{chosen}")


def _pooled(event: Event) -> _Named:
    """A measure that is computed once on pooled data or on summed counts."""
    over = _axes_and_splitter(event)
    by_hand = event.name == "formula" or event.facts.get("scores") == "counts"
    parts = f"counts that are summed over {over}" if by_hand else f"the data of {over} put together"
    meaning = f"computed once on {parts}"
    pooled = f"pooled over {_axis_names(event)}"
    if not _is_of_folds(event):
        return _Named(pooled, meaning)
    match event.measure.kind:
        case "f-measure":
            return _Named("F_tp,fp", meaning)
        case "roc-auc":
            return _Named("AUC_merge", meaning)
        case "average-precision":
            return _Named("AP_merge", meaning)
        case _:
            return _Named(pooled, meaning)


def _of_means(event: Event, skipping: bool) -> _Named:
    """A formula of the mean precision and the mean recall."""
    over = _axes_and_splitter(event)
    valid = " where they are defined" if skipping else ""
    meaning = f"F of the means of precision and recall over {over}{valid}"
    if _is_of_folds(event):
        return _Named("F~pr,re" if skipping else "F_pr,re", meaning)
    return _Named(f"F of means over {_axis_names(event)}", meaning)


def _is_of_folds(event: Event) -> bool:
    return any(axis.kind == "fold" for axis in event.axes)


def _axes_and_splitter(event: Event) -> str:
    """What the loops of an event go over, with the name of the splitter."""
    return _axis_names(event).replace("folds", folds_of(event), 1)


def _axis_names(event: Event) -> str:
    """What the loops of an event go over, folds first."""
    kinds = {axis.kind for axis in event.axes}
    names = [name for kind, name in AXIS_NAMES.items() if kind in kinds]
    return " and ".join([*names, *(["the passes of a loop"] if kinds - AXIS_NAMES.keys() else [])])
