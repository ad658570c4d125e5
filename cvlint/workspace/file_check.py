"""The check of one file: read it, analyse it, and match its events against the rules."""

from __future__ import annotations

import gc
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import Finding
from cvlint.records import dataclass, replace
from cvlint.source.file_bytes import content_digest, load
from cvlint.source.project import AnalysisInputs
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from cvlint.analysis.interpreter.driver import AnalysedFile, Analysis
    from cvlint.audit.fate import Fate
    from cvlint.audit.inventory import Aggregation
    from cvlint.rules.catalogue import Rule
    from cvlint.source.module import Reading

RECURSION_LIMIT = 12_000
OUT_OF_BUDGET = (
    "analysed in part: the steps and the work that an analysis may do for a file of this length were used up, "
    "so findings may be missing; check the code that matters in a file of its own"
)
OBJECTS_PER_COLLECTION = 300_000
"""New objects between two garbage collections: an analysis makes many objects that live as long as its file."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """The findings of one file, or the reason why it could not be checked."""

    findings: tuple[Finding, ...] = ()
    problem: UnreadFile | None = None
    aggregations: tuple[Aggregation, ...] = ()
    fates: tuple[Fate, ...] = ()
    digest: str = ""
    """The digest of the bytes that were checked; empty unless the result can be kept for later."""
    inputs: AnalysisInputs | None = None
    """What the analysis read beside the file; None for a file that was not analysed."""


@cache
def shared_analysis(*own_knowledge: Path) -> Analysis:
    """The analysis that all checks of this process share: it keeps the knowledge and the modules that files import."""
    from cvlint.analysis.interpreter.driver import Analysis
    from cvlint.knowledge.loader import load_knowledge

    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    return Analysis(load_knowledge(*own_knowledge))


def check_file(path: Path, options: CheckOptions, whole: bool = True) -> FileResult:
    """Check one file on disk; the result tells what it depends on.

    Unless the ``whole`` file is wanted, code that leads to no finding is left out.
    """
    display = str(path)
    data = load(path, display)
    if isinstance(data, UnreadFile):
        return FileResult((), data)
    digest = content_digest(data)
    reading = shared_analysis(*options.own_knowledge).reading(data, digest, path, display)
    result = check_reading(reading, options, whole or options.inventory)
    return result if result.inputs is None else replace(result, digest=digest)


def check_bytes(data: bytes, path: Path, display: str, options: CheckOptions) -> FileResult:
    """Check the content of one file.

    Parameters
    ----------
    data : bytes
        The content.
    path : Path
        Where the file lies, or would lie; imports are resolved from there.
    display : str
        Its name in the report.
    options : CheckOptions
        The rules and the lowest confidence that are reported.
    """
    from cvlint.source.module import read_bytes

    return check_reading(read_bytes(data, path, display), options)


def check_reading(reading: Reading, options: CheckOptions, whole: bool = True) -> FileResult:
    """Analyse a file that has been read, and match its events against the rules."""
    from cvlint.rules.catalogue import load_rules
    from cvlint.rules.report import findings_of

    if reading.source is None:
        return FileResult((), reading.problem, inputs=AnalysisInputs())
    source = reading.source
    rules = [rule for rule in load_rules(*options.own_rules) if rule.name in options.rules]
    try:
        analysis = shared_analysis(*options.own_knowledge)
        analysed = analysis.analyse(source, options.fates, whole, options.folders)
    except Exception as error:  # a fault of cvlint in one file must not end the check of the others
        reason = f"cannot be checked: a fault of cvlint itself, please report it ({type(error).__name__}: {error})"
        return FileResult((), UnreadFile(source.display, reason))
    findings = tuple(findings_of(analysed.events, rules, options.confidence))
    problem = reading.problem
    if problem is None and not analysed.is_complete:
        problem = UnreadFile(source.display, OUT_OF_BUDGET, is_checked=True)
    return FileResult(findings, problem, *_extras(analysed, rules, options), inputs=analysed.inputs)


def _extras(
    analysed: AnalysedFile, rules: list[Rule], options: CheckOptions
) -> tuple[tuple[Aggregation, ...], tuple[Fate, ...]]:
    """The aggregations and the fates of a file, if the options ask for them."""
    found: tuple[Aggregation, ...] = ()
    fates: tuple[Fate, ...] = ()
    if options.inventory:
        from cvlint.audit.inventory import aggregations

        found = tuple(aggregations(analysed.events))
    if options.fates:
        from cvlint.audit.ledger import fates_of

        fates = tuple(fates_of(analysed.journeys, analysed.events, rules))
    return found, fates
