"""``cvlint sample``: configuration files with which pre-commit, GitHub and GitLab run cvlint."""

from __future__ import annotations

import re
from importlib import resources

import click

from cvlint import __version__
from cvlint.cli.console.terminal import write
from cvlint.usage_error import UsageError

TAG = f"v{__version__}"
SAMPLES = {"pre-commit": "pre-commit.yaml", "github": "github.yml", "gitlab": "gitlab.yml"}


@click.command("sample")
@click.argument("kind", metavar="|".join(SAMPLES))
@click.option("--repo", metavar="URL", required=True, help="The address of your copy of cvlint's repository.")
@click.option("--rev", metavar="NAME", help=f"The tag or commit to use; default: {TAG}, as a hash if it is known.")
@click.help_option("-h", "--help")
def command(kind: str, repo: str, rev: str | None) -> None:
    """Print a configuration file with which pre-commit, GitHub or GitLab runs cvlint.

    Write it to .pre-commit-config.yaml, .github/workflows/cvlint.yml or .gitlab-ci.yml. If you have such a file for
    pre-commit or GitLab already, add the printed lines to it. The command does not use the network: if a repository
    elsewhere lacks the tag of this version, name a commit with --rev.
    """
    if kind not in SAMPLES:
        raise UsageError(f"There is no sample '{kind}'", f"valid are {', '.join(SAMPLES)}", kind, SAMPLES)
    from cvlint.cli.init.origin import filled, origin_of

    for option, value in (("--repo", repo), ("--rev", rev or TAG)):
        if not re.fullmatch(r"[\w.~:/@+-]+", value):
            raise UsageError(
                f"The option {option} cannot be '{value}'", "valid are letters, digits and any of . ~ : / @ + -"
            )
    text = resources.files("cvlint").joinpath("samples", SAMPLES[kind]).read_text(encoding="utf-8")
    if "<ACTION>" in text:
        text = text.replace("<ACTION>", action_of(repo))
    origin = origin_of(repo, rev)
    assert origin is not None  # a repository is named
    write(filled(text, origin))
    if origin.note:
        click.echo(f"cvlint: {origin.note}", err=True)


def action_of(repo: str) -> str:
    """The name of an action on GitHub: OWNER/REPOSITORY, from its address.

    Raises
    ------
    UsageError
        If the repository is not on GitHub.
    """
    found = re.fullmatch(r"(?:https://github\.com/|git@github\.com:)?([\w.-]+/[\w.-]+?)(?:\.git)?/?", repo)
    if found is None:
        raise UsageError(
            f"The action cannot be used from '{repo}'",
            "a workflow on GitHub names a repository on GitHub, such as https://github.com/OWNER/cvlint",
        )
    return found[1]
