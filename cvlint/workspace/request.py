"""What a command, the editor or a test asks a check to do, before any config is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cvlint.findings.finding import Confidence, Severity
from cvlint.workspace.settings.baseline_file import BaselineFile

Stdin = tuple[str, bytes] | None
"""The name and the content of standard input, or of a document in an editor."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The paths and options of a check; an option that is empty leaves the choice to the config.

    Attributes
    ----------
    paths
        Files, which are always read, and folders, which are walked.
    stdin
        The name and the content of a file that is not read from disk.
    select, ignore, extend_select
        Words that name rules, as on the command line.
    confidence, min_severity
        The lowest ones that are reported.
    jobs
        The number of processes; with 0 the check chooses it.
    exclude
        Patterns of the command line.
    require_reason
        Whether comments suppress findings only if they give a reason.
    read_comments
        Whether comments suppress findings at all.
    baseline
        A baseline that replaces those of the configs.
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
    baseline: BaselineFile | None = None
    read_baselines: bool = True
