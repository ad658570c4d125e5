"""Scores of a parameter search, and whether the code reports them.

``search.best_score_`` and ``cv_results_["mean_test_f1"]`` are means over folds. A score that only compares candidates
is fine; one that is printed, logged or stored is a result. Event ``report``: CVL104.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from cvlint.analysis.checkers.leakage.learned import check_split, record_leak
from cvlint.analysis.domain.axis import sorted_axes
from cvlint.analysis.domain.codomain import TEXT
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import join, measures_in, options, stack_along
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.trace import COMPUTED, Step, Trace
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import code_of

SEARCH_SCORE = ("search",)
SEARCH_TEXT = ("search", "text")
READ_NOTE = "the search's mean over folds is read here"


def report_scores(state: AnalysisState, value: AnyValue, node: ast.AST | None = None) -> None:
    """The code prints ``value`` at ``node``, or stores it with results: the scores of a search in it are reported.

    A whole table of results reports them where it is printed; a file of it is a record of the candidates.
    """
    of_tables = scores_of_tables(state, value, node) if node is not None else []
    for found in (*measures_in(value), *of_tables):
        if found.parts in (SEARCH_SCORE, SEARCH_TEXT):
            step = next(s for s in reversed(found.trace) if s.note == READ_NOTE)
            trace = (*found.trace[: found.trace.index(step)], *shown_elsewhere(state, step, node))
            state.record(Event("report", step.source, step.node, found.measure, found.averaged_over, trace))
            for axis in sorted_axes(found.averaged_over):
                for label in state.search_leaks.get(axis.step.node, ()):
                    record_leak(state, label, axis.step, "search")


def as_plotted(state: AnalysisState, node: ast.Call, arguments: Arguments) -> Arguments:
    """The arguments of a call; a plot of the candidates' scores helps to choose among them, and reports none."""
    positional, keywords = arguments
    if not any([is_score_of_search(v) for v in (*positional, *keywords.values())]):
        return arguments
    if not state.knowledge.conforms("ends-plotted", code_of(node.func)):
        return arguments
    return [without_report(v) for v in positional], {name: without_report(v) for name, v in keywords.items()}


def without_report(value: AnyValue) -> AnyValue:
    """A score of a search as a mean over folds like any other."""
    return replace(value, parts=()) if is_score_of_search(value) else value


def is_score_of_search(value: AnyValue) -> TypeGuard[MeasureValue]:
    """Whether a value is the score of a search itself, and no text that holds it."""
    return isinstance(value, MeasureValue) and value.parts == SEARCH_SCORE


def scores_of_tables(state: AnalysisState, value: AnyValue, node: ast.AST) -> list[MeasureValue]:
    """The means over folds in whole tables of results: ``print(pd.DataFrame(search.cv_results_))``."""
    tables = [option for option in options(value) if is_table_of_search(option)]
    scores = [score for table in tables for score in table.facts["scoring"].values()]
    return [mean for score in scores for mean in measures_in(mean_score_of_search(state, score, node))]


def is_table_of_search(value: AnyValue) -> TypeGuard[LibraryObject]:
    """Whether a value is ``search.cv_results_``, or a frame of it."""
    return isinstance(value, LibraryObject) and value.role == "search-results"


def is_result(value: AnyValue) -> bool:
    """Whether a value that a cell shows holds measures."""
    return bool(measures_in(value)) or is_table_of_search(value)


def shown_elsewhere(state: AnalysisState, read: Step, node: ast.AST | None) -> Trace:
    """The step that shows a score, if it is not in the line that reads it from the search."""
    line = getattr(node, "lineno", None)
    if node is None or (read.source is state.environment.module.source and read.node.lineno == line):  # type: ignore[attr-defined]
        return ()
    return (state.step(node, "the score is shown here"),)


def text_value(values: list[AnyValue]) -> AnyValue:
    """A text made of ``values``: showing it reports what it holds; a single measure stays a measure."""
    entries = [e for v in values for e in (v.entries() if isinstance(v, HeapObject) and v.kind == "tuple" else [v])]
    measured = [v for v in entries if isinstance(v, MeasureValue)]
    possible = [option for entry in entries for option in options(entry) if isinstance(option, MeasureValue)]
    search_scores = [replace(v, parts=SEARCH_TEXT) for v in possible if v.parts in (SEARCH_SCORE, SEARCH_TEXT)]
    if search_scores:
        return join(search_scores)
    return measured[0] if len(measured) == 1 else Data(codomain=TEXT)


def search_attribute(state: AnalysisState, base: LibraryObject, node: ast.Attribute) -> AnyValue:
    """``search.best_score_``, ``search.cv_results_``: the data of the search may have been prepared as a whole."""
    if node.attr in ("best_score_", "cv_results_", "grid_scores_"):
        check_split(state, base.facts.get("fitted", NO_TAINT), base.facts["axis"].step, "search")
    scoring: dict[str, AnyValue] = base.facts["scoring"]
    if (form := (base.facts.get("means") or {}).get(node.attr)) is not None:
        return scores_of_library(state, scoring.get("score"), form, node)
    match node.attr:
        case "best_score_":
            refit = base.facts["refit"]
            refitted = refit.value if isinstance(refit, Const) and refit.value in scoring else None
            value = scoring.get(refitted or "score")
            return mean_score_of_search(state, value, node)
        case "cv_results_":
            return LibraryObject(role="search-results", facts=base.facts)
        case "grid_scores_":
            row = HeapObject(
                "tuple", {0: Data(), 1: mean_score_of_search(state, scoring.get("score"), node), 2: Data()}
            )
            return HeapObject("list", elements=row, allocation_loops=state.active_axes)
        case "scores_":
            return mean_score_of_search(state, scoring.get("score"), node)
        case "best_estimator_":
            _, given, _ = base.facts["call"]
            chosen = given.get("estimator")
            return chosen if isinstance(chosen, LibraryObject) else Data(state.active_axes, opaque=False)
        case _:
            return Data(state.active_axes)


def scores_of_library(state: AnalysisState, score: AnyValue | None, form: str, node: ast.Attribute) -> AnyValue:
    """The scores of a search under a library's own name, ``model.avgMetrics``.

    ``form``: of each candidate, of the best one, as a loss, or of each fold.
    """
    if form == "folds":
        return HeapObject("dict", elements=score or Data(state.active_axes), allocation_loops=state.active_axes)
    mean = mean_score_of_search(state, score, node)
    return stack_along(mean, new_axes(state, "candidate", node)) if form == "candidates" else mean


def search_column(state: AnalysisState, base: LibraryObject, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """``search.cv_results_["mean_test_f1"]``; some of the rows or columns, ``table.iloc[0]``, are results as well."""
    match key:
        case HeapObject(kind="tuple") if len(key.fields) > 1:
            return search_column(state, base, key.fields[1], node)  # ``table.loc[best, "mean_test_f1"]``
        case HeapObject() if key.elements is None and key.fields:
            return join(search_column(state, base, value, node) for value in key.fields.values())
        case Const(value=str() as name):
            return column_of_search(state, base, name, node)
        case HeapObject() | Data(index="mask"):
            return base
        case _:
            by_rows = (
                isinstance(node.value, ast.Attribute) and node.value.attr in state.knowledge.groups["selects-rows"]
            )
            return base if by_rows else Data(state.active_axes)


def column_of_search(state: AnalysisState, base: LibraryObject, name: str, node: ast.AST) -> AnyValue:
    """The column of the results of a search that has a name: the means over folds, of each candidate."""
    if not name.startswith("mean_test_"):
        return Data(state.active_axes)
    mean = mean_score_of_search(state, base.facts["scoring"].get(name.removeprefix("mean_test_")), node)
    return stack_along(mean, new_axes(state, "candidate", node))


def mean_score_of_search(state: AnalysisState, value: AnyValue | None, node: ast.AST) -> AnyValue:
    """The mean over folds of the score of a search; `report_scores` sees later whether the code shows it."""
    scores: list[AnyValue] = []
    for option in options(value):
        if isinstance(option, MeasureValue):
            axes = frozenset().union(*option.along)
            source, place_node, _ = state.report_site(node, option.trace, COMPUTED)
            step = Step(source, place_node, READ_NOTE)
            scores.append(
                replace(
                    option,
                    along=(),
                    averaged_over=option.averaged_over | axes,
                    trace=(*option.trace, step),
                    parts=SEARCH_SCORE,
                )
            )
    return join(scores) if scores else Data(state.active_axes)
