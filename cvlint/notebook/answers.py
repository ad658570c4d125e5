"""What the kernel asks its check process, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cvlint.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class Question:
    """A notebook to check."""

    number: int
    """It grows from question to question."""
    path: Path
    """Where the notebook lies, or would lie; it decides the config, and which modules an import finds."""
    data: bytes
    labels: tuple[str, ...]
    """The name of each cell for the user."""
    columns: int
    """The columns of the terminal, for the text."""
    measured: tuple[Finding, ...] | None = None
    """Findings of an earlier answer that were measured since, to be shown; None to check the notebook."""


@dataclass(frozen=True, slots=True)
class FoundFault:
    """A fault of a notebook."""

    findings: tuple[Finding, ...]
    """Its findings, the one that describes it first; their places have the names of cells in place of the path."""
    html: str
    text: str
    """The fault as the user sees it, in both forms that a display has."""

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the cells and files that have a part in the fault."""
        first = self.findings[0]
        return (first.location.path, *(step.location.path for step in first.trace))

    def has_part(self, cell: str) -> bool:
        """Whether a cell has a part in the fault, or the cell that was measured has called its code."""
        copies = (finding.location.path for finding in self.findings)
        return cell in (*self.places, *copies) or any(finding.measured for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Answer:
    """The faults of a notebook, and why a part of it could not be checked."""

    number: int
    faults: tuple[FoundFault, ...] = ()
    problems: tuple[str, ...] = ()
    """Why some cells could not be read, in whole sentences."""
    failure: str = ""
    """Why nothing could be checked, in whole sentences."""
    seconds: float = 0.0
    """How long it took."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What the process says when it is ready: the words of its prefilter."""

    words: Mapping[str, Sequence[str]]
