"""The files that switch cvlint on: their texts, and which of them a repository lacks."""

from __future__ import annotations

import json
from importlib import metadata, resources
from pathlib import Path

from cvlint import __version__
from cvlint.cli.init.repository import HOOKS, PIPELINE, WORKFLOW, RepositoryFacts, Service, holds_cvlint
from cvlint.records import dataclass

CONFIG = "cvlint.toml"
BASELINE = ".cvlint-baseline.json"
TAG = f"v{__version__}"
LOCAL_HOOK = """\
repos:
  - repo: local
    hooks:
      - id: cvlint
        name: cvlint
        entry: cvlint check --force-exclude
        language: system # the cvlint that is installed where you commit
        types_or: [python, jupyter]
        require_serial: true
"""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where hooks and CI get cvlint: a repository and a revision of it.

    The package index is no such place: the name cvlint there belongs to somebody else.
    """

    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A file to write, or a reason not to."""

    path: str
    text: str
    about: str
    """What the file is for, after its name."""
    problem: str = ""
    """Why the file is not written: there is one already."""
    is_done: bool = False
    """Whether the file that is there does what is wanted."""


def origin_of(repository: str | None, revision: str | None) -> Origin | None:
    """The origin that the user names, or else that of an installation by ``pip install git+URL``; else None."""
    if repository:
        return Origin(repository, revision or TAG)
    try:
        text = metadata.distribution("cvlint").read_text("direct_url.json") or "{}"
        found = json.loads(text)
    except (metadata.PackageNotFoundError, ValueError):
        return None
    commit = found.get("vcs_info", {}).get("commit_id")
    return Origin(found["url"], revision or commit) if commit else None


def config_proposal(facts: RepositoryFacts, known: str | None) -> list[Proposal]:
    """Propose a config and a baseline; ``known`` is the text of the baseline, or None for a config alone."""
    line = f'baseline = "{BASELINE}"\n'
    if facts.config is None:
        text = f"# Settings of cvlint: `cvlint config` shows them all.\n{line if known is not None else ''}"
        own = [Proposal(CONFIG, text, "settings")]
    else:
        name = facts.config.name if facts.config.parent == facts.root else str(facts.config)
        own = [Proposal(name, "", "settings", "it is there already", is_done=True)]
    if facts.baseline is not None:
        return [*own, Proposal(facts.baseline.name, "", "known findings", "it is there already", is_done=True)]
    if known is None:
        return own
    if facts.config is not None:
        problem = f"add the line {line.strip()} to {own[0].path}, and run `cvlint check --write-baseline {BASELINE}`"
        return [*own, Proposal(BASELINE, "", "known findings", problem)]
    return [*own, _unless_there(facts, BASELINE, known, "the findings of today, which are not reported again")]


def hook_proposal(facts: RepositoryFacts, origin: Origin | None) -> Proposal:
    """Propose a hook that checks before each commit."""
    text = _sample("pre-commit.yaml", origin) if origin else LOCAL_HOOK
    if facts.other_hooks and not (facts.root / HOOKS).exists():
        command = "cvlint check --force-exclude FILES"
        return Proposal(HOOKS, "", "", f"{facts.other_hooks} runs the hooks here; add the command `{command}` to it")
    return _unless_there(facts, HOOKS, text, "checks before each commit; `pre-commit install` switches it on")


def ci_proposal(facts: RepositoryFacts, service: Service, origin: Origin | None) -> Proposal:
    """Propose a job that checks each push."""
    if origin is None:
        path = PIPELINE if service == "gitlab" else WORKFLOW
        problem = "where a job gets cvlint is not known; `cvlint init --repo URL` names the repository of cvlint"
        found = _unless_there(facts, path, "", "checks each push")
        return found if found.is_done else Proposal(path, "", "checks each push", problem)
    if service == "gitlab":
        return _unless_there(facts, PIPELINE, _sample("gitlab.yml", origin), "checks each push")
    return _unless_there(facts, WORKFLOW, _sample("workflow.yml", origin), "checks each push and pull request")


def _sample(name: str, origin: Origin) -> str:
    text = resources.files("cvlint").joinpath("samples", name).read_text(encoding="utf-8")
    return text.replace("<URL>", origin.repository).replace("<REV>", origin.revision)


def _unless_there(facts: RepositoryFacts, path: str, text: str, about: str) -> Proposal:
    place = facts.root / path
    if not place.exists() and not place.is_symlink():
        return Proposal(path, text, about)
    if holds_cvlint(place) or path == BASELINE:
        return Proposal(path, "", about, "it is there already", is_done=True)
    return Proposal(path, text, about, "it is there already and is never changed; add these lines to it")


def write_all(root: Path, proposals: list[Proposal]) -> None:
    """Write files that are not there; if one cannot be written, none stays.

    Raises
    ------
    OSError
        If a file cannot be written, or exists meanwhile.
    """
    written: list[Path] = []
    try:
        for proposal in proposals:
            place = root / proposal.path
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8", newline="\n") as file:
                written.append(place)
                file.write(proposal.text)
    except OSError:
        for place in written:
            place.unlink(missing_ok=True)
        raise
