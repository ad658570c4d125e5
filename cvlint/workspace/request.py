"""What a command, the editor or a test asks a check to do, before any config is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import Confidence, Severity
from cvlint.records import dataclass

if TYPE_CHECKING:
    from cvlint.workspace.cache.folder import CacheFolder
    from cvlint.workspace.settings.baseline_file import BaselineFile

Stdin = tuple[str, bytes] | None
"""The name and the content of standard input, or of a document in an editor."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The paths and options of a check; an option that is empty leaves the choice to the config."""

    paths: tuple[Path, ...] = ()
    """Files, which are always read, and folders, which are walked."""
    stdin: Stdin = None
    """The name and the content of a file that is not read from disk."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    """Words that name rules, as on the command line."""
    confidence: Confidence | None = None
    min_severity: Severity | None = None
    """The lowest ones that are reported."""
    jobs: int = 0
    """The number of processes; with 0 the check chooses it."""
    exclude: tuple[str, ...] = ()
    """Patterns of the command line."""
    require_reason: bool = False
    """Whether comments suppress findings only if they give a reason."""
    read_comments: bool = True
    """Whether comments suppress findings at all."""
    baseline: BaselineFile | None = None
    """A baseline that replaces those of the configs."""
    read_baselines: bool = True
    """Whether the baselines that the configs name hide findings."""
    cache: CacheFolder | None = None
    """Where results are kept between runs; None keeps nothing."""
