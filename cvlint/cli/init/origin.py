"""Where hooks and jobs get cvlint: the address of a repository, and a revision that nobody can move if it is known."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

from cvlint import __version__
from cvlint.records import dataclass
from cvlint.usage_error import UsageError

TAG = f"v{__version__}"


@dataclass(frozen=True, slots=True)
class Origin:
    """A repository of cvlint and a revision of it.

    The package index is no such place: the name cvlint there belongs to somebody else.
    """

    repository: str
    revision: str
    comment: str = ""
    """What a file says after the revision: the tag of a hash."""
    note: str = ""
    """What the user should know about the revision, as a sentence."""


def origin_of(repository: str | None, revision: str | None) -> Origin | None:
    """The origin that the user names, or else that of an installation by ``pip install git+URL``; else None.

    The commit of this version is known for a copy on disk, and for the repository that this cvlint was installed from.
    A copy without the tag is used at its last commit. Elsewhere the tag is named, with a note.

    Raises
    ------
    UsageError
        If a folder is not a repository.
    """
    if repository is None:
        installed = installed_from()
        return Origin(installed.repository, revision or installed.revision) if installed else None
    if revision:
        return Origin(repository, revision)
    from cvlint.workspace.snapshots.archives import ArchiveError
    from cvlint.workspace.snapshots.git_checkout import SCHEME, folder_of_url, release_commit

    place = folder_of_url(repository) if repository.startswith(SCHEME) else Path(repository)
    if not place.is_dir():
        installed = installed_from()
        if installed and installed.repository == repository:
            return installed
        note = f"The tag {TAG} can be moved; `git ls-remote {repository} {TAG}` prints its hash, which cannot."
        return Origin(repository, TAG, note=note)
    try:
        found, is_tagged = release_commit(place, TAG)
    except ArchiveError as error:
        problem = f"No revision of '{repository}' can be named, because {error}"
        raise UsageError(problem, "name one with --rev") from None
    if is_tagged:
        return Origin(repository, found, f" # {TAG}")
    return Origin(repository, found, note=f"{repository} has no tag {TAG}, so its last commit {found} is named.")


def installed_from() -> Origin | None:
    """The repository and the commit from which this cvlint was installed; None if it was not installed from git."""
    try:
        found = json.loads(metadata.distribution("cvlint").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return None
    commit = found.get("vcs_info", {}).get("commit_id")
    return Origin(found["url"], commit) if commit else None


def filled(text: str, origin: Origin) -> str:
    """A file of settings with the repository and the revision in it."""
    text = text.replace("<REV>\n", f"<REV>{origin.comment}\n")  # not within a command, where it would be a part of that
    return text.replace("<URL>", origin.repository).replace("<REV>", origin.revision)
