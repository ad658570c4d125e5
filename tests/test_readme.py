"""What README and the pages in docs show is what the commands print, and their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
BLOCKS = re.findall(r"```sh\n([^`]*?)\n```\n(?:[^`]*?)```text\n(.*?)```", TEXT, re.DOTALL)
SHOWN = [([line.rsplit("cvlint ", 1)[1] for line in lines.splitlines()], text) for lines, text in BLOCKS]


def test_there_are_examples() -> None:
    assert {commands[-1].split()[0] for commands, _ in SHOWN} == {
        "check",
        "curves",
        "recompute",
        "reported",
        "run",
        "simulate",
        "threshold",
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize(("commands", "text"), SHOWN)
def test_example(commands: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("experiments", "papers"):
        shutil.copytree(ROOT / "fixtures" / name, tmp_path / "fixtures" / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for command in commands:
        shown = printed(command)
    if commands[-1].startswith("run "):
        assert shown == text
    else:
        assert text in shown


def printed(arguments: str) -> str:
    """What a command prints; one that runs a script in a process of its own, because it reports at the end of it."""
    if arguments.startswith("run "):
        command = [sys.executable, "-m", "cvlint", *shlex.split(arguments)]
        done = subprocess.run(command, capture_output=True, check=True)
        return done.stdout.decode() + done.stderr.decode()
    result = CliRunner().invoke(main, shlex.split(arguments))
    assert result.exit_code in (0, 1), result.stderr
    return result.stdout
