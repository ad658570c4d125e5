"""The catalogue of rules: reads each ``rules/CVL*.toml`` into a `Rule` with its patterns, messages and page.

The message of a rule is in its file: CVL201's message is in ``rules/CVL201-auc-merge.toml``. `cvlint.rules.match`
decides which events a rule matches, and `cvlint.rules.report` makes the findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file
from cvlint.filesystem.toml_tables import parse_toml, toml_tables
from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Confidence, Severity
from cvlint.records import dataclass
from cvlint.shipped_files import rules_folder

EVENT_NAMES = (
    "measure",
    "formula",
    "split",
    "skip",
    "report",
    "reduce",
    "compare",
    "choose",
    "fit",
    "refit",
    "retest",
    "trained",
)
"""The events of the analysis that a ``[[match]]`` table can name; see `cvlint.analysis.events.Event`."""

BLANKS = (
    "with_scores",
    "score_array",
    "overwritten",
    "fold_scores",
    "fold_loop",
    "pooled",
    "loop_truth",
    "loop_predictions",
    "loop_call",
    "metric",
    "keras_metric",
    "search",
    "searched",
    "stratified",
    "stratified_cv",
    "split_call",
    "whole",
    "on_parts",
    "in_pipeline",
    "transformer",
    "fit_name",
    "transform_name",
    "fold_transformer",
    "step",
    "transformed",
    "with_guard",
    "held_out",
    "test_data",
)
"""The blanks of an advice that `cvlint.rules.own_names` fills."""

Facts = Mapping[str, frozenset[str]]
"""The values that each fact of an event has, or may have for a pattern to match."""


class RuleError(ValueError):
    """A rule file with a missing or a wrong key; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Docs:
    """The page of a rule: what it finds, why that is wrong, a bad and a good example, the fix, and references."""

    what: str
    why: str
    bad: str
    good: str
    fix: str
    fix_safety: str
    references: tuple[str, ...]
    own: tuple[str, ...] = ()
    """Advices with blanks for code in the author's names (`cvlint.rules.own_names`), the best first."""


@dataclass(frozen=True, slots=True)
class EventPattern:
    """A ``[[match]]`` table: a pattern over one event."""

    event: str
    """The name of the event."""
    facts: Facts
    """Facts that the event must all have."""
    unless: tuple[Facts, ...] = ()
    """Exceptions: the event must not have all facts of one of them."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A ``[[variant]]`` table: another message, severity or fix for some events, and less confidence."""

    when: Facts
    """Facts that these events have."""
    message: str | None
    severity: Severity | None
    fix: str | None
    own: tuple[str, ...] = ()
    """Advices with blanks that stand for ``fix``."""
    confidence: Confidence | None = None
    """The highest confidence of these events."""


@dataclass(frozen=True, slots=True)
class AggregatePair:
    """A ``[[measured]]`` table: which aggregate the faulty code computes of a measure, and which one is right.

    The names are those of ``cvlint recompute``: ``f_avg``, ``f_tpfp``, ``auc_merge``.
    """

    measures: frozenset[str]
    faulty: str
    right: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule file."""

    code: str
    name: str
    severity: Severity
    summary: str
    message: str
    enabled: bool
    patterns: tuple[EventPattern, ...]
    variants: tuple[Variant, ...]
    absorbs: frozenset[str]
    pairs: tuple[AggregatePair, ...]
    docs: Docs


@cache
def load_rules(*project_files: Path) -> tuple[Rule, ...]:
    """Load all rules that ship with cvlint, and a project's own rules, sorted by code.

    Parameters
    ----------
    *project_files : Path
        Rule files of the project.

    Raises
    ------
    RuleError
        When a file lacks a key or holds a wrong one, or when another rule has the same name or code.
    """
    rules = list(read_rules(rules_folder()))
    for path in project_files:
        rule = read_rule(path)
        for other in rules:
            if rule.name == other.name or rule.code == other.code:
                raise RuleError(f"{path.name}: the rule {other.name} ({other.code}) has this name or code already.")
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.code))


@cache
def read_rules(folder: Path) -> tuple[Rule, ...]:
    """Read the rule files of a folder, sorted by code."""
    try:
        rules = [_named(name, data) for name, data in toml_tables(folder).items() if name.startswith("CVL")]
    except (OSError, ValueError):  # one by one, because that tells which file is to blame
        rules = [read_rule(path) for path in folder.glob("CVL*.toml")]
    return tuple(sorted(rules, key=lambda rule: rule.code))


def read_rule(path: Path) -> Rule:
    """Read one rule file.

    Raises
    ------
    RuleError
        When the file cannot be read, is not valid TOML, or has a missing or a wrong key.
    """
    try:
        data = parse_toml(read_regular_file(path, MOST_SETTINGS).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RuleError(f"{path.name}: cannot be read ({reason}).") from None
    except ValueError as error:
        raise RuleError(f"{path.name}: not valid TOML: {error}.") from None
    return _named(path.name, data)


def _named(name: str, data: Mapping[str, Any]) -> Rule:
    """The rule in the content of a file; errors begin with the name of the file."""
    try:
        return _rule(data)
    except RuleError as error:
        raise RuleError(f"{name}: {error}") from None
    except KeyError as missing:
        raise RuleError(f"{name}: the key {missing} is missing.") from None
    except (TypeError, AttributeError) as error:
        raise RuleError(f"{name}: a key holds a value of a wrong type ({error}).") from None


def _rule(data: Mapping[str, Any]) -> Rule:
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
        patterns=tuple(_pattern(table) for table in data["match"]),
        variants=tuple(_variant(table) for table in data.get("variant", ())),
        absorbs=frozenset(data.get("absorbs", ())),
        pairs=tuple(_pair(table) for table in data.get("measured", ())),
        docs=Docs(
            docs["what"],
            docs["why"],
            docs["bad"],
            docs["good"],
            fix["message"],
            fix["safety"],
            tuple(docs["references"]),
            _own(fix),
        ),
    )


def _pattern(table: Mapping[str, Any]) -> EventPattern:
    if table["event"] not in EVENT_NAMES:
        raise RuleError(f"there is no event {table['event']!r}; valid are {', '.join(EVENT_NAMES)}.")
    facts = {key: value for key, value in table.items() if key not in ("event", "unless")}
    unless = table.get("unless", [])
    exceptions = [unless] if isinstance(unless, Mapping) else unless
    return EventPattern(table["event"], _facts(facts), tuple(_facts(exception) for exception in exceptions))


def _variant(table: Mapping[str, Any]) -> Variant:
    confidence = table.get("confidence")
    if confidence not in (None, *CONFIDENCES):
        raise RuleError(f"confidence must be one of {', '.join(CONFIDENCES)}, not {confidence!r}.")
    told = (table.get("message"), table.get("severity"), table.get("fix"))
    return Variant(_facts(table["when"]), *told, _own(table), confidence)


def _own(table: Mapping[str, Any]) -> tuple[str, ...]:
    """The advices with blanks in a table."""
    own = table.get("own", [])
    if not isinstance(own, list) or not all(isinstance(one, str) for one in own):
        raise RuleError(f"own must be a list of texts, not {own!r}.")
    try:
        blanks = [blank for text in own for _, blank, _, _ in Formatter().parse(text) if blank is not None]
    except ValueError as error:
        raise RuleError(f"own holds a text with a wrong blank: {error}.") from None
    for blank in blanks:
        if blank not in BLANKS:
            raise RuleError(f"own has the unknown blank {{{blank}}}; valid are {', '.join(BLANKS)}.")
    return tuple(own)


def _pair(table: Mapping[str, Any]) -> AggregatePair:
    return AggregatePair(_values(table["measure"]), table["faulty"], table["right"])


def _facts(table: Mapping[str, Any]) -> Facts:
    return {key: _values(value) for key, value in table.items()}


def _values(value: str | Sequence[str]) -> frozenset[str]:
    """One value or a list of values, as a set."""
    return frozenset((value,)) if isinstance(value, str) else frozenset(value)
