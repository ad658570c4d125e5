"""Every command that a page shows is one that cvlint understands: the command and its options exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cvlint.cli import main
from tests.docs.pages import PAGES, ROOT, name_of

ALL = (*PAGES, ROOT / "CHANGELOG.md")
BLOCK = re.compile(r"^ *```(?:sh|powershell|yaml)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:\.venv/bin/)?cvlint [^`]+)`")
START = re.compile(r"(?:^|(?<=[\s(/\\]))cvlint (?=[\w-])")


def lines_in(text: str) -> Iterator[str]:
    """The command lines in a page, from the word after ``cvlint`` on."""
    blocks = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    without = BLOCK.sub("", text)
    for line in (*blocks, *(" ".join(found.split()) for found in INLINE.findall(without))):
        if line.lstrip().startswith(("#", "- repo:", "repo:", "name:", "cvlint:")):
            continue
        for start in START.finditer(line):
            yield until_the_shell(line[start.end() :])


def until_the_shell(rest: str) -> str:
    """The words of a command: what stands before the first sign, outside of quotes, that is the shell's."""
    quote = ""
    for place, char in enumerate(rest):
        if quote:
            quote = "" if char == quote else quote
        elif char in "&|;<>)":
            return rest[:place]
        elif char in "\"'":
            quote = char
    return rest


SHOWN = {page: sorted(set(lines_in(page.read_text(encoding="utf-8")))) for page in ALL}


def parse(line: str) -> None:
    """Parse a command line as cvlint does, and do nothing."""
    words = shlex.split(line, comments=True)
    context = click.Context(main, info_name="cvlint")
    if words[0].startswith("-"):
        main.make_parser(context).parse_args(words)
        return
    command = main.get_command(context, words[0])
    assert command is not None, f"there is no command {words[0]}"
    inner = click.Context(command, info_name=words[0], parent=context, **command.context_settings)
    _, rest, _ = command.make_parser(inner).parse_args(words[1:])
    assert rest == []


def test_commands_are_found() -> None:
    assert sum(map(len, SHOWN.values())) > 100
    assert 'check --since "$(git merge-base origin/main HEAD)"' in SHOWN[ROOT / "docs/how-to/old-repository.md"]
    assert "completion bash" in SHOWN[ROOT / "docs/how-to/check.md"]


@pytest.mark.parametrize(
    ("line", "refused"), [("chekc .", True), ("check --colour", True), ("check --jobs 2 .", False)]
)
def test_a_command_that_does_not_exist_is_noticed(line: str, refused: bool) -> None:
    if refused:
        with pytest.raises((AssertionError, click.UsageError)):
            parse(line)
    else:
        parse(line)


@pytest.mark.parametrize("page", [page for page in ALL if SHOWN[page]], ids=name_of)
def test_the_commands_of_a_page_exist(page: Path) -> None:
    wrong = []
    for line in SHOWN[page]:
        try:
            parse(line)
        except (AssertionError, click.UsageError, ValueError) as error:
            wrong.append(f"cvlint {line}: {error}")
    assert wrong == []
