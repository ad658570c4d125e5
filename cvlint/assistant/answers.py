"""The answers to an assistant's questions: the JSON documents of the commands, and the pages of rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cvlint.assistant.confined_folder import ConfinedFolder
from cvlint.findings.finding import Report, without_suppressed
from cvlint.knowledge.loader import load_knowledge
from cvlint.output.findings import json as findings_json
from cvlint.output.findings.formats import RenderContext
from cvlint.rules.catalogue import load_rules
from cvlint.rules.comment_rules import all_rules, rule_named
from cvlint.source.file_bytes import MAX_SOURCE
from cvlint.usage_error import UsageError, as_usage_error
from cvlint.workspace.file_check import shared_analysis
from cvlint.workspace.request import CheckRequest
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.steps.baseline import hide_baseline
from cvlint.workspace.steps.find import find
from cvlint.workspace.steps.pipeline import run_steps
from cvlint.workspace.workspace import open_workspace

MOST_FINDINGS = 100
"""The findings of an answer: an assistant reads all that it is told."""
MOST_FILES = 2_000
"""The files of one check, which nobody can interrupt."""
Answer = dict[str, Any]


def check_text(folder: ConfinedFolder, text: str, name: str, select: Sequence[str]) -> Answer:
    """Check a text as if it were a file of the folder: imports and the config are found from there.

    Raises
    ------
    UsageError
        If the text is too long, its name leads out of the folder, or a rule does not exist.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_SOURCE:
        raise UsageError(f"The text is too long: {len(data) / 1e6:.1f} MB, more than {MAX_SOURCE / 1e6:.0f} MB")
    parent, name = Path(name).parent, Path(name).name or "text.py"
    place = folder.path(str(parent)) / name
    return _checked(folder, CheckRequest(stdin=(str(place), data), select=tuple(select), jobs=1))


def check_files(folder: ConfinedFolder, names: Sequence[str], select: Sequence[str]) -> Answer:
    """Check files and folders as ``cvlint check --format json`` does.

    Raises
    ------
    UsageError
        If a path leads out of the folder, there are too many files, or a rule does not exist.
    """
    if not names:
        raise UsageError("No path is given; '.' is the whole folder")
    return _checked(folder, CheckRequest(folder.paths(names), select=tuple(select), jobs=1))


def _checked(folder: ConfinedFolder, request: CheckRequest) -> Answer:
    _forget()
    workspace = open_workspace(request, ConfigLookup(Configs(top=folder.root)))
    count = sum(len(group.files) for group in workspace.groups)
    if count > MOST_FILES:
        raise UsageError(f"There are {count} files, more than {MOST_FILES}: name fewer folders")
    report = run_steps((find(workspace), hide_baseline(workspace), without_suppressed))
    return _as_answer(report)


def _forget() -> None:
    """Forget what was read for the last question, because files may have changed since."""
    for cached in (shared_analysis, load_rules, load_knowledge, all_rules):
        cached.cache_clear()


def _as_answer(report: Report) -> Answer:
    shown = replace(report, findings=report.findings[:MOST_FINDINGS])
    answer: Answer = json.loads(findings_json.render(shown, RenderContext()))
    return {**answer, "left_out": len(report.findings) - len(shown.findings)}


def explain_rule(name: str) -> str:
    """Write the page of a rule, with its counter-example in numbers.

    Raises
    ------
    UsageError
        If there is no such rule.
    """
    from cvlint.output.rules import rule_page
    from cvlint.runtime.examples.counter_examples import counter_example

    rule = rule_named(name)
    return rule_page.render(rule, counter_example(rule.name))


def recompute(
    folder: ConfinedFolder, name: str, columns: Mapping[str, str], positive: str | None, reported: Sequence[str]
) -> Answer:
    """Recompute every aggregate of fold data, and match published numbers such as ``f1=0.69``.

    Raises
    ------
    UsageError
        If the file leads out of the folder, is too large, or holds no fold data.
    """
    from cvlint.output.evaluation import recomputed
    from cvlint.report.experiments import experiments_of
    from cvlint.runtime.aggregates.reported_match import parse_reported
    from cvlint.runtime.data.reading import read_each
    from cvlint.runtime.errors import FoldDataError
    from cvlint.runtime.intervals.bootstrap import Bootstrap

    path = str(folder.fold_file(name))
    try:
        published = [parse_reported(text, None, 1.0) for text in reported]
        data, _ = read_each(path, dict(columns), positive)
        found = experiments_of(data, bootstrap=Bootstrap(), reported=published)
    except FoldDataError as error:
        raise as_usage_error(error, path) from None
    answer: Answer = json.loads(recomputed.render_json([(one.found, one.matches) for one in found]))
    return answer


def possible_aggregates(
    printed: Mapping[str, str | None], positives: int | None, negatives: int | None, folds: int | None
) -> Answer:
    """Judge which aggregates a printed F can be.

    Parameters
    ----------
    printed : mapping of str to str or None
        The printed values as texts with all their digits, by their names; ``f1`` is needed.
    positives, negatives : int or None
        The sizes of the test data.
    folds : int or None
        The number of stratified folds.

    Raises
    ------
    UsageError
        If a value cannot be read, or a size is given without the others that it needs.
    """
    from cvlint.output.evaluation.possible_verdicts import as_object
    from cvlint.runtime.consistency.confusion_tables import FoldSizes
    from cvlint.runtime.consistency.possible_aggregates import verdicts
    from cvlint.runtime.consistency.reported_values import Claim, Printed
    from cvlint.runtime.errors import FoldDataError

    if (positives is None) != (negatives is None) or (folds is not None and positives is None):
        raise UsageError("The numbers of positives and of negatives are needed together, and both with the folds")
    try:
        values: dict[str, Any] = {name: Printed.of(text, name) for name, text in printed.items() if text is not None}
        sizes = None if folds is None else FoldSizes.stratified(positives or 0, negatives or 0, folds)
        claim = Claim(values.pop("f1"), **values, positives=positives, negatives=negatives, sizes=sizes)
        return {"verdicts": [as_object(verdict) for verdict in verdicts(claim)]}
    except FoldDataError as error:
        raise as_usage_error(error) from None
