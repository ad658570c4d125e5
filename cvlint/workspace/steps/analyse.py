"""The step that analyses the files of a group, in several processes if there are many.

A prefilter on the bytes skips files that cannot hold a finding, such as those without a word like ``f1_score``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cvlint.findings.finding import CONFIDENCES, Finding, Report, with_steps
from cvlint.records import replace
from cvlint.source.discovery import discover, folders_among
from cvlint.source.file_bytes import load
from cvlint.source.prefilter import importers
from cvlint.source.project import ImportResolver
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.cache.results import ResultCache
from cvlint.workspace.cache.scan import FileScan, scanner
from cvlint.workspace.cache.scan import load_prefilter as load_prefilter
from cvlint.workspace.file_check import FileResult
from cvlint.workspace.request import Stdin
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.check_files import check_files
from cvlint.workspace.steps.pipeline import Step

if TYPE_CHECKING:
    from cvlint.audit.fate import Fate
    from cvlint.audit.inventory import Aggregation
    from cvlint.workspace.workspace import CheckGroup

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
        group.results.forget_contents()
        results = group.results
        return analyse_files(group.discovered, group.paths, options, group.stdin, progress, results, group.only).report

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
    options = replace(options, folders=folders_among(paths))
    return analyse_files(tuple(discover(paths, options.exclude)), paths, options, stdin, progress).report


def analyse_files(
    discovered: Iterable[Path | UnreadFile],
    named: Sequence[Path],
    options: CheckOptions,
    stdin: Stdin = None,
    progress: Progress | None = None,
    results: ResultCache | None = None,
    only: Container[str] | None = None,
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
    results : ResultCache, optional
        What earlier checks with these options found, which this check adds to.
    only : container of str, optional
        The real paths of the files to analyse, by default all that may hold a finding.

    Returns
    -------
    Analysed
        The aggregations and fates are listed only if the options ask for them.
    """
    entries = list(discovered)
    problems = [entry for entry in entries if isinstance(entry, UnreadFile)]
    files = [entry for entry in entries if isinstance(entry, Path)]
    named_files = frozenset(path for path in named if path.is_file())
    if results is None:
        results = ResultCache(None, options, scanner(partial(load_prefilter, *options.own_knowledge)))
    checked = list(_check_all(files, named_files, options, results, progress, only))
    if stdin is not None:
        from cvlint.workspace.file_check import check_bytes

        checked.append(check_bytes(stdin[1], Path.cwd() / stdin[0], stdin[0], options))
    findings = merged(finding for result in checked for finding in result.findings)
    errors = sorted([*problems, *(r.problem for r in checked if r.problem)], key=lambda e: (e.path, e.line or 0))
    report = Report(tuple(findings), tuple(errors), len(files) + (stdin is not None))
    found = tuple(one for result in checked for one in result.aggregations)
    return Analysed(report, found, tuple(fate for result in checked for fate in result.fates))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Merge the findings of several files; of equal findings the one with the higher confidence is kept.

    Two files have an equal finding if both call the same function with a fault. Its trace shows both calls.
    """
    by_place: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.location)
        other = by_place.get(key)
        if other is None:
            by_place[key] = finding
        elif CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(other.confidence):
            by_place[key] = _with_calls(finding, other)
        else:
            by_place[key] = _with_calls(other, finding)
    return sorted(by_place.values(), key=lambda f: (f.location.sort_key, f.code))


def _with_calls(finding: Finding, other: Finding) -> Finding:
    """Add to a finding the causes of an equal finding, and the steps that only its trace has."""
    causes = tuple(dict.fromkeys((*finding.causes, *other.causes)))
    return replace(with_steps(finding, other.trace), causes=causes)


def _check_all(
    files: Sequence[Path],
    named: Container[Path],
    options: CheckOptions,
    results: ResultCache,
    progress: Progress | None,
    only: Container[str] | None,
) -> Iterator[FileResult]:
    """Check all files; those whose results are not known in several processes if that is worth it."""
    candidates, problems = files_to_analyse(files, named, options, results)
    if only is not None:
        candidates = [path for path in candidates if os.path.realpath(path) in only]
    yield from (FileResult((), problem) for problem in problems)
    known = {path: found for path in candidates if (found := results.result(str(path), path in named)) is not None}
    waiting = [path for path in candidates if path not in known]
    done, total = len(files) - len(waiting), len(files)
    checked: dict[Path, FileResult] = {}
    for path, result in check_files(waiting, named, options, partial(_size, results)):
        checked[path] = result
        if result.inputs is not None and result.digest:
            found = (result.findings, result.problem)
            results.keep_result(str(path), path in named, result.digest, found, result.inputs)
        done += 1
        if progress is not None:
            progress(done, total)
    for path in candidates:
        yield checked[path] if path in checked else FileResult(*known[path])


def _size(results: ResultCache, path: Path) -> int:
    scan = results.scan(str(path))
    return 0 if isinstance(scan, UnreadFile) else scan.size


def files_to_analyse(
    files: Sequence[Path], named: Container[Path], options: CheckOptions, results: ResultCache
) -> tuple[list[Path], list[UnreadFile]]:
    """The files to analyse, and the syntax errors of others.

    A file is analysed if its bytes may hold a finding, or if it imports such a file: it may bring the values of one
    module to another. A file that the user names is analysed if it imports any file of its project, too. Of the others,
    those that the user names and the first few are parsed for syntax errors. An inventory analyses all files, because
    it lists measures without a rule, and broken files.
    """
    if options.inventory:
        return list(files), []
    candidates: list[Path] = []
    others: dict[Path, FileScan] = {}
    for path in files:
        scan = results.scan(str(path))
        if isinstance(scan, UnreadFile) or scan.is_candidate or (path in named and _imports_own(path, scan)):
            candidates.append(path)
        else:
            others[path] = scan
    importing = set(importers({path: scan.imported for path, scan in others.items()}, candidates))
    problems: list[UnreadFile] = []
    parsed = 0
    for path, scan in others.items():
        if path not in importing and (path in named or scan.size <= PARSED_ANYWAY - parsed):
            parsed += scan.size * (path not in named)
            known = results.remembered(str(path), "problem")
            if known is None:
                known = (_syntax_problem(path),)
                results.remember(str(path), "problem", known[0])
            problems += [problem for problem in known if problem is not None]
    found = importing.union(candidates)
    return [path for path in files if path in found], problems


def _imports_own(path: Path, scan: FileScan) -> bool:
    """Whether a file may import another one of its project."""
    if b"." in scan.imported:
        data = load(path, str(path))
        if isinstance(data, UnreadFile) or re.search(rb"from[\s\\]*\.", data):  # a relative import
            return True
    names = {name.decode("utf-8", "replace") for name in scan.imported}
    return ImportResolver().may_find(os.path.abspath(path), names)


def _syntax_problem(path: Path) -> UnreadFile | None:
    """Why a file cannot be parsed."""
    from cvlint.source.module import read_file

    return read_file(path, str(path)).problem
