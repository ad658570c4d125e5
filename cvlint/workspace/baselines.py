"""The known findings of a project: read from its baseline, and hidden."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cvlint.findings.baseline import Baseline, BaselineEntry, BaselineError, Coverage, entry_of, expired, hide, parse
from cvlint.findings.finding import Finding, Report
from cvlint.findings.suppression.comments import file_key
from cvlint.usage_error import Refusal
from cvlint.workspace.config_groups import Part, Projects, owner
from cvlint.workspace.import_closure import Reach
from cvlint.workspace.rule_selection import real_place
from cvlint.workspace.suppressed_check import checked_files


@dataclass(frozen=True, slots=True)
class Known:
    """The file of known findings and what it holds; ``before`` are its bytes, where it is there to be replaced."""

    path: Path
    findings: Baseline
    before: bytes | None = None


def read_baseline(path: Path) -> Baseline:
    """Read the known findings, or refuse the file."""
    if path.exists() and not path.is_file():
        raise Refusal(f"The baseline cannot be '{path}', because that is no file")
    if not path.exists():
        command = shlex.join(("cvlint", "check", "--write-baseline", str(path)))
        raise Refusal(f"There is no baseline '{path}'", f"`{command}` makes it")
    try:
        return parse(path.read_text(encoding="utf-8"), folder_of(path))
    except BaselineError as error:
        raise Refusal(f"The file '{path}' {error}") from None
    except UnicodeDecodeError:
        raise Refusal(f"The file '{path}' is not a baseline: it is not UTF-8 text") from None
    except OSError as error:
        raise Refusal(f"The baseline '{path}' cannot be read: {error.strerror}") from error


def scopes_of(parts: Sequence[Part], report: Report) -> list[Coverage]:
    """What the parts of a check looked for, each in its own files."""
    unread = {file_key(error.path) for error in report.errors}
    files = [[path for path in _files(part) if file_key(path) not in unread] for part in parts]
    reach = Reach(path for own in files for path in own)
    below_severity = frozenset(entry_of(finding, real_place) for finding in report.below_severity)
    places = [frozenset(map(os.path.realpath, own)) for own in files]
    return [_scope(part, own, reach, below_severity) for part, own in zip(parts, places, strict=True)]


def _scope(part: Part, own: frozenset[str], reach: Reach, below_severity: frozenset[BaselineEntry]) -> Coverage:
    from cvlint.rules.comment_rules import all_rules

    given = [*map(str, part.paths), *([] if part.stdin is None else [part.stdin[0]])]
    unselected = frozenset(rule.name for rule in all_rules(*part.options.own_rules)) - part.options.rules
    return Coverage(
        paths=tuple(os.path.realpath(path) if os.path.isdir(path) else real_place(path) for path in given),
        is_seen=lambda path: not os.path.exists(path) or (os.path.realpath(path) in own and reach.is_whole(path)),
        unselected=lambda path: unselected | part.changes.ignored(path),
        confidence=part.options.confidence,
        below_severity=below_severity,
    )


def _files(part: Part) -> Iterator[str]:
    return checked_files(part.paths, part.stdin, part.options)


def without_known(
    report: Report, parts: Sequence[Part], projects: Projects
) -> tuple[Report, list[tuple[Known, Baseline]]]:
    """Hide known findings, those of a part in its files.

    Parameters
    ----------
    report : Report
        What was found.
    parts : sequence of Part
        The parts of the check.
    projects : Projects
        Tells which part a file belongs to.

    Returns
    -------
    Report
        The new findings, and the number of the hidden ones.
    list of tuple of Known and Baseline
        Which of the known findings are gone, by the file that holds them.
    """
    owners = {place: owner(place, parts, projects, parts[0]) for place in {f.location.path for f in report.findings}}
    new: list[Finding] = []
    gone: dict[Path, tuple[Known, Baseline]] = {}
    for part, scope in zip(parts, scopes_of(parts, report), strict=True):
        own = Report(tuple(f for f in report.findings if owners[f.location.path] is part), (), 0)
        if part.known is not None:
            own, rest = hide(own, part.known.findings, real_place)
            before = gone.get(part.known.path, (part.known, {}))[1]
            gone[part.known.path] = part.known, {**before, **expired(rest, scope)}
        new += own.findings
    found = tuple(sorted(new, key=lambda f: (f.location.sort_key, f.code)))
    hidden = report.in_baseline + len(report.findings) - len(found)
    return replace(report, findings=found, in_baseline=hidden), list(gone.values())


def folder_of(path: Path) -> str:
    """The real folder of a file, which the paths in it start from."""
    return os.path.dirname(real_place(str(path)))
