"""Audit one submission: check it with all rules, and list its aggregations and the fates of its values."""

from __future__ import annotations

from collections.abc import Callable

from cvlint.audit.inventory import Audit, as_notes, audit
from cvlint.audit.ledger import ledger
from cvlint.output.shared.relative_paths import from_folder, path_from_folder
from cvlint.records import replace
from cvlint.rules.catalogue import load_rules
from cvlint.source.discovery import discover
from cvlint.source.location import Location
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.snapshots.submissions import Submission
from cvlint.workspace.steps.analyse import analyse_files


def audit_submission(submission: Submission, jobs: int, progress: Callable[[int, int], None] | None = None) -> Audit:
    """Audit a submission; its settings and comments have no effect, and nothing of it is run.

    Parameters
    ----------
    submission : Submission
        What is audited.
    jobs : int
        The number of processes; 0 lets the check choose it.
    progress : callable, optional
        Called with the number of files that are done, and the number of all files.
    """
    rules = load_rules()
    names = frozenset(rule.name for rule in rules)
    options = CheckOptions(rules=names, confidence="low", jobs=jobs, inventory=True, fates=True)
    found = analyse_files(tuple(discover(submission.paths)), submission.paths, options, progress=progress)
    report = as_notes(from_folder(found.report, submission.folder), frozenset(r.name for r in rules if not r.enabled))

    def relative(location: Location) -> Location:
        return replace(location, path=path_from_folder(location.path, submission.folder))

    aggregations = (
        replace(one, location=relative(one.location), parts=tuple(map(relative, one.parts)))
        for one in found.aggregations
    )
    fates = (
        replace(one, location=relative(one.location), end=None if one.end is None else relative(one.end))
        for one in ledger(found.fates)
    )
    return audit(submission.name, report, aggregations, submission.left_out, fates)
