"""What README and the pages in docs show is what the commands print, and their links lead somewhere."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main
from tests.docs.pages import GENERATE, PAGES, ROOT, name_of

README = ROOT / "README.md"
MADE = tuple(f"docs/{place}" for place in GENERATE.GENERATED)
SHOWN = re.compile(r"```sh\n([^`]*?)\n```\n[^`]*?```text\n(.*?)```|```diff\n(.*?)```", re.DOTALL)
"""Commands, what the last of them prints, and changes that a reader is asked to make."""
EXAMPLES = {page: found for page in PAGES if (found := SHOWN.findall(page.read_text(encoding="utf-8")))}


def test_there_are_examples() -> None:
    shown = [lines.splitlines()[-1] for found in EXAMPLES.values() for lines, _, _ in found if lines]
    assert {line.rsplit("cvlint ", 1)[1].split()[0] for line in shown if "cvlint " in line} == {
        "check",
        "curves",
        "recompute",
        "reported",
        "run",
        "simulate",
        "threshold",
        "trace",
    }


def test_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_two_commands_of_the_readme_are_found_by_ci() -> None:
    lines = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("python3 -m venv ")]
    assert [line.rsplit("/", 2)[-1] for line in lines if line.endswith("-m pytest")] == ["python -m pytest"]
    assert len([line for line in lines if line.endswith("cvlint check fixtures/experiments")]) == 1


@pytest.fixture(scope="module")
def generated() -> set[Path]:
    return {ROOT / "docs" / name for name, _ in GENERATE.all_pages()}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path, generated: set[Path]) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    places = {link: Path(os.path.normpath(page.parent / link)) for link in links if "://" not in link}
    made = [place for place in places.values() if place.relative_to(ROOT).as_posix().startswith(MADE)]
    assert [place for place in made if place not in generated] == []
    assert [link for link, place in places.items() if place not in made and not place.exists()] == []


@pytest.mark.parametrize("page", EXAMPLES, ids=name_of)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who goes through a page in one folder sees what the page shows."""
    for name in ("experiments", "papers"):
        shutil.copytree(ROOT / "fixtures" / name, tmp_path / "fixtures" / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for lines, text, change in EXAMPLES[page]:
        if change:
            subprocess.run(["git", "apply", "-"], input=change.encode(), check=True)
            continue
        for line in lines.splitlines():
            shown = printed(line)
        if re.search(r"cvlint run |^python ", lines.splitlines()[-1]):
            assert shown == text
        else:
            assert text in shown


def printed(line: str) -> str:
    """What a command prints; one that runs a script in a process of its own, because it reports at the end of it."""
    command, _, arguments = line.removeprefix(".venv/bin/").partition(" ")
    if command == "python" or arguments.startswith("run "):
        module = [] if command == "python" else ["-m", "cvlint"]
        words = tuple(shlex.split(arguments))
        output, files = finished((*module, *words), Path(words[-1]).read_bytes())
        for name, data in files.items():
            Path(name).write_bytes(data)
        return output
    assert command == "cvlint", line
    result = CliRunner().invoke(main, shlex.split(arguments))
    assert result.exit_code in (0, 1), result.stderr
    return result.stdout


@functools.cache
def finished(words: tuple[str, ...], script: bytes) -> tuple[str, dict[str, bytes]]:
    """What Python prints and writes; several pages show the same run of the same script, which takes seconds."""
    before = set(os.listdir())
    done = subprocess.run([sys.executable, *words], capture_output=True, check=True)
    assert Path(words[-1]).read_bytes() == script
    return done.stdout.decode() + done.stderr.decode(), {
        name: Path(name).read_bytes() for name in set(os.listdir()) - before
    }
