"""One open document, checked as `cvlint check` checks files: by the nearest config, with comments and baseline."""

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
from cvlint.server.documents import Document, source_of
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace import check as engine
from cvlint.workspace.baselines import Known, read_baseline, without_known
from cvlint.workspace.check_options import check_options, config_adjustments
from cvlint.workspace.config import Configs
from cvlint.workspace.config_groups import Part, Projects
from cvlint.workspace.rule_selection import adjusted
from cvlint.workspace.suppressed_check import heeding


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found in a document, and by which options; None of them where it could not be checked.

    ``beside`` are the other scripts that were open: they may import this one, and what fixes it must not harm them.
    """

    document: Document
    findings: tuple[Finding, ...] = ()
    problems: tuple[UnreadFile, ...] = ()
    options: engine.Options | None = None
    beside: tuple[Path, ...] = ()

    def speaks_of(self, path: str) -> bool:
        """Whether a finding, or a step of its trace, is in a file."""
        places = (place for f in self.findings for place in (f.location, *(step.location for step in f.trace)))
        return any(file_key(place.path) == path for place in places)


def check_document(document: Document, opened: Sequence[Document]) -> Outcome:
    """Check one document as it stands in the editor.

    Parameters
    ----------
    document : Document
        What to check.
    opened : sequence of Document
        All that are open: of a file that the document imports, what counts is the text in the editor.

    Returns
    -------
    Outcome
        Without what comments, the config and the baseline hide. Findings may be in files that the document imports.

    Raises
    ------
    UsageError
        If the config, or a file that it names, cannot be used.
    """
    projects = Projects(Configs())  # read each time: who changes a config need not tell us
    config = projects.config(document.path)
    options = check_options(config, (), (), None, 1)
    changes = config_adjustments(config)
    known = None if config.baseline is None else Known(config.baseline, read_baseline(config.baseline))
    if projects.leaves_out(str(document.path)):
        return Outcome(document, options=options)
    see_texts(options, opened)
    stdin = (document.name, document.data)
    report = heeding(partial(engine.check, (), stdin=stdin), (), stdin, options, config.require_reason)
    report = without_suppressed(adjusted(report, changes))
    if known is not None:
        part = Part(config, (), stdin, options, config.require_reason, changes, known)
        report, _ = without_known(report, (part,), projects)
    beside = tuple(sorted(one.path for one in opened if one.uri != document.uri and not one.is_notebook))
    return Outcome(document, report.findings, report.errors, options, beside)


def see_texts(options: engine.Options, opened: Iterable[Document]) -> None:
    """Forget the files that were read before, and let imports find what is open in the editor."""
    engine.analysis.cache_clear()
    sources = engine.analysis(*options.own_knowledge).sources
    sources.update({one.name: source_of(one) for one in opened if not one.is_notebook})


def forget_rules() -> None:
    """Let rules and knowledge of the project's own be read again."""
    for cached in (load_rules, load_knowledge, all_rules):
        cached.cache_clear()
