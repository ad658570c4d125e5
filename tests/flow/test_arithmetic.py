"""Operations on containers."""

from __future__ import annotations

import ast
from typing import Any, cast

from cvlint.flow.arithmetic import divided
from cvlint.flow.run import Run
from cvlint.flow.values import Cell, Data, Either


def test_a_container_that_holds_itself_is_divided() -> None:
    rows = Cell("table", {})
    rows.keyed["rate"] = Either((rows, Data()))
    node: Any = ast.parse("rows / 2", mode="eval").body
    found = divided(cast(Run, None), node, rows)
    assert isinstance(found, Cell) and isinstance(found.keyed["rate"], Data)
