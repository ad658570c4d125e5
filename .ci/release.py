"""Make a release: ``python .ci/release.py 0.2.0`` shows it, and ``--yes`` makes it.

A release is one commit and one tag. The commit writes the version and the day into the files that hold them, and gives
the unreleased part of the change log its heading. Nothing is pushed: the last line says how, and the tag that is pushed
starts ``.github/workflows/publish.yml``.
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
MODULE = "cvlint/__init__.py"
CHANGES = "CHANGELOG.md"
CITATION = "CITATION.cff"
EXAMPLES = ("docs/how-to/ci.md", "docs/how-to/pre-commit.md")
"""Pages that show files with the tag of the version."""
UNRELEASED = "## [Unreleased]\n"


class ReleaseError(Exception):
    """The release cannot be made; the message is a sentence."""


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, which can be compared."""
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"The version cannot be '{version}': valid are three numbers, such as 0.2.0.")
    return tuple(map(int, version.split(".")))


def changed_files(texts: Mapping[str, str], version: str, day: date) -> dict[str, str]:
    """The files of a release, from their texts before it.

    Raises
    ------
    ReleaseError
        If the version goes back, a file does not hold the version, or the change log has nothing new.
    """
    found = re.search(r'^__version__ = "(.+)"$', texts[MODULE], re.MULTILINE)
    if found is None:
        raise ReleaseError(f"The file {MODULE} holds no line with __version__.")
    if numbers(version) < numbers(found[1]):
        raise ReleaseError(f"The version cannot be {version}: {found[1]} is newer.")
    citation = re.sub(r"^version: .*$", f"version: {version}", texts[CITATION], flags=re.MULTILINE)
    citation = re.sub(r"^date-released: .*\n", "", citation, flags=re.MULTILINE)
    return {
        MODULE: texts[MODULE].replace(found[0], f'__version__ = "{version}"'),
        CITATION: citation.replace(f"version: {version}\n", f"version: {version}\ndate-released: {day}\n"),
        CHANGES: released_changes(texts[CHANGES], version, day),
        **{page: texts[page].replace(f"v{found[1]}", f"v{version}") for page in EXAMPLES},
    }


def released_changes(text: str, version: str, day: date) -> str:
    """The change log with a heading for what was unreleased, below an empty part for what comes next."""
    if not entries(text):
        raise ReleaseError(f"The part Unreleased of {CHANGES} holds no entry: say there what is new.")
    if f"## [{version}]" in text:
        raise ReleaseError(f"{CHANGES} has a part for {version} already.")
    return text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)


def entries(text: str) -> str:
    """The entries of the unreleased part; empty if it has none."""
    _, heading, rest = text.partition(UNRELEASED)
    part = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip() if heading else ""
    return part if re.search(r"^- ", part, re.MULTILINE) else ""


def git(*arguments: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def check_repository(tag: str) -> None:
    """Refuse a work tree with changes, and a tag that exists."""
    changes = git("status", "--porcelain").splitlines()
    if changes:
        raise ReleaseError(f"The work tree has changes, such as '{changes[0].strip()}': commit them before a release.")
    if git("tag", "--list", tag):
        raise ReleaseError(f"The tag {tag} exists already.")


def release(version: str, day: date, confirmed: bool) -> None:
    """Show a release, and make it if it is confirmed."""
    tag = f"v{version}"
    numbers(version)
    check_repository(tag)
    before = {name: Path(name).read_text(encoding="utf-8") for name in (MODULE, CITATION, CHANGES, *EXAMPLES)}
    after = changed_files(before, version, day)
    for name, text in after.items():
        lines = (one.splitlines(keepends=True) for one in (before[name], text))
        sys.stdout.writelines(difflib.unified_diff(*lines, name, name, n=1))
    if not confirmed:
        print(f"Nothing is changed. With --yes, these changes become a commit with the tag {tag}.")
        return
    for name, text in after.items():
        Path(name).write_text(text, encoding="utf-8", newline="\n")
    git("commit", "--quiet", "--message", f"Release {version}", "--", *after)
    git(
        "tag", "--annotate", "--cleanup=verbatim", "--message", f"cvlint {version}\n\n{entries(before[CHANGES])}\n", tag
    )
    print(f"The commit has the tag {tag}. To publish it: git push --atomic origin HEAD {tag}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make a release of cvlint: a commit and a tag.", allow_abbrev=False)
    parser.add_argument("version", help="the version, such as 0.2.0")
    parser.add_argument("--yes", action="store_true", help="make the release; without it, it is only shown")
    given = parser.parse_args()
    try:
        release(given.version, date.today(), given.yes)
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    except FileNotFoundError as error:
        sys.exit(f"release: There is no file {error.filename} here: run it at the root of cvlint's repository.")
    except subprocess.CalledProcessError as error:
        sys.exit(f"release: git failed: {error.stderr.strip()}")


if __name__ == "__main__":
    main()
