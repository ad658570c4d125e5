"""The check of one open document, by the same steps as ``cvlint check``: nearest config, comments and baseline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cvlint.findings.finding import Finding, without_suppressed
from cvlint.findings.suppression.comments import file_key
from cvlint.knowledge.loader import load_knowledge
from cvlint.rules.catalogue import load_rules
from cvlint.rules.comment_rules import all_rules
from cvlint.server.changes import apply_change
from cvlint.server.texts.documents import Document, source_of
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.file_check import shared_analysis
from cvlint.workspace.request import CheckRequest
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.settings.config_groups import ConfigLookup
from cvlint.workspace.settings.nearest_config import Configs
from cvlint.workspace.steps.baseline import hide_baseline
from cvlint.workspace.steps.find import find
from cvlint.workspace.steps.pipeline import run_steps
from cvlint.workspace.workspace import open_workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings of a document."""

    document: Document
    """The document, with the version of its text that was checked."""
    findings: tuple[Finding, ...] = ()
    problems: tuple[UnreadFile, ...] = ()
    """The findings, and the reasons why files could not be checked."""
    options: CheckOptions | None = None
    """The options of the check; None if the document could not be checked."""
    paths: frozenset[str] = frozenset()
    """The files in which a finding or a step of its trace lies."""
    beside: tuple[Path, ...] = ()
    """The other open scripts. They may import the document, so a fix of it must not lead to new findings in them."""


def check_document(document: Document, opened: Sequence[Document]) -> Outcome:
    """Check one document with the text that the editor shows.

    Parameters
    ----------
    document : Document
        The document.
    opened : sequence of Document
        Other open documents. If the document imports one of them, the check reads the text in the editor.

    Returns
    -------
    Outcome
        Without findings that comments, the config or the baseline hide. Findings may lie in imported files.

    Raises
    ------
    UsageError
        If the config, or a file that it names, cannot be used.
    """
    apply_change.cache_clear()  # a confirmed fix may rest on files that have changed
    lookup = ConfigLookup(Configs())  # read for each check, because no event announces the change of a config
    workspace = open_workspace(CheckRequest(stdin=(document.name, document.data), jobs=1), lookup)
    if lookup.excludes(str(document.path)):
        return Outcome(document, options=workspace.options)
    use_open_texts(workspace.options, (document, *opened))
    report = run_steps((find(workspace), hide_baseline(workspace), without_suppressed))
    places = {place.path for f in report.findings for place in (f.location, *(step.location for step in f.trace))}
    return Outcome(document, report.findings, report.errors, workspace.options, frozenset(map(file_key, places)))


def use_open_texts(options: CheckOptions, opened: Iterable[Document]) -> None:
    """Forget the files that were read before, and let imports find the texts in the editor."""
    shared_analysis.cache_clear()
    analysis = shared_analysis(*options.own_knowledge)
    analysis.open_texts = {one.name: partial(source_of, one) for one in opened if not one.is_notebook}


def forget_rules() -> None:
    """Forget the cached rules and knowledge, so that the next check reads the files of the project again."""
    for cached in (load_rules, load_knowledge, all_rules):
        cached.cache_clear()
