"""The step that analyses the files of a group, in several processes if there are many.

A prefilter on the bytes skips files that cannot hold a finding, such as those without a word like ``f1_score``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.knowledge.loader import load_knowledge
from cvlint.source.discovery import discover
from cvlint.source.importers import imported_names
from cvlint.source.module import load, read_bytes
from cvlint.source.prefilter import Prefilter, importers
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.file_check import FileResult, check_bytes, check_file
from cvlint.workspace.request import Stdin
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.pipeline import Step

if TYPE_CHECKING:
    from cvlint.audit.fate import Fate
    from cvlint.audit.inventory import Aggregation
    from cvlint.workspace.workspace import CheckGroup

FILES_PER_PROCESS = 24
PARSED_ANYWAY = 50_000
"""The total size in bytes of skipped files that are still parsed, to report their syntax errors."""
Progress = Callable[[int, int], None]
"""Called with the number of files that are done, and the number of all files."""


class Analysed(NamedTuple):
    """The findings of files, their aggregations, and the fates of their values."""

    report: Report
    aggregations: tuple[Aggregation, ...] = ()
    fates: tuple[Fate, ...] = ()


def analyse(group: CheckGroup, progress: Progress | None = None) -> Step:
    """Make the step; its report holds findings of any confidence, and `suppress` drops those that are too low."""

    def step(_: Report) -> Report:
        from cvlint.rules.comment_rules import meta_rules

        rules = group.options.rules - {rule.name for rule in meta_rules()}
        options = replace(group.options, rules=rules, confidence="low")
        return analyse_files(group.discovered, group.paths, options, group.stdin, progress).report

    return step


def check(
    paths: Sequence[Path], options: CheckOptions, *, stdin: Stdin = None, progress: Progress | None = None
) -> Report:
    """Check files and folders without any config, comment or baseline.

    Parameters
    ----------
    paths : sequence of Path
        Files, which are always read, and folders, which are walked.
    options : CheckOptions
        The reported rules and confidence, exclusions, and the number of processes.
    stdin : tuple of str and bytes, or None
        Name and content of standard input.
    progress : callable, optional
        Called with the number of files that are done, and the number of all files.

    Returns
    -------
    Report
        Findings and unreadable files, sorted by location. The check never imports or runs what it reads.
    """
    return analyse_files(tuple(discover(paths, options.exclude)), paths, options, stdin, progress).report


def analyse_files(
    discovered: Iterable[Path | UnreadFile],
    named: Sequence[Path],
    options: CheckOptions,
    stdin: Stdin = None,
    progress: Progress | None = None,
) -> Analysed:
    """Check the files that `discover` has found.

    Parameters
    ----------
    discovered : iterable of Path or UnreadFile
        The files, and those that cannot be read with the reason.
    named : sequence of Path
        The files and folders that the user names; such a file is analysed even if the prefilter would skip it.
    options, stdin, progress
        As for `check`.

    Returns
    -------
    Analysed
        The aggregations and fates are listed only if the options ask for them.
    """
    entries = list(discovered)
    problems = [entry for entry in entries if isinstance(entry, UnreadFile)]
    files = [entry for entry in entries if isinstance(entry, Path)]
    named_files = frozenset(path for path in named if path.is_file())
    results = list(_check_all(files, named_files, options, progress))
    if stdin is not None:
        results.append(check_bytes(stdin[1], Path.cwd() / stdin[0], stdin[0], options))
    findings = merged(finding for result in results for finding in result.findings)
    errors = sorted([*problems, *(r.problem for r in results if r.problem)], key=lambda e: (e.path, e.line or 0))
    report = Report(tuple(findings), tuple(errors), len(files) + (stdin is not None))
    found = tuple(one for result in results for one in result.aggregations)
    return Analysed(report, found, tuple(fate for result in results for fate in result.fates))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Merge the findings of several files; of equal findings the one with the higher confidence is kept.

    Two files have an equal finding if both call the same function with a fault.
    """
    by_place: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.location)
        other = by_place.get(key)
        if other is None or CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(other.confidence):
            by_place[key] = finding
    return sorted(by_place.values(), key=lambda f: (f.location.sort_key, f.code))


def _check_all(
    files: Sequence[Path], named: Container[Path], options: CheckOptions, progress: Progress | None
) -> Iterator[FileResult]:
    """Check all files, in several processes when many of them may hold a finding."""
    candidates, problems, done = _prefiltered(files, named, options)
    yield from (FileResult((), problem) for problem in problems)
    total = len(files)
    jobs = options.jobs or min(os.cpu_count() or 1, 1 + len(candidates) // FILES_PER_PROCESS)
    if jobs <= 1 or len(candidates) < 2:
        for path in candidates:
            yield check_file(path, options)
            done += 1
            if progress is not None:
                progress(done, total)
        return
    from cvlint.workspace.workers import Lost, map_in_workers

    results = map_in_workers(partial(check_file, options=options), candidates, jobs)
    for path, result in zip(candidates, results, strict=True):
        if isinstance(result, Lost):
            result = FileResult((), UnreadFile(str(path), f"cannot be checked: {result.reason}"))
        yield result
        done += 1
        if progress is not None:
            progress(done, total)


def _prefiltered(
    files: Sequence[Path], named: Container[Path], options: CheckOptions
) -> tuple[list[Path], list[UnreadFile], int]:
    """The files to analyse, the syntax errors of others, and the number of files that are skipped.

    A file is analysed if its bytes may hold a finding, if the user names it, or if it imports such a file: it may bring
    the values of one module to another. Of the others, the first few are parsed for syntax errors. An inventory
    analyses all files, because it lists measures without a rule, and broken files.
    """
    if options.inventory:
        return list(files), [], 0
    prefilter = load_prefilter(*options.own_knowledge)
    candidates: list[Path] = []
    others: dict[Path, bytes] = {}
    for path in files:
        data = load(path, str(path))
        if isinstance(data, UnreadFile) or path in named or prefilter.may_hold(data) or b"\0" in data:
            candidates.append(path)
        else:
            others[path] = data
    importing = set(importers({path: imported_names(data) for path, data in others.items()}, candidates))
    problems: list[UnreadFile] = []
    parsed = 0
    for path, data in others.items():
        if path not in importing and len(data) <= PARSED_ANYWAY - parsed:
            parsed += len(data)
            problem = read_bytes(data, path, str(path)).problem
            problems += [problem] if problem is not None else []
    found = importing.union(candidates)
    return [path for path in files if path in found], problems, len(files) - len(found)


def load_prefilter(*own_knowledge: Path) -> Prefilter:
    """The prefilter with the words of metrics, splitters and searches: a file without any of them holds no finding."""
    return Prefilter(load_knowledge(*own_knowledge).prefilter_words)
