"""The check of a running notebook, by the same steps as ``cvlint check``: nearest config, comments and baseline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from cvlint.findings.faults import faults_of
from cvlint.findings.finding import Finding, Report, without_suppressed
from cvlint.notebook.answers import Answer, FoundFault, Question
from cvlint.notebook.rendering import CellNames, fault_html, fault_text
from cvlint.output.shared.prose import sentence
from cvlint.records import replace
from cvlint.rules.comment_rules import meta_rules
from cvlint.usage_error import UsageError
from cvlint.workspace.file_check import shared_analysis
from cvlint.workspace.request import CheckRequest
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.source_lines import source_lines
from cvlint.workspace.steps.baseline import hide_baseline
from cvlint.workspace.steps.find import find
from cvlint.workspace.steps.pipeline import run_steps
from cvlint.workspace.workspace import open_workspace


def answer(question: Question) -> Answer:
    """Check a notebook, or show findings that were measured; it never raises."""
    try:
        if question.measured is not None:
            return Answer(question.number, _shown(question, question.measured))
        report = check(question.path, question.data)
        names = _names(question)
        problems = tuple(sentence(_problem(error.message, question.labels)) for error in report.errors)
        return Answer(question.number, _shown(question, map(names.renamed, report.findings)), problems)
    except UsageError as error:
        return Answer(question.number, failure=f"The cells are not checked. {sentence(error.sentence)}")
    except Exception as error:  # nothing may end the process: the next cell is another one
        fault = sentence(f"{type(error).__name__}: {error}")
        why = "because of a fault of cvlint itself, please report it"
        return Answer(question.number, failure=f"The cells cannot be checked {why}. {fault}")


def check(path: Path, data: bytes) -> Report:
    """Check the bytes of a notebook, without the rules about comments: a cell that needs the comment may yet run.

    Raises
    ------
    UsageError
        If the config, or a file that it names, cannot be used.
    """
    shared_analysis.cache_clear()  # the user may have changed a module that the notebook imports
    lookup = ConfigLookup(Configs())
    workspace = open_workspace(CheckRequest(stdin=(str(path), data), jobs=1), lookup)
    if lookup.excludes(str(path)):
        raise UsageError("The config excludes this notebook")
    report = run_steps((find(workspace), hide_baseline(workspace), without_suppressed))
    about_comments = {rule.name for rule in meta_rules()}
    return replace(report, findings=tuple(one for one in report.findings if one.rule not in about_comments))


def _shown(question: Question, findings: Iterable[Finding]) -> tuple[FoundFault, ...]:
    names = _names(question)
    return tuple(
        FoundFault(fault.findings, fault_html(fault, names), fault_text(fault, names, question.columns))
        for fault in faults_of(findings)
    )


def _names(question: Question) -> CellNames:
    stdin = str(question.path), question.data
    return CellNames(str(question.path), question.labels, source_lines(stdin))


def _problem(message: str, labels: Sequence[str]) -> str:
    """A message that begins with a capital letter, with the names of cells in place of their numbers."""
    before, named, cells = message.partition(" in cell")
    numbers, parted, rest = cells.partition(";")
    shown = re.sub(r"\d+(?! more)", lambda found: labels[int(found[0]) - 1], numbers) if named else numbers
    return f"{before[:1].upper()}{before[1:]}{named}{shown}{parted}{rest}"
