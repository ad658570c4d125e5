"""Look at a repository: its code, the config, hooks and continuous integration that it has already."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from cvlint.filesystem.regular_file import MOST_SETTINGS, read_regular_file
from cvlint.records import dataclass
from cvlint.source.discovery import discover
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.config_file import read_toml
from cvlint.workspace.settings.nearest_config import find_config
from cvlint.workspace.snapshots.archives import ArchiveError
from cvlint.workspace.snapshots.git_checkout import main_branch

HOOKS = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/cvlint.yml"
PIPELINE = ".gitlab-ci.yml"
LEFTHOOK = tuple(f"{dot}lefthook.{kind}" for dot in ("", ".") for kind in ("yml", "yaml", "toml", "json"))
OTHER_HOOKS = (".husky", *LEFTHOOK, ".overcommit.yml", ".git/hooks/pre-commit")
"""Files and folders of other programs that run hooks."""
OTHER_CI = (".circleci", ".travis.yml", "Jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml")
"""Files and folders of other services that check pushes."""

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
    """The service that the repository seems to be on."""
    has_jobs: bool
    """Whether that service checks pushes already."""
    checking_job: str
    """The file of a job that runs cvlint already; empty if there is none."""
    other_ci: str
    """A file of another service that checks pushes; empty if there is none."""
    branch: str
    """The branch whose pushes are checked."""


def look(folder: Path) -> RepositoryFacts:
    """Look at a repository; its config is read, and none of its code.

    Parameters
    ----------
    folder : Path
        The working directory.

    Raises
    ------
    UsageError
        If the folder is not the root of a git repository, cannot be written, or holds a config or a
        ``pyproject.toml`` that cannot be used.
    """
    root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    if root is None:
        raise UsageError(f"The folder '{folder}' is in no git repository", "run `git init` there first, or go to one")
    if root != folder:
        raise UsageError(f"The folder '{folder}' is not the root of its repository", f"run the command in '{root}'")
    if not os.access(root, os.W_OK):
        raise UsageError(f"Nothing can be written to the folder '{root}', which is read-only")
    config = find_config(folder)
    if (root / "pyproject.toml").exists():
        read_toml(root / "pyproject.toml")  # one that does not mention cvlint is read nowhere else
    code = [entry for entry in discover((Path(),), ()) if isinstance(entry, Path)]
    notebooks = sum(path.suffix == ".ipynb" for path in code)
    jobs = _jobs(root)
    return RepositoryFacts(
        root,
        len(code) - notebooks,
        notebooks,
        config.files[0] if config.files else None,
        config.baseline,
        _other_hooks(root),
        _service(root),
        has_jobs=bool(jobs),
        checking_job=next((path.relative_to(root).as_posix() for path in jobs if holds_cvlint(path)), ""),
        other_ci=next((name for name in OTHER_CI if (root / name).exists()), ""),
        branch=_branch(root),
    )


def _jobs(root: Path) -> list[Path]:
    """The files of jobs on GitHub and GitLab."""
    folder = root / ".github" / "workflows"
    workflows = sorted(path for path in folder.glob("*.y*ml") if path.is_file())
    return [*workflows, *(path for path in (root / PIPELINE,) if path.is_file())]


def _service(root: Path) -> Service | None:
    """The service of a repository: by its files, or else by the address in the settings of git."""
    jobs = _jobs(root)
    if jobs:
        return "gitlab" if jobs[0].name == PIPELINE else "github"
    if (root / ".github").is_dir():
        return "github"
    settings = _git_settings(root).lower()
    return "github" if "github" in settings else "gitlab" if "gitlab" in settings else None


def _other_hooks(root: Path) -> str:
    """A file or folder of another program that runs hooks, or of git's own setting; empty if there is none."""
    found = next((name for name in OTHER_HOOKS if (root / name).exists()), "")
    named = re.search(r"^\s*hookspath\s*=\s*(\S.*)$", _git_settings(root), re.MULTILINE | re.IGNORECASE)
    return found or (f"git's setting core.hooksPath ({named[1].strip()})" if named else "")


def _git_settings(root: Path) -> str:
    """The settings of git for this repository; empty for a work tree, whose settings are elsewhere."""
    try:
        return read_regular_file(root / ".git" / "config", MOST_SETTINGS).decode("utf-8", "replace")
    except OSError:
        return ""


def _branch(root: Path) -> str:
    """The main branch of the repository; ``main`` if git does not tell."""
    try:
        found = main_branch(root)
    except ArchiveError:  # git is not installed
        found = None
    return found if found and re.fullmatch(r"[\w./-]+", found) else "main"


def holds_cvlint(path: Path) -> bool:
    """Tell whether a file of settings names cvlint already."""
    try:
        return b"cvlint" in read_regular_file(path, MOST_SETTINGS)
    except OSError:
        return False
