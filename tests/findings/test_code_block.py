"""The hash of a block is that of its code, wherever it stands and however it is formatted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cvlint.findings.code_block import CodeBlocks
from cvlint.source.module import Source, read_bytes

BLOCK = """\
scores = []
for fold in folds:
    scores.append(first(fold))
print(last(scores))
"""


def source_of(text: str) -> Source:
    source = read_bytes(text.encode(), Path("a.py"), "a.py").source
    assert source is not None
    return source


def hashed(text: str) -> str:
    """The hash of the block from the call of ``first`` to that of ``last``."""
    source = source_of(text)
    calls = {ast.unparse(one.func): one for one in ast.walk(source.tree) if isinstance(one, ast.Call)}
    return CodeBlocks().hash(source, calls["last"], [(source, calls["first"])])


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        f"x = 1\n\n\n{BLOCK}y = 2\n",
        BLOCK.replace("[]", "[  ]  # empty"),
        f"def f(folds):\n    'Another place.'\n{indented(BLOCK)}",
        f"if x:\n{indented(BLOCK)}",
    ],
)
def test_an_equal_block(text: str) -> None:
    assert hashed(text) == hashed(BLOCK)


@pytest.mark.parametrize(
    "text",
    [
        BLOCK.replace("in folds", "in parts"),
        BLOCK.replace("print(", "y = 1\nprint("),
        BLOCK.replace("first(fold)", "first(fold, 2)"),
        BLOCK.replace("    scores", "    print()\n    scores"),
    ],
)
def test_another_block(text: str) -> None:
    assert hashed(text) != hashed(BLOCK)


def test_a_short_block_is_widened() -> None:
    before = "a = 1\nb = 2\nc = 3\n"
    line = "print(last(first(1)))\n"
    assert hashed(before + line) != hashed(before.replace("2", "5") + line)
    assert hashed("z = 0\n" + before + line) == hashed(before + line)


def test_a_step_in_another_function_counts_by_its_statement() -> None:
    helper = "def h(fold):\n    return first(fold){}\n\n\n"
    text = "a = 1\nb = 2\nc = 3\nprint(last(h(2)))\n"
    assert hashed(helper.format("") + text) == hashed(helper.format("\n\n\ndef g():\n    pass") + text)
    assert hashed(helper.format("") + text) != hashed(helper.format(" + 1") + text)


def test_two_places_in_one_block_differ() -> None:
    source = source_of("a = 1\nprint(last(1))\nprint(last(1))\n")
    calls = [one for one in ast.walk(source.tree) if isinstance(one, ast.Call) and ast.unparse(one.func) == "last"]
    hashes = {CodeBlocks().hash(source, call, []) for call in calls}
    assert len(hashes) == 2
