"""``cvlint audit``: how a submission aggregates its results, for a reviewer.

The settings and the comments of the submission have no effect on the check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import existing_path, report_target
from cvlint.cli.console.terminal import write_report
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.audit.inventory import Audit
    from cvlint.findings.source_text import SourceLines

FORMATS = ("markdown", "html")
SUFFIXES = (".py", ".ipynb")
HISTORY = frozenset({".git", ".hg", ".svn", ".bzr"})
FOREIGN = frozenset({"site-packages", "dist-packages", "node_modules", "__pycache__", ".ipynb_checkpoints"})
"""Folders with libraries, or with copies that a program makes."""

LINKED = "is a link to a folder, which is not followed; name that folder to audit it, too"
LEADS_OUT = "is not a regular file, or it is a link that leads out of the folder, so it is not read"
VALID = "valid are files, folders, archives and repositories that exist"
NOT_OWN_CODE = "is not read: such a folder holds libraries, or copies that a program makes; name it to audit it, too"


@dataclass(frozen=True, slots=True)
class Submission:
    """What is audited: its name, the folder from which its paths start, its files, and those that are left out."""

    name: str
    folder: Path
    paths: tuple[Path, ...]
    left_out: tuple[UnreadFile, ...] = ()


@click.command("audit")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("--format", "style", callback=one_of(FORMATS), default="markdown", metavar="|".join(FORMATS))
@click.option("--output", metavar="FILE", help="Write the report to a file.")
@click.option(
    "--jobs", callback=whole_number, default="0", metavar="N", help="Number of processes; by default cvlint chooses it."
)
@click.help_option("-h", "--help")
def command(paths: tuple[str, ...], style: str, output: str | None, jobs: int) -> None:
    """Report how submissions aggregate their results, for reviewers: files, folders, archives and git repositories.

    Archives are zip and tar files. A bare repository, and a file:// URL of any repository, stands for its last commit.

    It lists every aggregation, right ones too, then the findings of all rules, then what could not be analysed. The
    settings of a submission, and its comments that suppress findings, have no effect. Nothing is run.

    Exit status: 0 whatever is found, 2 if cvlint cannot audit a path.
    """
    target = report_target(output)
    with ExitStack() as stack:
        # All archives are unpacked before the first check, so that a broken one is refused at once.
        submissions = [_submission(path, stack) for path in paths]
        audits = [(_audit(submission, jobs), _lines(submission)) for submission in submissions]
        report = _rendered(audits, style)
    write_report(report, target)


def _submission(given: str, stack: ExitStack) -> Submission:
    """The submission at a path or URL; an archive is unpacked into a folder that the stack removes."""
    from cvlint.workspace.snapshots.git_checkout import SCHEME, folder_of_url, is_bare, unpack_commit

    path = existing_path(str(folder_of_url(given)) if given.startswith(SCHEME) else given, VALID)
    whole = Path(os.path.abspath(path))
    if given.startswith(SCHEME) or (path.is_dir() and is_bare(path)):
        return _unpacked(given, "repository", partial(unpack_commit, whole), stack)
    if path.is_dir():
        return _folder(str(path), whole)
    if path.suffix in SUFFIXES:
        return Submission(str(path), whole.parent, (whole,))
    if not path.is_file():  # opening a pipe would wait forever
        raise UsageError(f"The path '{path}' cannot be audited, because it is not a file, folder or archive")
    from cvlint.workspace.snapshots.archives import unpack

    return _unpacked(given, "archive", partial(unpack, path), stack)


def _unpacked(given: str, kind: str, unpack: Callable[[Path], tuple[UnreadFile, ...]], stack: ExitStack) -> Submission:
    from cvlint.workspace.snapshots.archives import ArchiveError

    try:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="cvlint-"))).resolve()
        # It marks the root of a project: the analysis resolves no import above it, among the reviewer's files.
        (folder / ".git").mkdir()
        left_out = unpack(folder)
    except ArchiveError as error:
        raise UsageError(f"The {kind} '{given}' cannot be audited, because {error}") from None
    except OSError as error:
        raise UsageError(f"The {kind} '{given}' cannot be unpacked: {error.strerror}") from error
    found = _folder(given, folder)
    return replace(found, left_out=(*left_out, *found.left_out))


def _folder(name: str, folder: Path) -> Submission:
    """A folder with all its code, also with files that a check leaves out because of `.gitignore`."""
    entries = list(_walk(folder))
    files = [entry for entry in entries if isinstance(entry, Path)]
    # Links come last: the check reads a file only under its first name.
    paths = tuple(sorted(files, key=lambda path: (path.is_symlink(), path)))
    return Submission(name, folder, paths, tuple(entry for entry in entries if isinstance(entry, UnreadFile)))


def _walk(folder: Path) -> Iterator[Path | UnreadFile]:
    """The code below a folder, and what is left out: foreign folders, links, and files that cannot be read."""
    failed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=failed.append):
        for name in sorted(folders):
            path = os.path.join(place, name)
            if os.path.islink(path):
                yield UnreadFile(os.path.relpath(path, folder), LINKED)
            elif name in FOREIGN or os.path.exists(os.path.join(path, "pyvenv.cfg")):
                yield UnreadFile(os.path.relpath(path, folder), NOT_OWN_CODE)
                folders.remove(name)
        folders[:] = sorted(set(folders) - HISTORY)
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.endswith(SUFFIXES):
                yield Path(path) if _is_inside(path, folder) else UnreadFile(os.path.relpath(path, folder), LEADS_OUT)
    for error in failed:
        yield UnreadFile(os.path.relpath(error.filename, folder), f"cannot be read: {error.strerror}")


def _is_inside(path: str, folder: Path) -> bool:
    """Whether a path is a regular file of the folder, or a link to one inside the folder."""
    return os.path.isfile(path) and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _audit(submission: Submission, jobs: int) -> Audit:
    """Check a submission with all rules, and record its aggregations."""
    from cvlint.audit.inventory import as_notes, audit
    from cvlint.audit.ledger import ledger
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.output.shared.relative_paths import from_folder, path_from_folder
    from cvlint.rules.catalogue import load_rules
    from cvlint.source.discovery import discover
    from cvlint.workspace.settings.check_options import CheckOptions
    from cvlint.workspace.steps.analyse import analyse_files

    rules = load_rules()
    names = frozenset(rule.name for rule in rules)
    options = CheckOptions(rules=names, confidence="low", jobs=jobs, inventory=True, fates=True)
    with ProgressBar() as progress:
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


def _lines(submission: Submission) -> SourceLines:
    """The source lines of locations whose paths start from the root of a submission."""
    from cvlint.workspace.source_lines import source_lines

    lines = source_lines(None)
    return lambda location: lines(replace(location, path=str(submission.folder / location.path)))


def _rendered(audits: Sequence[tuple[Audit, SourceLines]], style: str) -> str:
    from cvlint.output.audit.html import render_html
    from cvlint.output.audit.markdown import render_markdown

    if style == "html":
        return render_html(audits)
    return "\n".join(render_markdown(audit, lines) for audit, lines in audits)
