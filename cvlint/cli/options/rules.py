"""The options that choose rules, the least confidence and severity, and the config file."""

from __future__ import annotations

from typing import Any

import click

from cvlint.cli.options.validation import one_of
from cvlint.findings.finding import CONFIDENCES, SEVERITIES


def rule_options(command: Any) -> Any:
    """Add the options that choose rules, and the least confidence and severity."""
    for option in (
        click.option(
            "--min-severity",
            callback=one_of(SEVERITIES),
            metavar="|".join(SEVERITIES),
            help="The least severity to report; default: note.",
        ),
        click.option(
            "--confidence",
            callback=one_of(CONFIDENCES),
            metavar="|".join(CONFIDENCES),
            help="The least confidence to report; default: medium.",
        ),
        click.option("--ignore", multiple=True, metavar="RULES", help="Rules to leave out, named in the same ways."),
        click.option("--select", multiple=True, metavar="RULES", help="Rules to report: names, codes, CVL1, or ALL."),
    ):
        command = option(command)
    return command


def config_options(command: Any) -> Any:
    """Add the options that choose the config file."""
    for option in (
        click.option("--isolated", is_flag=True, help="Read no config file."),
        click.option("--config", metavar="FILE", help="Read this config file instead of the nearest one."),
    ):
        command = option(command)
    return command
