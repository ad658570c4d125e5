"""The files that switch cvlint on: their texts, and which of them a repository lacks."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from cvlint.cli.init.origin import Origin, filled
from cvlint.cli.init.repository import HOOKS, PIPELINE, WORKFLOW, RepositoryFacts, Service, holds_cvlint
from cvlint.output.shared.summary import counted
from cvlint.records import dataclass

CONFIG = "cvlint.toml"
BASELINE = ".cvlint-baseline.json"
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


def config_proposal(facts: RepositoryFacts, known: str | None, findings: int) -> list[Proposal]:
    """Propose a config and a baseline; ``known`` is the text of the baseline, or None for a config alone."""
    line = f'baseline = "{BASELINE}"'
    if facts.config is None:
        text = f"# Settings of cvlint: `cvlint config` shows them all.\n{line if known is not None else ''}"
        own = [Proposal(CONFIG, f"{text.rstrip()}\n", "settings")]
    else:
        name = facts.config.name if facts.config.parent == facts.root else str(facts.config)
        own = [Proposal(name, "", "settings", "it is there already", is_done=True)]
    if facts.baseline is not None:
        return [*own, Proposal(facts.baseline.name, "", "known findings", "it is there already", is_done=True)]
    if known is None:
        return own
    about = f"{counted(findings, 'finding')} of today" if findings else "no finding today"
    if facts.config is None:
        return [*own, _unless_there(facts, BASELINE, known, f"{about}; only new ones are reported from now on")]
    table = "[tool.cvlint] of " if facts.config.name == "pyproject.toml" else ""
    left = f"add the line `{line}` to {table}{own[0].path}"
    if facts.config.parent != facts.root:  # there the line would name another folder
        problem = f"{facts.config} is outside of this repository; {left}, and write the file beside it"
        return [*own, Proposal(BASELINE, "", about, problem)]
    if (facts.root / BASELINE).exists():
        return [*own, Proposal(BASELINE, "", about, f"it is there already; {left}")]
    return [*own, Proposal(BASELINE, known, f"{about}; {left}, and only new ones are reported")]


def hook_proposal(facts: RepositoryFacts, origin: Origin | None) -> Proposal:
    """Propose a hook that checks before each commit."""
    text = _sample("pre-commit.yaml", origin) if origin else LOCAL_HOOK
    if facts.other_hooks and not (facts.root / HOOKS).exists():
        command = "cvlint check --force-exclude FILES"
        return Proposal(HOOKS, "", "", f"{facts.other_hooks} runs the hooks here; add the command `{command}` to it")
    return _unless_there(facts, HOOKS, text, "checks before each commit; `pre-commit install` switches it on")


def ci_proposal(facts: RepositoryFacts, service: Service, origin: Origin | None) -> Proposal:
    """Propose a job that checks each push."""
    path = PIPELINE if service == "gitlab" else WORKFLOW
    if facts.checking_job:
        return Proposal(facts.checking_job, "", "checks each push", "it runs cvlint already", is_done=True)
    if origin is None:
        problem = "where a job gets cvlint is not known; `cvlint init --repo URL` names the repository of cvlint"
        return Proposal(path, "", "checks each push", problem)
    if service == "gitlab":
        return _unless_there(facts, PIPELINE, _sample("gitlab.yml", origin), "checks each push")
    branch = facts.branch if facts.branch in ("main", "master") else json.dumps(facts.branch)
    text = _sample("workflow.yml", origin).replace("branches: [main]", f"branches: [{branch}]")
    return _unless_there(facts, WORKFLOW, text, f"checks each pull request and push to {facts.branch}")


def no_ci_proposal(facts: RepositoryFacts) -> Proposal:
    """Say why no job is proposed: nothing checks pushes here, or another service does."""
    if facts.other_ci:
        return Proposal("CI", "", "", f"{facts.other_ci} checks pushes here; add the command `cvlint check` to it")
    kind = facts.service or "github|gitlab"
    problem = f"no job checks pushes here yet; `cvlint sample {kind} --repo URL` prints one"
    return Proposal("CI", "", "", problem, is_done=True)


def _sample(name: str, origin: Origin) -> str:
    return filled(resources.files("cvlint").joinpath("samples", name).read_text(encoding="utf-8"), origin)


def _unless_there(facts: RepositoryFacts, path: str, text: str, about: str) -> Proposal:
    place = facts.root / path
    if not place.exists() and not place.is_symlink():
        return Proposal(path, text, about)
    if holds_cvlint(place) or path == BASELINE:
        return Proposal(path, "", about, "it is there already", is_done=True)
    if path != HOOKS:
        return Proposal(path, text, about, "it is there already and is never changed; add these lines to it")
    lines = text.removeprefix("repos:\n")
    return Proposal(path, lines, about, "it is there already and is never changed; add these lines below `repos:`")


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
