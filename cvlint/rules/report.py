"""Reporting: makes findings of the events that rules match, each with its message, location, trace and confidence.

The texts of the messages are in the rule files; this module fills in their placeholders. Several events can show one
fault: a value that is averaged twice, or a precision and a recall from which an F is computed. Each fault makes one
finding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cvlint.analysis.domain.axis import sorted_axes
from cvlint.analysis.domain.trace import Step
from cvlint.findings.finding import CONFIDENCES, MAX_STEPS, Confidence, Finding, Fix, TraceStep, with_steps
from cvlint.findings.fingerprint import identity
from cvlint.records import dataclass, replace
from cvlint.rules.bindings import Bindings
from cvlint.rules.causes import Causes
from cvlint.rules.match import matches, variant_of
from cvlint.rules.own_names import OwnNames

if TYPE_CHECKING:
    from cvlint.analysis.events import Event
    from cvlint.rules.catalogue import Rule
    from cvlint.source.location import Location

EVENT_NOTES = {
    "measure": "the measure is computed here",
    "formula": "the formula is written out by hand here",
    "split": "the parts are made here",
    "skip": "undefined values are left out or patched here",
    "report": "the search's own score is reported from here",
    "reduce": "and averaged here",
    "compare": "and brought together here",
    "choose": "the best is chosen by the data here",
    "fit": "this learns from all the data, before they are split",
    "refit": "and it learns from the test rows here",
    "retest": "and it is measured on rows that it was fitted to",
    "trained": "and it is measured on its training rows only",
}
"""What the trace says at the place of an event that has no note of its own."""

CAUSES = ("split", "fit", "choose")
"""Events whose place is the first step of the trace: the code that shows the fault comes after them."""


@dataclass(frozen=True, slots=True)
class _Match:
    """An event that a rule matches, and the finding for it."""

    finding: Finding
    event: Event
    rule: Rule


_Key = tuple[str, int]
"""The name of a rule and the identity of a syntax node: matches with the same key are one fault."""


def findings_of(events: Iterable[Event], rules: Sequence[Rule], confidence: Confidence = "medium") -> list[Finding]:
    """Make the findings of ``rules`` at ``events``, sorted by location.

    Parameters
    ----------
    events : iterable of Event
        What the analysis saw in one file.
    rules : sequence of Rule
        The selected rules.
    confidence : {"high", "medium", "low"}
        The least confidence of a finding.
    """
    matched = [(event, rule) for event in without_formula_parts(events) for rule in rules if matches(event, rule)]
    absorbed = {(name, id(event.node)) for event, rule in matched for name in rule.absorbs}
    by_key = _merged_by_node(matched)
    for later, first in _repetitions(by_key).items():
        by_key[first] = replace(by_key[first], finding=_with_repetition(by_key[first].finding, by_key[later].finding))
        absorbed.add(later)
    found = [match for key, match in by_key.items() if key not in absorbed]
    level = CONFIDENCES.index(confidence)
    sure = [match for match in found if CONFIDENCES.index(match.finding.confidence) <= level]
    findings = _completed(_surest_at_each_location(sure))
    return sorted(findings, key=lambda f: (f.location.sort_key, f.code))


def without_formula_parts(events: Iterable[Event]) -> list[Event]:
    """Leave out the precision and the recall from which an F formula is computed: the event of the F stands for them.

    In ``p = tp / (tp + fp); r = tp / (tp + fn); f = 2 * p * r / (p + r)`` only the last formula remains.
    """
    kept = list(events)
    parts = {node for event in kept if event.name == "formula" for node in event.facts.get("chain", ())}
    return [e for e in kept if not (e.name == "formula" and e.facts["shape"] == "ratio" and id(e.node) in parts)]


def folds_of(event: Event) -> str:
    """The name of the folds in a message: "the folds of StratifiedKFold" if the splitter is known, else "the folds"."""
    names = sorted({axis.splitter.name for axis in event.axes if axis.splitter is not None and axis.kind == "fold"})
    return f"the folds of {' and '.join(names)}" if names else "the folds"


def confidence_of(event: Event) -> Confidence:
    """The confidence of a finding at an event.

    It is high when no step of the trace rests on an identifier's name, medium when one or two do, and low when more do.
    A naming convention that several steps use counts once.
    """
    heuristics = {step.note for step in event.trace if step.heuristic}
    heuristics |= {axis.step.note for axis in event.axes if axis.kind == "fold" and axis.heuristic}
    return CONFIDENCES[(len(heuristics) + 1) // 2] if len(heuristics) < 4 else "low"


def _merged_by_node(matched: Iterable[tuple[Event, Rule]]) -> dict[_Key, _Match]:
    """The surest match of each rule at each node, with the steps of the others.

    A helper is called from several places, the best of several is shown twice, and in the parts of a splitter several
    measures are computed.
    """
    by_key: dict[_Key, _Match] = {}
    for event, rule in matched:
        key = (rule.name, id(event.node))
        before = by_key.get(key)
        if before is None:
            by_key[key] = _Match(_finding(event, rule), event, rule)
        elif _is_surer(confidence_of(event), before.finding.confidence):
            by_key[key] = _merged(_Match(_finding(event, rule), event, rule), before)
        elif len(before.finding.trace) < MAX_STEPS:
            by_key[key] = replace(before, finding=with_steps(before.finding, _trace(event)))
    return by_key


def _merged(match: _Match, other: _Match) -> _Match:
    """The surer of two matches at one place, with the steps that only the other one has."""
    if _is_surer(other.finding.confidence, match.finding.confidence):
        match, other = other, match
    return replace(match, finding=with_steps(match.finding, other.finding.trace))


def _repetitions(by_key: Mapping[_Key, _Match]) -> dict[_Key, _Key]:
    """The matches that reduce the same values again or report the same search again, each with the first such match."""
    first: dict[tuple[object, ...], _Key] = {}
    repetitions = {}
    for key, match in sorted(by_key.items(), key=lambda item: item[1].finding.location.sort_key):
        finding, event = match.finding, match.event
        origin: tuple[object, ...]
        if event.name == "report":
            origin = (finding.rule, finding.location.path, event.axes, ast.dump(event.node))
        elif event.name == "reduce" and event.trace:
            origin = (finding.rule, finding.location.path, *(id(step) for step in event.trace))
        else:
            continue
        repetitions[key] = first.setdefault(origin, key)
    return {key: earlier for key, earlier in repetitions.items() if key != earlier}


def _with_repetition(finding: Finding, later: Finding) -> Finding:
    """Add to a finding the location where the same values have the same fault again."""
    return with_steps(finding, (TraceStep(later.location, "and of the same values here, too"),), at_end=True)


def _surest_at_each_location(matches: Iterable[_Match]) -> list[_Match]:
    """One match of each rule at each location: a function that is analysed for several callers repeats its own."""
    by_location: dict[tuple[str, Location], _Match] = {}
    for match in matches:
        key = (match.finding.rule, match.finding.location)
        before = by_location.get(key)
        by_location[key] = match if before is None else _merged(before, match)
    return list(by_location.values())


def _completed(matches: Sequence[_Match]) -> list[Finding]:
    """The findings with their causes, and with an advice in the author's names where these are certain."""
    bindings = Bindings()
    causes = Causes(bindings=bindings).keys([(match.finding, match.event) for match in matches])
    names = OwnNames(bindings)
    findings = []
    for match, keys in zip(matches, causes, strict=True):
        advice = names.advice(match.event, _own_advices(match))
        fix = Fix(match.rule.docs.fix_safety, advice) if advice else match.finding.fix
        findings.append(replace(match.finding, causes=keys, fix=fix))
    return findings


def _own_advices(match: _Match) -> tuple[str, ...]:
    """The advices with blanks for an event; a variant with an advice of its own has its own ones."""
    variant = variant_of(match.event, match.rule)
    if variant is None:
        return match.rule.docs.own
    return variant.own if variant.own or variant.fix else match.rule.docs.own


def _is_surer(confidence: Confidence, other: Confidence) -> bool:
    return CONFIDENCES.index(confidence) < CONFIDENCES.index(other)


def _finding(event: Event, rule: Rule) -> Finding:
    message, severity, fix = rule.message, rule.severity, rule.docs.fix
    variant = variant_of(event, rule)
    if variant is not None:
        message, severity, fix = variant.message or message, variant.severity or severity, variant.fix or fix
    confidence = confidence_of(event)
    if variant is not None and variant.confidence is not None and _is_surer(confidence, variant.confidence):
        confidence = variant.confidence
    placeholders = {**event.facts, "measure": str(event.measure), "folds": folds_of(event)}
    identified = identity(rule.name, event.source, event.node)
    return Finding(
        rule=rule.name,
        code=rule.code,
        severity=severity,
        confidence=confidence,
        location=event.source.location(event.node),
        message=_sentence(message.format_map(placeholders)),
        trace=_trace(event),
        fix=Fix(rule.docs.fix_safety, fix),
        fingerprint=identified.fingerprint,
        function=identified.function,
        statement=identified.statement,
    )


def _sentence(text: str) -> str:
    """A message that begins with a capital, also where it begins with a placeholder; a function keeps its name."""
    return text if text.partition(" ")[0].endswith("()") else text[:1].upper() + text[1:]


def _trace(event: Event) -> tuple[TraceStep, ...]:
    """The steps from the split to the event, each node once."""
    steps: list[Step] = []
    for axis in sorted_axes(event.axes):
        if axis.kind not in ("fold", "batch") or event.name == "split":
            continue
        if axis.splitter is not None and "step" in axis.splitter.facts:
            steps.append(axis.splitter.facts["step"])
        steps.append(axis.step)
    steps += event.trace
    by_node: dict[ast.AST, Step] = {}
    for step in steps:
        by_node.setdefault(step.node, step)
    here = Step(event.source, event.node, event.note or EVENT_NOTES[event.name])
    if event.name != "choose" or event.node not in by_node:  # the trace of a choice says where it stands
        by_node.pop(event.node, None)
        by_node = {event.node: here, **by_node} if event.name in CAUSES else {**by_node, event.node: here}
    return tuple(TraceStep(step.source.location(step.node), step.note) for step in by_node.values())
