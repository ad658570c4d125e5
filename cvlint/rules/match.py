"""Matching: which events of the analysis are instances of a rule, by the facts that its patterns ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cvlint.analysis.events import Event
    from cvlint.rules.catalogue import Facts, Rule, Variant


def matches(event: Event, rule: Rule) -> bool:
    """Tell whether an event is an instance of a rule: one of its patterns matches, and none of its exceptions."""
    patterns = [pattern for pattern in rule.patterns if pattern.event == event.name]
    if not patterns:
        return False
    facts = facts_of(event)
    return any(
        _satisfies(facts, pattern.facts) and not any(_satisfies(facts, exception) for exception in pattern.unless)
        for pattern in patterns
    )


def variant_of(event: Event, rule: Rule) -> Variant | None:
    """The first variant of a rule whose condition an event satisfies."""
    facts = facts_of(event)
    return next((variant for variant in rule.variants if _satisfies(facts, variant.when)), None)


def facts_of(event: Event) -> Facts:
    """The facts of an event as sets of strings, with the kinds of its axes (``along``) and its splitter (``style``)."""
    measure = event.measure
    facts = {key: frozenset((value,)) for key, value in event.facts.items() if isinstance(value, str)}
    facts["measure"] = frozenset((measure.kind,))
    facts["label"] = frozenset((measure.label,))
    facts["average"] = frozenset((measure.average,)) if measure.average else frozenset()
    facts["along"] = frozenset(axis.kind for axis in event.axes)
    styles = {axis.splitter.facts["style"] if axis.splitter else "" for axis in event.axes if axis.kind == "fold"}
    facts.setdefault("style", frozenset(styles) if len(styles) == 1 else frozenset())
    return facts


def _satisfies(facts: Facts, wanted: Facts) -> bool:
    """Tell whether each wanted fact has one of the wanted values."""
    return all(facts.get(key, frozenset()) & values for key, values in wanted.items())
