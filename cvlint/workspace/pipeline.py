"""The way of a check: steps from report to report, each in a module of `cvlint.workspace.steps`.

discover → group by config → analyse → suppress → join → hide known findings → hide those of a commit → fix → write.

`open_workspace` discovers and groups. `finding_steps` are the steps up to the joined report; `cvlint check`, `run`, the
server and the past of ``--since`` run the same ones. What comes after is a list that the caller builds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from cvlint.findings.finding import Report

Step = Callable[[Report], Report]
"""One step of a check. Only analysing and fixing have effects; all others compute a report from a report."""

EMPTY = Report((), (), 0)


def run_steps(steps: Iterable[Step], report: Report = EMPTY) -> Report:
    """Take a report through some steps, one after another."""
    return reduce(lambda before, step: step(before), steps, report)
