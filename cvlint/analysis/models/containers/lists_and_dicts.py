"""Lists, dicts and queues.

``scores = defaultdict(list)``, ``scores["f1"].append(f1)``, ``results.update(fold_results)``. Effects: ``container``,
``append``, ``extend``, ``clear``, ``get``, ``setdefault``, ``update``, ``items``, ``keys``, ``values``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, element_of, join, options
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue, axes_of
from cvlint.analysis.heap.files import hold_taint
from cvlint.analysis.heap.reads import read_entry_of
from cvlint.analysis.heap.writes import append_entry, clear_container, extend_list, set_default, update_dict
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def container_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=1)``, ``defaultdict(list)``."""
    positional, keywords = arguments
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return HeapObject(
            "dict", allocation_loops=state.allocation_loops, default=positional[0] if positional else None
        )
    if kind == "dict":
        source = positional[0] if positional else None
        keyed = dict(source.fields) if isinstance(source, HeapObject) else {}
        return HeapObject(
            "dict",
            {**keyed, **keywords},
            source.elements if isinstance(source, HeapObject) else None,
            allocation_loops=state.active_axes,
        )
    if kind == "queue" or not positional:
        return HeapObject(kind, allocation_loops=state.allocation_loops)
    value = positional[0]
    return value if not isinstance(value, Const) else Data()


def names_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``globals()``, ``locals()``: a dict that shares its entries with the environment."""
    if arguments[0]:
        return Data(state.active_axes, opaque=True)
    environment = state.environment.module.environment if entry.facts["scope"] == "module" else state.environment
    return HeapObject("dict", fields=environment.bindings)


def append_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.append(x)``, ``frame.append(row)``, ``queue.put(x)``."""
    values = arguments[0][-1:] or list(arguments[1].values())[:1]
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    for value in values:
        match base:
            case HeapObject(kind="frame"):
                for option in options(value):
                    append_entry(state, base, option, node)
                return base
            case HeapObject():
                if base.kind == "queue":
                    hold_taint(state, base)
                append_entry(state, base, value, node)
    return base if isinstance(base, HeapObject) and base.kind == "frame" else Const()


def extend_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.extend(xs)``."""
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    if isinstance(base, HeapObject) and arguments[0]:
        extend_list(state, base, arguments[0][0], node)
    return Const()


def clear_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.clear()``."""
    if isinstance(base, HeapObject):
        clear_container(state, base)
    return Const()


def list_from_unknown_code(state: AnalysisState, base: Data, node: ast.Call) -> AnyValue:
    """A list from unknown code, a parameter for example, becomes a heap object when something is appended to it."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=name)) if state.environment.lookup(name) is base:
            heap_object = HeapObject("list", allocation_loops=base.axes)
            state.environment.bind(name, heap_object)
            return heap_object
        case _:
            return base


def get_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.get(key, default)``."""
    if not arguments[0] and isinstance(base, HeapObject) and base.kind == "queue":
        state.taint |= state.held_taint.get(base, NO_TAINT)
        return element_of(base)
    if not arguments[0]:  # of a value that another process computes
        known = isinstance(base, MeasureValue | HeapObject)
        return base if known else Data(axes_of(base) | state.active_axes, opaque=True)
    subscript = ast.copy_location(ast.Subscript(node.func, node.args[0], ast.Load()), node)
    if isinstance(base, HeapObject) and isinstance(arguments[0][0], Const) and arguments[0][0].value in base.fields:
        return base.fields[arguments[0][0].value]
    found = read_entry_of(state, base, arguments[0][0], subscript)
    fallback = arguments[0][1] if len(arguments[0]) > 1 else None
    if (
        isinstance(base, HeapObject)
        and base.elements is None
        and fallback is not None
        and (base.fields or not base.default)
    ):
        return join([found, fallback]) if not isinstance(found, Data) else fallback
    may_be_default = fallback is not None and not isinstance(fallback, Const)
    return join([found, fallback]) if may_be_default and fallback is not None else found


def setdefault_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``dict.setdefault(key, [])``."""
    if not isinstance(base, HeapObject) or len(arguments[0]) < 2:
        return UNKNOWN
    return set_default(base, arguments[0][0], arguments[0][1])


def update_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.update(other, key=value)``."""
    if isinstance(base, HeapObject):
        update_dict(base, *arguments)
    return Const()


def items_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.items()``."""
    return LibraryObject(role="iterator", facts={"form": "items", "parts": (base,)})


def keys_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.keys()``."""
    if isinstance(base, HeapObject) and base.elements is None:
        return HeapObject(
            "list", {i: Const(value=k) for i, k in enumerate(base.fields)}, allocation_loops=base.allocation_loops
        )
    return Data(codomain="unknown")


def values_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.values()``."""
    match base:
        case HeapObject(kind="dict"):
            keyed = dict(enumerate(base.fields.values()))
            return HeapObject("list", keyed, base.elements, base.extent, base.allocation_loops)
        case _:
            return base
