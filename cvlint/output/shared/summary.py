"""Count the faults of a report: in one sentence, and for a long report by rule and by folder."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import SEVERITIES, Report, Severity, without_suppressed
from cvlint.output.shared.locations import printable
from cvlint.output.shared.styled_text import Piece
from cvlint.output.shared.wrapping import shortened

MOST_FOLDERS = 5
"""Folders that an overview names."""


def summary(report: Report) -> str:
    """Count the faults in one sentence, and their places if some faults have several."""
    active = without_suppressed(report)
    faults = faults_of(active.findings)
    severities = {severity: sum(f.shown.severity == severity for f in faults) for severity in SEVERITIES}
    found = _listed([counted(count, severity) for severity, count in severities.items() if count])
    found += at_places(faults)
    files = counted(report.files, "file")
    hidden = f"; the baseline hides {counted(report.in_baseline, 'finding')}" if report.in_baseline else ""
    were = "was" if report.in_commit == 1 else "were"
    hidden += f"; {counted(report.in_commit, 'finding')} {were} there before" if report.in_commit else ""
    hidden += f"; comments suppress {counted(active.suppressed, 'finding')}" if active.suppressed else ""
    unread = f"; {counted(len(report.errors), 'file')} could not be read in full" if report.errors else ""
    nothing = "No new faults found" if report.in_baseline or report.in_commit else "No faults found"
    return f"{f'Found {found}' if found else nothing} in {files}{hidden}{unread}."


def at_places(faults: Sequence[Fault]) -> str:
    """Count the places of faults, " at 31 places"; empty if each fault has one place."""
    places = sum(len(fault.findings) for fault in faults)
    return f" at {counted(places, 'place')}" if places > len(faults) else ""


def counted(count: int, thing: str) -> str:
    """Write a number and a noun."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def overview(faults: Sequence[Fault], columns: int) -> Iterator[Piece]:
    """Count faults by rule, and by folder, in a line for each."""
    findings = [fault.shown for fault in faults]
    rules = Counter(finding.rule for finding in findings)
    severity = {name: _gravest(one.severity for one in findings if one.rule == name) for name in rules}
    digits = len(str(len(findings)))
    yield Piece(f"{counted(len(faults), 'fault')}{at_places(faults)}, by rule:\n", "strong")
    widest = max(map(len, rules), default=0)
    for rule in sorted(rules, key=lambda rule: (-rules[rule], SEVERITIES.index(severity[rule]), rule)):
        own = [fault for fault in faults if fault.shown.rule == rule]
        files = len({finding.location.path for fault in own for finding in fault.findings})
        yield Piece(f"  {rules[rule]:>{digits}}  ")
        yield Piece(f"{rule:<{widest}}", severity[rule])
        yield Piece(f"  in {counted(files, 'file')}\n", "faint")
    folders = Counter(_folders([finding.location.path for finding in findings]))
    if len(folders) < 2:
        return
    ranked = sorted(folders.items(), key=lambda item: (-item[1], item[0]))
    yield Piece("By folder:\n", "strong")
    for folder, count in ranked[:MOST_FOLDERS]:
        yield Piece(f"  {count:>{digits}}  {shortened(printable(folder), columns - digits - 4)}\n")
    if len(ranked) > MOST_FOLDERS:
        rest = sum(count for _, count in ranked[MOST_FOLDERS:])
        yield Piece(f"  {rest:>{digits}}  in {counted(len(ranked) - MOST_FOLDERS, 'more folder')}\n", "faint")


def _gravest(found: Iterable[Severity]) -> Severity:
    return min(found, key=SEVERITIES.index)


def _folders(paths: Sequence[str]) -> list[str]:
    """The folder of each path, one level below the folder that holds them all."""
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    first, last = min(part[:-1] for part in parts), max(part[:-1] for part in parts)
    pairs = zip(first, last, strict=False)
    common = next((level for level, (one, other) in enumerate(pairs) if one != other), min(len(first), len(last)))
    return [os.sep.join(part[: min(common + 1, len(part) - 1)]) or "." for part in parts]
