"""Baselines: files of known findings, which a check does not report and does not fail for.

In memory the paths of a baseline are absolute and have the separators of the system. In the file they are relative to
the file's folder and have forward slashes.
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
class BaselineEntry:
    """Equal findings: of one rule, in one function, at statements with the same code.

    The fields are the keys of an entry in the file.
    """

    path: str
    function: str
    rule: str
    hash: str


@dataclass(frozen=True, slots=True)
class FindingCount:
    """How many findings an entry stands for, and the lowest confidence among them."""

    count: int
    confidence: Confidence


Baseline: TypeAlias = Mapping[BaselineEntry, FindingCount]
ToAbsolute: TypeAlias = Callable[[str], str]
"""Makes the displayed path of a finding absolute."""


class BaselineError(ValueError):
    """A file that is not a baseline; the message is a clause that follows the name of the file."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Where and for what a check looked. An entry outside of it can still be valid although nothing was found."""

    paths: tuple[str, ...]
    """The absolute paths of the files and folders that were checked."""
    is_seen: Callable[[str], bool]
    """Tells by its absolute path whether a file was deleted, or was checked together with all files that can lead to
    findings in it. A file that is excluded or cannot be read was not seen.
    """
    unselected: Callable[[str], frozenset[str]]
    """Gives for the absolute path of a file the rules that are not reported in it."""
    confidence: Confidence
    """The least confidence of a reported finding."""
    below_severity: frozenset[BaselineEntry] = frozenset()
    """The entries of findings that are not reported because their severity is too low."""

    def covers(self, entry: BaselineEntry, total: FindingCount) -> bool:
        """Tell whether the check would have reported the findings of an entry if they were still there."""
        return (
            CONFIDENCES.index(total.confidence) <= CONFIDENCES.index(self.confidence)
            and any(entry.path == path or is_below(entry.path, path) for path in self.paths)
            and entry not in self.below_severity
            and entry.rule not in self.unselected(entry.path)
            and self.is_seen(entry.path)
        )


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is inside a folder; both are absolute."""
    return path.startswith(ospath.join(folder, ""))


def entry_of(finding: Finding, absolute: ToAbsolute) -> BaselineEntry:
    """The entry that a finding belongs to."""
    return BaselineEntry(absolute(finding.location.path), finding.function, finding.rule, finding.statement)


def baseline_of(findings: Iterable[Finding], absolute: ToAbsolute) -> Baseline:
    """The baseline that holds exactly these findings."""
    counts: dict[BaselineEntry, FindingCount] = {}
    for finding in findings:
        entry = entry_of(finding, absolute)
        before = counts.get(entry, FindingCount(0, finding.confidence))
        lowest = max(before.confidence, finding.confidence, key=CONFIDENCES.index)
        counts[entry] = FindingCount(before.count + 1, lowest)
    return counts


def hide(report: Report, baseline: Baseline, absolute: ToAbsolute) -> tuple[Report, Baseline]:
    """Take known findings out of a report.

    Parameters
    ----------
    report
        What a check found.
    baseline
        The known findings. Where a check finds more equal findings than the baseline holds, the first ones are hidden.
    absolute
        Makes the paths of the report absolute.

    Returns
    -------
    Report
        The new findings, and the number of the hidden ones.
    Baseline
        The rest of the baseline, for which the check found nothing.
    """
    left = Counter({entry: total.count for entry, total in baseline.items()})
    new = []
    for finding in report.findings:
        entry = entry_of(finding, absolute)
        if left[entry] > 0:
            left[entry] -= 1
        else:
            new.append(finding)
    rest = {entry: replace(total, count=left[entry]) for entry, total in baseline.items() if left[entry]}
    hidden = len(report.findings) - len(new)
    return replace(report, findings=tuple(new), in_baseline=report.in_baseline + hidden), rest


def expired(rest: Baseline, coverage: Coverage) -> Baseline:
    """The entries without a finding that the check would have found: their fault is gone."""
    return {entry: total for entry, total in rest.items() if coverage.covers(entry, total)}


def updated(old: Baseline, new: Baseline, *coverages: Coverage) -> Baseline:
    """The baseline after a check that found ``new``; entries that no part of the check covers stay as they are."""
    rest = ((entry, total) for entry, total in old.items() if new.get(entry) != total)
    kept = [(entry, total) for entry, total in rest if not any(coverage.covers(entry, total) for coverage in coverages)]
    return merged_baseline([*kept, *new.items()])


def merged_baseline(entries: Iterable[tuple[BaselineEntry, FindingCount]]) -> Baseline:
    """One baseline of several; an entry that occurs more than once has its largest count."""
    counts: dict[BaselineEntry, FindingCount] = {}
    for entry, total in entries:
        if entry not in counts or counts[entry].count < total.count:
            counts[entry] = total
    return counts


def subtracted(baseline: Baseline, other: Baseline) -> Baseline:
    """The findings that a baseline holds in addition to those of another one."""
    left = Counter({entry: total.count for entry, total in baseline.items()})
    left.subtract({entry: total.count for entry, total in other.items()})
    return {entry: replace(total, count=left[entry]) for entry, total in baseline.items() if left[entry] > 0}


def size(baseline: Baseline) -> int:
    """How many findings a baseline holds."""
    return sum(total.count for total in baseline.values())


def render(baseline: Baseline, folder: str) -> str:
    """Write a baseline for a file in ``folder``, sorted and in ASCII.

    Each entry is on a line of its own that ends with a comma, and a ``null`` follows the last one. So git can merge the
    changes of two branches, and the file stays valid with ``merge=union``.
    """
    by_entry = {replace(entry, path=relative(entry.path, folder)): total for entry, total in baseline.items()}
    lines = "".join(f"{json.dumps({**asdict(entry), **asdict(by_entry[entry])})},\n" for entry in sorted(by_entry))
    return f'{{\n"version": {VERSION},\n"findings": [\n{lines}null\n]\n}}\n'


def relative(path: str, folder: str) -> str:
    """A path relative to a folder, with forward slashes."""
    with suppress(ValueError):  # the path is on another drive of Windows
        path = ospath.relpath(path, folder)
    return path.replace(ospath.sep, "/")


def parse(text: str, folder: str) -> Baseline:
    """Read the text of a baseline whose file is in ``folder``.

    Raises
    ------
    BaselineError
        When the text is not a baseline, or has an unknown version.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise BaselineError(f"is not a baseline: it is not valid JSON ({error.msg} in line {error.lineno})") from None
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        raise BaselineError("is not a baseline: its JSON is nested too deeply or holds too large a number") from None
    if not isinstance(document, dict) or "version" not in document or not isinstance(document.get("findings"), list):
        raise BaselineError("is not a baseline: it has no 'version' and no list of 'findings'")
    if document["version"] != VERSION:
        raise BaselineError(f"has the version {document['version']!r}, and this cvlint reads version {VERSION}")
    rows = enumerate((row for row in document["findings"] if row is not None), start=1)
    return merged_baseline(_parsed_row(row, number, folder) for number, row in rows)


def _parsed_row(row: Any, number: int, folder: str) -> tuple[BaselineEntry, FindingCount]:
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
            return BaselineEntry(absolute, function, rule, hash), FindingCount(count, confidence)
        case _:
            keys = "path, function, rule, hash, count and confidence"
            raise BaselineError(f"is not a baseline: its entry {number} lacks one of {keys}, or has a wrong one")
