"""The one merge: put the entries of one container into another.

``xs.extend(ys)``, ``xs += ys``, ``xs + ys``, ``[*xs, y]``, ``xs[i:j] = ys``, ``list(xs)``, ``d.update(e)``, ``d | e``,
``{**d, "f1": v}``, ``dict(d)``, ``copy(d)``: known keys are strong updates, the others join the elements. What is
merged into a dict keeps its key; what is merged into a list follows the entries that are there. Data that a loop puts
together are pooled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import element_of, join, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, Union
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.entries import add_element, append_entry, forget_positions, has_positions, write_known_key
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.state import AnalysisState

MOST_SOURCES = 8
COPIED_DEPTH = 4  # a container may hold itself


def merge(state: AnalysisState, target: HeapObject, source: AnyValue, node: ast.AST) -> None:
    """Put the entries of ``source`` into ``target``, at ``node``."""
    for option in options(source):
        match option:
            case HeapObject() if target.kind in ("dict", "frame", "table"):
                merge_keys(state, target, option, node)
            case HeapObject():
                merge_sequence(state, target, option)
            case Data() if target.kind == "frame" and not target.fields:  # rows of columns that nobody knows
                swept = state.swept_axes(option, target.allocation_loops)
                add_element(state, target, state.pool_data(option, swept, node))
            case Data(opaque=True) if target.kind == "dict":
                forget_switches(state, target, option)
            case _ if target.kind in ("dict", "frame", "table"):
                pass
            case MeasureValue() | Data(along=(_, *_)):
                append_entry(state, target, element_of(option), node, bool(option.along))
                target.extent |= option.along[0] if option.along else NO_AXES
            case Const(value=int() | float()):
                add_element(state, target, option)
            case Data():
                swept = state.swept_axes(option, target.allocation_loops)
                pooled = state.pool_data(option, swept, node)
                add_element(state, target, pooled if swept or not option.opaque else element_of(option), swept)
            case _:
                pass


def forget_switches(state: AnalysisState, target: HeapObject, source: Data) -> None:
    """``{"scale": False, **json.load(file)}``: what is switched on or off by default may be set otherwise."""
    touch(state, target)
    for key, value in target.fields.items():
        if isinstance(value, Const) and isinstance(value.value, bool):
            target.fields[key] = join([value, source])


def merge_keys(state: AnalysisState, target: HeapObject, source: HeapObject, node: ast.AST) -> None:
    """Put the entries of a mapping into another, each under its key."""
    for key, value in source.fields.items():
        write_known_key(state, target, key, value, node)
    if source.elements is not None:
        add_element(state, target, source.elements, source.extent)
    if source.patterns:
        touch(state, target)
        target.patterns = target.patterns | source.patterns


def merge_sequence(state: AnalysisState, target: HeapObject, source: HeapObject) -> None:
    """Put the entries of a container behind those of a list, a set or a tuple."""
    new = not target.fields and target.elements is None and target.sources
    if source.elements is None and (new or target.fields) and has_positions(state, target):
        touch(state, target)
        target.fields.update(enumerate(source.fields.values(), len(target.fields)))
        return
    swept = NO_AXES if source.entries() else state.active_axes - target.allocation_loops
    if target.elements is None:
        forget_positions(state, target)
    for value in source.entries():
        add_element(state, target, value, swept)
    touch(state, target)
    target.extent |= swept | (source.extent if source.elements is not None else NO_AXES)


def merged(state: AnalysisState, kind: str, parts: Iterable[AnyValue], node: ast.AST) -> HeapObject:
    """A new container with the entries of several others."""
    given = list(parts)
    target = HeapObject(kind, allocation_loops=state.allocation_loops)
    note_sources(target, given)
    for part in given:
        merge(state, target, part, node)
    return target


def note_sources(target: HeapObject, parts: Iterable[AnyValue]) -> None:
    """Note what a new container is made of."""
    held = [o for part in parts for o in options(part) if isinstance(o, HeapObject)]
    target.sources = (*target.sources, *held, *(s for o in held for s in o.sources))[:MOST_SOURCES]


def copied(state: AnalysisState, value: AnyValue, deep: bool = False, depth: int = COPIED_DEPTH) -> AnyValue:
    """A copy of a container: later writes to one do not change the other. A ``deep`` copy holds copies, too."""
    match value:
        case HeapObject():
            target = copy_container(value)
            target.allocation_loops = state.allocation_loops
            note_sources(target, [value])
            if isinstance(target, Instance) and deep and depth and target.kind != "tuple":
                target.attributes = {k: copied(state, v, deep, depth - 1) for k, v in target.attributes.items()}
            if deep and depth:
                target.fields = {k: copied(state, v, deep, depth - 1) for k, v in value.fields.items()}
                if isinstance(target, Instance) and target.kind == "tuple":
                    target.attributes = target.fields
                target.elements = None if value.elements is None else copied(state, value.elements, deep, depth - 1)
            return target
        case Union():
            return join(copied(state, option, deep, depth) for option in value.options)
        case _:
            return value
