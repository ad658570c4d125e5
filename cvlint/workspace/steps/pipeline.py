"""A check is a pipeline of steps from report to report.

discover → group by config → analyse → suppress → join → fix → hide the baseline → hide the commit's findings → write.

`open_workspace` discovers and groups. `find` analyses, suppresses and joins: ``cvlint check``, ``cvlint run``, the
server and the check of a commit (``--since``) all run it. Each caller lists the steps that come after it; for
``cvlint check``, `cvlint.cli.check.plan.plan_check` does.

Every step handles each finding by itself. Only those who write a report group findings into faults, after all steps
(`cvlint.findings.faults`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from cvlint.findings.finding import Report

Step = Callable[[Report], Report]
"""One step of a check. Only analysing and fixing have effects; every other step computes a report from a report."""

EMPTY_REPORT = Report((), (), 0)


def run_steps(steps: Iterable[Step], report: Report = EMPTY_REPORT) -> Report:
    """Run steps one after another, each on the report of the step before it."""
    return reduce(lambda previous, step: step(previous), steps, report)
