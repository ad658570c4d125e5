"""Options of the command line: ``parser.add_argument("--out", default="rows.csv")``. Effects: ``option``, ``options``.

A text that an option gives by default is known, though whoever calls the program may give another one: so two scripts
find the same file, and a search has the scoring that its author meant. It decides no test. Of other options nothing is
known.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.codomain import TEXT
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

PARSER = "option-parser"


def option_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``parser.add_argument("-o", "--out", default="rows.csv")``: the last flag names the attribute, or ``dest``."""
    flags, given = arguments
    default, name = given.get("default"), given.get("dest", flags[-1] if flags else None)
    if (
        isinstance(base, LibraryObject)
        and base.role == PARSER
        and isinstance(name, Const)
        and isinstance(name.value, str)
        and isinstance(default, Const)
        and isinstance(default.value, str)
    ):
        attribute = name.value.lstrip("-").replace("-", "_")
        base.facts.setdefault("options", {})[attribute] = Data(codomain=TEXT, pattern=default.value)
    return Data(state.active_axes)


def options_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``args = parser.parse_args()``, and ``args, others = parser.parse_known_args()``."""
    known = base.facts.get("options", {}) if isinstance(base, LibraryObject) and base.role == PARSER else {}
    found = Instance("object", attributes=dict(known), allocation_loops=state.active_axes)
    if not entry.facts.get("several"):
        return found
    return HeapObject("tuple", {0: found, 1: Data(state.active_axes)}, allocation_loops=state.active_axes)
