"""Arithmetic on containers."""

from __future__ import annotations

import ast
from typing import Any, cast

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import Data, Union
from cvlint.analysis.interpreter.arithmetic import divide_value
from cvlint.analysis.state import AnalysisState


def test_a_container_that_holds_itself_is_divided() -> None:
    rows = HeapObject("table", {})
    rows.fields["rate"] = Union((rows, Data()))
    node: Any = ast.parse("rows / 2", mode="eval").body
    found = divide_value(cast(AnalysisState, None), node, rows)
    assert isinstance(found, HeapObject) and isinstance(found.fields["rate"], Data)
