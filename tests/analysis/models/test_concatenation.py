"""Pooling reads containers to a depth: a list may hold itself."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.models.containers.concatenation import pool_entries
from cvlint.analysis.state import AnalysisState


def test_a_container_that_holds_itself() -> None:
    container = HeapObject("list")
    container.fields["own"] = container.elements = container
    found = pool_entries(cast(AnalysisState, None), container, NO_AXES, ast.Constant(0))
    assert isinstance(found, HeapObject)
