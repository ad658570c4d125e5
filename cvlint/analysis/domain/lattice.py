"""The lattice of abstract values: join values, stack them along axes, take entries out of arrays again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import BOTTOM, REAL, TOP, Codomain, Kind, constant, join_codomains
from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import BIRTHS, HeapObject, Instance
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import (
    NO_SCORES,
    PREDICTION,
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    Value,
)
from cvlint.analysis.domain.work import work

UNKNOWN = Data()


MAX_OPTIONS = 16


WITHOUT_MEASURES = frozenset((Data, Const, LibraryName, LibraryObject, Function, ClassValue))


MOST_LEVELS = 6  # so deep goes what changes the entries of containers: a container may hold itself


def options(value: AnyValue | None) -> tuple[AnyValue, ...]:
    """The values that ``value`` may be: the options of a union, or the value itself."""
    if type(value) is Union:
        return value.options
    return () if value is None else (value,)


def value_key(value: AnyValue) -> Any:
    """A key that is equal for equal values, whatever their traces; mutable values are equal only to themselves."""
    match value:
        case Data(codomain=codomain):
            return (
                "data",
                None if codomain is TOP or codomain == TOP else codomain,  # a constant is hashed faster
                value.index,
                value.bound,
                value.origin,
                value.pooled,
                value.axes,
                value.along,
                value.opaque,
                value.pattern,
            )
        case MeasureValue():
            return (
                value.measure,
                value.summed_over,
                value.averaged_over,
                value.axes,
                value.along,
                value.scaled,
                value.pooled,
            )
        case Const():
            try:
                hash(value.value)
            except TypeError:
                return id(value)
            return ("const", type(value.value), value.value, value.allocation_loops)
        case LibraryName():
            return ("library", value.name)
        case Function():
            return (id(value.node), id(value.bound) if value.bound is not None else 0)
        case ClassValue():
            return id(value.node or value)
        case Union():
            return tuple(value_key(v) for v in value.options)
        case _:
            return id(value)


def join(values: Iterable[AnyValue]) -> AnyValue:
    """The lattice join: the value that may be any of ``values``.

    Unknown values, and measures that only a name suggests, are dropped if there are known ones. Beside decisions, an
    unknown value stays: where only some entries are constants, the whole is no decision. What an unknown model
    predicts is dropped beside the decisions of known ones. Beside an empty dict it stays, too: ``settings or {}`` is
    not known to be empty.
    """
    given = list(values)
    if len(given) == 1 or (len(given) == 2 and given[0] is given[1]):
        return given[0]
    work(len(given))
    distinct: dict[Any, AnyValue] = {}
    labels: dict[Any, list[Taint]] = {}
    for value in given:
        for option in options(value):
            key = value_key(option)
            other = distinct.setdefault(key, option)
            if other is option or not (isinstance(option, Value) and isinstance(other, Value)):
                continue
            if not option.labels <= other.labels:
                labels.setdefault(key, []).append(option.labels)
    for key, more in labels.items():
        held = distinct[key]
        if isinstance(held, Value):
            distinct[key] = replace(held, labels=held.labels.union(*more))
    found = list(distinct.values())
    if len(found) > 1:
        found = informative(found)
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return found[0]
    if len(found) > MAX_OPTIONS:
        found = sorted(found, key=lambda v: not measures_in(v, 1))[:MAX_OPTIONS]
    return Union(tuple(found))


def informative(values: list[AnyValue]) -> list[AnyValue]:
    """The values of a join that say more than the others: see `join`."""
    values = [v for v in values if not is_bottom(v)] or values
    known = [v for v in values if not is_unknown(v)]
    if known and all(isinstance(v, HeapObject) and v.kind == "dict" and not v.entries() for v in known):
        return values
    if all(map(is_decision, known)):
        known = [v for v in values if not is_unknown(v) or not is_prediction(v)]
    if all(isinstance(v, Const) and v.value is None for v in known):
        known = [v for v in values if not is_unknown(v) or (isinstance(v, Data) and v.labels)]  # scaled data, or None
    known = known or values
    followed = {v.measure.kind for v in known if isinstance(v, MeasureValue) and not is_heuristic_measure(v)}
    if followed:
        known = [v for v in known if not (is_heuristic_measure(v) and v.measure.kind in followed)]
    return known


def codomain_of(value: AnyValue, depth: int = 4) -> Codomain:
    """The values that ``value``, or the entries of a container, can take.

    A literal list of constants is data that somebody wrote down: nothing decided them.
    """
    match value:
        case Data():
            return value.codomain
        case Const():
            return constant(value.value)
        case MeasureValue():
            return REAL
        case Union():
            return join_codomains(codomain_of(option, depth) for option in value.options)
        case HeapObject() if depth and not all(isinstance(v, Const) for v in value.entries()):
            return join_codomains(codomain_of(v, depth - 1) for v in value.initialised_entries())
        case HeapObject(elements=elements) if elements is not None and depth:
            return join_codomains(codomain_of(v, depth - 1) for v in value.initialised_entries())
        case _:
            return TOP


def is_bottom(value: AnyValue) -> bool:
    """Whether ``value`` adds nothing to a join: what a function returns by calling itself."""
    return isinstance(value, Data) and value.codomain.kind is Kind.BOTTOM and value.codomain == BOTTOM


def is_decision(value: AnyValue) -> bool:
    """Whether a value is a number or data of finitely many values."""
    match value:
        case Const(value=int() | float()):
            return True
        case Data():
            return value.codomain.is_finite
        case _:
            return False


def lacks_scores(value: AnyValue) -> bool:
    """Whether a value stands for what a model without scores cannot give."""
    return isinstance(value, Data) and value.origin == NO_SCORES


def is_prediction(value: AnyValue) -> bool:
    """Whether a value is what a model predicts."""
    return isinstance(value, Data) and value.origin == PREDICTION


def is_heuristic_measure(value: AnyValue) -> TypeGuard[MeasureValue]:
    """Whether only a name says that ``value`` is a measure."""
    return (
        isinstance(value, MeasureValue)
        and bool(value.trace)
        and value.trace[0].heuristic
        and value.trace[0] is value.trace[-1]
    )


def is_unknown(value: AnyValue) -> bool:
    """Whether nothing is known of ``value``: it is the top of the lattice."""
    return isinstance(value, Data) and value.is_plain and not (value.pooled or value.along)


def vary_over(value: AnyValue, axes: Axes) -> AnyValue:
    """``value``, which now varies over ``axes`` too; a container varies through its entries."""
    if not axes:
        return value
    match value:
        case Data() | MeasureValue():
            return replace(value, axes=value.axes | axes)
        case Union():
            return join(vary_over(v, axes) for v in value.options)
        case HeapObject(kind="tuple", elements=None) if any(isinstance(v, Data) for v in value.fields.values()):
            fields = {key: vary_over(v, axes) if isinstance(v, Data) else v for key, v in value.fields.items()}
            return tuple_like(value, fields, value.allocation_loops)
        case _:
            return value


def tuple_like(value: HeapObject, fields: dict[Any, AnyValue], allocation_loops: Axes) -> HeapObject:
    """A tuple with other entries; a named tuple keeps its class, and so its methods."""
    if isinstance(value, Instance):
        return replace(value, fields=fields, allocation_loops=allocation_loops, birth=next(BIRTHS))
    return HeapObject("tuple", fields, None, value.extent, allocation_loops, trace=value.trace)


def leave_loop(value: AnyValue, axes: Axes, depth: int = MOST_LEVELS) -> AnyValue:
    """``value`` after the loops over ``axes``: the value of the last pass, which no longer varies over them."""
    match value:
        case Data() | MeasureValue() if value.axes & axes:
            return replace(value, axes=value.axes - axes)
        case Union():
            return join(leave_loop(v, axes, depth) for v in value.options)
        case HeapObject(kind="tuple", elements=None) if depth and value.axes & axes:
            fields = {k: leave_loop(v, axes, depth - 1) for k, v in value.fields.items()}
            return tuple_like(value, fields, value.allocation_loops - axes)
        case _:
            return value


def with_step(value: AnyValue, step: Step) -> AnyValue:
    """``value`` with one more step in its trace, if it is a measure or data."""
    if isinstance(value, Union):
        return Union(tuple(with_step(v, step) for v in value.options))
    if not isinstance(value, (MeasureValue, Data)) or len(value.trace) > 12:
        return value
    is_last = bool(value.trace) and value.trace[-1].node is step.node
    return value if is_last else replace(value, trace=(*value.trace, step))


def stack_along(value: AnyValue, extent: Axes, depth: int = 4) -> AnyValue:
    """The array along ``extent`` whose entries are ``value``, as ``np.array(scores)`` makes it of a list."""
    if not depth:
        return UNKNOWN
    match value:
        case Data() | MeasureValue():
            return replace(value, along=(extent, *value.along), axes=value.axes - extent)
        case Const(value=int() | float() | str() as entry):
            return Data(along=(extent,), codomain=constant(entry))
        case Union():
            return join(stack_along(v, extent, depth - 1) for v in value.options)
        case HeapObject():
            work(1 + len(value.fields))
            columns = {key: stack_along(v, extent, depth - 1) for key, v in value.fields.items()}
            if value.elements is not None and not value.fields:
                return stack_along(stack_along(value.elements, value.extent, depth - 1), extent, depth - 1)
            elements = None if value.elements is None else stack_along(value.elements, extent, depth - 1)
            return HeapObject("table", columns, elements, value.extent, value.allocation_loops, trace=value.trace)
        case _:
            return value


def as_array(value: AnyValue) -> AnyValue:
    """``value`` as an array or table: a list of measures along its extent, a list of rows as columns."""
    match value:
        case HeapObject(kind="table"):
            return value
        case HeapObject() if value.elements is not None:
            filled = stack_along(value.elements, value.extent)
            return join([filled, *value.fields.values()]) if value.kind != "dict" or not value.fields else value
        case Union():
            return join(as_array(v) for v in value.options)
        case _:
            return value


def element_of(value: AnyValue) -> AnyValue:
    """The entry of ``value`` under an unknown key; it varies over the extent."""
    match value:
        case Data() | MeasureValue() if value.along:
            return replace(value, along=value.along[1:], axes=value.axes | value.along[0])
        case HeapObject(kind="table"):
            columns = {key: element_of(v) for key, v in value.fields.items()}
            return HeapObject(
                "tuple",
                columns,
                None if value.elements is None else element_of(value.elements),
                value.extent,
                value.allocation_loops,
            )
        case HeapObject():
            return join(value.entries()) if value.fields or value.elements is not None else UNKNOWN
        case Union():
            return join(element_of(v) for v in value.options)
        case Data():
            return replace(value, opaque=True)
        case _:
            return UNKNOWN


def extent_of(value: AnyValue) -> Axes:
    """The axes that a loop over ``value`` runs along, as far as they are known."""
    match value:
        case Data() | MeasureValue() if value.along:
            return value.along[0]
        case HeapObject(kind="table"):
            return frozenset().union(*(extent_of(v) for v in value.entries()))
        case HeapObject():
            return value.extent
        case Union():
            return frozenset().union(*(extent_of(v) for v in value.options))
        case _:
            return NO_AXES


def pooled_axes(value: AnyValue | None, depth: int = 4) -> Axes:
    """The axes whose parts are together in data that a measure is computed on."""
    match value:
        case Data():
            return value.pooled.union(*value.along)
        case HeapObject() if depth:
            inner = frozenset().union(*(pooled_axes(v, depth - 1) for v in value.entries()))
            return inner | (
                value.extent if value.elements is not None and not isinstance(value.elements, MeasureValue) else NO_AXES
            )
        case Union() if depth:
            return frozenset().union(*(pooled_axes(v, depth - 1) for v in value.options))
        case _:
            return NO_AXES


def with_labels(value: AnyValue, labels: Taint, depth: int = 3) -> AnyValue:
    """``value`` with labels on all its measures; containers are copied."""
    if not labels:
        return value
    match value:
        case MeasureValue() if not labels <= value.labels:
            return replace(value, labels=value.labels | labels)
        case Union():
            return join(with_labels(option, labels, depth) for option in value.options)
        case HeapObject() if depth and measures_in(value, depth):
            fields = {key: with_labels(entry, labels, depth - 1) for key, entry in value.fields.items()}
            elements = None if value.elements is None else with_labels(value.elements, labels, depth - 1)
            return replace(value, fields=fields, elements=elements)
        case Instance() if depth:
            attributes = {name: with_labels(held, labels, depth - 1) for name, held in value.attributes.items()}
            return replace(value, attributes=attributes)
        case _:
            return value


def measures_in(value: AnyValue, depth: int = 3) -> list[MeasureValue]:
    """All measures in ``value``; containers are searched ``depth`` levels deep."""
    if type(value) in WITHOUT_MEASURES:
        return []
    found: list[MeasureValue] = []
    collect_measures(value, depth, found)
    return found


def collect_measures(value: AnyValue, depth: int, found: list[MeasureValue]) -> None:
    """Add all measures in ``value`` to ``found``."""
    match value:
        case MeasureValue():
            found.append(value)
        case Union():
            work(len(value.options))
            for option in value.options:
                if type(option) not in WITHOUT_MEASURES:
                    collect_measures(option, depth, found)
        case HeapObject() if depth:
            work(1 + len(value.fields))
            for entry in value.entries():
                if type(entry) not in WITHOUT_MEASURES:
                    collect_measures(entry, depth - 1, found)


def entries_or_self(value: AnyValue | None) -> list[AnyValue]:
    """A value; of a container, its entries."""
    found: list[AnyValue] = []
    for option in options(value):
        found += option.entries() if isinstance(option, HeapObject) else [option]
    return found
