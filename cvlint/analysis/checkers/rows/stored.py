"""The rows of what a program writes to a file, and reads again: data, and models that were fitted before."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.rows import RowSet, RowsOf
from cvlint.analysis.state import AnalysisState

CONTENTS = "contents"  # the key under which a file holds rows


def keep_rows(state: AnalysisState, file: HeapObject, node: ast.expr | None) -> None:
    """An expression was written to a file, which holds its rows if it holds nothing else."""
    if not state.rows.is_followed:
        return
    if node is not None and len(file.entries()) == 1:
        state.rows.held[file, CONTENTS] = as_stored(state, rows_of(state, node))
    else:
        state.rows.held.pop((file, CONTENTS), None)


def as_stored(state: AnalysisState, found: RowsOf) -> RowsOf:
    """The same data, or a copy of a model or transformer as it is now: the program may fit it anew.

    What the program measures of the model says nothing of the results of another program that reads it.
    """
    fit, learned = state.rows.fits.get(found.rows.found), state.rows.learned.get(found.rows.found)
    if fit is None and learned is None:
        return found
    copy = RowSet()
    if fit is not None:
        state.rows.fits[copy] = stored = replace(fit, measured=[], predicted=[], beside=[])
        state.rows.all_fits.append(stored)
    if learned is not None:
        state.rows.learned[copy] = learned
    return RowsOf(copy)


def hand_on_rows(state: AnalysisState, file: HeapObject, opened: HeapObject) -> None:
    """A file is opened to be read."""
    if (found := state.rows.held.get((file, CONTENTS))) is not None:
        state.rows.held[opened, CONTENTS] = found


def give_rows(state: AnalysisState, files: Sequence[HeapObject], node: ast.AST) -> None:
    """A call reads what these files hold."""
    found = state.rows.held.get((files[0], CONTENTS)) if len(files) == 1 else None
    if found is None:
        state.rows.of_calls.pop(node, None)
    else:
        state.rows.of_calls[node] = found
