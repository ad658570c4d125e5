"""Pooling reads containers to a depth: a list may hold itself."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.flow.pooling import poured
from cvlint.flow.run import Run
from cvlint.flow.values import NO_AXES, Cell


def test_a_container_that_holds_itself() -> None:
    cell = Cell("list")
    cell.keyed["own"] = cell.rest = cell
    found = poured(cast(Run, None), cell, NO_AXES, ast.Constant(0))
    assert isinstance(found, Cell)
