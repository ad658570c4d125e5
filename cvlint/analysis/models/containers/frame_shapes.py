"""Frames beside each other and turned over. Effects: ``beside``, ``transpose``, ``unstack``, ``columns-code``.

``frame.merge(other, on="fold")``, ``frame.join(other)``, ``pd.DataFrame({"svm": {"f1": f1}}).T``,
``frame.set_index(["fold", "model"])["f1"].unstack()``, ``frame.eval("f1 = 2 * p * r / (p + r)")``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, join, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, library
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.containers.arrays_and_frames import same_method
from cvlint.analysis.models.containers.frames import TABLES, transposed
from cvlint.analysis.models.experiment.printing import format_method
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def beside_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.merge(other)``, ``frame.join(other)``: the columns of both; a text joins texts."""
    found = []
    for option in options(base):
        if is_frame(option):
            found.append(with_columns_of(option, first_argument(arguments)))
        else:
            transfer = format_method if entry.facts.get("text") and not holds_numbers(option) else same_method
            found.append(transfer(state, option, entry, arguments, node))
    return join(found)


def holds_numbers(value: AnyValue) -> bool:
    """Whether a value is an array or a table of numbers, and not the separator of texts."""
    is_data = isinstance(value, Data) and not value.opaque and value.codomain.kind is not Kind.TEXT
    return is_data or isinstance(value, MeasureValue)


def is_frame(value: AnyValue) -> bool:
    """Whether a value is a frame whose columns the analysis follows."""
    return isinstance(value, HeapObject) and value.kind in TABLES and bool(value.entries())


def with_columns_of(frame: AnyValue, other: AnyValue) -> AnyValue:
    """A frame with the columns of another beside its own."""
    assert isinstance(frame, HeapObject)
    made = copy_container(frame)
    for option in options(other):
        if isinstance(option, HeapObject) and is_frame(option):
            made.fields = {**option.fields, **made.fields}
            made.elements = join([*options(made.elements), option.elements]) if option.elements else made.elements
    return made


def transpose_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.transpose()``."""
    return join(transposed(option) for option in options(same_method(state, base, entry, arguments, node)))


def unstack_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``column.unstack()``: a frame whose columns are parts of the column, under titles that nobody knows."""
    match as_array(base):
        case MeasureValue(along=(extent, *_)) | Data(along=(extent, *_)) as column:
            return HeapObject("frame", {}, column, extent, state.allocation_loops)
        case _:
            return same_method(state, base, entry, arguments, node)


def columns_code_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.eval("score = f1 + 0")``: the code reads and writes the columns."""
    code = first_argument(arguments)
    if not (isinstance(base, HeapObject) and is_frame(base) and isinstance(code, Const)):
        return same_method(state, base, entry, arguments, node)
    made = copy_container(base)
    columns = HeapObject("dict", made.fields, made.elements, made.extent, made.allocation_loops)
    value = state.call(state, library(entry.facts["runs"]), ([code, columns], {}), node)
    return made if isinstance(value, Const) and value.value is None else value
