"""Known findings, kept in a file, that a check neither reports nor fails for.

In memory the paths of a baseline are absolute and spelled as the system does; in its file they are relative to the
file's folder, with forward slashes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from os import path as ospath
from typing import Any, TypeAlias

from cvlint.findings.finding import CONFIDENCES, Confidence, Finding, Report

VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """Findings that are alike: of one rule, in one function, at statements that say the same (see `fingerprint`)."""

    path: str
    function: str
    rule: str
    hash: str


@dataclass(frozen=True, slots=True)
class Held:
    """How many findings an entry stands for, and the confidence of the least sure of them."""

    count: int
    confidence: Confidence


Baseline: TypeAlias = Mapping[Entry, Held]
Absolute: TypeAlias = Callable[[str], str]
"""Makes the path of a finding, as it is shown, absolute."""


class BaselineError(ValueError):
    """A file that is no baseline; the message is a clause that goes after the name of the file."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a check looked for: an entry outside of it is not gone because there is no finding.

    Attributes
    ----------
    paths
        The files and folders that were checked, absolute.
    is_seen
        Whether a file below them, by its absolute path, is gone or was seen with all that leads to findings in it: one
        that is excluded or could not be read was not.
    left_out
        The rules that were not to be reported in a file, by its absolute path.
    confidence
        The least confidence that was.
    slight
        What was found, and is not reported because it is not grave enough.
    """

    paths: tuple[str, ...]
    is_seen: Callable[[str], bool]
    left_out: Callable[[str], frozenset[str]]
    confidence: Confidence
    slight: frozenset[Entry] = frozenset()

    def covers(self, entry: Entry, held: Held) -> bool:
        """Whether the check would have found what an entry stands for."""
        sure = CONFIDENCES.index(held.confidence) <= CONFIDENCES.index(self.confidence)
        wanted = sure and any(entry.path == path or is_below(entry.path, path) for path in self.paths)
        wanted = wanted and entry not in self.slight
        return wanted and entry.rule not in self.left_out(entry.path) and self.is_seen(entry.path)


def is_below(path: str, folder: str) -> bool:
    """Whether a path is inside a folder; both are absolute."""
    return path.startswith(ospath.join(folder, ""))


def entry_of(finding: Finding, absolute: Absolute) -> Entry:
    """The entry that a finding belongs to."""
    return Entry(absolute(finding.location.path), finding.function, finding.rule, finding.statement)


def baseline_of(findings: Iterable[Finding], absolute: Absolute) -> Baseline:
    """The baseline that holds exactly these findings."""
    made: dict[Entry, Held] = {}
    for finding in findings:
        entry = entry_of(finding, absolute)
        old = made.get(entry)
        count, confidence = (old.count, old.confidence) if old else (0, finding.confidence)
        made[entry] = Held(count + 1, max(confidence, finding.confidence, key=CONFIDENCES.index))
    return made


def hide(report: Report, baseline: Baseline, absolute: Absolute) -> tuple[Report, Baseline]:
    """Take known findings out of a report.

    Parameters
    ----------
    report
        What a check found.
    baseline
        What was known before. Of more findings alike than it holds, the first ones are hidden.
    absolute
        Makes the paths of the report absolute.

    Returns
    -------
    Report
        The new findings, and the number of the hidden ones.
    Baseline
        What is left of the baseline, for which nothing was found.
    """
    left = Counter({entry: held.count for entry, held in baseline.items()})
    new = []
    for finding in report.findings:
        entry = entry_of(finding, absolute)
        if left[entry] > 0:
            left[entry] -= 1
        else:
            new.append(finding)
    rest = {entry: replace(held, count=left[entry]) for entry, held in baseline.items() if left[entry]}
    hidden = len(report.findings) - len(new)
    return replace(report, findings=tuple(new), in_baseline=report.in_baseline + hidden), rest


def expired(rest: Baseline, scope: Scope) -> Baseline:
    """Those entries without a finding for which there would be one if the fault was still there."""
    return {entry: held for entry, held in rest.items() if scope.covers(entry, held)}


def renewed(old: Baseline, new: Baseline, *scopes: Scope) -> Baseline:
    """The baseline after a check that found ``new``: what no part of the check looked for stays as it was."""
    rest = ((entry, held) for entry, held in old.items() if new.get(entry) != held)
    kept = [(entry, held) for entry, held in rest if not any(scope.covers(entry, held) for scope in scopes)]
    return joined([*kept, *new.items()])


def joined(entries: Iterable[tuple[Entry, Held]]) -> Baseline:
    """Entries of two sources, one that both have with the larger count."""
    made: dict[Entry, Held] = {}
    for entry, held in entries:
        if entry not in made or made[entry].count < held.count:
            made[entry] = held
    return made


def beyond(baseline: Baseline, other: Baseline) -> Baseline:
    """What a baseline holds more than another one."""
    left = Counter({entry: held.count for entry, held in baseline.items()})
    left.subtract({entry: held.count for entry, held in other.items()})
    return {entry: replace(held, count=left[entry]) for entry, held in baseline.items() if left[entry] > 0}


def size(baseline: Baseline) -> int:
    """How many findings a baseline holds."""
    return sum(held.count for held in baseline.values())


def render(baseline: Baseline, folder: str) -> str:
    """Write a baseline for a file in ``folder``, sorted and in ASCII.

    Each entry has a line of its own that ends with a comma, by the ``null`` after the last: so git merges what two
    branches add or take away, and even with ``merge=union`` the file stays valid.
    """
    held_by = {replace(entry, path=relative(entry.path, folder)): held for entry, held in baseline.items()}
    lines = "".join(f"{json.dumps({**asdict(entry), **asdict(held_by[entry])})},\n" for entry in sorted(held_by))
    return f'{{\n"version": {VERSION},\n"findings": [\n{lines}null\n]\n}}\n'


def relative(path: str, folder: str) -> str:
    """A path as seen from a folder, with forward slashes."""
    with suppress(ValueError):  # the path is on another drive of Windows
        path = ospath.relpath(path, folder)
    return path.replace(ospath.sep, "/")


def parse(text: str, folder: str) -> Baseline:
    """Read the text of a baseline whose file is in ``folder``.

    Raises
    ------
    BaselineError
        When it is none, or is one of a version that we do not know.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise BaselineError(f"is not a baseline: it is not valid JSON ({error.msg} in line {error.lineno})") from None
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        raise BaselineError("is not a baseline: its JSON is out of all measure") from None
    if not isinstance(document, dict) or "version" not in document or not isinstance(document.get("findings"), list):
        raise BaselineError("is not a baseline: it has no 'version' and no list of 'findings'")
    if document["version"] != VERSION:
        raise BaselineError(f"has the version {document['version']!r}, and this cvlint reads version {VERSION}")
    rows = enumerate((row for row in document["findings"] if row is not None), start=1)
    return joined(parsed(row, number, folder) for number, row in rows)


def parsed(row: Any, number: int, folder: str) -> tuple[Entry, Held]:
    """One entry of a file."""
    match row:
        case {
            "path": str(path),
            "function": str(function),
            "rule": str(rule),
            "hash": str(hash),
            "count": int(count),
            "confidence": "high" | "medium" | "low" as confidence,
        } if count > 0:
            absolute = ospath.normpath(ospath.join(folder, path))
            return Entry(absolute, function, rule, hash), Held(count, confidence)
        case _:
            keys = "path, function, rule, hash, count and confidence"
            raise BaselineError(f"is not a baseline: its entry {number} lacks one of {keys}, or has a wrong one")
