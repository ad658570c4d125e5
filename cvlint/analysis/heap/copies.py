"""Copies of values: later writes to one do not change the other."""

from __future__ import annotations

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import join
from cvlint.analysis.domain.value import AnyValue, Union
from cvlint.analysis.heap.reads import copy_container

DEPTH = 6  # a container may hold itself


def copy_value(value: AnyValue, depth: int = DEPTH) -> AnyValue:
    """A copy of a value with all containers in it; objects of the project are shared."""
    match value:
        case HeapObject() if depth:
            copied = copy_container(value)
            copied.fields = {key: copy_value(entry, depth - 1) for key, entry in value.fields.items()}
            if value.elements is not None:
                copied.elements = copy_value(value.elements, depth - 1)
            return copied
        case Union():
            return join(copy_value(option, depth) for option in value.options)
        case _:
            return value
