"""``cvlint report``: a page about fold data, with the findings in the code that computed them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import write, write_report
from cvlint.cli.options.aggregates import aggregate_options, read_and_recompute
from cvlint.cli.options.extras import require_extra
from cvlint.cli.options.fold_data import FoldFile, fold_data_options
from cvlint.filesystem.regular_file import MOST_RESULTS, read_regular_file, require_regular_file
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.findings.finding import Finding

LIBRARIES = ("jinja2", "matplotlib")
STDOUT = "-"
MARK = b'<p class="kind">cvlint report</p>'
"""What every page of this command holds, in its first `MOST_BYTES` bytes."""
MOST_BYTES = 100_000


@click.command("report")
@click.argument("file", metavar="CAPTURE")
@click.option("--findings", metavar="FILE", help="The findings in the code, from `cvlint check --format json`.")
@click.option("-o", "--output", metavar="FILE", help="The file of the page, or '-'; default: CAPTURE-report.html.")
@fold_data_options
@aggregate_options
@click.help_option("-h", "--help")
def command(file: FoldFile, findings: str | None, output: str | None, **given: Any) -> None:
    """Write an HTML page about the fold data in CAPTURE (CSV, Parquet or NPZ, such as `cvlint run --capture` writes).

    The page shows the reported numbers beside the right ones, the folds, curves and thresholds, and with --findings the
    faults in the code. It is one file that loads nothing else.
    """
    require_libraries()
    target = None if output == STDOUT else own_target(file.path) if output is None else report_target(output, file.path)
    found = None if findings is None else read_findings(findings)
    write_report(page(file, found, given), target)
    if output is None:
        write(f"The report is in {printable(str(target))}.\n")


def own_target(read: str) -> Path | None:
    """The file of the page if the user names none: ``folds-report.html`` for ``folds.csv``, in the working directory.

    Raises
    ------
    UsageError
        If there is such a file that is no report.
    """
    name = f"{Path(read).stem}-report.html"
    if os.path.exists(name) and MARK not in _beginning(name):
        raise UsageError(f"The file '{name}' exists and is no report of cvlint", "name another with --output")
    return report_target(name, read)


def _beginning(name: str) -> bytes:
    try:
        require_regular_file(name)
        with open(name, "rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def require_libraries() -> None:
    """Stop with a usage error if the libraries for the page are not installed."""
    require_extra("report", LIBRARIES, "A report")


def read_findings(name: str) -> tuple[Finding, ...]:
    """The findings in a file."""
    from cvlint.report.finding_file import FindingsError, findings_in

    try:
        return findings_in(read_regular_file(name, MOST_RESULTS).decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"The file '{name}' cannot be read: it is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        if not isinstance(error, FindingsError):
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"The file '{name}' cannot be read: {reason}") from None
        valid = "write it with `cvlint check --format json`"
        raise UsageError(f"The file '{name}' holds no findings, because {error}", valid) from None


def page(file: FoldFile, findings: tuple[Finding, ...] | None, given: Mapping[str, Any]) -> str:
    """The page about a file."""
    from hashlib import sha256

    from cvlint.report.page import ReportSource, render
    from cvlint.workspace.source_lines import source_lines

    experiments, bootstrap = read_and_recompute(file, given)
    notes: tuple[str, ...] = ()
    if findings is not None and not any(finding.measured for finding in findings):
        findings, notes = measured(findings, file.path)
    with open(file.path, "rb") as stream:
        digest = sha256(stream.read()).hexdigest()
    source = ReportSource(file.path, digest, bootstrap, notes)
    return render(source, experiments, findings, source_lines(None))


def measured(findings: tuple[Finding, ...], capture: str) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """The findings with their effect on the numbers in the capture, or the reason why cvlint cannot compute it."""
    from cvlint.cli.console.paths import working_directory
    from cvlint.recording.captures import read_experiments
    from cvlint.recording.measured_findings import attach_measurements
    from cvlint.rules.catalogue import load_rules
    from cvlint.runtime.errors import FoldDataError

    folder = str(working_directory())
    try:
        experiments = read_experiments(Path(capture), folder)
    except FoldDataError as error:
        return findings, (f"The findings stand beside the numbers, and are not joined with them: {error}",)
    pairs = {rule.name: rule.pairs for rule in load_rules()}
    return attach_measurements(findings, experiments, pairs, folder), ()
