"""Look at a repository: its code, the config, hooks and continuous integration that it has already."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file
from cvlint.records import dataclass
from cvlint.source.discovery import discover
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.nearest_config import find_config

HOOKS = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/cvlint.yml"
PIPELINE = ".gitlab-ci.yml"
OTHER_HOOKS = (".husky", "lefthook.yml", ".lefthook.yml", ".overcommit.yml")
"""Files and folders of other programs that run hooks."""

Service = Literal["github", "gitlab"]


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """What a repository holds before cvlint is switched on."""

    root: Path
    scripts: int
    notebooks: int
    config: Path | None
    """The config file of cvlint that counts here."""
    baseline: Path | None
    """The baseline that this config names."""
    other_hooks: str
    """A file of another program that runs hooks; empty if there is none."""
    service: Service | None
    """The service that seems to check the repository."""


def look(folder: Path) -> RepositoryFacts:
    """Look at a repository; its config is read, and none of its code.

    Parameters
    ----------
    folder : Path
        The working directory.

    Raises
    ------
    UsageError
        If the folder is not the root of a git repository, cannot be written, or holds a config that cannot be used.
    """
    root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    if root is None:
        raise UsageError(f"The folder '{folder}' is in no git repository", "run `git init` there first, or go to one")
    if root != folder:
        raise UsageError(f"The folder '{folder}' is not the root of its repository", f"run the command in '{root}'")
    if not os.access(root, os.W_OK):
        raise UsageError(f"Nothing can be written to the folder '{root}', which is read-only")
    config = find_config(folder)
    code = [entry for entry in discover((Path(),), ()) if isinstance(entry, Path)]
    notebooks = sum(path.suffix == ".ipynb" for path in code)
    return RepositoryFacts(
        root,
        len(code) - notebooks,
        notebooks,
        config.files[0] if config.files else None,
        config.baseline,
        next((name for name in OTHER_HOOKS if (root / name).exists()), ""),
        _service(root),
    )


def _service(root: Path) -> Service | None:
    """The service of a repository: by its files, or else by the address in the settings of git."""
    if (root / ".github").is_dir():
        return "github"
    if (root / PIPELINE).is_file():
        return "gitlab"
    try:
        settings = read_regular_file(root / ".git" / "config", MOST_SETTINGS).decode("utf-8", "replace").lower()
    except OSError:  # a work tree, whose settings are elsewhere
        return None
    for service in ("github", "gitlab"):
        if service in settings:
            return "github" if service == "github" else "gitlab"
    return None


def holds_cvlint(path: Path) -> bool:
    """Tell whether a file of settings names cvlint already."""
    try:
        return b"cvlint" in read_regular_file(path, MOST_SETTINGS)
    except OSError:
        return False
