"""Make the paths of a report relative to the working directory, with forward slashes, as CI systems expect."""

from __future__ import annotations

import os.path
from pathlib import PurePath

from cvlint.findings.finding import Finding, Report
from cvlint.records import replace
from cvlint.source.location import Location


def from_folder(report: Report, folder: PurePath) -> Report:
    """Make the paths of a report start from a folder.

    Parameters
    ----------
    report : Report
        A report whose paths start from ``folder`` or are absolute.
    folder : PurePath
        The working directory, absolute.

    Returns
    -------
    Report
        Its paths have forward slashes and no ``..``; paths outside of the folder are absolute.
    """
    findings = tuple(_moved(finding, folder) for finding in report.findings)
    errors = tuple(replace(error, path=path_from_folder(error.path, folder)) for error in report.errors)
    return replace(report, findings=findings, errors=errors)


def _moved(finding: Finding, folder: PurePath) -> Finding:
    trace = tuple(replace(step, location=_placed(step.location, folder)) for step in finding.trace)
    comment = finding.suppressed
    suppressed = comment and replace(comment, location=_placed(comment.location, folder))
    return replace(finding, location=_placed(finding.location, folder), trace=trace, suppressed=suppressed)


def _placed(location: Location, folder: PurePath) -> Location:
    return replace(location, path=path_from_folder(location.path, folder))


def path_from_folder(path: str, folder: PurePath) -> str:
    """Write one path as `from_folder` does."""
    whole = PurePath(os.path.normpath(folder / path))
    return (whole.relative_to(folder) if whole.is_relative_to(folder) else whole).as_posix()
