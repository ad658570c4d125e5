"""``cvlint report``: fold data, and findings beside them, as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import deliver
from cvlint.cli.options.aggregates import computing_options, recomputed_of
from cvlint.cli.options.fold_data import reading_options
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from cvlint.findings.finding import Finding

LIBRARIES = ("jinja2", "matplotlib")


@click.command("report")
@click.argument("file", metavar="CAPTURE")
@click.option("--findings", metavar="FILE", help="What `cvlint check --format json` wrote of the code.")
@click.option("-o", "--output", metavar="FILE", help="Write the page to a file.")
@reading_options
@computing_options
@click.help_option("-h", "--help")
def command(file: str, findings: str | None, output: str | None, **given: Any) -> None:
    """Write a page (HTML) about the fold data in CAPTURE: CSV, Parquet or NPZ, as `cvlint run --capture` keeps them.

    It shows what was reported beside what is right, the folds, curves and thresholds, and with --findings the faults in
    the code. It is one file that loads nothing.
    """
    need_libraries()
    target = report_target(output, file)
    found = None if findings is None else read_findings(findings)
    deliver(page(file, found, given), target)


def need_libraries() -> None:
    """Refuse to go on without the libraries of the extra."""
    from importlib.util import find_spec

    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise Refusal(f"A report needs {' and '.join(missing)}, which is not installed: install cvlint[report]")


def read_findings(name: str) -> tuple[Finding, ...]:
    """The findings in a file."""
    from cvlint.report.finding_file import FindingsError, findings_in

    try:
        return findings_in(Path(name).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise Refusal(f"The file '{name}' cannot be read: it is no UTF-8 text") from None
    except (OSError, ValueError) as error:
        if not isinstance(error, FindingsError):
            said = getattr(error, "strerror", None) or error
            raise Refusal(f"The file '{name}' cannot be read: {said}") from None
        valid = "write it with `cvlint check --format json`"
        raise Refusal(f"The file '{name}' holds no findings, because {error}", valid) from None


def page(file: str, findings: tuple[Finding, ...] | None, given: Mapping[str, Any]) -> str:
    """The page about a file."""
    from hashlib import sha256

    from cvlint.report.page import ReportSource, render
    from cvlint.workspace.source_lines import source_lines

    experiments, bootstrap = recomputed_of(file, given)
    notes: tuple[str, ...] = ()
    if findings is not None and not any(finding.measured for finding in findings):
        findings, notes = joined(findings, file)
    with open(file, "rb") as stream:
        digest = sha256(stream.read()).hexdigest()
    source = ReportSource(file, digest, bootstrap, notes)
    return render(source, experiments, findings, source_lines(None))


def joined(findings: tuple[Finding, ...], capture: str) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """The findings with what they amounted to in the capture, or why they cannot be joined."""
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
