"""The check of one file: read it, analyse it, and match the rules with its events."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import Finding
from cvlint.knowledge.loader import load_knowledge
from cvlint.rules.catalogue import load_rules
from cvlint.rules.report import findings_of
from cvlint.source.module import Reading, read_bytes, read_file
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from cvlint.analysis.interpreter.driver import Analysis
    from cvlint.audit.inventory import Aggregation

DEEPEST_RECURSION = 12_000
OBJECTS_A_COLLECTION = 500_000
"""New objects between two garbage collections: an analysis makes many that live as long as its file."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What the check of one file found, or why it could not be checked."""

    findings: tuple[Finding, ...] = ()
    problem: UnreadFile | None = None
    aggregations: tuple[Aggregation, ...] = ()


@cache
def analysis(*own_knowledge: Path) -> Analysis:
    """The analysis of this process, which keeps the modules that files import; its knowledge is read once."""
    from cvlint.analysis.interpreter.driver import Analysis

    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST_RECURSION))
    gc.set_threshold(OBJECTS_A_COLLECTION)
    return Analysis(load_knowledge(*own_knowledge))


def check_file(path: Path, options: CheckOptions) -> FileResult:
    """Check one file on disk."""
    return check_reading(read_file(path, str(path)), options)


def check_bytes(data: bytes, path: Path, display: str, options: CheckOptions) -> FileResult:
    """Check the content of one file.

    Parameters
    ----------
    data : bytes
        The content.
    path : Path
        Where the file lies, or would lie: imports are looked for from there.
    display : str
        Its name in the report.
    options : CheckOptions
        What to report.
    """
    return check_reading(read_bytes(data, path, display), options)


def check_reading(reading: Reading, options: CheckOptions) -> FileResult:
    """Analyse a file that was read, and match the rules."""
    if reading.source is None:
        return FileResult((), reading.problem)
    source = reading.source
    rules = [rule for rule in load_rules(*options.own_rules) if rule.name in options.rules]
    try:
        events = analysis(*options.own_knowledge).analyse(source)
    except Exception as error:  # a fault of ours in one file must not cost the others
        reason = f"cannot be checked: a fault of cvlint itself, please report it ({type(error).__name__}: {error})"
        return FileResult((), UnreadFile(source.display, reason))
    findings = tuple(findings_of(events, rules, options.confidence))
    if not options.inventory:
        return FileResult(findings, reading.problem)
    from cvlint.audit.inventory import aggregations

    return FileResult(findings, reading.problem, tuple(aggregations(events)))
