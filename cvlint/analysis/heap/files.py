"""Files: containers outside the program, which it finds again by their paths.

A file is a list of the records that the program writes to it: an array, a table, a line. To open it for writing makes a
new list, and to open it for appending or reading gives the old one. A file that is written in each pass of a loop,
under a path that names the pass, stands for all of them, as an entry under an unknown key does.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import element_of, is_unknown, join, leave_loop, options
from cvlint.analysis.domain.texts import fits, is_same_file
from cvlint.analysis.domain.value import AnyValue, Data
from cvlint.analysis.heap.entries import append_entry, clear_container
from cvlint.analysis.heap.merge import copied, merge
from cvlint.analysis.heap.paths import Place
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import stored, stored_labels, taken

KIND = "file"


def is_file(value: AnyValue) -> bool:
    """Whether a value is a file."""
    return isinstance(value, HeapObject) and value.kind == KIND


def new_file(loops: Axes = NO_AXES) -> HeapObject:
    """An empty file."""
    return HeapObject(KIND, allocation_loops=loops)


def open_for_writing(state: AnalysisState, place: Place, appends: bool) -> HeapObject:
    """The file at a path, emptied unless the program appends to it."""
    known = state.files.get(place.pattern)
    if known is None:
        file = new_file(place.axes if appends else state.allocation_loops)
    else:
        file = known[0]
        if appends:
            return file
        clear_container(state, file)
    state.files[place.pattern] = (file, place.axes)
    return file


def written_files(state: AnalysisState, place: Place) -> list[tuple[HeapObject, Axes]]:
    """The files that the program wrote and that a path may name, with the loops that wrote one file each."""
    if (exact := state.files.get(place.pattern)) is not None:
        return [exact]
    fitting = [found for path, found in state.files.items() if fits(place.pattern, path) or fits(path, place.pattern)]
    return fitting or [found for path, found in state.files.items() if is_same_file(place.pattern, path)]


def read_file(state: AnalysisState, place: Place) -> HeapObject | None:
    """What a program reads at a path, as a file with one value for all that was written; None if nobody wrote it."""
    found = written_files(state, place)
    if not found:
        return None
    made = new_file(state.active_axes)
    for file, axes in found:
        gone = file.allocation_loops - state.active_axes - axes
        made.elements = join(
            [*options(made.elements), *(leave_loop(copied(state, v, deep=True), gone) for v in file.entries())]
        )
        made.extent |= file.extent
    return made


def write_record(state: AnalysisState, file: HeapObject, value: AnyValue, node: ast.AST, each: bool = False) -> None:
    """Add a record to a file, or ``each`` entry of a sequence."""
    value = stored(copied(state, value, deep=True), state.taint)
    if isinstance(value, HeapObject):
        value.labels |= stored_labels(state.taint)
    if each:
        merge(state, file, value, node)
    else:
        append_entry(state, file, value, node)


def contents(file: HeapObject) -> AnyValue | None:
    """What a file holds as a whole; None if nothing is known of it."""
    held = [v for v in options(file.elements) if not (is_unknown(v) or is_plain_text(v)) or taken(v)[1]]
    return element_of(file) if held else None


def is_plain_text(value: AnyValue) -> bool:
    """Whether a value is a text in which nothing is followed."""
    return isinstance(value, Data) and value.codomain.kind is Kind.TEXT
