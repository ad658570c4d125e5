"""The single writes: put one value into a container, under a known key, at its end or anywhere.

All idioms come down to these. A known key is a strong update; every other entry joins ``elements``, and the container
extends along the loops that were crossed since its allocation. Entries keep their taint, but for the columns of a
frame: a frame has it under its name, column by column, because its columns are dropped and selected in many ways.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.unnamed_formulas import check_name
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import Codomain, Kind
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import join, options, value_key, with_step
from cvlint.analysis.domain.texts import anonymous
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.inference.identifier_inference import type_by_key
from cvlint.analysis.inference.written_entries import written_parts
from cvlint.analysis.side_by_side import as_candidates
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import taken

MOST_POSITIONS = 200  # an entry behind so many others is any entry


def write_known_key(
    state: AnalysisState, container: HeapObject, key: str | int, value: AnyValue, node: ast.AST
) -> None:
    """Write under a known key; in a frame, a row at a number is appended."""
    if state.misformed and isinstance(key, str):
        check_name(state, key, value)
    value = type_by_key(state, value, key, node)
    if isinstance(value, HeapObject) and container.kind == "frame" and isinstance(key, int):
        append_row(state, container, value, node)
    else:
        touch(state, container)
        value = grown(state, value, container.fields.get(key), container)
        container.fields[key] = taken(value)[0] if container.kind == "frame" else value


def add_element(state: AnalysisState, container: HeapObject, value: AnyValue, extent: Axes = NO_AXES) -> None:
    """Add an entry under an unknown key: the container extends along the loops since its allocation and ``extent``."""
    touch(state, container)
    if container.kind == "frame":
        value = taken(value)[0]
    container.elements = join([*options(container.elements), value])
    container.extent |= state.swept_axes(value, container.allocation_loops) | extent


def replace_element(state: AnalysisState, container: HeapObject, value: AnyValue) -> None:
    """Write an entry under an unknown key: a container that was made of the old entry takes its place."""
    value = grown(state, value, container.elements, container)
    made_of = [source for option in options(value) for source in sources_of(option)]
    kept = [v for v in options(container.elements) if v not in made_of]
    touch(state, container)
    container.elements = join(kept) if kept else None
    add_element(state, container, value)


def append_entry(
    state: AnalysisState, container: HeapObject, value: AnyValue, node: ast.AST, several: bool = False
) -> None:
    """``container.append(value)``; ``several`` such entries have no positions that are known."""
    value = without_alias(value, container)
    report_scores(state, value)
    match value:
        case HeapObject() if container.kind == "frame":
            append_row(state, container, value, node)
            return
        case MeasureValue():
            value = with_collection(state, value, node)
        case HeapObject(kind="tuple" | "list" | "dict", fields=keyed) if keyed:
            value = copy_container(value)
            value.fields = {
                k: with_collection(state, v, node) if isinstance(v, MeasureValue) else v for k, v in keyed.items()
            }
        case _:
            pass
    if not several and has_positions(state, container):
        touch(state, container)
        container.fields[len(container.fields)] = value
    else:
        if several:
            forget_positions(state, container)
        add_element(state, container, value)


def has_positions(state: AnalysisState, container: HeapObject) -> bool:
    """Whether each entry of a list is known by its position, and the next one will be, too.

    So it is in a loop over parts of the data that are written out: ``for part in (X_train, X_test)``.
    """
    crossed = state.active_axes - container.allocation_loops
    few = len(container.fields) < MOST_POSITIONS
    is_known = few and container.elements is None and container.kind in ("list", "tuple")
    return is_known and (not crossed or written_parts(state) >= crossed)


def forget_positions(state: AnalysisState, container: HeapObject) -> None:
    """From here on, no entry of a list is known by its position."""
    if container.fields:
        touch(state, container)
        container.elements, container.fields = join(as_candidates(state, container.entries(), container)), {}


def append_row(state: AnalysisState, container: HeapObject, row: HeapObject, node: ast.AST) -> None:
    """Append a row: each of its values becomes an entry of a column.

    Data may be the whole column of another frame, so that they have no position among the rows.
    """
    names = container.default.fields if isinstance(container.default, HeapObject) else {}
    titles = list(container.fields)
    for key, value in row.fields.items():
        title = names.get(key) if isinstance(key, int) else None
        column = title.value if isinstance(title, Const) else key
        if title is None and isinstance(key, int) and key < len(titles) and isinstance(titles[key], str):
            column = titles[key]
        inner = container.fields.get(column)
        if not isinstance(inner, HeapObject):
            touch(state, container)
            inner = HeapObject("list", allocation_loops=container.allocation_loops)
            container.fields[column] = inner
        value = type_by_key(state, value, column, node)
        if isinstance(value, Data) and not inner.fields:
            add_element(state, inner, value)
        else:
            append_entry(state, inner, value, node)


def set_default(state: AnalysisState, container: HeapObject, key: AnyValue, default: AnyValue) -> AnyValue:
    """``container.setdefault(key, default)``; the default counts as allocated together with its container."""
    allocate_with(default, container.allocation_loops)
    if isinstance(default, Const):
        default = Const(value=default.value, allocation_loops=container.allocation_loops)
    touch(state, container)
    match key:
        case Const(value=str() | int() as plain):
            return container.fields.setdefault(plain, default)
        case Data(codomain=Codomain(kind=Kind.TEXT), pattern=pattern) if pattern:
            alike = HeapObject("dict", allocation_loops=container.allocation_loops)
            held = container.patterns.setdefault(anonymous(pattern), alike)
        case _:
            held = container
    if held.elements is None:
        held.elements = default
        if held is not container:
            container.elements = join([*options(container.elements), default])
    return held.elements


def make_default(state: AnalysisState, factory: AnyValue, node: ast.AST, allocation_loops: Axes) -> AnyValue:
    """The value that the factory of a ``defaultdict`` makes, with the allocation loops of the dict."""
    value = state.call(state, factory, ([], {}), node)
    match value:
        case HeapObject():
            allocate_with(value, allocation_loops)
            return value
        case Const():
            return Const(value=value.value, allocation_loops=allocation_loops)
        case _:
            return value


def allocate_with(value: AnyValue, loops: Axes) -> None:
    """A default and the containers that were made with it, ``{"f1": []}``, count as allocated in these loops."""
    match value:
        case Instance():
            inner, born = list(value.attributes.values()), None
        case HeapObject():
            inner, born = value.entries(), value.allocation_loops
            value.allocation_loops = loops
        case _:
            return
    for held in inner:
        if isinstance(held, HeapObject) and held.allocation_loops != loops and born in (None, held.allocation_loops):
            allocate_with(held, loops)


def clear_container(state: AnalysisState, container: HeapObject) -> None:
    """``container.clear()``: from here on it counts as a new container."""
    touch(state, container)
    container.fields, container.elements, container.extent = {}, None, NO_AXES
    container.allocation_loops = state.active_axes


def with_collection(state: AnalysisState, value: MeasureValue, node: ast.AST) -> AnyValue:
    """A measure with a step that says where it is collected."""
    return with_step(value, state.step(node, f"{value.measure} is collected here"))


def without_alias(value: AnyValue, base: AnyValue) -> AnyValue:
    """``value``, copied if it is the container that it is about to be stored in."""
    holders = options(base)
    copies = [copy_container(v) if isinstance(v, HeapObject) and v in holders else v for v in options(value)]
    return join(copies)


def grown(
    state: AnalysisState, value: AnyValue, old: AnyValue | None, holder: HeapObject | None = None, depth: int = 2
) -> AnyValue:
    """``value``, about to replace ``old``: a container that was made of the old one goes on growing in its place.

    ``xs = [*xs, f1]`` in a loop adds to ``xs`` from pass to pass, as ``xs.append(f1)`` does, and so
    does ``d = {"f1": d["f1"] + [f1]}``. An entry that a ``holder`` does not have yet starts as the empty default that
    the new value was made of.
    """
    kind = type(value)
    if kind is Data or kind is Const:
        return value
    before = options(old)
    for option in options(value):
        if not isinstance(option, HeapObject) or option in before:
            continue
        work(1 + len(option.fields))
        sources = [s for s in option.sources if s in before or (holder is not None and starts(s, holder))]
        if sources:
            grow(state, option, sources)
        for other in before if depth else ():
            if isinstance(other, Instance) and isinstance(option, Instance):
                for name, held in option.attributes.items():
                    before_it = other.attributes.get(name, other.cls.attributes.get(name))  # a default of the class
                    grown(state, held, before_it, depth=depth - 1)
            if isinstance(other, HeapObject):
                for key, entry in option.fields.items():
                    grown(state, entry, other.fields.get(key, other.elements), depth=depth - 1)
                if option.elements is not None:
                    grown(state, option.elements, join(other.entries()), depth=depth - 1)
    return value


def starts(source: HeapObject, holder: HeapObject) -> bool:
    """Whether a container is the empty default of an entry of another: ``d.get("f1", [])``."""
    return not source.entries() and source.allocation_loops == holder.allocation_loops


def sources_of(value: AnyValue) -> tuple[HeapObject, ...]:
    """The containers that a value was made of."""
    return value.sources if isinstance(value, HeapObject) else ()


def grow(state: AnalysisState, container: HeapObject, sources: list[HeapObject]) -> None:
    """Let a new container extend along the loops since the allocation of its sources, if it holds more than they."""
    container.allocation_loops = container.allocation_loops.intersection(*(s.allocation_loops for s in sources))
    work(sum(len(source.fields) for source in sources))
    known = {value_key(o) for source in sources for entry in source.entries() for o in options(entry)}
    held = container.entries() if container.kind != "dict" else [container.elements]
    added = [o for entry in held for o in options(entry) if value_key(o) not in known]
    if not added or not state.active_axes - container.allocation_loops:
        return
    if container.kind != "dict":
        forget_positions(state, container)
    container.extent |= NO_AXES.union(*(state.swept_axes(v, container.allocation_loops) for v in added))
