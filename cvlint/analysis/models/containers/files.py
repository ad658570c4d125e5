"""Values that leave the program and come back. Effects: ``open``, ``store``, ``load``, ``save``, ``write``.

``np.save("scores.npy", x)``, ``json.load(open(path))``, ``frame.to_csv(path)``, ``pd.read_csv(path)``,
``f.write(text)``, ``for line in open(path)``. The knowledge says which argument is the value and which is the place.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.best_shown import check_best_shown
from cvlint.analysis.checkers.rows.stored import give_rows, hand_on_rows, keep_rows
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import element_of, extent_of, join, options, stack_along
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.texts import UNKNOWN_PART, split_name
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, Union
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.files import (
    contents,
    is_file,
    new_file,
    open_for_writing,
    read_file,
    write_record,
    written_files,
)
from cvlint.analysis.heap.merge import copied, merge
from cvlint.analysis.heap.paths import Place, places
from cvlint.analysis.inference.loop_axes import name_fold_loops
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.containers.arrays_and_frames import frame_call
from cvlint.analysis.models.containers.concatenation import pool_entries
from cvlint.analysis.models.experiment.data_sources import data_call
from cvlint.analysis.models.experiment.printing import show_method
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry
from cvlint.source.links.script_text import may_be_same

WRITING = ("w", "x", "a", "+")
MOST_LEVELS = 4
"""So many levels of containers are searched for the history of data in a file."""


def argument(arguments: Arguments, node: ast.AST, where: object) -> tuple[ast.expr, AnyValue] | None:
    """An argument by a number or a name, or by the first of several that the call gives; with its expression."""
    positional, keywords = arguments
    if not isinstance(node, ast.Call):
        return None
    for key in where if isinstance(where, list) else [where]:
        if isinstance(key, int) and key < min(len(positional), len(node.args)):
            return node.args[key], positional[key]
        for keyword in node.keywords:
            if keyword.arg == key and key in keywords:
                return keyword.value, keywords[key]
    return None


def receiver(base: AnyValue, node: ast.Call) -> tuple[ast.expr, AnyValue]:
    """The object whose method is called, with its expression."""
    return (node.func.value if isinstance(node.func, ast.Attribute) else node.func), base


def targets(state: AnalysisState, place: tuple[ast.expr, AnyValue] | None, entry: Entry, mode: str) -> list[HeapObject]:
    """The files that a call writes to: an open file, or those at a path."""
    if place is None:
        return []
    if opened := [v for v in options(place[1]) if isinstance(v, HeapObject) and is_file(v)]:
        return opened
    return [open_for_writing(state, path, "a" in mode) for path in file_places(state, place, entry)]


def sources(state: AnalysisState, place: tuple[ast.expr, AnyValue] | None, entry: Entry) -> list[HeapObject]:
    """The files that a call reads: an open file, or those at a path."""
    if place is None:
        return []
    if opened := [v for v in options(place[1]) if isinstance(v, HeapObject) and is_file(v)]:
        return opened
    found: list[HeapObject] = []
    for path in file_places(state, place, entry):
        own = read_place(state, path)
        found += written_elsewhere(state, path) if own is None else [own]
    return found


def read_place(state: AnalysisState, place: Place) -> HeapObject | None:
    """What the program wrote to a path, with its rows where it is one object."""
    made, written = read_file(state, place), written_files(state, place)
    match written:
        case [(file, axes)] if made is not None and not (axes or file.extent):
            hand_on_rows(state, file, made)
    return made


def written_elsewhere(state: AnalysisState, place: Place) -> list[HeapObject]:
    """What another script of the project writes to files with this name.

    Scripts lie and run in different folders, so the folders of the two paths may differ.
    """
    name = name_with_stars(place.pattern)
    if not state.run_writer(name):
        return []
    same = [path for path in state.files if may_be_same(name, name_with_stars(path))]
    found = (read_place(state, replace(place, pattern=path)) for path in same)
    return [file for file in found if file is not None and has_history(file)]


def has_history(value: AnyValue, depth: int = MOST_LEVELS) -> bool:
    """Whether a value is more than data: a measure, a model, a prediction, or data that something was done to.

    Containers are searched ``depth`` levels deep. Of mere data, more is known where they come from outside.
    """
    match value:
        case Const():
            return False
        case Data():
            return bool(value.labels or value.pooled or value.origin == "prediction")
        case Union(options=several):
            return any(has_history(option, depth) for option in several)
        case HeapObject():
            entries = value.entries() if depth else []
            work(1 + len(entries))
            return bool(value.labels) or any(has_history(entry, depth - 1) for entry in entries)
        case _:
            return True


def name_with_stars(pattern: str) -> str:
    """The name of a file in a pattern of paths, with a star for each part that is not known."""
    return UNKNOWN_PART.sub("*", split_name(pattern)[1])


def file_places(state: AnalysisState, place: tuple[ast.expr, AnyValue], entry: Entry) -> list[Place]:
    """The paths that an argument gives, with the suffix that the library adds."""
    suffix = entry.facts.get("suffix", "")
    found = places(state, *place)
    return [p if p.pattern.endswith(suffix) else replace(p, pattern=p.pattern + suffix) for p in found]


def mode_of(arguments: Arguments, node: ast.AST, where: object, default: str) -> str:
    """The mode in which a call opens a file."""
    found = argument(arguments, node, where)
    known = [v.value for v in options(found[1]) if isinstance(v, Const) and isinstance(v.value, str)] if found else []
    return known[0] if known else default


def is_text(value: AnyValue) -> bool:
    """Whether a value is a text, such as a path."""
    return is_word(value) or (isinstance(value, Data) and value.codomain.kind is Kind.TEXT)


def open_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``open(path, "w")``, ``io.StringIO()``."""
    if entry.facts.get("memory"):
        made = new_file(state.allocation_loops)
        for value in arguments[0][:1]:
            made.elements = copied(state, value, deep=True)
        return made
    return opened(state, entry, argument(arguments, node, entry.facts["place"]), arguments, node)


def open_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``path.open("w")``."""
    if not any(is_text(v) for v in options(base)):
        return unknown_result(state, arguments, base)
    return opened(state, entry, receiver(base, node), arguments, node)


def opened(
    state: AnalysisState, entry: Entry, place: tuple[ast.expr, AnyValue] | None, arguments: Arguments, node: ast.AST
) -> AnyValue:
    """The file at a path, by the mode of the call."""
    mode = mode_of(arguments, node, entry.facts["mode"], "r")
    writes = any(letter in mode for letter in WRITING)
    found = targets(state, place, entry, mode) if writes else sources(state, place, entry)
    return join(found) if found else data_call(state, entry, arguments, node)


def store_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.save(path, value)``, ``pickle.dump(value, file)``; ``np.savez(path, a=value)`` stores a dict."""
    place, found = argument(arguments, node, entry.facts["place"]), None
    if entry.facts["value"] == "keywords":
        numbered = {f"arr_{i}": v for i, v in enumerate(arguments[0][1:])}
        stored = HeapObject("dict", {**numbered, **arguments[1]}, allocation_loops=state.allocation_loops)
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg is None:  # ``np.savez(path, **scores)``, where a loop made the names
                merge(state, stored, state.evaluate(state, keyword.value), node)
        value: AnyValue = stored
    elif found := argument(arguments, node, entry.facts["value"]):
        value = found[1]
    else:
        return Const()
    report_scores(state, value)
    check_best_shown(state, node, [value])
    for file in targets(state, place, entry, "w"):
        write_record(state, file, value, node)
        keep_rows(state, file, found[0] if found else None)
    return value if place is None else Const()  # ``yaml.dump(value)`` returns the text


def save_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.to_csv(path)`` reports what is in the frame; the path reports nothing."""
    report_scores(state, base)
    check_best_shown(state, node, [base])
    place = argument(arguments, node, entry.facts.get("place", 0))
    for file in targets(state, place, entry, mode_of(arguments, node, "mode", "w")):
        write_record(state, file, base, node)
        keep_rows(state, file, receiver(base, node)[0])
    return base if place is None else Const()  # ``frame.to_csv()`` returns the text


def write_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``f.write(text)``, ``writer.writerow(row)``, ``path.write_text(text)``: a person may read it, and so may code."""
    shown = show_method(state, base, entry, arguments, node)
    for value in arguments[0][:1]:
        for file in targets(state, receiver(base, node), entry, "w"):
            write_record(state, file, value, node, entry.facts.get("each", False))
    return shown


def load_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.load(path)``, ``pickle.load(file)``, ``pd.read_csv(path)``."""
    return loaded(state, entry, argument(arguments, node, entry.facts["place"]), arguments, node)


def load_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``f.read()``, ``path.read_text()``."""
    return loaded(state, entry, receiver(base, node), arguments, node, base)


def loaded(
    state: AnalysisState,
    entry: Entry,
    place: tuple[ast.expr, AnyValue] | None,
    arguments: Arguments,
    node: ast.AST,
    *others: AnyValue,
) -> AnyValue:
    """What the program stored at a place; data from outside, or an unknown value, if it stored nothing there."""
    files = sources(state, place, entry)
    give_rows(state, files, node)
    found = [v for file in files if (v := read_as(state, entry, file, node)) is not None]
    if found:
        state.taint |= NO_TAINT.union(*(o.labels for v in found for o in options(v) if isinstance(o, HeapObject)))
        return join(found)
    for path in file_places(state, place, entry) if place is not None and entry.facts.get("samples") else ():
        name_fold_loops(state, path.pattern, path.axes)
    is_data = entry.facts.get("unknown") == "data"
    return data_call(state, entry, arguments, node) if is_data else unknown_result(state, arguments, *others)


def read_as(state: AnalysisState, entry: Entry, file: HeapObject, node: ast.AST) -> AnyValue | None:
    """The contents of a file in the form in which a function gives them."""
    value = contents(file)
    if value is None:
        return None
    match entry.facts.get("form"):
        case "table":
            return as_frame(state, entry, file, value, node)
        case "records":
            return records_of(state, entry, file, value, node)
        case "lines":
            return lines_of(file)
        case "text" if file.extent:
            return file
        case _:
            return value


def lines_of(file: HeapObject) -> AnyValue:
    """What a loop over a file gives one by one: the records, or the entries of a sequence that is the only record."""
    whole = file.elements
    if isinstance(whole, HeapObject) and whole.kind in ("list", "array", "table", "frame") and not file.extent:
        return whole
    return whole if isinstance(whole, (MeasureValue, Data)) and whole.along and not file.extent else file


def records_of(state: AnalysisState, entry: Entry, file: HeapObject, value: AnyValue, node: ast.AST) -> AnyValue:
    """What a loop over a table with titles gives: rows whose entries stand under the titles."""
    frame = as_frame(state, entry, file, value, node)
    if not isinstance(frame, HeapObject) or frame.kind != "frame":
        return lines_of(file)
    row = {title: element_of(column) for title, column in frame.fields.items()}
    return HeapObject("list", {}, HeapObject("dict", row), extent_of(frame) | file.extent, state.active_axes)


def as_frame(state: AnalysisState, entry: Entry, file: HeapObject, value: AnyValue, node: ast.AST) -> AnyValue:
    """The table that was stored; tables that were appended are put together, and rows become columns."""
    frames = [v for v in options(file.elements) if isinstance(v, HeapObject) and v.kind in ("frame", "table")]
    if frames and file.extent:
        return join(pool_entries(state, frame, file.extent, node) for frame in frames)
    if not any(isinstance(v, HeapObject) and v.kind in ("list", "tuple", "dict") for v in options(file.elements)):
        return HeapObject("frame", {}, stack_along(value, file.extent)) if file.extent else value  # lines of text
    titles: list[AnyValue] = []
    rows: list[AnyValue] = []
    for row in [row for record in options(file.elements) for row in rows_in(record)]:
        is_title = isinstance(row, HeapObject) and row.fields and all(is_word(v) for v in row.entries())
        (titles if is_title else rows).append(row)
    listed = HeapObject("list", {}, join(rows), file.extent, file.allocation_loops)
    return frame_call(state, entry, ([listed], {"columns": titles[0]} if titles else {}), node)


def rows_in(record: AnyValue) -> list[AnyValue]:
    """The rows of a table that a list of dicts made, or else the record itself."""
    listed = record.entries() if isinstance(record, HeapObject) and record.kind == "list" else []
    are_rows = bool(listed) and all(isinstance(row, HeapObject) and row.kind == "dict" for row in listed)
    return listed if are_rows else [record]


def is_word(value: AnyValue) -> bool:
    """Whether a value is a literal text."""
    return isinstance(value, Const) and isinstance(value.value, str)
