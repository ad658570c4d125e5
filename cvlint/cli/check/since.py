"""``cvlint check --since``: what an earlier commit had, too, is not reported.

The commit is laid out in a temporary folder, from the objects of the repository and by none of its settings, and is
checked there as the files are checked now: by the settings of today, with the comments of then. So a finding that a
comment suppressed then, and that none does now, is new, and one that a rule or an option of today finds in both is not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cvlint.findings.baseline import Baseline, baseline_of, hide, merged_baseline, subtracted
from cvlint.findings.finding import Report, without_suppressed
from cvlint.findings.fingerprint import repository
from cvlint.output.shared.locations import printable
from cvlint.source.discovery import Anchored, pattern_base
from cvlint.source.project import ROOT_MARKERS
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import Refusal
from cvlint.workspace.archives import IRREGULAR, ArchiveError, Limits, is_wanted
from cvlint.workspace.check import merged
from cvlint.workspace.config_groups import Part
from cvlint.workspace.git_checkout import branches_and_tags, commit_of, is_shallow, unpack_commit

LIMITS = Limits(entries=10_000_000, files=1_000_000, total=50_000_000_000)
"""The repository is the user's own, as the files are that are checked: it may be far larger than a stranger's."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: the real folder of its repository, its hash, and the word that named it."""

    root: Path
    hash: str
    name: str


def named_commit(name: str, paths: Sequence[Path]) -> Commit:
    """Find a commit in the git repository around the first path, or around the working directory if there is none.

    Refuses a word that names no commit, and paths that are not in the repository.
    """
    places = [Path(os.path.realpath(path)) for path in paths] or [Path(os.path.realpath(os.curdir))]
    root = repository(places[0])
    if root is None:
        problem = f"The option --since needs a git repository, and '{paths[0] if paths else places[0]}' is in none"
        raise Refusal(problem, "where there is no history, --baseline hides what is known")
    for path, place in zip(paths, places, strict=False):
        if not place.is_relative_to(root):
            raise Refusal(f"The path '{path}' is not in the git repository '{root}', of which --since names a commit")
    try:
        commit = commit_of(root, name)
    except ArchiveError as error:
        raise Refusal(f"The option --since cannot be used, because {error}") from None
    if commit is None:
        raise _unknown(name, root)
    return Commit(root, commit, name)


def _unknown(name: str, root: Path) -> Refusal:
    problem = f"The git repository '{root}' has no commit '{name}'"
    if is_shallow(root):
        problem += ", and holds only the last part of its history (`git fetch --unshallow` brings the rest)"
    valid = "valid is the name of a branch or tag, the hash of a commit, also in short, or HEAD"
    return Refusal(problem, valid, name, branches_and_tags(root))


class Past:
    """The findings of a commit: looked for once, and only where there are findings to compare with them.

    Parameters
    ----------
    commit : Commit
        The commit.
    parts : sequence of Part
        What is checked now.
    look : callable
        Checks a part, and marks what comments suppress.
    """

    def __init__(self, commit: Commit, parts: Sequence[Part], look: Callable[[Part], Report]) -> None:
        self._commit = commit
        self._parts = parts
        self._look = look

    def hidden(self, report: Report) -> Report:
        """Take the findings of the commit out of a report, from which known ones were taken before.

        Of findings that are alike, as many are hidden as the commit has; those that a baseline hides count as well.
        Lines that moved do not matter; in a file that had another name, or was none of the commit's, all is new.
        """
        if not report.findings:
            return report
        known = merged_baseline(entry for part in self._parts if part.known for entry in part.known.findings.items())
        # Not the place of a link, as in a baseline: links are not laid out, but what they lead to is.
        new, _ = hide(report, subtracted(self.findings, known), os.path.realpath)
        return replace(report, findings=new.findings, in_commit=len(report.findings) - len(new.findings))

    @cached_property
    def findings(self) -> Baseline:
        """The findings of the commit, at the places where the files would be now."""
        root = self._commit.root
        with ExitStack() as stack:
            folder = self._laid_out(stack)
            old = [part for part in (moved(part, root, folder) for part in self._parts) if part.paths]
            found = merged(one for part in old for one in without_suppressed(self._look(part)).findings)
            return baseline_of(found, lambda path: os.path.join(root, os.path.relpath(os.path.realpath(path), folder)))

    def _laid_out(self, stack: ExitStack) -> Path:
        """A folder, which goes when the stack does, with the code of the commit and what tells how far imports lead."""
        commit = self._commit
        named = {str(_inside(path, commit.root)) for part in self._parts for path in part.paths}
        named = {name.replace(os.sep, "/") for name in named}

        def wanted(name: str) -> bool:
            return is_wanted(name) or name in named or name.rpartition("/")[2] in ROOT_MARKERS

        try:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="cvlint-"))).resolve()
            (folder / ".git").mkdir()  # the root of a project, so that no import is looked for above it
            left_out = unpack_commit(commit.root, folder, LIMITS, commit.hash, wanted)
        except ArchiveError as error:
            raise Refusal(f"The commit '{commit.name}' cannot be read, because {error}") from None
        except OSError as error:
            raise Refusal(f"The commit '{commit.name}' cannot be laid out: {error.strerror}") from error
        for one in left_out:
            self._tell(one)
        return folder

    def _tell(self, left_out: UnreadFile) -> None:
        if left_out.message == IRREGULAR or not is_wanted(left_out.path):
            return
        where = f"in the commit '{self._commit.name}' it {left_out.message}"
        click.echo(printable(f"{left_out.path}: What is found here counts as new, because {where}."), err=True)


def moved(part: Part, root: Path, folder: Path) -> Part:
    """A part of a check as it is in a copy of a repository, without the paths that the copy does not have.

    Patterns that count from above the repository are left out, for they name nothing in the copy.
    """
    anchored = dict.fromkeys(one for pattern in part.options.exclude for one in _anchored(pattern, part.paths))
    exclude = tuple(
        Anchored(str(folder / _inside(one.folder, root)), one.pattern)
        for one in anchored
        if Path(one.folder).is_relative_to(root)
    )
    places = (folder / _inside(path, root) for path in part.paths)
    return replace(
        part,
        paths=tuple(place for place in places if place.exists()),
        options=replace(part.options, exclude=exclude),
    )


def _anchored(pattern: str | Anchored, paths: Sequence[Path]) -> Iterator[Anchored]:
    """A pattern with the folder that it counts from in each path."""
    match pattern:
        case Anchored():
            yield pattern
        case str():
            yield from (Anchored(pattern_base(os.path.realpath(path)), pattern) for path in paths)


def _inside(path: str | Path, root: Path) -> Path:
    """The path of a file or folder of a repository from its root."""
    return Path(os.path.realpath(path)).relative_to(root)
