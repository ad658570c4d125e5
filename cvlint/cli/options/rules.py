"""The options that choose rules, the least confidence and severity, and the config file."""

from __future__ import annotations

from typing import Any

from cvlint.cli.options.option import Option, flag
from cvlint.findings.finding import CONFIDENCES, SEVERITIES

RULE_OPTIONS = (
    Option(("--select",), "select", "Rules to report: names, codes, CVL1, or ALL.", "RULES", "words"),
    Option(("--ignore",), "ignore", "Rules to leave out, named in the same ways.", "RULES", "words"),
    Option(
        ("--confidence",),
        "confidence",
        "The least confidence to report; default: medium.",
        "|".join(CONFIDENCES),
        choices=CONFIDENCES,
    ),
    Option(
        ("--min-severity",),
        "min_severity",
        "The least severity to report; default: note.",
        "|".join(SEVERITIES),
        choices=SEVERITIES,
    ),
)
CONFIG_OPTIONS = (
    Option(("--config",), "config", "Read this config file instead of the nearest one.", "FILE"),
    flag("--isolated", "Read no config file."),
)


def rule_options(command: Any) -> Any:
    """Add the options that choose rules, and the least confidence and severity."""
    from cvlint.cli.options.validation import with_options

    return with_options(RULE_OPTIONS)(command)


def config_options(command: Any) -> Any:
    """Add the options that choose the config file."""
    from cvlint.cli.options.validation import with_options

    return with_options(CONFIG_OPTIONS)(command)
