"""The step of ``cvlint check --since``: it hides the findings that an earlier commit has as well.

It copies the commit into a temporary folder and runs the same steps there, with the settings of today and the comments
of the commit. It analyses there only what can differ: changed files, and files that import them or that they import. So
a finding is new if a comment suppressed it in the commit and none suppresses it today; it is not new if a rule that was
added since finds it in both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from cvlint.filesystem.temporary_folders import temporary_folder
from cvlint.findings.baseline import Baseline, baseline_of, hide, merged_baseline, subtracted
from cvlint.findings.finding import Report, with_suppressed, without_suppressed
from cvlint.records import dataclass, replace
from cvlint.source.discovery import Anchored, discover, pattern_base
from cvlint.source.project import ROOT_MARKERS, repository
from cvlint.usage_error import UsageError
from cvlint.workspace.snapshots.archives import IRREGULAR, ArchiveError, Limits, is_code
from cvlint.workspace.snapshots.git_checkout import branches_and_tags, commit_of, is_shallow, unpack_commit
from cvlint.workspace.steps.analyse import Progress, merged
from cvlint.workspace.steps.changes import Changes
from cvlint.workspace.steps.find import group_steps
from cvlint.workspace.steps.pipeline import Step, run_steps
from cvlint.workspace.workspace import CheckGroup, Workspace

Warn = Callable[[str], None]
"""Shows a sentence to the user."""
LIMITS = Limits(members=10_000_000, files=1_000_000, total_bytes=50_000_000_000)
"""Higher limits than for an archive that nobody trusts, because the repository belongs to the user."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: the real folder of its repository, its hash, and the word by which the user names it."""

    root: Path
    hash: str
    name: str


def named_commit(name: str, paths: Sequence[Path]) -> Commit:
    """Find a commit in the git repository of the first path, or of the working directory if there are no paths.

    Raises
    ------
    UsageError
        If the word names no commit, or if a path is not in the repository.
    """
    places = [Path(os.path.realpath(path)) for path in paths] or [Path(os.path.realpath(os.curdir))]
    root = repository(places[0])
    if root is None:
        problem = f"The option --since needs a git repository, and '{paths[0] if paths else places[0]}' is in none"
        raise UsageError(problem, "without a history, --baseline can hide known findings")
    for path, place in zip(paths, places, strict=False):
        if not place.is_relative_to(root):
            raise UsageError(
                f"The path '{path}' is not in the git repository '{root}', in which --since names a commit"
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
        problem += ", and it holds only the last part of its history (`git fetch --unshallow` fetches the rest)"
    valid = "valid is the name of a branch or tag, the full or short hash of a commit, or HEAD"
    return UsageError(problem, valid, name, branches_and_tags(root))


def hide_commit(workspace: Workspace, commit: Commit, warn: Warn, progress: Progress | None = None) -> Step:
    """Make the step that hides the findings of a commit; it checks the commit only if there is a finding to hide.

    It hides at most as many equal findings as the commit has, and those that a baseline hides count as well. A finding
    may move to other lines. In a file that the commit does not have under this name, every finding is new.

    Parameters
    ----------
    workspace : Workspace
        The workspace of the check; its configs apply to the commit, too.
    commit : Commit
        The commit.
    warn : callable
        Called with a sentence about each file of the commit that cannot be checked.
    progress : callable, optional
        Called with the number of files that are done, and the number of all files.
    """
    cached: dict[frozenset[str], Baseline] = {}

    def step(report: Report) -> Report:
        active = without_suppressed(report)
        if not active.findings:
            return report
        with ExitStack() as stack:
            folder = _copy_commit(workspace, commit, warn, stack)
            files = [file for group in workspace.groups for file in group.files]
            changes = Changes(commit.root, folder, [*files, *_code_below(commit.root)])
            to_check = {path: changes.to_check(path) for path in {one.location.path for one in active.findings}}
            wanted = frozenset().union(*to_check.values())
            if not any(wanted <= done for done in cached):
                cached[wanted] = _commit_findings(workspace, commit, folder, wanted, progress)
        of_commit = next(found for done, found in cached.items() if wanted <= done)
        baselines = [group.baseline.entries for group in workspace.groups if group.baseline is not None]
        known = merged_baseline(entry for entries in baselines for entry in entries.items())
        comparable = tuple(one for one in active.findings if to_check[one.location.path])
        # Real paths, unlike in a baseline: the copy of the commit has no links, only their targets.
        new, _ = hide(replace(active, findings=comparable), subtracted(of_commit, known), os.path.realpath)
        count = len(active.findings) - len(new.findings)
        return with_suppressed(replace(active, findings=new.findings, in_commit=count), report)

    return step


def _code_below(folder: Path) -> Iterator[Path]:
    return (path for path in discover((folder,)) if isinstance(path, Path))


def _commit_findings(
    workspace: Workspace, commit: Commit, folder: Path, wanted: frozenset[str], progress: Progress | None
) -> Baseline:
    """The findings of some files of the commit, which a folder holds, at the paths of today's files."""
    root = commit.root
    only = frozenset(str(folder / name) for name in wanted)
    groups = [replace(group_in_copy(group, root, folder), only=only) for group in workspace.groups if wanted]
    reports = [without_suppressed(run_steps(group_steps(group, progress))) for group in groups if group.paths]
    findings = merged(one for report in reports for one in report.findings)
    return baseline_of(findings, lambda path: os.path.join(root, os.path.relpath(os.path.realpath(path), folder)))


def _copy_commit(workspace: Workspace, commit: Commit, warn: Warn, stack: ExitStack) -> Path:
    """Make a folder with the code of the commit, and with the files that mark the root of a project.

    The stack removes the folder.
    """
    named_files = {str(_path_from_root(path, commit.root)).replace(os.sep, "/") for path in workspace.paths}

    def is_wanted(name: str) -> bool:
        return is_code(name) or name in named_files or name.rpartition("/")[2] in ROOT_MARKERS

    try:
        folder = stack.enter_context(temporary_folder())
        (folder / ".git").mkdir()  # marks the root of a project: the analysis resolves no import above it
        left_out = unpack_commit(commit.root, folder, LIMITS, commit.hash, is_wanted)
    except ArchiveError as error:
        raise UsageError(f"The commit '{commit.name}' cannot be read, because {error}") from None
    except OSError as error:
        raise UsageError(
            f"The commit '{commit.name}' cannot be copied to a temporary folder: {error.strerror}"
        ) from error
    for file in left_out:
        if file.message != IRREGULAR and is_code(file.path):
            reason = f"in the commit '{commit.name}' it {file.message}"
            warn(f"{file.path}: Every finding here counts as new, because {reason}.")
    return folder


def group_in_copy(group: CheckGroup, root: Path, folder: Path) -> CheckGroup:
    """The group with the paths of a repository replaced by those of a copy; paths that the copy lacks are left out.

    Patterns that start from a folder above the repository are left out as well, because they match nothing in the copy.
    """
    anchored = dict.fromkeys(one for pattern in group.options.exclude for one in _anchored(pattern, group.paths))
    exclude = tuple(
        Anchored(str(folder / _path_from_root(one.folder, root)), one.pattern)
        for one in anchored
        if Path(one.folder).is_relative_to(root)
    )
    copies = (folder / _path_from_root(path, root) for path in group.paths)
    return replace(
        group,
        paths=tuple(path for path in copies if path.exists()),
        options=replace(group.options, exclude=exclude),
        cache=None,  # the copy lies in a new folder each time
    )


def _anchored(pattern: str | Anchored, paths: Sequence[Path]) -> Iterator[Anchored]:
    """A pattern with the folder from which it starts, for each path."""
    match pattern:
        case Anchored():
            yield pattern
        case str():
            yield from (Anchored(pattern_base(os.path.realpath(path)), pattern) for path in paths)


def _path_from_root(path: str | Path, root: Path) -> Path:
    """The path of a file or folder from the root of its repository."""
    return Path(os.path.realpath(path)).relative_to(root)
