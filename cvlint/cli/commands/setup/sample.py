"""``cvlint sample``: configuration files with which pre-commit, GitHub and GitLab run cvlint."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

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
    for option, value in (("--repo", repo), ("--rev", rev or TAG)):
        if not re.fullmatch(r"[\w.~:/@+-]+", value):
            raise UsageError(
                f"The option {option} cannot be '{value}'", "valid are letters, digits and any of . ~ : / @ + -"
            )
    text = resources.files("cvlint").joinpath("samples", SAMPLES[kind]).read_text(encoding="utf-8")
    if "<ACTION>" in text:
        text = text.replace("<ACTION>", action_of(repo))
    revision, comment = (rev, "") if rev else revision_of(repo)
    text = text.replace("<REV>\n", f"<REV>{comment}\n")  # not within a command, where it would be a part of that
    write(text.replace("<URL>", repo).replace("<REV>", revision))


def revision_of(repo: str) -> tuple[str, str]:
    """The commit of this version, which nobody can move, and a comment with its tag; the tag, if the commit is unknown.

    It is known for a copy on disk, and for the repository that this cvlint was installed from. For a copy without the
    tag it is the last commit, with a note on standard error.

    Raises
    ------
    UsageError
        If a folder is not a repository.
    """
    from cvlint.cli.init.proposals import origin_of
    from cvlint.workspace.snapshots.archives import ArchiveError
    from cvlint.workspace.snapshots.git_checkout import SCHEME, folder_of_url, release_commit

    place = folder_of_url(repo) if repo.startswith(SCHEME) else Path(repo)
    if not place.is_dir():
        installed = origin_of(None, None)
        return (installed.revision, "") if installed and installed.repository == repo else (TAG, "")
    try:
        found, is_tagged = release_commit(place, TAG)
    except ArchiveError as error:
        raise UsageError(f"No revision of '{repo}' can be named, because {error}", "name one with --rev") from None
    if is_tagged:
        return found, f" # {TAG}"
    click.echo(f"cvlint: {repo} has no tag {TAG}, so the sample names its last commit {found}.", err=True)
    return found, ""


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
