"""Pooling reads containers to a depth, since a list may hold itself."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.models.containers.concatenation import pool_entries
from cvlint.analysis.state import AnalysisState


def test_a_container_that_holds_itself() -> None:
    heap_object = HeapObject("list")
    heap_object.fields["own"] = heap_object.elements = heap_object
    pooled = pool_entries(cast(AnalysisState, None), heap_object, NO_AXES, ast.Constant(0))
    assert isinstance(pooled, HeapObject)
