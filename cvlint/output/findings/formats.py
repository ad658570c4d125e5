"""The registry of report formats: one row for each value of ``--format``, and what its renderer receives.

Everything that depends on the format of a report reads this table: the command line, shell completion, and the report
writer. A format is one module of this package with ``render(report: Report, context: RenderContext) -> str``, and one
row here. The modules are imported late, because a check needs only one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from cvlint.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cvlint.findings.finding import Finding, Report
    from cvlint.findings.source_text import FileSpan, SourceLines
    from cvlint.fixes.editing.edits import ConfirmedFix
    from cvlint.output.shared.styled_text import Piece
    from cvlint.rules.catalogue import Rule
    from cvlint.source.location import Location


def _unknown(location: Location) -> None:
    """Stand in for source text that is not available."""
    return None


@dataclass(frozen=True, slots=True)
class RenderContext:
    """What a renderer may use beside the report."""

    source_lines: SourceLines = _unknown
    """Gives the lines that the line numbers of a location count in, or None where they are not available."""
    file_span: FileSpan = _unknown
    """Gives the first and last line of a location in the text of its file (JSON for a notebook), or None."""
    rules: Sequence[Rule] = ()
    """The rules of the check; empty unless the format lists them."""
    fixes: Mapping[Finding, Sequence[ConfirmedFix]] | None = None
    """The confirmed fixes of each finding, the best first; None if the report does not show fixes."""
    columns: int | None = None
    """The columns of the terminal that shows the report; None if it goes to a file or a pipe."""
    quiet: bool = False
    """Whether the report shows only findings, without the lines that count them."""


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One value of ``--format``."""

    name: str
    """The value, which is also the name of the module that renders it."""
    on_terminal: bool = False
    """Whether people read it on a terminal; ``--watch`` shows only such formats."""
    coloured: bool = False
    """Whether the module also has ``styled(report, context)``, which gives the same text with styles."""
    holds_unread_files: bool = True
    """Whether the report names the files that could not be read; if not, they are named on standard error."""
    marks_suppressed: bool = True
    """Whether readers can tell suppressed findings from the others."""
    relative_paths: bool = False
    """Whether paths start from the working directory and have forward slashes, as CI systems expect."""
    lists_rules: bool = False
    """Whether the report describes the rules of the check."""
    fixes: Literal["never", "on request", "always"] = "never"
    """Whether the report holds the edits of confirmed fixes: "on request" means with ``--show-fixes``."""

    def render(self, report: Report, context: RenderContext) -> str:
        """Write a report as text in this format."""
        written: str = self._module().render(report, context)
        return written

    def styled(self, report: Report, context: RenderContext) -> Iterable[Piece]:
        """Write a report with styles; only for a ``coloured`` format."""
        pieces: Iterable[Piece] = self._module().styled(report, context)
        return pieces

    def _module(self) -> Any:
        return import_module(f"cvlint.output.findings.{self.name}")


FORMATS: Mapping[str, ReportFormat] = MappingProxyType(
    {
        row.name: row
        for row in (
            ReportFormat("text", on_terminal=True, coloured=True, holds_unread_files=False),
            ReportFormat("full", on_terminal=True, coloured=True, holds_unread_files=False),
            ReportFormat("concise", on_terminal=True, holds_unread_files=False),
            ReportFormat("json", fixes="on request"),
            ReportFormat("jsonl"),
            ReportFormat("sarif", relative_paths=True, lists_rules=True, fixes="always"),
            ReportFormat("github", relative_paths=True, marks_suppressed=False),
            ReportFormat("gitlab", relative_paths=True, marks_suppressed=False),
            ReportFormat("junit", relative_paths=True),
            ReportFormat("markdown", relative_paths=True),
        )
    }
)
"""Every format by its name, in the order in which the help page lists them."""


def format_names(where: Callable[[ReportFormat], bool] = lambda _: True) -> tuple[str, ...]:
    """List the names of the formats that have some property; by default of all.

    Examples
    --------
    >>> format_names(lambda one: one.on_terminal)
    ('text', 'full', 'concise')
    """
    return tuple(name for name, one in FORMATS.items() if where(one))
