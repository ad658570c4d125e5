"""``cvlint check --statistics``: the number of findings of each rule instead of the findings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.cli.console.terminal import use_colours, write_guarded, write_report
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.findings.finding import Report

STYLES = ("text", "json")


def check_style(style: str) -> None:
    """Refuse formats that have no place for numbers."""
    if style not in STYLES:
        valid = f"with --statistics valid are {' and '.join(STYLES)}"
        raise UsageError(f"The option --format cannot be '{style}' here", valid, style, STYLES)


def show_statistics(report: Report, style: str, target: Path | None) -> None:
    """Show the numbers, in a format that `check_style` lets pass."""
    from cvlint.output.findings import statistics
    from cvlint.output.shared.styled_text import plain, show_coloured

    if style == "json":
        write_report(statistics.render_json(report), target)
    elif target is None and report.findings and use_colours(sys.stdout):
        write_guarded(lambda: show_coloured(statistics.styled(report), sys.stdout))
    else:
        write_report(plain(statistics.styled(report)), target)
