"""A release is one command, which shows what it does, changes nothing unasked, and refuses what cannot be released."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

from cvlint import __version__
from tests.conftest import ROOT, environment_without

FILES = ("cvlint/__init__.py", "CITATION.cff", "CHANGELOG.md", "docs/how-to/ci.md", "docs/how-to/pre-commit.md")
NEXT = f"{__version__.partition('.')[0]}.999.0"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the files that a release changes."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changes = tmp_path / "CHANGELOG.md"
    heading, _, rest = changes.read_text(encoding="utf-8").partition("## [Unreleased]\n")
    changes.write_text(f"{heading}## [Unreleased]\n\n### Added\n\n- A # sign.\n{rest[rest.find(chr(10) + '## [') :]}")
    git(tmp_path, "init", "-q", "-b", "main")
    for key, value in (("user.name", "A"), ("user.email", "a@example.org"), ("commit.gpgsign", "false")):
        git(tmp_path, "config", key, value)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment_without(), capture_output=True, check=True)
    return done.stdout.decode()


def release(folder: Path, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, str(ROOT / ".ci" / "release.py"), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment_without(), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_it_is_shown_first_and_then_made(repository: Path) -> None:
    before = git(repository, "rev-parse", "HEAD")
    status, shown, _ = release(repository, NEXT)
    assert status == 0
    assert f'+__version__ = "{NEXT}"' in shown
    assert shown.endswith(f"Nothing is changed. With --yes, these changes become a commit with the tag v{NEXT}.\n")
    assert (git(repository, "status", "--porcelain"), git(repository, "tag"), git(repository, "rev-parse", "HEAD")) == (
        "",
        "",
        before,
    )

    status, made, problem = release(repository, NEXT, "--yes")
    assert (status, problem) == (0, "")
    assert made.endswith(f"To publish it: git push --atomic origin HEAD v{NEXT}\n")
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "log", "--format=%s", f"{before.strip()}..v{NEXT}") == f"Release {NEXT}\n"
    message = git(repository, "for-each-ref", "--format=%(contents)", f"refs/tags/v{NEXT}")
    assert message.strip() == f"cvlint {NEXT}\n\n### Added\n\n- A # sign."
    assert set(git(repository, "show", "--format=", "--name-only", "HEAD").split()) == set(FILES)

    citation = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == NEXT
    assert abs((date.today() - citation["date-released"]).days) <= 1
    changes = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"## \[Unreleased\]\n\n## \[{NEXT}\] - \d{{4}}-\d\d-\d\d\n\n### Added\n\n- A # sign\.\n", changes)
    for page in FILES[3:]:
        text = (repository / page).read_text(encoding="utf-8")
        assert f"v{NEXT}" in text
        assert f"v{__version__}" not in text

    status, _, problem = release(repository, NEXT, "--yes")
    assert (status, problem) == (1, f"release: The tag v{NEXT} exists already.\n")
    status, _, problem = release(repository, f"{NEXT[:-1]}1", "--yes")
    assert (status, problem[:54]) == (1, "release: The part Unreleased of CHANGELOG.md holds no ")


def test_the_version_of_today_can_be_released(repository: Path) -> None:
    """The first release has the version that the code has had before."""
    status, shown, problem = release(repository, __version__)
    assert (status, problem) == (0, "")
    assert "__version__" not in shown


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ("1.0", "The version cannot be '1.0': valid are three numbers, such as 0.2.0."),
        ("v1.0.0", "The version cannot be 'v1.0.0': valid are three numbers, such as 0.2.0."),
        ("0.0.1", f"The version cannot be 0.0.1: {__version__} is newer."),
    ],
)
def test_other_versions_are_refused(repository: Path, version: str, problem: str) -> None:
    assert release(repository, version, "--yes") == (1, "", f"release: {problem}\n")


def test_a_work_tree_with_changes_is_refused(repository: Path) -> None:
    (repository / "new.py").touch()
    status, _, problem = release(repository, NEXT, "--yes")
    sentence = "The work tree has changes, such as '?? new.py': commit them before a release."
    assert (status, problem) == (1, f"release: {sentence}\n")
    assert git(repository, "tag") == ""


def test_another_folder_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    sentence = "There is no file cvlint/__init__.py here: run it at the root of cvlint's repository."
    assert release(tmp_path, NEXT) == (1, "", f"release: {sentence}\n")


def test_the_workflow_trusts_no_tag_and_holds_no_password() -> None:
    """Each action is named by a commit, each job has only the permissions that it says, and one job can publish."""
    text = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one)] == []
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    rights = {name: job["permissions"] for name, job in workflow["jobs"].items()}
    assert rights == {"build": {"contents": "read"}, "try": {"contents": "read"}, "publish": {"id-token": "write"}}
    assert "secrets." not in text
    classifiers = re.findall(r'requires-python = ">=(\S+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["try"]["strategy"]["matrix"]["python"][0] == classifiers[0]
