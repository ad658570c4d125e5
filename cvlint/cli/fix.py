"""The options ``--fix``, ``--unsafe-fixes`` and ``--diff`` of ``cvlint check``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.refusal import Refusal
from cvlint.cli.terminal import deliver
from cvlint.findings import Report

if TYPE_CHECKING:
    from cvlint.check import Options
    from cvlint.fixes.fixer import Fixed

FOUND = 1
Stdin = tuple[str, bytes] | None


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


def write_fixes(report: Report, asked: Fixing, options: Options) -> bool:
    """Make the fixes of what was found, and say how many; tells whether a file has changed."""
    from cvlint.check import analysis
    from cvlint.output.places import printable

    fixes = files = unsafe = 0
    for file in _fixed(report, asked, options, None):
        unsafe += file.after.unsafe
        if not file.after.count:
            continue
        try:
            Path(file.path).write_bytes(file.after.data)
        except OSError as error:
            click.echo(
                f"{printable(file.path)}: cannot be fixed, because it cannot be written: {error.strerror}", err=True
            )
            continue
        analysis.cache_clear()  # it keeps the modules that files import, as they were
        fixes, files = fixes + file.after.count, files + 1
    click.echo(f"Fixed {_counted(fixes, 'finding')} in {_counted(files, 'file')}.{_hint(unsafe)}", err=True)
    return files > 0


def show_diff(report: Report, asked: Fixing, options: Options, stdin: Stdin, target: Path | None) -> int:
    """Show what the fixes would change; the exit status is 1 if there is anything."""
    files = list(_fixed(report, asked, options, stdin))
    changed = [file for file in files if file.after.count]
    deliver("".join(line for file in changed for line in _diff(file)), target)
    fixes = sum(file.after.count for file in changed)
    hint = _hint(sum(file.after.unsafe for file in files))
    click.echo(f"Would fix {_counted(fixes, 'finding')} in {_counted(len(changed), 'file')}.{hint}", err=True)
    return FOUND if changed else 0


def _fixed(report: Report, asked: Fixing, options: Options, stdin: Stdin) -> Iterator[FixedFile]:
    """The files that findings are in, with what the fixes make of them."""
    from cvlint.source.module import load

    paths = dict.fromkeys(finding.location.path for finding in report.findings)
    if not paths:
        return
    from cvlint.fixes.fixer import Fixer

    fixer = Fixer(options, asked.unsafe)
    for path in paths:
        data = stdin[1] if stdin is not None and path == stdin[0] else load(Path(path), path)
        if isinstance(data, bytes):
            yield FixedFile(path, data, fixer.fix(data, Path(path), path, report.findings))


def _diff(file: FixedFile) -> Iterator[str]:
    """A unified diff, one line after another."""
    import difflib
    import re

    from cvlint.fixes.document import readable
    from cvlint.output.places import printable

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
