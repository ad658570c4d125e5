"""``cvlint sample``: the files that make pre-commit, GitHub and GitLab run cvlint."""

from __future__ import annotations

import re
from importlib import resources

import click

from cvlint import __version__
from cvlint.cli.terminal import write
from cvlint.refusal import Refusal

SAMPLES = {"pre-commit": "pre-commit.yaml", "github": "github.yml", "gitlab": "gitlab.yml"}


@click.command("sample")
@click.argument("kind", metavar="|".join(SAMPLES))
@click.option("--repo", metavar="URL", required=True, help="Where your copy of cvlint's repository lies.")
@click.option("--rev", metavar="NAME", default=f"v{__version__}", help=f"Tag or commit; default: v{__version__}.")
@click.help_option("-h", "--help")
def command(kind: str, repo: str, rev: str) -> None:
    """Print the file that makes pre-commit, GitHub or GitLab run cvlint.

    It belongs into .pre-commit-config.yaml, .github/workflows/cvlint.yml or .gitlab-ci.yml. Where there is such a file
    for pre-commit or GitLab already, add what is printed to it.
    """
    if kind not in SAMPLES:
        raise Refusal(f"There is no sample '{kind}'", f"valid are {', '.join(SAMPLES)}", kind, SAMPLES)
    for option, value in (("--repo", repo), ("--rev", rev)):
        if not re.fullmatch(r"[\w.~:/@+-]+", value):
            raise Refusal(
                f"The option {option} cannot be '{value}'", "valid are letters, digits and any of . ~ : / @ + -"
            )
    text = resources.files("cvlint").joinpath("samples", SAMPLES[kind]).read_text(encoding="utf-8")
    if "<ACTION>" in text:
        text = text.replace("<ACTION>", action_of(repo))
    write(text.replace("<URL>", repo).replace("<REV>", rev))


def action_of(repo: str) -> str:
    """The name by which GitHub knows an action: OWNER/REPOSITORY of its address there.

    Raises
    ------
    Refusal
        If the repository is not on GitHub.
    """
    found = re.fullmatch(r"(?:https://github\.com/|git@github\.com:)?([\w.-]+/[\w.-]+?)(?:\.git)?/?", repo)
    if found is None:
        raise Refusal(
            f"The action cannot be used from '{repo}'",
            "a workflow on GitHub names a repository on GitHub, such as https://github.com/OWNER/cvlint",
        )
    return found[1]
