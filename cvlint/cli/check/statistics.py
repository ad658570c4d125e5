"""``cvlint check --statistics``: show the number of findings of each rule instead of the findings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.cli.console.terminal import When, write_pieces, write_report
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.findings.finding import Report

FORMATS = ("text", "json")


def refuse_other_formats(style: str) -> None:
    """Refuse a format in which statistics cannot be written."""
    if style not in FORMATS:
        valid = f"with --statistics valid are {' and '.join(FORMATS)}"
        raise UsageError(f"The option --format cannot be '{style}' here", valid, style, FORMATS)


def show_statistics(report: Report, style: str, target: Path | None, colour: When = "auto") -> None:
    """Write the statistics in one of `FORMATS` to a file or to standard output."""
    from cvlint.output.findings import statistics

    if style == "json":
        write_report(statistics.render_json(report), target)
    else:
        write_pieces(statistics.styled(report), target, colour)
