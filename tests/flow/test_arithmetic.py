"""Operations on containers."""

from __future__ import annotations

import ast
from typing import Any, cast

from cvlint.analysis.domain.value import Cell, Data, Either
from cvlint.analysis.interpreter.arithmetic import divided
from cvlint.analysis.state import Run


def test_a_container_that_holds_itself_is_divided() -> None:
    rows = Cell("table", {})
    rows.keyed["rate"] = Either((rows, Data()))
    node: Any = ast.parse("rows / 2", mode="eval").body
    found = divided(cast(Run, None), node, rows)
    assert isinstance(found, Cell) and isinstance(found.keyed["rate"], Data)
