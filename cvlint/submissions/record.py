"""The record of one repository: all that its audit found, as a line of JSON. Workers on other machines make it."""

from __future__ import annotations

import json
import os
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cvlint import __version__
from cvlint.audit.fate import counts
from cvlint.audit.inventory import Aggregation, Audit
from cvlint.findings.faults import faults_of
from cvlint.output.findings.json import error_object, fault_ids, finding_object
from cvlint.output.shared.strangers_text import harmless_json
from cvlint.submissions.audited import audit_submission
from cvlint.submissions.listed import Repository
from cvlint.usage_error import UsageError
from cvlint.workspace.snapshots.git_checkout import SCHEME, folder_of_url
from cvlint.workspace.snapshots.submissions import open_submission

VERSION = 1
AUDITED, FAILED = "audited", "failed"

_one_at_a_time = threading.Lock()
"""The analysis counts its work for the whole process, and a worker of Dask may have several threads."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one repository.

    Attributes
    ----------
    line
        Its record as one line of JSON, without a line break.
    reason
        Why it could not be audited: a sentence. Empty if it was audited.
    may_pass
        Whether another try may help: the reason is not the repository itself.
    """

    line: str
    reason: str = ""
    may_pass: bool = False


def record(repository: Repository) -> Outcome:
    """Audit a repository in this process; an error becomes a record, too."""
    with _one_at_a_time, ExitStack() as stack:
        try:
            place = repository.place
            path = folder_of_url(place) if place.startswith(SCHEME) else Path(place)
            if not os.path.exists(path):
                return failure(repository, f"There is no file or folder '{repository.name}'.")
            submission = open_submission(repository.name, path, stack)
            return _success(repository, audit_submission(submission, jobs=1), submission.commit)
        except UsageError as error:
            return failure(repository, error.sentence, may_pass=isinstance(error.__cause__, OSError))
        except Exception as error:  # one repository of thousands ends no study, whatever is wrong with it
            return failure(repository, f"The audit ended with {type(error).__name__}: {error}.", may_pass=True)


def _success(repository: Repository, audit: Audit, commit: str) -> Outcome:
    ids = fault_ids(faults_of(audit.report.findings))
    found = {
        "files": audit.report.files,
        "files_without_measure": audit.unmeasured,
        "aggregations": [_aggregation(one) for one in audit.aggregations],
        "findings": [finding_object(one, ids[one]) for one in audit.report.findings],
        "errors": [error_object(one) for one in audit.report.errors],
        "fates": [{"kind": kind, "why": why, "count": count} for kind, why, count in counts(audit.fates)],
    }
    return Outcome(_line(repository, AUDITED, commit=commit or None, **found))


def failure(repository: Repository, reason: str, may_pass: bool = False) -> Outcome:
    """The outcome of a repository that could not be audited."""
    return Outcome(_line(repository, FAILED, reason=reason), reason, may_pass)


def _line(repository: Repository, status: str, **found: Any) -> str:
    head = {"version": VERSION, "cvlint": __version__, "repository": repository.name, "status": status}
    return harmless_json(json.dumps({**head, **found}))


def _aggregation(one: Aggregation) -> dict[str, Any]:
    at = one.location
    named = {"measure": one.measure, "name": one.name, "meaning": one.meaning, "confidence": one.confidence}
    return {**named, "path": at.path, "cell": at.cell, "line": at.line, "column": at.column}
