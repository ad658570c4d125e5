"""The options ``--fix``, ``--unsafe-fixes``, ``--diff`` and ``--show-fixes`` of ``cvlint check``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.check.rewriting import leads_out, tell_changed
from cvlint.cli.console.terminal import deliver
from cvlint.filesystem.atomic_write import ChangedMeanwhile, write_file
from cvlint.findings.finding import Finding, Report, without_suppressed
from cvlint.output.shared.locations import printable
from cvlint.usage_error import Refusal
from cvlint.workspace.pipeline import Step, run_steps
from cvlint.workspace.request import Stdin
from cvlint.workspace.source_lines import content
from cvlint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from cvlint.fixes.editing.edits import Confirmed
    from cvlint.fixes.fixer import Fixed
    from cvlint.workspace.settings.check_options import CheckOptions

SHOWING = "json"
MOST_SHOWN = 20
"""Findings of one file whose fixes a report shows: each costs an analysis of the file, or several."""
MOST_FILES = 100
"""Files of which a report shows fixes: to read one for them costs some ten times what its check does."""


@dataclass(frozen=True, slots=True)
class Fixing:
    """Whether to make the unsafe fixes, too, and whether to show all as a diff and write nothing."""

    unsafe: bool
    diff: bool


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that has findings, as it was and as it is after fixes."""

    path: str
    before: bytes
    after: Fixed


def fixing(fix: bool, unsafe: bool, diff: bool, stdin: Stdin, others: dict[str, bool]) -> Fixing | None:
    """What the options ask for, or a refusal of options that do not go together.

    Parameters
    ----------
    fix, unsafe, diff : bool
        The options.
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which has no file to write the fixes into.
    others : dict of str to bool
        Options that write something else, and whether they are given.
    """
    if not fix and not diff:
        if unsafe:
            raise Refusal("The option --unsafe-fixes needs --fix, which makes the fixes, or --diff, which shows them")
        return None
    given = "--diff" if diff else "--fix"
    for name, is_given in others.items():
        if is_given:
            raise Refusal(f"The options {given} and {name} cannot go together, because each is a step of its own")
    if stdin is not None and not diff:
        raise Refusal("The option --fix writes into files, and so it cannot be used with standard input", "use --diff")
    return Fixing(unsafe, diff)


def check_showing(style: str) -> None:
    """Refuse to show fixes in a format that has no place for them, or that shows them anyway."""
    if style != SHOWING:
        valid = f"valid is {SHOWING}; sarif holds them without it, and --diff shows them to people"
        raise Refusal(f"The option --show-fixes cannot be used with the format '{style}'", valid)


def confirmed_fixes(report: Report, options: CheckOptions, stdin: Stdin) -> dict[Finding, list[Confirmed]]:
    """The fixes that the findings of a report have, each for the files as they are.

    Of a finding the first is what ``--fix --unsafe-fixes`` would make; if that is unsafe, the second, where there is
    one, is what ``--fix`` would make.

    Parameters
    ----------
    report : Report
        Suppressed findings have no fixes, and neither has a finding after the first `MOST_SHOWN` fixable ones of a
        file, or in a file after the first `MOST_FILES` that hold such ones.
    options : Options
        What the check was made with.
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
    found: dict[Finding, list[Confirmed]] = {}
    for path, findings in islice(fixable.items(), MOST_FILES):
        data = content(path, stdin)
        if data is not None:
            for finding, fix in fixer.confirmed(data, Path(path), path, findings[:MOST_SHOWN]):
                found.setdefault(finding, []).append(fix)
    return found


def make_fixes(workspace: Workspace, fixes: Fixing, hide: Sequence[Step], find: Step, report: Report) -> Report:
    """The step that makes fixes, says how many, and finds again if a file has changed.

    Only findings that the steps of ``hide`` leave are fixed. Files among the given paths that import a fixed one are
    checked with it: a fix that leads to a new finding there is not made.
    """
    from cvlint.workspace.file_check import analysis

    count = files = unsafe = 0
    for file in _fixed(run_steps((*hide, without_suppressed), report), workspace, fixes.unsafe):
        unsafe += file.after.unsafe
        if not file.after.count:
            continue
        try:
            write_file(file.path, file.after.data, expected=file.before)
        except ChangedMeanwhile as error:
            tell_changed(file.path, error)
            continue
        except OSError as error:
            why = f"cannot be fixed, because it cannot be written: {error.strerror}"
            click.echo(f"{printable(file.path)}: {why}", err=True)
            continue
        analysis.cache_clear()  # it keeps the modules that files import, as they were
        count, files = count + file.after.count, files + 1
    click.echo(f"Fixed {_counted(count, 'finding')} in {_counted(files, 'file')}.{_hint(unsafe)}", err=True)
    return find(report) if files else report


def show_diff(report: Report, workspace: Workspace, unsafe: bool, target: Path | None) -> bool:
    """Show what `make_fixes` would change; tells whether there is anything."""
    files = list(_fixed(report, workspace, unsafe))
    changed = [file for file in files if file.after.count]
    deliver("".join(line for file in changed for line in _diff(file)), target)
    fixes = sum(file.after.count for file in changed)
    hint = _hint(sum(file.after.unsafe for file in files))
    click.echo(f"Would fix {_counted(fixes, 'finding')} in {_counted(len(changed), 'file')}.{hint}", err=True)
    return bool(changed)


def _fixed(report: Report, workspace: Workspace, unsafe: bool) -> Iterator[FixedFile]:
    """The files that findings are in, with what the fixes make of them; says which fixes failed by a fault of ours."""
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
        data = content(path, stdin)
        if data is not None:
            after = fixer.fix(data, Path(path), path, report.findings)
            for problem in after.problems:
                click.echo(printable(f"{path}: {problem}"), err=True)
            yield FixedFile(path, data, after)


def _diff(file: FixedFile) -> Iterator[str]:
    """A unified diff, one line after another."""
    import difflib
    import re

    from cvlint.fixes.editing.document import readable

    before, after = (
        re.findall(r"[^\n]*\n|[^\n]+", readable(data, file.path)) for data in (file.before, file.after.data)
    )
    name = printable(file.path)
    for line in difflib.unified_diff(before, after, name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _hint(unsafe: int) -> str:
    if not unsafe:
        return ""
    return f" {_counted(unsafe, 'more fix', 'more fixes')} may change reported numbers: see --unsafe-fixes."


def _counted(count: int, thing: str, things: str = "") -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {things or thing + 's'}"
