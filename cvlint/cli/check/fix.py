"""The options ``--fix``, ``--unsafe-fixes``, ``--diff`` and ``--show-fixes`` of ``cvlint check``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.check.rewriting import counted, leads_out, print_changed
from cvlint.cli.console.terminal import write_report
from cvlint.filesystem.atomic_write import ChangedMeanwhile, write_file
from cvlint.findings.finding import Finding, Report, without_suppressed
from cvlint.output.shared.locations import as_line, printable
from cvlint.usage_error import UsageError
from cvlint.workspace.request import Stdin
from cvlint.workspace.source_lines import file_content
from cvlint.workspace.steps.pipeline import Step, run_steps
from cvlint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from cvlint.fixes.editing.edits import ConfirmedFix
    from cvlint.fixes.fixer import Fixed
    from cvlint.workspace.settings.check_options import CheckOptions

MOST_SHOWN = 20
"""Findings per file whose fixes a report shows: each costs an analysis of the file, or several."""
MOST_FILES = 100
"""Files whose fixes a report shows: preparing the fixes of a file costs about ten times as much as its check."""


def refuse_useless_fixes(fix: bool, unsafe: bool, diff: bool, stdin: Stdin, others: dict[str, bool]) -> None:
    """Refuse options about fixes that have no effect, or contradict each other.

    Parameters
    ----------
    fix, unsafe, diff : bool
        Whether --fix, --unsafe-fixes and --diff are given.
    stdin : tuple of str and bytes, or None
        Name and content of standard input, into which fixes cannot be written.
    others : dict of str to bool
        Options that write something else, and whether they are given.
    """
    if not fix and not diff:
        if unsafe:
            raise UsageError(
                "The option --unsafe-fixes needs --fix, which makes the fixes, or --diff, which shows them"
            )
        return
    given = "--diff" if diff else "--fix"
    for name, is_given in others.items():
        if is_given:
            raise UsageError(f"The options {given} and {name} cannot go together, because each does something else")
    if stdin is not None and not diff:
        raise UsageError("The option --fix writes into files, so it cannot be used with standard input", "use --diff")


def confirmed_fixes(report: Report, options: CheckOptions, stdin: Stdin) -> dict[Finding, list[ConfirmedFix]]:
    """The confirmed fixes of a report's findings; each applies to the file as it is now.

    The first fix of a finding is the one that ``--fix --unsafe-fixes`` makes. If this one is unsafe and ``--fix`` alone
    makes another one, that is the second.

    Parameters
    ----------
    report : Report
        Suppressed findings have no fixes. Only the first `MOST_SHOWN` fixable findings of a file and the first
        `MOST_FILES` files with fixable findings have any.
    options : CheckOptions
        The options of the check.
    stdin : tuple of str and bytes, or None
        Name and content of standard input.
    """
    if not report.findings:
        return {}
    from cvlint.fixes.fixer import Fixer, is_fixable

    fixable: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if finding.suppressed is None and is_fixable(finding):
            fixable.setdefault(finding.location.path, []).append(finding)
    fixer = Fixer(options, unsafe=True)
    fixes: dict[Finding, list[ConfirmedFix]] = {}
    for path, findings in islice(fixable.items(), MOST_FILES):
        data = file_content(path, stdin)
        if data is not None:
            for finding, fix in fixer.confirmed(data, Path(path), path, findings[:MOST_SHOWN]):
                fixes.setdefault(finding, []).append(fix)
    return fixes


def make_fixes(workspace: Workspace, unsafe: bool, hide: Sequence[Step], find: Step, report: Report) -> Report:
    """The step that writes fixes, prints their number, and checks again if it has changed a file.

    It fixes only findings that the steps of ``hide`` leave. It also checks those of the given files that import a
    fixed file, and does not make a fix that leads to a new finding there.
    """
    from cvlint.workspace.file_check import shared_analysis

    count = files = left_out = 0
    for file in _fixed_files(run_steps((*hide, without_suppressed), report), workspace, unsafe):
        left_out += file.unsafe
        if not file.count:
            continue
        try:
            write_file(file.name, file.data, expected=file.before)
        except ChangedMeanwhile as error:
            print_changed(file.name, error)
            continue
        except OSError as error:
            problem = f"cannot be fixed, because it cannot be written: {error.strerror}"
            click.echo(f"{as_line(file.name)}: {problem}", err=True)
            continue
        shared_analysis.cache_clear()  # it keeps imported modules as they were before the fixes
        count, files = count + file.count, files + 1
    click.echo(f"Fixed {counted(count, 'finding')} in {counted(files, 'file')}.{_unsafe_hint(left_out)}", err=True)
    return find(report) if files else report


def show_diff(report: Report, workspace: Workspace, unsafe: bool, target: Path | None) -> bool:
    """Show what `make_fixes` would change; return whether it would change anything."""
    files = list(_fixed_files(report, workspace, unsafe))
    changed = [file for file in files if file.count]
    write_report("".join(line for file in changed for line in _diff(file)), target)
    fixes = sum(file.count for file in changed)
    hint = _unsafe_hint(sum(file.unsafe for file in files))
    click.echo(f"Would fix {counted(fixes, 'finding')} in {counted(len(changed), 'file')}.{hint}", err=True)
    return bool(changed)


def _fixed_files(report: Report, workspace: Workspace, unsafe: bool) -> Iterator[Fixed]:
    """The files with findings, before and after their fixes; prints which fixes failed by a fault of cvlint."""
    files = dict.fromkeys(finding.location.path for finding in report.findings)
    if not files:
        return
    from cvlint.fixes.fixer import Fixer

    stdin, paths = workspace.request.stdin, workspace.paths
    importing = [file for group in workspace.groups for file in group.files]
    fixer = Fixer(workspace.options, unsafe, importing)
    for path in files:
        if (stdin is None or path != stdin[0]) and leads_out(path, paths):
            continue
        data = file_content(path, stdin)
        if data is not None:
            fixed = fixer.fix(data, Path(path), path, report.findings)
            for problem in fixed.problems:
                click.echo(as_line(f"{path}: {problem}"), err=True)
            yield fixed


def _diff(file: Fixed) -> Iterator[str]:
    """The lines of a unified diff."""
    import difflib
    import re

    from cvlint.fixes.editing.document import readable

    before, after = (re.findall(r"[^\n]*\n|[^\n]+", readable(data, file.name)) for data in (file.before, file.data))
    name = printable(file.name)
    for line in difflib.unified_diff(before, after, name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _unsafe_hint(unsafe: int) -> str:
    if not unsafe:
        return ""
    return f" {counted(unsafe, 'more fix', 'more fixes')} may change reported numbers: see --unsafe-fixes."
