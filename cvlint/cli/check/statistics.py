"""``cvlint check --statistics``: the number of findings of each rule instead of the findings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.cli.console.terminal import coloured, deliver, guarded
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.findings.finding import Report

STYLES = ("text", "json")


def check_style(style: str) -> None:
    """Refuse formats that have no place for numbers."""
    if style not in STYLES:
        valid = f"with --statistics valid are {' and '.join(STYLES)}"
        raise Refusal(f"The option --format cannot be '{style}' here", valid, style, STYLES)


def show_statistics(report: Report, style: str, target: Path | None) -> None:
    """Show the numbers, in a format that `check_style` lets pass."""
    from cvlint.output.findings import statistics
    from cvlint.output.shared.styled_text import plain, show_coloured

    if style == "json":
        deliver(statistics.render_json(report), target)
    elif target is None and report.findings and coloured(sys.stdout):
        guarded(lambda: show_coloured(statistics.styled(report), sys.stdout))
    else:
        deliver(plain(statistics.styled(report)), target)
