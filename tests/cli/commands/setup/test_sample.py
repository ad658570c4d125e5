"""The files that `cvlint sample` prints: README shows the same ones, and pre-commit accepts its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cvlint import __version__
from cvlint.cli.init.origin import Origin
from tests.conftest import ROOT, git

GUIDES = ROOT / "docs" / "how-to"
PAGES = "\n".join((GUIDES / name).read_text(encoding="utf-8") for name in ("ci.md", "pre-commit.md"))
SHOWN = re.findall(r"```yaml\n(.*?)```", PAGES, re.DOTALL)
URL = "https://example.org/cvlint.git"


@pytest.mark.parametrize(
    ("kind", "repo"), [("pre-commit", URL), ("github", "https://github.com/OWNER/cvlint"), ("gitlab", URL)]
)
def test_the_guides_show_what_is_printed(run: Any, kind: str, repo: str) -> None:
    result = run("sample", kind, "--repo", repo)
    tag = f"v{__version__}"
    told = f"cvlint: The tag {tag} can be moved; `git ls-remote {repo} {tag}` prints its hash, which cannot.\n"
    assert (result.exit_code, result.stderr) == (0, told)
    assert result.stdout in SHOWN
    assert yaml.safe_load(result.stdout)
    assert f"v{__version__}" in result.stdout


def test_pre_commit_accepts_it(run: Any, tmp_path: Path) -> None:
    config = tmp_path / ".pre-commit-config.yaml"
    config.write_text(run("sample", "pre-commit", "--repo", "../cvlint", "--rev", "main").stdout)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", config], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
    [repo] = yaml.safe_load(config.read_text())["repos"]
    assert (repo["repo"], repo["rev"], repo["hooks"]) == ("../cvlint", "main", [{"id": "cvlint"}])


@pytest.mark.parametrize(
    "repo", ["OWNER/cvlint", "git@github.com:OWNER/cvlint.git", "https://github.com/OWNER/cvlint/"]
)
def test_the_action_is_named_as_github_names_it(run: Any, repo: str) -> None:
    assert "- uses: OWNER/cvlint@v2" in run("sample", "github", "--repo", repo, "--rev", "v2").stdout


def test_a_copy_on_disk_is_named_by_its_tag_or_its_last_commit(run: Any, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    result = run("sample", "pre-commit", "--repo", "copy")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("cvlint: No revision of 'copy' can be named, because it is not a git repository")
    git(copy, "init", "-q")
    git(copy, "commit", "-qm", "one", "--allow-empty")
    git(copy, "clone", "-q", "--bare", str(copy), str(tmp_path / "bare.git"))
    commit = git(copy, "rev-parse", "HEAD").strip()
    for repo in ("copy", str(copy), copy.as_uri(), "bare.git"):
        result = run("sample", "pre-commit", "--repo", repo)
        assert yaml.safe_load(result.stdout)["repos"][0]["rev"] == commit
        assert result.stderr == f"cvlint: {repo} has no tag v{__version__}, so its last commit {commit} is named.\n"
    git(copy, "tag", f"v{__version__}")
    git(copy, "commit", "-qm", "two", "--allow-empty")
    result = run("sample", "pre-commit", "--repo", "copy")
    assert (f"    rev: {commit} # v{__version__}\n" in result.stdout, result.stderr) == (True, "")
    assert yaml.safe_load(result.stdout)["repos"][0]["rev"] == commit
    assert f'"git+copy@{commit}"' in run("sample", "gitlab", "--repo", "copy").stdout
    assert "named" not in run("sample", "gitlab", "--repo", "copy", "--rev", "main").stderr


def test_where_cvlint_was_installed_from_is_named_by_its_commit(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cvlint.cli.init.origin.installed_from", lambda: Origin(URL, "0123abc"))
    assert "rev: 0123abc\n" in run("sample", "pre-commit", "--repo", URL).stdout
    assert f"rev: v{__version__}\n" in run("sample", "pre-commit", "--repo", f"{URL}x").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["githup", "--repo", URL],
            "There is no sample 'githup'; did you mean 'github'? Valid are pre-commit, gi",
        ),
        (["github", "--repo", URL], "The action cannot be used from 'https://example.org/cvlint.git'; a workflow on"),
        (["gitlab", "--repo", "x\ny: z"], "The option --repo cannot be 'x"),
        (["gitlab"], "The option --repo is missing."),
    ],
)
def test_usage_errors(run: Any, arguments: list[str], says: str) -> None:
    result = run("sample", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""
