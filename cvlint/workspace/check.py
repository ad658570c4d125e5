"""Check files: find them, read them, analyse those that may hold a finding, and match the rules."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import CONFIDENCES, Confidence, Finding, Report
from cvlint.knowledge.loader import load_knowledge
from cvlint.rules.catalogue import load_rules
from cvlint.rules.report import findings_of
from cvlint.source.discovery import Anchored, discover
from cvlint.source.module import Reading, load, read_bytes, read_file
from cvlint.source.prefilter import Prefilter
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from cvlint.analysis.interpreter.driver import Analysis
    from cvlint.audit.inventory import Aggregation

FILES_A_PROCESS = 24
PARSED_ANYWAY = 50_000
"""Bytes of files without a metric that are parsed for their errors alone."""
DEEPEST_RECURSION = 12_000
OBJECTS_A_COLLECTION = 500_000
"""New objects between two garbage collections: an analysis makes many that live as long as its file."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What to report, and how hard to work: ``jobs`` 0 chooses by cores and number of files.

    ``own_knowledge`` and ``own_rules`` are files of the project that add to what ships with cvlint. With ``inventory``
    every aggregation is taken down as well, whether a rule speaks of it or not.
    """

    rules: frozenset[str]
    confidence: Confidence = "medium"
    exclude: tuple[str | Anchored, ...] = ()
    jobs: int = 0
    own_knowledge: tuple[Path, ...] = ()
    own_rules: tuple[Path, ...] = ()
    inventory: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of one file."""

    findings: tuple[Finding, ...] = ()
    problem: UnreadFile | None = None
    aggregations: tuple[Aggregation, ...] = ()


def check(
    paths: Sequence[Path],
    options: Options,
    *,
    stdin: tuple[str, bytes] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Check files and folders.

    Parameters
    ----------
    paths
        Files, which are always read, and folders, which are walked.
    options
        Which rules to report, how sure to be, what to leave out, how many processes.
    stdin
        Name and content of a file that is given on standard input.
    progress
        Called with the number of files done and of all files.

    Returns
    -------
    Report
        Findings and unreadable files, sorted by place. Nothing that is read is imported or run.
    """
    return examined(paths, options, stdin=stdin, progress=progress)[0]


def examined(
    paths: Sequence[Path],
    options: Options,
    *,
    stdin: tuple[str, bytes] | None = None,
    progress: Progress | None = None,
) -> tuple[Report, tuple[Aggregation, ...]]:
    """Check as `check` does, and give the aggregations that were taken down beside the report."""
    found = list(discover(paths, options.exclude))
    problems = [entry for entry in found if isinstance(entry, UnreadFile)]
    files = [entry for entry in found if isinstance(entry, Path)]
    named = frozenset(path for path in paths if path.is_file())
    outcomes = list(run_all(files, named, options, progress))
    if stdin is not None:
        outcomes.append(check_bytes(stdin[1], Path.cwd() / stdin[0], stdin[0], options))
    findings = merged(finding for outcome in outcomes for finding in outcome.findings)
    errors = sorted([*problems, *(o.problem for o in outcomes if o.problem)], key=lambda e: (e.path, e.line or 0))
    report = Report(tuple(findings), tuple(errors), len(files) + (stdin is not None))
    return report, tuple(one for outcome in outcomes for one in outcome.aggregations)


def merged(findings: Iterator[Finding]) -> list[Finding]:
    """Findings of several files, those that two files led to once, at the higher confidence."""
    by_place: dict[object, Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.location)
        old = by_place.get(key)
        if old is None or CONFIDENCES.index(finding.confidence) < CONFIDENCES.index(old.confidence):
            by_place[key] = finding
    return sorted(by_place.values(), key=lambda f: (f.location.sort_key, f.code))


def run_all(
    files: list[Path], named: Container[Path], options: Options, progress: Progress | None
) -> Iterator[Checked]:
    """Check all files, in several processes when there are many that may hold a finding."""
    candidates, problems, done = sifted(files, named, options)
    yield from (Checked((), problem) for problem in problems)
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
        for outcome in pool.map(check_file, candidates, [options] * len(candidates), chunksize=chunk):
            yield outcome
            done += 1
            if progress is not None:
                progress(done, total)


def sifted(files: Sequence[Path], named: Container[Path], options: Options) -> tuple[list[Path], list[UnreadFile], int]:
    """The files to analyse: those that may hold a finding by their bytes, and those that were named outright.

    Of the others, which are counted, some are parsed for their errors, as long as that takes no time to speak of. For
    an inventory all are analysed: a measure of which no rule speaks belongs into it, and so does what is broken.
    """
    if options.inventory:
        return list(files), [], 0
    prefilter = load_prefilter(*options.own_knowledge)
    chosen: list[Path] = []
    problems: list[UnreadFile] = []
    spared = 0
    for path in files:
        data = load(path, str(path))
        if isinstance(data, UnreadFile) or path in named or prefilter.may_hold(data) or b"\0" in data:
            chosen.append(path)
        elif len(data) <= PARSED_ANYWAY - spared:
            spared += len(data)
            problem = read_bytes(data, path, str(path)).problem
            problems += [problem] if problem is not None else []
    return chosen, problems, len(files) - len(chosen)


def load_prefilter(*own_knowledge: Path) -> Prefilter:
    """The words of measures, folds and searches, one of which a file must hold to hold a finding."""
    return Prefilter(load_knowledge(*own_knowledge).prefilter_words)


@cache
def analysis(*own_knowledge: Path) -> Analysis:
    """The analysis of this process: its knowledge is read once."""
    from cvlint.analysis.interpreter.driver import Analysis

    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST_RECURSION))
    gc.set_threshold(OBJECTS_A_COLLECTION)
    return Analysis(load_knowledge(*own_knowledge))


def check_file(path: Path, options: Options) -> Checked:
    """Check one file on disk."""
    return checked(read_file(path, str(path)), options)


def check_bytes(data: bytes, path: Path, display: str, options: Options) -> Checked:
    """Check the content of one file."""
    return checked(read_bytes(data, path, display), options)


def checked(reading: Reading, options: Options) -> Checked:
    """Analyse what was read, and match the rules."""
    if reading.source is None:
        return Checked((), reading.problem)
    source = reading.source
    rules = [rule for rule in load_rules(*options.own_rules) if rule.name in options.rules]
    try:
        events = analysis(*options.own_knowledge).analyse(source)
    except Exception as error:  # a fault of ours in one file must not cost the others
        reason = f"cannot be checked: a fault of cvlint itself, please report it ({type(error).__name__}: {error})"
        return Checked((), UnreadFile(source.display, reason))
    findings = tuple(findings_of(events, rules, options.confidence))
    if not options.inventory:
        return Checked(findings, reading.problem)
    from cvlint.audit.inventory import aggregations

    return Checked(findings, reading.problem, tuple(aggregations(events)))
