"""What a check is asked to do: the words of a command line, before any config is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cvlint.findings.finding import Confidence, Severity
from cvlint.workspace.settings.known_findings import KnownFindings

Stdin = tuple[str, bytes] | None
"""Name and content of a file that is given on standard input, or of a document in an editor."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What a command, the server or a test asks of a check; empty where the config decides.

    Attributes
    ----------
    paths
        Files, which are always read, and folders, which are walked.
    stdin
        Name and content of a file that is not read from disk.
    select, ignore, extend_select
        Words that name rules, as on the command line.
    confidence, min_severity
        The least that is reported.
    jobs
        The number of processes; 0 chooses it.
    exclude
        Patterns of the command line.
    require_reason
        Whether only comments with a reason suppress findings.
    read_comments
        Whether comments suppress findings.
    baseline
        Known findings that replace the baselines of the configs.
    read_baselines
        Whether the baselines that the configs name hide findings.
    """

    paths: tuple[Path, ...] = ()
    stdin: Stdin = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    confidence: Confidence | None = None
    min_severity: Severity | None = None
    jobs: int = 0
    exclude: tuple[str, ...] = ()
    require_reason: bool = False
    read_comments: bool = True
    baseline: KnownFindings | None = None
    read_baselines: bool = True
