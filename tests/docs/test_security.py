"""Each promise of the page about security names a test that exists."""

from __future__ import annotations

import ast
import re

import pytest

from tests.docs.pages import ROOT

NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/security.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_test_of_a_promise_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_row_names_one() -> None:
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    rows = [line for line in page.split("\n") if line.startswith("| ") and "---" not in line]
    assert len(rows) - 1 == len(NAMED) > 20
