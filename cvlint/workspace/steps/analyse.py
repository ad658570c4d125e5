"""The step that analyses the files of a group: those that may hold a finding, in several processes where it pays."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.knowledge.loader import load_knowledge
from cvlint.source.discovery import discover
from cvlint.source.module import load, read_bytes
from cvlint.source.prefilter import Prefilter
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.file_check import FileResult, check_bytes, check_file
from cvlint.workspace.pipeline import Step
from cvlint.workspace.request import Stdin
from cvlint.workspace.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from cvlint.audit.inventory import Aggregation
    from cvlint.workspace.workspace import CheckGroup

FILES_A_PROCESS = 24
PARSED_ANYWAY = 50_000
"""Bytes of files without a metric that are parsed only for their syntax errors."""
Progress = Callable[[int, int], None]
"""Called with the number of files that are done, and of all files."""
ShowProgress = Callable[[], AbstractContextManager[Progress | None]]
"""Opens and closes the display of the progress of one group."""


def analyse(group: CheckGroup, show_progress: ShowProgress = nullcontext) -> Step:
    """Make the step: the report it makes holds findings of any confidence; `suppress` drops the less sure ones."""

    def step(_: Report) -> Report:
        from cvlint.rules.comment_rules import meta_rules

        rules = group.options.rules - {rule.name for rule in meta_rules()}
        options = replace(group.options, rules=rules, confidence="low")
        with show_progress() as progress:
            return examine(group.discovered, group.paths, options, group.stdin, progress)[0]

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
        Which rules to report, how sure to be, what to exclude, how many processes.
    stdin : tuple of str and bytes, or None
        Name and content of a file that is given on standard input.
    progress : callable, optional
        Called with the number of files that are done, and of all files.

    Returns
    -------
    Report
        Findings and unreadable files, sorted by place. Nothing that is read is imported or run.
    """
    return examine(tuple(discover(paths, options.exclude)), paths, options, stdin, progress)[0]


def examine(
    discovered: Iterable[Path | UnreadFile],
    named: Sequence[Path],
    options: CheckOptions,
    stdin: Stdin = None,
    progress: Progress | None = None,
) -> tuple[Report, tuple[Aggregation, ...]]:
    """Check discovered files; gives the aggregations beside the report, if the options ask for an inventory.

    Parameters
    ----------
    discovered : iterable of Path or UnreadFile
        The files, and why others cannot be read.
    named : sequence of Path
        What was named outright: a file among these is parsed even if no word in it speaks of a measure.
    options, stdin, progress
        As for `check`.
    """
    found = list(discovered)
    problems = [entry for entry in found if isinstance(entry, UnreadFile)]
    files = [entry for entry in found if isinstance(entry, Path)]
    outright = frozenset(path for path in named if path.is_file())
    results = list(_check_all(files, outright, options, progress))
    if stdin is not None:
        results.append(check_bytes(stdin[1], Path.cwd() / stdin[0], stdin[0], options))
    findings = merged(finding for result in results for finding in result.findings)
    errors = sorted([*problems, *(r.problem for r in results if r.problem)], key=lambda e: (e.path, e.line or 0))
    report = Report(tuple(findings), tuple(errors), len(files) + (stdin is not None))
    return report, tuple(one for result in results for one in result.aggregations)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of several files: one that two files led to is kept once, at the higher confidence."""
    by_place: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.location)
        old = by_place.get(key)
        if old is None or CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(old.confidence):
            by_place[key] = finding
    return sorted(by_place.values(), key=lambda f: (f.location.sort_key, f.code))


def _check_all(
    files: Sequence[Path], named: Container[Path], options: CheckOptions, progress: Progress | None
) -> Iterator[FileResult]:
    """Check all files, in several processes when many of them may hold a finding."""
    candidates, problems, done = _sift(files, named, options)
    yield from (FileResult((), problem) for problem in problems)
    total = len(files)
    jobs = options.jobs or min(os.cpu_count() or 1, 1 + len(candidates) // FILES_A_PROCESS)
    if jobs <= 1 or len(candidates) < 2:
        for path in candidates:
            yield check_file(path, options)
            done += 1
            if progress is not None:
                progress(done, total)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(candidates))) as pool:
        chunk = max(1, min(8, len(candidates) // (4 * jobs)))
        for result in pool.map(check_file, candidates, [options] * len(candidates), chunksize=chunk):
            yield result
            done += 1
            if progress is not None:
                progress(done, total)


def _sift(
    files: Sequence[Path], named: Container[Path], options: CheckOptions
) -> tuple[list[Path], list[UnreadFile], int]:
    """The files to analyse: those that may hold a finding by their bytes, and those that were named outright.

    The others are only counted, and some of them are parsed for their syntax errors, as long as that costs hardly any
    time. For an inventory all files are analysed, because it lists measures that no rule speaks of, and broken files.
    """
    if options.inventory:
        return list(files), [], 0
    prefilter = load_prefilter(*options.own_knowledge)
    chosen: list[Path] = []
    problems: list[UnreadFile] = []
    parsed = 0
    for path in files:
        data = load(path, str(path))
        if isinstance(data, UnreadFile) or path in named or prefilter.may_hold(data) or b"\0" in data:
            chosen.append(path)
        elif len(data) <= PARSED_ANYWAY - parsed:
            parsed += len(data)
            problem = read_bytes(data, path, str(path)).problem
            problems += [problem] if problem is not None else []
    return chosen, problems, len(files) - len(chosen)


def load_prefilter(*own_knowledge: Path) -> Prefilter:
    """The words of measures, folds and searches: a file without any of them holds no finding."""
    return Prefilter(load_knowledge(*own_knowledge).prefilter_words)
