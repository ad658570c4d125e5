"""The step of ``cvlint check --since``, which hides the findings that an earlier commit has as well.

The commit is laid out in a temporary folder, from the objects of the repository and without its filters and hooks.
There the same steps check it: with the settings of today, and with the comments of then. So a finding is new if a
comment suppressed it then and none does now; it is not new if a rule or an option of today finds it in both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from cvlint.findings.baseline import Baseline, baseline_of, hide, merged_baseline, subtracted
from cvlint.findings.finding import Report, with_suppressed, without_suppressed
from cvlint.findings.fingerprint import repository
from cvlint.source.discovery import Anchored, pattern_base
from cvlint.source.project import ROOT_MARKERS
from cvlint.usage_error import UsageError
from cvlint.workspace.pipeline import Step, run_steps
from cvlint.workspace.snapshots.archives import IRREGULAR, ArchiveError, Limits, is_wanted
from cvlint.workspace.snapshots.git_checkout import branches_and_tags, commit_of, is_shallow, unpack_commit
from cvlint.workspace.steps.analyse import ShowProgress, merged
from cvlint.workspace.steps.find import finding_steps
from cvlint.workspace.workspace import CheckGroup, Workspace

Tell = Callable[[str], None]
"""Shows a sentence to the user."""
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
        raise UsageError(problem, "where there is no history, --baseline hides what is known")
    for path, place in zip(paths, places, strict=False):
        if not place.is_relative_to(root):
            raise UsageError(
                f"The path '{path}' is not in the git repository '{root}', of which --since names a commit"
            )
    try:
        commit = commit_of(root, name)
    except ArchiveError as error:
        raise UsageError(f"The option --since cannot be used, because {error}") from None
    if commit is None:
        raise _unknown(name, root)
    return Commit(root, commit, name)


def _unknown(name: str, root: Path) -> UsageError:
    problem = f"The git repository '{root}' has no commit '{name}'"
    if is_shallow(root):
        problem += ", and holds only the last part of its history (`git fetch --unshallow` brings the rest)"
    valid = "valid is the name of a branch or tag, the hash of a commit, also in short, or HEAD"
    return UsageError(problem, valid, name, branches_and_tags(root))


def hide_past(workspace: Workspace, commit: Commit, tell: Tell, show_progress: ShowProgress = nullcontext) -> Step:
    """Make the step that hides the findings of a commit; the commit is checked only where there is something to hide.

    Of findings that are alike, as many are hidden as the commit has; those that a baseline hides count as well. Lines
    that moved do not matter; in a file that had another name, or was not in the commit, every finding is new.

    Parameters
    ----------
    workspace : Workspace
        What is checked now; its configs hold for the commit, too.
    commit : Commit
        The commit.
    tell : callable
        Called with a sentence about each file that is left out.
    show_progress : callable, optional
        As for `analyse`.
    """
    cached: list[Baseline] = []

    def step(report: Report) -> Report:
        active = without_suppressed(report)
        if not active.findings:
            return report
        if not cached:
            cached.append(_findings_of(workspace, commit, tell, show_progress))
        known = merged_baseline(
            entry for group in workspace.groups if group.known for entry in group.known.findings.items()
        )
        # Not the place of a link, as in a baseline: links are not laid out, but what they lead to is.
        new, _ = hide(active, subtracted(cached[0], known), os.path.realpath)
        count = len(active.findings) - len(new.findings)
        return with_suppressed(replace(active, findings=new.findings, in_commit=count), report)

    return step


def _findings_of(workspace: Workspace, commit: Commit, tell: Tell, show_progress: ShowProgress) -> Baseline:
    """The findings of the commit, at the places where the files would be now."""
    root = commit.root
    with ExitStack() as stack:
        folder = _lay_out(workspace, commit, tell, stack)
        groups = [one for one in (moved(group, root, folder) for group in workspace.groups) if one.paths]
        reports = [without_suppressed(run_steps(finding_steps(group, show_progress))) for group in groups]
        found = merged(one for report in reports for one in report.findings)
        return baseline_of(found, lambda path: os.path.join(root, os.path.relpath(os.path.realpath(path), folder)))


def _lay_out(workspace: Workspace, commit: Commit, tell: Tell, stack: ExitStack) -> Path:
    """Make a folder with the code of the commit, and with the files that show how far imports lead.

    The folder goes when the stack does.
    """
    named = {str(_inside(path, commit.root)) for path in workspace.paths}
    named = {name.replace(os.sep, "/") for name in named}

    def wanted(name: str) -> bool:
        return is_wanted(name) or name in named or name.rpartition("/")[2] in ROOT_MARKERS

    try:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="cvlint-"))).resolve()
        (folder / ".git").mkdir()  # the root of a project, so that no import is looked for above it
        unselected = unpack_commit(commit.root, folder, LIMITS, commit.hash, wanted)
    except ArchiveError as error:
        raise UsageError(f"The commit '{commit.name}' cannot be read, because {error}") from None
    except OSError as error:
        raise UsageError(f"The commit '{commit.name}' cannot be laid out: {error.strerror}") from error
    for one in unselected:
        if one.message != IRREGULAR and is_wanted(one.path):
            where = f"in the commit '{commit.name}' it {one.message}"
            tell(f"{one.path}: What is found here counts as new, because {where}.")
    return folder


def moved(group: CheckGroup, root: Path, folder: Path) -> CheckGroup:
    """A group of a check in a copy of a repository, without the paths that the copy does not have.

    Patterns that count from above the repository are left out, because they name nothing in the copy.
    """
    anchored = dict.fromkeys(one for pattern in group.options.exclude for one in _anchored(pattern, group.paths))
    exclude = tuple(
        Anchored(str(folder / _inside(one.folder, root)), one.pattern)
        for one in anchored
        if Path(one.folder).is_relative_to(root)
    )
    places = (folder / _inside(path, root) for path in group.paths)
    return replace(
        group,
        paths=tuple(place for place in places if place.exists()),
        options=replace(group.options, exclude=exclude),
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
