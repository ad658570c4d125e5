"""What is shown to a person, or given to code that cannot be followed."""

from __future__ import annotations

from dataclasses import replace

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import join, measures_in
from cvlint.analysis.domain.value import AnyValue, Data, MeasureValue, axes_of
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState, Arguments


def unknown_result(state: AnalysisState, given: Arguments, *others: AnyValue) -> Data:
    """The result of code that is not followed: it varies over all loops around."""
    positional, keywords = given
    for value in (*positional, *keywords.values()):
        if not (
            isinstance(value, MeasureValue) and value.parts == SEARCH_TEXT
        ):  # a text given to other code may be a path
            report_scores(state, value)
    axes = state.active_axes.union(*(axes_of(v) for v in (*positional, *keywords.values(), *others)))
    return Data(axes, opaque=True)


SEARCH_SCORE = ("search",)
SEARCH_TEXT = ("search", "text")
READ_NOTE = "the search's mean over folds is read here"


def report_scores(state: AnalysisState, value: AnyValue) -> None:
    """``value`` is shown to a person, or stored with results: scores of a search among it are reported."""
    for found in measures_in(value):
        if found.parts in (SEARCH_SCORE, SEARCH_TEXT):
            step = next(s for s in reversed(found.trace) if s.note == READ_NOTE)
            trace = found.trace[: found.trace.index(step)]
            state.record(Event("report", step.module, step.node, found.measure, found.averaged_over, trace))


def text_value(values: list[AnyValue]) -> AnyValue:
    """A text made of ``values``: it reports what it holds once it is shown; a single measure stays one to ``float``."""
    flat = [e for v in values for e in (v.entries() if isinstance(v, HeapObject) and v.kind == "tuple" else [v])]
    found = [v for v in flat if isinstance(v, MeasureValue)]
    searched = [replace(v, parts=SEARCH_TEXT) for v in found if v.parts in (SEARCH_SCORE, SEARCH_TEXT)]
    if searched:
        return join(searched)
    return found[0] if len(found) == 1 else Data(codomain="text")
