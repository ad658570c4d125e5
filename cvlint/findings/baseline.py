"""Baselines: files of known findings, which a check does not report and does not fail for.

In memory the paths of a baseline are absolute and have the separators of the system. In the file they are relative to
the file's folder and have forward slashes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from os import path as ospath
from typing import Any, TypeAlias

from cvlint.findings.finding import CONFIDENCES, Confidence, Finding, Report
from cvlint.records import dataclass, replace

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
    from dataclasses import asdict  # it takes longer to load than a check that writes nothing

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
