"""Rules: patterns over events, each with its page, read from ``rules/CVL*.toml``; and the findings they make."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Confidence, Finding, Fix, Location, Severity, TraceStep
from cvlint.findings.fingerprint import identity
from cvlint.rules.files import rules_folder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from cvlint.analysis.domain.axis import Axis
    from cvlint.analysis.domain.trace import Step
    from cvlint.analysis.events import Event

MOST_STEPS = 12
LAST_NOTES = {
    "measure": "the measure is computed here",
    "formula": "the formula is written out by hand here",
    "split": "the parts are made here",
    "skip": "undefined values are left out or patched here",
    "report": "the search's own score is reported from here",
    "reduce": "and averaged here",
    "compare": "and brought together here",
    "choose": "the best is chosen by the data here",
    "fit": "this learns from all the data, before they are split",
}


CAUSES = ("split", "fit", "choose")  # events that come before what shows that they matter


class RuleError(ValueError):
    """A rule file that does not say what a rule must say; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Docs:
    """The page of a rule: what it does, why that is bad, an example, what to write instead, sources."""

    what: str
    why: str
    bad: str
    good: str
    fix: str
    fix_safety: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern over an event: every key must agree, and no table of ``unless`` may."""

    event: str
    facts: Mapping[str, frozenset[str]]
    unless: tuple[Mapping[str, frozenset[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """Another message, or another severity, for a special case of a rule."""

    when: Mapping[str, frozenset[str]]
    message: str | None
    severity: Severity | None
    fix: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """What a fault computes of a measure and what it should, by the names that `recompute` gives the aggregates."""

    measures: frozenset[str]
    faulty: str
    right: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its names, its patterns and its page."""

    code: str
    name: str
    severity: Severity
    summary: str
    message: str
    enabled: bool
    patterns: tuple[Pattern, ...]
    variants: tuple[Variant, ...]
    absorbs: frozenset[str]
    pairs: tuple[Pair, ...]
    docs: Docs


@cache
def load_rules(*own: Path) -> tuple[Rule, ...]:
    """All rules that ship with cvlint, and those in files of a project's own, sorted by code.

    Raises
    ------
    RuleError
        When a file lacks a key, holds a wrong one, or a name or code that another rule has.
    """
    rules = list(read_rules(rules_folder()))
    for path in own:
        rule = read_rule(path)
        for other in rules:
            if rule.name == other.name or rule.code == other.code:
                raise RuleError(f"{path.name}: the rule {other.name} ({other.code}) has this name or code already.")
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.code))


@cache
def read_rules(folder: Path) -> tuple[Rule, ...]:
    """The rules that ship with cvlint, in their folder, sorted by code."""
    return tuple(sorted((read_rule(path) for path in folder.glob("CVL*.toml")), key=lambda rule: rule.code))


def read_rule(path: Path) -> Rule:
    """One rule file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        docs, fix = data["docs"], data["fix"]
        severity = data["severity"]
        if severity not in SEVERITIES:
            raise RuleError(f"severity must be one of {', '.join(SEVERITIES)}, not {severity!r}.")
        return Rule(
            code=data["code"],
            name=data["name"],
            severity=severity,
            summary=data["summary"],
            message=data["message"],
            enabled=data.get("enabled", True),
            patterns=tuple(pattern(table) for table in data["match"]),
            variants=tuple(variant(table) for table in data.get("variant", ())),
            absorbs=frozenset(data.get("absorbs", ())),
            pairs=tuple(pair(table) for table in data.get("measured", ())),
            docs=Docs(
                docs["what"],
                docs["why"],
                docs["bad"],
                docs["good"],
                fix["message"],
                fix["safety"],
                tuple(docs["references"]),
            ),
        )
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path.name}: cannot be read ({error}).") from None
    except RuleError as error:
        raise RuleError(f"{path.name}: {error}") from None
    except KeyError as missing:
        raise RuleError(f"{path.name}: the key {missing} is missing.") from None
    except (TypeError, AttributeError) as error:
        raise RuleError(f"{path.name}: a key holds a value of a wrong type ({error}).") from None
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path.name}: not valid TOML: {error}.") from None


def pattern(table: Mapping[str, Any]) -> Pattern:
    """A ``[[match]]`` table."""
    facts = {key: wanted(value) for key, value in table.items() if key not in ("event", "unless")}
    if table["event"] not in LAST_NOTES:
        raise RuleError(f"there is no event {table['event']!r}; valid are {', '.join(LAST_NOTES)}.")
    unless = table.get("unless", [])
    exceptions = [unless] if isinstance(unless, Mapping) else unless
    return Pattern(table["event"], facts, tuple({k: wanted(v) for k, v in e.items()} for e in exceptions))


def variant(table: Mapping[str, Any]) -> Variant:
    """A ``[[variant]]`` table."""
    return Variant(
        {k: wanted(v) for k, v in table["when"].items()}, table.get("message"), table.get("severity"), table.get("fix")
    )


def pair(table: Mapping[str, Any]) -> Pair:
    """A ``[[measured]]`` table."""
    return Pair(wanted(table["measure"]), table["faulty"], table["right"])


def wanted(value: str | Sequence[str]) -> frozenset[str]:
    """One or several values that a fact may have."""
    return frozenset((value,)) if isinstance(value, str) else frozenset(value)


def matches(event: Event, rule: Rule) -> bool:
    """Whether an event is an instance of a rule."""
    known = facts_of(event)
    for p in rule.patterns:
        if p.event == event.name and agrees(known, p.facts) and not any(agrees(known, e) for e in p.unless):
            return True
    return False


def agrees(known: Mapping[str, frozenset[str]], wanted_facts: Mapping[str, frozenset[str]]) -> bool:
    """Whether every wanted fact has one of the wanted values."""
    return all(known.get(key, frozenset()) & values for key, values in wanted_facts.items())


def facts_of(event: Event) -> dict[str, frozenset[str]]:
    """The facts of an event as sets of strings, those of its axes included."""
    known = {key: frozenset((value,)) for key, value in event.facts.items() if isinstance(value, str)}
    known["measure"] = frozenset((event.measure.kind,))
    known["label"] = frozenset((event.measure.label,))
    known["average"] = frozenset((event.measure.average,)) if event.measure.average else frozenset()
    known["along"] = frozenset(axis.kind for axis in event.axes)
    styles = {axis.splitter.facts["style"] if axis.splitter else "" for axis in event.axes if axis.kind == "fold"}
    known.setdefault("style", frozenset(styles) if len(styles) == 1 else frozenset())
    return known


def findings_of(events: Iterable[Event], rules: Sequence[Rule], confidence: Confidence = "medium") -> list[Finding]:
    """The findings that ``rules`` make of ``events``, at least as sure as ``confidence``, sorted by place."""
    found: dict[tuple[str, int], tuple[Finding, Event]] = {}
    absorbed: set[tuple[str, int]] = set()
    kept = unchained(events)
    for event in kept:
        for rule in rules:
            if not matches(event, rule):
                continue
            finding = make(event, rule)
            key = (rule.name, id(event.node))
            absorbed.update((name, id(event.node)) for name in rule.absorbs)
            old = found.get(key)
            if old is None or CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(old[0].confidence):
                found[key] = (finding, event)
            elif event.name == "split" and len(old[0].trace) < MOST_STEPS:
                found[key] = (also(old[0], finding), event)
    again = repeated(found)
    for later, first in again.items():
        finding, event = found[first]
        found[first] = (once_more(finding, found[later][0]), event)
    absorbed |= again.keys()
    level = CONFIDENCES.index(confidence)
    chosen = [f for key, (f, _) in found.items() if key not in absorbed and CONFIDENCES.index(f.confidence) <= level]
    return sorted(distinct(chosen), key=lambda f: (f.location.sort_key, f.code))


def repeated(found: Mapping[tuple[str, int], tuple[Finding, Event]]) -> dict[tuple[str, int], tuple[str, int]]:
    """The keys of values that were reduced, or searches that were reported, before, and those of the first time."""
    first: dict[tuple[object, ...], tuple[str, int]] = {}
    later = {}
    for key, (finding, event) in sorted(found.items(), key=lambda item: item[1][0].location.sort_key):
        origin = (finding.rule, finding.location.path, *(id(step) for step in event.trace))
        if event.name == "report":
            origin = (finding.rule, finding.location.path, event.axes, ast.dump(event.node))
        if event.name == "report" or (event.name == "reduce" and event.trace):
            later[key] = first.setdefault(origin, key)
    return {key: before for key, before in later.items() if key != before}


def once_more(one: Finding, later: Finding) -> Finding:
    """A finding with the place where the same fault is made of the same values again; said once, it is one fault."""
    step = TraceStep(later.location, "and of the same values here, too")
    if step.location in (s.location for s in one.trace) or len(one.trace) >= MOST_STEPS:
        return one
    return replace(one, trace=(*one.trace, step))


def also(one: Finding, other: Finding) -> Finding:
    """A finding at a splitter, with the places of a second measure that is computed in its parts."""
    steps = [step for step in other.trace if step not in one.trace]
    return replace(one, trace=(*one.trace[:-1], *steps, one.trace[-1]))


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without those that are the same to a reader."""
    by_place: dict[tuple[str, Location], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.location)
        old = by_place.get(key)
        if old is None or CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(old.confidence):
            by_place[key] = finding
    return list(by_place.values())


def unchained(events: Iterable[Event]) -> list[Event]:
    """Events without the precision and recall of a formula chain that is reported at its F."""
    kept = list(events)
    chained = {node for e in kept if e.name == "formula" for node in e.facts.get("chain", ())}
    return [e for e in kept if not (e.name == "formula" and e.facts["shape"] == "ratio" and id(e.node) in chained)]


def make(event: Event, rule: Rule) -> Finding:
    """The finding of a rule at an event."""
    known = facts_of(event)
    message, severity, fix = rule.message, rule.severity, rule.docs.fix
    for special in rule.variants:
        if agrees(known, special.when):
            message, severity = special.message or message, special.severity or severity
            fix = special.fix or fix
            break
    words = {**event.facts, "measure": str(event.measure), "folds": folds_of(event)}
    location = event.source.location(event.node)
    known_by = identity(rule.name, event.source, event.node)
    return Finding(
        rule=rule.name,
        code=rule.code,
        severity=severity,
        confidence=confidence_of(event),
        location=location,
        message=sentence(message.format_map(words)),
        trace=trace_of(event),
        fix=Fix(rule.docs.fix_safety, fix),
        fingerprint=known_by.fingerprint,
        function=known_by.function,
        statement=known_by.statement,
    )


def sentence(text: str) -> str:
    """A message with a capital at its start."""
    return text[:1].upper() + text[1:]


def folds_of(event: Event) -> str:
    """What the parts are called: the folds of the splitter, if it is known."""
    names = sorted({axis.splitter.name for axis in event.axes if axis.splitter is not None and axis.kind == "fold"})
    return f"the folds of {' and '.join(names)}" if names else "the folds"


def fold_axes(event: Event) -> list[Axis]:
    """The axes of an event, in the order of their places."""
    return sorted(event.axes, key=lambda axis: getattr(axis.step.node, "lineno", 0))


def confidence_of(event: Event) -> Confidence:
    """High when every step was followed, medium when one rests on a name, low when more do; each convention once."""
    heuristic = {step.note for step in event.trace if step.heuristic}
    heuristic |= {axis.step.note for axis in event.axes if axis.kind == "fold" and axis.heuristic}
    return CONFIDENCES[(len(heuristic) + 1) // 2] if len(heuristic) < 4 else "low"


def trace_of(event: Event) -> tuple[TraceStep, ...]:
    """The way from the split to the event, each place once."""
    steps: list[Step] = []
    for axis in fold_axes(event):
        if axis.kind not in ("fold", "batch") or event.name == "split":
            continue
        if axis.splitter is not None and "step" in axis.splitter.facts:
            steps.append(axis.splitter.facts["step"])
        steps.append(axis.step)
    steps += event.trace
    seen: set[ast.AST] = {event.node}
    made = []
    for step in steps:
        if step.node in seen:
            continue
        seen.add(step.node)
        made.append(TraceStep(step.source.location(step.node), step.note))
    own = TraceStep(event.source.location(event.node), event.note or LAST_NOTES[event.name])
    return (own, *made) if event.name in CAUSES else (*made, own)
