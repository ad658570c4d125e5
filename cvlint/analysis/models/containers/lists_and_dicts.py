"""Lists, dicts and queues.

``scores = defaultdict(list)``, ``scores["f1"].append(f1)``, ``results.update(fold_results)``. The docstring of the
package lists the effects that this module serves.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import label_joined
from cvlint.analysis.checkers.selections import in_order, ordered
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, element_of, is_unknown, join, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue, axes_of
from cvlint.analysis.heap.entries import append_entry, clear_container, forget_positions, set_default, write_known_key
from cvlint.analysis.heap.merge import copied, merge, merged, note_sources
from cvlint.analysis.heap.positions import entry_at, known_parts, slice_of
from cvlint.analysis.heap.reads import read_entry_of
from cvlint.analysis.heap.writes import write_container
from cvlint.analysis.models.arguments import argument_node, first_argument
from cvlint.analysis.models.containers.concatenation import concatenate_parts
from cvlint.analysis.models.containers.extremes import compared_entries
from cvlint.analysis.models.containers.iteration import iterate, keep_statistics_of_values, without_statistics
from cvlint.analysis.models.experiment.sampling import note_copies
from cvlint.analysis.models.settings import text_by_default
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import add_taint, labels_in
from cvlint.knowledge.schema import Entry


def container_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=1)``, ``defaultdict(list)``."""
    positional = arguments[0]
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return HeapObject(
            "dict", allocation_loops=state.allocation_loops, default=positional[0] if positional else None
        )
    if kind == "dict":
        mapping = HeapObject("dict", allocation_loops=state.allocation_loops)
        given = [*positional, *unpacked_mappings(state, node)]
        note_sources(mapping, given)
        return update_mapping(state, mapping, (given, arguments[1]), node)
    value = listed_items(positional[0]) if positional else Const(value=0)
    if isinstance(value, LibraryObject) and value.role == "search-results":
        return Data(index="key")  # ``list(search.cv_results_)``: the titles of a dict
    if isinstance(value, Const):  # ``list()``, ``Queue(100)``
        empty = not isinstance(value.value, str)
        return HeapObject(kind, allocation_loops=state.allocation_loops) if empty else Data()
    made = join(
        merged(state, kind, [o], node) if isinstance(o, HeapObject) and o.kind in ("list", "tuple") else o
        for o in options(value)
    )
    if entry.facts.get("reverses") and isinstance(made, HeapObject):
        return slice_of(made, slice(None, None, -1))
    if entry.facts.get("orders"):
        if isinstance(made, HeapObject) and len(made.fields) > 1:
            forget_positions(state, made)
        if isinstance(value, LibraryObject):
            plan = iterate(state, value, argument_node(node), None)
            made = HeapObject("list", {}, join(plan.elements), plan.axes, state.allocation_loops)
        return ordered(state, made, compared_entries(state, value, arguments[1].get("key"), node)[0], node)
    return made


def unpacked_mappings(state: AnalysisState, node: ast.AST) -> list[AnyValue]:
    """The mappings in ``dict(**scores, **more)``: they may hold entries under keys that nobody knows."""
    keywords = node.keywords if isinstance(node, ast.Call) else []
    return [state.evaluate(state, keyword.value) for keyword in keywords if keyword.arg is None]


def listed_items(value: AnyValue) -> AnyValue:
    """``list(scores.items())``: the pairs in their order, where all keys of the dict are known; else the value."""
    match value:
        case LibraryObject(role="iterator", facts={"form": "items", "parts": (HeapObject(elements=None) as mapping,)}):
            pairs = [HeapObject("tuple", {0: Const(value=key), 1: held}) for key, held in mapping.fields.items()]
            return HeapObject("list", dict(enumerate(pairs)), allocation_loops=mapping.allocation_loops)
        case _:
            return value


def copy_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``copy.copy(x)``, ``copy.deepcopy(x)``."""
    return copied(state, first_argument(arguments), deep=bool(entry.facts.get("deep")))


def copy_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``x.copy()``."""
    return copied(state, base) if not isinstance(base, Const) else Data(axes_of(base))


def update_mapping(state: AnalysisState, target: HeapObject, arguments: Arguments, node: ast.AST) -> HeapObject:
    """Put mappings, pairs of keys and values, and keyword arguments into a dict."""
    for source in (option for value in arguments[0] for option in options(value)):
        match source:
            case LibraryObject(role="iterator") | HeapObject(kind="list" | "tuple") if target.kind == "dict":
                plan = iterate(state, source, argument_node(node), None)
                with state.inside_loops(plan.axes):
                    for pair in plan.elements:
                        key, value = (entry_at(pair, i) if isinstance(pair, HeapObject) else None for i in (0, 1))
                        write_container(state, target, key or UNKNOWN, value or element_of(pair), node)
            case _:
                merge(state, target, source, node)
    for name, value in arguments[1].items():
        write_known_key(state, target, name, value, node)
    return target


def append_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.append(x)``, ``frame.append(row)``, ``queue.put(x)``."""
    values = arguments[0][-1:] or list(arguments[1].values())[:1]
    if isinstance(base, Data) and values and state.assigned_targets:  # ``frame = frame.append(rows)``
        label_joined(state, node)
        note_copies(state, node)
        return concatenate_parts(state, [base, *values], node)
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    for value in values:
        match base:
            case HeapObject(kind="frame"):
                for option in options(value):
                    if isinstance(option, Data):  # rows of another frame
                        merge(state, base, option, node)
                    else:
                        append_entry(state, base, option, node)
                return base
            case HeapObject():
                append_entry(state, base, value, node)
    return base if isinstance(base, HeapObject) and base.kind == "frame" else Const()


def extend_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.extend(xs)``."""
    if isinstance(base, Data) and base.opaque:
        base = list_from_unknown_code(state, base, node)
    if isinstance(base, HeapObject) and arguments[0]:
        merge(state, base, arguments[0][0], node)
    return Const()


def insert_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.insert(i, x)``, ``deque.appendleft(x)``: what stood behind it moves on. ``frame.insert(i, title, x)``."""
    match base, arguments[0]:
        case HeapObject(kind="frame" | "table"), [_, Const(value=str() as title), column]:
            write_known_key(state, base, title, column, node)
            return Const()
        case HeapObject(kind="list"), _:
            forget_positions(state, base)
    return append_method(state, base, entry, arguments, node)


def sort_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``list.sort(key=f1_of)``: no entry is known by its position from here on, but the best one is at an end."""
    compared = compared_entries(state, base, arguments[1].get("key"), node)[0]
    if isinstance(base, HeapObject) and base.kind == "list":
        forget_positions(state, base)
    if isinstance(node.func, ast.Attribute):
        add_taint(state, node.func.value, in_order(state, node, labels_in(compared, "measured"), compared))
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
    if not arguments[0]:
        return popped_entry(state, base, entry)
    key = arguments[0][0]
    subscript = ast.copy_location(ast.Subscript(node.func, node.args[0] if node.args else node, ast.Load()), node)
    parts = known_parts(key) if isinstance(key, HeapObject) and key.kind == "tuple" else None
    plain = key.value if isinstance(key, Const) else parts
    if isinstance(base, HeapObject) and plain is not None and (known := entry_at(base, plain)) is not None:
        return known
    found = read_entry_of(state, base, key, subscript)
    fallback = arguments[0][1] if len(arguments[0]) > 1 else None
    if (
        isinstance(base, HeapObject)
        and base.elements is None
        and fallback is not None
        and (base.fields or not base.default)
    ):
        if isinstance(fallback, HeapObject) and not fallback.entries():
            fallback.allocation_loops = base.allocation_loops
            return fallback if base.kind == "dict" else join([found, fallback])
        return join([found, fallback]) if not isinstance(found, Data) else fallback
    if isinstance(found, Data) and is_unknown(found) and (text := text_by_default(fallback)) is not None:
        return text
    may_be_default = fallback is not None and not isinstance(fallback, Const)
    return join([found, fallback]) if may_be_default and fallback is not None else found


def popped_entry(state: AnalysisState, base: AnyValue, entry: Entry) -> AnyValue:
    """``list.pop()``, ``queue.get()``: the entry at an end, or any where a loop filled the container.

    A method that waits gives an entry of a queue, or what another process computes.
    """
    waits = bool(entry.facts.get("waits"))
    match base:
        case HeapObject(kind="queue"):
            return element_of(base)
        case HeapObject(kind="list") if not waits:
            return entry_at(base, entry.facts.get("position", -1)) or element_of(base)
        case HeapObject() | MeasureValue() | Data(opaque=False) if waits:
            return base
        case _:
            return Data(axes_of(base) | state.active_axes, opaque=True)


def setdefault_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``dict.setdefault(key, [])``."""
    if not isinstance(base, HeapObject) or len(arguments[0]) < 2:
        return UNKNOWN
    return set_default(state, base, arguments[0][0], arguments[0][1])


def update_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.update(other, key=value)``."""
    if isinstance(base, HeapObject):
        update_mapping(state, base, arguments, node)
    return Const()


def items_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.items()``."""
    keep_statistics_of_values(state)
    return LibraryObject(role="iterator", facts={"form": "items", "parts": (base,)})


def keys_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.keys()``."""
    state.taint = without_statistics(state.taint)
    if isinstance(base, HeapObject) and base.elements is None:
        return HeapObject(
            "list", {i: Const(value=k) for i, k in enumerate(base.fields)}, allocation_loops=base.allocation_loops
        )
    return Data()


def values_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``dict.values()``."""
    match base:
        case HeapObject(kind="dict"):
            keyed = dict(enumerate(base.fields.values()))
            return HeapObject("list", keyed, base.elements, base.extent, base.allocation_loops)
        case _:
            return base
