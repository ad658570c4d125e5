"""The inventory of a submission: every aggregation of a measure, right ones too, by the names of Forman and Scholz."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cvlint.audit.data_part import Measured, measured
from cvlint.findings.finding import CONFIDENCES, Confidence, Location, Report
from cvlint.rules.catalogue import confidence_of, folds_of, unchained
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from cvlint.analysis.domain.axis import Axes
    from cvlint.analysis.events import Event

SYMBOLS = {"f-measure": "F", "roc-auc": "AUC", "average-precision": "AP"}
"""The letters that the paper's names begin with; other measures have no names in it."""

LEAVING_OUT = frozenset({"filter", "dropna", "nanmean"})
"""Ways to treat an undefined value that drop its fold; the others put a number in its place."""

WRONG = "wrong"
"""The shape of a formula that is called by the name of a measure and computes something else."""

THINGS = {
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
"""What a loop goes over; of others only that they are loops."""


@dataclass(frozen=True, slots=True)
class Aggregation:
    """One way in which a measure is made into a number that may be reported.

    Attributes
    ----------
    location, measure
        Where, and which measure.
    name
        What the paper calls it, ``F_avg``, or a few words where it has no name for it.
    meaning
        What that is, as a clause.
    confidence
        How sure it is that this is so.
    parts
        Where the values come from that it is made of.
    alone
        Whether nothing is aggregated: the measure is computed, and what becomes of it is not seen here.
    """

    location: Location
    measure: str
    name: str
    meaning: str
    confidence: Confidence
    parts: tuple[Location, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """What a reviewer is told of one submission; all paths start from its root.

    ``unmeasured`` counts the files that were read and in which no measure was seen; the errors of the report hold what
    was left out before the check, too.
    """

    submission: str
    aggregations: tuple[Aggregation, ...]
    report: Report
    unmeasured: int


def aggregations(events: Iterable[Event]) -> list[Aggregation]:
    """Take down every aggregation among the events of one file.

    Parameters
    ----------
    events : iterable of Event
        All that the engine saw happen to measures.

    Returns
    -------
    list of Aggregation
        Those of single values included, whose place may be a part of another; see `inventory`.
    """
    kept = unchained(events)
    wrong = {event.node for event in kept if event.facts.get("shape") == WRONG}
    kept = [e for e in kept if e.name != "formula" or e.facts["shape"] == WRONG or e.node not in wrong]
    skipped = {axis for e in kept if e.name == "skip" and e.facts["how"] in LEAVING_OUT for axis in e.axes}
    in_parts = {step.node: event for event in kept if event.name == "split" for step in event.trace}
    found = (_aggregation(event, frozenset(skipped), in_parts) for event in kept)
    return [one for one in found if one is not None]


def inventory(found: Iterable[Aggregation]) -> tuple[Aggregation, ...]:
    """Settle the aggregations of a whole submission: each once, sorted by place.

    A single value is left out where another aggregation is made of it, or where the same place was seen in more detail
    from another file.
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
    """Count the places of each way to aggregate.

    Returns
    -------
    list of tuple
        Measure, name and number of places; the measure with most places first, and its most frequent name.
    """
    places = Counter((one.measure, one.name) for one in found)
    totals = Counter(measure for measure, _ in places.elements())
    order = sorted(places.items(), key=lambda item: (-totals[item[0][0]], item[0][0], -item[1], item[0][1]))
    return [(measure, name, count) for (measure, name), count in order]


def audit(submission: str, report: Report, found: Iterable[Aggregation], left_out: Iterable[UnreadFile] = ()) -> Audit:
    """Put together what is to be told of a submission.

    Parameters
    ----------
    submission : str
        Its name.
    report : Report
        What the rules found in it.
    found : iterable of Aggregation
        What was taken down of each of its files.
    left_out : iterable of UnreadFile
        What was left out before the check.
    """
    kept = inventory(found)
    told = {one.location.path for one in kept} | {error.path for error in report.errors}
    errors = sorted((*report.errors, *left_out), key=lambda error: (error.path, error.line or 0))
    whole = replace(report, errors=tuple(errors))
    return Audit(submission, kept, whole, max(0, report.files - len(told)))


def as_notes(report: Report, rules: frozenset[str]) -> Report:
    """The same report with the findings of some rules as notes: those that are off unless somebody asks for them."""
    findings = tuple(replace(one, severity="note") if one.rule in rules else one for one in report.findings)
    return replace(report, findings=findings)


class _Named(NamedTuple):
    """What an aggregation is called, what it is, and whether only names in the code say so."""

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
        alone=event.name in ("measure", "formula") and not event.axes and event.facts.get("shape") != WRONG,
    )


def _named(event: Event, skipping: bool, in_parts: Mapping[ast.AST, Event]) -> _Named | None:
    """The paper's name of what happens, and what it is; None where nothing is aggregated."""
    match event.name:
        case "reduce":
            return _reduced(event, skipping or event.facts.get("kind") == "nanmean")
        case "measure" if event.axes:
            return _pooled(event)
        case "formula" if event.facts.get("pooled") and not event.axes:
            return _pooled(replace(event, axes=event.facts["pooled"]))
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
            return _single(measured(event.node, event.source.tree))
        case "measure" | "formula":
            return _Named("from counts", "computed by hand from counts; F_tp,fp if they are sums over the folds")
        case _:
            return None


def _single(found: Measured) -> _Named:
    """A measure of which nothing is aggregated as far as is seen; a hold-out only where a split is seen."""
    times = "computed in each pass of a loop" if found.repeated else "computed once"
    inside = f" in each call of {found.function}" if found.function else ""
    data = f"data that are called {found.part} data" if found.named else f"the {found.part} part of a split"
    rest = "and no aggregation of it was seen" if found.repeated else "and not pooled from folds as far as is seen"
    match found.part:
        case "training":
            return _Named("on the training data", f"{times}{inside} on {data}: it tells of the fit", found.named)
        case "test":
            name = "hold-out" if found.repeated else "single hold-out"
            return _Named(name, f"{times}{inside} on {data}, {rest}", found.named)
        case None:
            return _Named("in each pass" if found.repeated else "computed once", f"{times}{inside}, {rest}")


def _reduced(event: Event, skipping: bool) -> _Named:
    """A mean or a median of values."""
    over = _over(event)
    chosen = ", by which something is chosen" if event.facts.get("use") == "choice" else ""
    if event.facts["kind"] == "median":
        return _Named(f"median over {_things(event)}", f"the median of the values of {over}{chosen}")
    valid = " where it is defined" if skipping else ""
    symbol = SYMBOLS.get(event.measure.kind)
    name = f"mean over {_things(event)}"
    if symbol is not None and _is_of_folds(event):
        name = "F~avg" if symbol == "F" and skipping else f"{symbol}_avg"
    return _Named(name, f"the mean over {over}{valid}{chosen}")


def _pooled(event: Event) -> _Named:
    """A measure that is computed once on data that were put together."""
    over = _over(event)
    by_hand = event.name == "formula" or event.facts.get("scores") == "counts"
    parts = f"counts that are summed over {over}" if by_hand else f"the data of {over} put together"
    meaning = f"computed once on {parts}"
    pooled = f"pooled over {_things(event)}"
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
    """A formula of precision and recall that were averaged before."""
    over = _over(event)
    valid = " where they are defined" if skipping else ""
    meaning = f"F of the means of precision and recall over {over}{valid}"
    if _is_of_folds(event):
        return _Named("F~pr,re" if skipping else "F_pr,re", meaning)
    return _Named(f"F of means over {_things(event)}", meaning)


def _is_of_folds(event: Event) -> bool:
    return any(axis.kind == "fold" for axis in event.axes)


def _over(event: Event) -> str:
    """What the loops of an event go over, with the splitter that makes the folds."""
    return _things(event).replace("folds", folds_of(event), 1)


def _things(event: Event) -> str:
    """What the loops of an event go over, folds first."""
    kinds = {axis.kind for axis in event.axes}
    things = [thing for kind, thing in THINGS.items() if kind in kinds]
    return " and ".join([*things, *(["the passes of a loop"] if kinds - THINGS.keys() else [])])
