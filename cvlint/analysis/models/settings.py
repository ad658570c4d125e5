"""Settings that whoever calls the program may change: ``parser.add_argument("--out", default="rows.csv")``.

``flags.DEFINE_string("scoring", "f1", "…")``, ``os.getenv("SCORING", "f1")``, ``settings.get("scoring", "f1")``.
Effects: ``option``, ``option-defaults``, ``options``, ``flag``, ``default``, ``settings``.

A text that stands there by default is known, though whoever calls the program may give another one: so two scripts
find the same file, and a search has the scoring that its author meant. It decides no test. Of other options nothing is
known.
"""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.codomain import TEXT
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject
from cvlint.analysis.models.arguments import argument_named
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

PARSER = "option-parser"


def option_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``parser.add_argument("-o", "--out", default="rows.csv")``: the last flag names the attribute, or ``dest``."""
    flags, given = arguments
    default, name = given.get("default"), given.get("dest", flags[-1] if flags else None)
    match base, name, default:
        case LibraryObject(role=role), Const(value=str() as flag), Const(value=str()) if role == PARSER:
            known = text_by_default(default) or Data(codomain=TEXT)  # the default may be empty
            base.facts.setdefault("options", {})[flag.lstrip("-").replace("-", "_")] = known
    return Data(state.active_axes)


def option_defaults_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``parser.set_defaults(scoring="f1")``."""
    if isinstance(base, LibraryObject) and base.role == PARSER:
        known = {name: text for name, value in arguments[1].items() if (text := text_by_default(value)) is not None}
        base.facts.setdefault("options", {}).update(known)
    return Data(state.active_axes)


def flag_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``flags.DEFINE_string("scoring", "f1", "…")`` makes ``flags.FLAGS.scoring``."""
    name, default = argument_named(arguments, 0, "name"), argument_named(arguments, 1, "default")
    text = text_by_default(default)
    match node:
        case ast.Call(func=ast.Attribute(value=module)) if isinstance(name, Const) and text is not None:
            flags = state.evaluate(state, module)
            if isinstance(flags, LibraryName):
                state.attributes[f"{flags.name}.{entry.facts['to']}", str(name.value)] = text
    return Data(state.active_axes)


def default_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``os.getenv("SCORING", "f1")``."""
    return text_by_default(argument_named(arguments, 1, "default")) or Data(state.active_axes, opaque=True)


def settings_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``EasyDict({"scoring": "f1"})``, ``CfgNode()``: a file or the command line may change what is written there."""
    given = [held for value in arguments[0][:1] for held in options(value) if isinstance(held, HeapObject)]
    fields: dict[Any, AnyValue] = {key: held for one in given if one.kind == "dict" for key, held in one.fields.items()}
    fields |= arguments[1]
    loops = state.allocation_loops
    return HeapObject("dict", {key: as_default(v) for key, v in fields.items()}, None, NO_AXES, loops)


def as_default(value: AnyValue) -> AnyValue:
    """An entry of settings: a text is known by default, and of a number nothing is known."""
    match value:
        case Const():
            return text_by_default(value) or Data(opaque=True)
        case HeapObject(kind="dict", elements=None):
            fields = {key: as_default(held) for key, held in value.fields.items()}
            return HeapObject("dict", fields, None, NO_AXES, value.allocation_loops)
        case _:
            return value


def text_by_default(value: AnyValue | None) -> Data | None:
    """A text that the program has unless its caller gives another one; None for other values."""
    match value:
        case Const(value=str() as text) if text:
            return Data(codomain=TEXT, pattern=text)
        case _:
            return None


def options_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``args = parser.parse_args()``, and ``args, others = parser.parse_known_args()``."""
    known = base.facts.get("options", {}) if isinstance(base, LibraryObject) and base.role == PARSER else {}
    found = Instance("object", attributes=dict(known), allocation_loops=state.active_axes)
    if not entry.facts.get("several"):
        return found
    return HeapObject("tuple", {0: found, 1: Data(state.active_axes)}, allocation_loops=state.active_axes)
