"""The fate ledger: each birth of a value ends in exactly one fate.

A fate is a finding; a harmless end with its reason (printed, written, averaged and right to average, returned, never
used, …); or the construct at which the value lost its meaning for the analysis. A finding counts before a loss, and a
loss before a harmless end: a value that is printed and also handed to unknown code may still cause a fault there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cvlint.analysis.fates import reasons
from cvlint.audit.fate import KINDS, Fate
from cvlint.audit.inventory import AXIS_NAMES
from cvlint.rules.match import matches
from cvlint.rules.report import without_formula_parts
from cvlint.source.location import Location

if TYPE_CHECKING:
    from cvlint.analysis.events import Event
    from cvlint.analysis.fates.births import Birth
    from cvlint.analysis.fates.journeys import Journey
    from cvlint.rules.catalogue import Rule

REASONS = {
    "reduce": "averaged, and right to average",
    "choose": "chosen where the result is not measured again on the same data",
    "compare": "compared with other results",
}
"""What events say about a birth that no rule reports."""

LOOPS = {**AXIS_NAMES, "threshold": "thresholds", "prior": "shares of positives"}
"""What a loop of each kind goes over."""

POOLED = "pooled before it was computed"
NEVER_SPLIT = "never split"
SPLIT = "split where it spoils nothing"

STRENGTH = (
    reasons.COMPARED,
    reasons.EACH_PASS,
    reasons.PRINTED,
    reasons.PLOTTED,
    reasons.WRITTEN,
    reasons.SHOWN,
    reasons.PART,
    reasons.DERIVED,
    reasons.SPREAD,
    reasons.TESTED,
    reasons.OPTIMISED,
    reasons.MEASURED,
    reasons.FITTED,
    reasons.RETURNED,
    reasons.LOSS,
    reasons.OTHER_PART,
)
"""Harmless ends; of several the first is told."""


def fates_of(journeys: Sequence[Journey], events: Sequence[Event], rules: Sequence[Rule]) -> list[Fate]:
    """Decide the fate of each birth of one file.

    Parameters
    ----------
    journeys : sequence of Journey
        The births, with their ends.
    events : sequence of Event
        All events of the file.
    rules : sequence of Rule
        The rules whose findings count.
    """
    codes: dict[int, set[str]] = {}
    for event in without_formula_parts(events):
        # A fault of the split says nothing of what became of a value.
        matching = {rule.code for rule in rules if event.name != "split" and matches(event, rule)}
        if matching:
            codes[id(event)] = matching
    by_birth = {journey.birth: journey for journey in journeys}
    return [_fate(journey, by_birth, codes) for journey in journeys]


def _fate(journey: Journey, by_birth: Mapping[Birth, Journey], codes: Mapping[int, set[str]]) -> Fate:
    """The fate of one birth, and of the births that the analysis cannot tell from it on their way."""
    family = _family(journey, by_birth)
    birth = journey.birth
    location, what = birth.source.location(birth.node), _described(birth)
    found = [event for one in family for event in one.events if id(event) in codes]
    if found:
        why = " and ".join(sorted({code for event in found for code in codes[id(event)]}))
        return Fate(location, what, "finding", why, end=found[0].source.location(found[0].node))
    ends = [end for one in family for end in one.ends]
    lost = next((end for end in ends if end.is_lost), None)
    if birth.kind != "measure" and any(one.is_split for one in family):
        return Fate(location, what, "harmless", SPLIT)
    # Data that came to a model are not lost.
    used = birth.kind != "measure" and any(end.what in (reasons.FITTED, reasons.MEASURED) for end in ends)
    if lost is not None and not used:
        return Fate(location, what, "lost", lost.what, lost.name, lost.source.location(lost.node))
    return _harmless(location, what, family)


def _family(journey: Journey, by_birth: Mapping[Birth, Journey]) -> list[Journey]:
    """A journey, and those of the births that stand for it."""
    found = {journey.birth: journey}
    waiting = [journey]
    while waiting:
        for birth in waiting.pop().joined:
            if birth not in found and birth in by_birth:
                found[birth] = by_birth[birth]
                waiting.append(by_birth[birth])
    return list(found.values())


def _harmless(location: Location, what: str, family: Sequence[Journey]) -> Fate:
    """The reason why a birth does no harm."""
    birth = family[0].birth
    if birth.kind != "measure":
        return Fate(location, what, "harmless", NEVER_SPLIT)
    for one in family:
        for event in one.events:
            if event.name in REASONS:
                return Fate(location, what, "harmless", REASONS[event.name], end=event.source.location(event.node))
    if birth.is_pooled:
        return Fate(location, what, "harmless", POOLED)
    ends = [end for one in family for end in one.ends if end.what in STRENGTH]
    if not ends:
        return Fate(location, what, "harmless", reasons.UNUSED)
    first = min(ends, key=lambda end: STRENGTH.index(end.what))
    return Fate(location, what, "harmless", first.what, end=first.source.location(first.node))


def _described(birth: Birth) -> str:
    """What is born, in words."""
    names = " and ".join(sorted(birth.names))
    match birth.kind:
        case "learned":
            return f"{names} whole data"
        case "resampled":
            return f"{names} draws whole data anew"
    loops = [LOOPS.get(kind, "passes of a loop") for kind in sorted(birth.loops)]
    over = f" over {' and '.join(dict.fromkeys(loops))}" if loops else ""
    return f"{names}{over}{', by its name' if birth.is_guess else ''}"


def ledger(fates: Iterable[Fate]) -> tuple[Fate, ...]:
    """Merge the fates of several files: each birth once, because a file is analysed again with those that import it."""
    kept: dict[tuple[Location, str], Fate] = {}
    for fate in fates:
        key = (fate.location, fate.what.partition(" over ")[0])
        other = kept.get(key)
        if other is None or _rank(fate) < _rank(other):
            kept[key] = fate
    return tuple(sorted(kept.values(), key=lambda fate: (fate.location.sort_key, fate.what)))


def _rank(fate: Fate) -> tuple[int, bool]:
    """Findings first; what a function returns to unknown callers counts last, because another file may call it."""
    return KINDS.index(fate.kind), fate.why in (reasons.RETURNED, reasons.UNUSED)
