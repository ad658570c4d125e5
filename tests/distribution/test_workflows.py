"""The workflows that cvlint ships and writes are ones in which an auditor of workflows finds nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import invoke
from tests.conftest import ROOT

ZIZMOR = shutil.which("zizmor", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
URL = "https://github.com/OWNER/cvlint"
HASH = "0123456789abcdef0123456789abcdef01234567"

pytestmark = pytest.mark.skipif(ZIZMOR is None, reason="zizmor is not installed")


def audit(*paths: Path) -> subprocess.CompletedProcess[str]:
    """What the strictest persona of zizmor says without the network."""
    command = [str(ZIZMOR), "--offline", "--persona=auditor", "--no-progress", "--format=plain", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def test_our_own() -> None:
    done = audit(ROOT / ".github" / "workflows" / "publish.yml", ROOT / "action.yml")
    assert done.returncode == 0, done.stdout


def test_those_of_sample_and_init(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (folder / "tests.yml").write_text("on: push\n")
    assert invoke("init", "--yes", "--repo", URL, "--rev", HASH)[0] == 0
    sample = folder / "sample.yml"
    sample.write_text(invoke("sample", "github", "--repo", URL, "--rev", HASH)[1])
    done = audit(folder / "cvlint.yml", sample)
    assert done.returncode == 0, done.stdout
    sample.write_text(invoke("sample", "github", "--repo", URL, "--rev", "v1")[1])
    assert "unpinned-uses" in audit(sample).stdout  # it does look
