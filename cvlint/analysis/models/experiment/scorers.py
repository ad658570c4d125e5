"""Measures that a ``scoring=`` argument or a scorer object names. Effect: ``scorer``.

``cross_val_score(model, X, y, scoring="f1")``, ``make_scorer(fbeta_score, beta=2)``, ``get_scorer("f1")``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from cvlint.analysis.checkers.undefined_folds.patches import hides_undefined, is_zero
from cvlint.analysis.checkers.undefined_folds.skip_events import record_skip
from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.codomain import Codomain, Kind
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import join, measures_in, options
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    Measure,
    MeasureValue,
    Partial,
)
from cvlint.analysis.inference.identifier_inference import measure_of_kind
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def scorer_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``make_scorer(fbeta_score, beta=2)``, ``get_scorer("f1")``."""
    average, zero_division = arguments[1].get("average"), arguments[1].get("zero_division")
    facts = {
        "target": first_argument(arguments),
        "average": average.value if isinstance(average, Const) else None,
        "defined": is_zero(zero_division),
        "hides": node if hides_undefined(zero_division) else None,
    }
    scorer = LibraryObject(role="scorer", facts=facts)
    if gets_labels(entry, arguments) and (measure := scoring_measure(state, scorer, "")) is not None:
        computed = steps_of(state, first_argument(arguments))
        state.emit("measure", node, measure, trace=computed, scores="hard", by="scorer")
        if state.events and state.events[-1].node is node:
            facts["told"] = state.events[-1]
    return scorer


def withdraw_labels(state: AnalysisState, scoring: AnyValue | None, estimator: AnyValue | None) -> None:
    """What ``predict`` of a regressor gives to a scorer are scores, and no labels."""
    models = options(estimator)
    if not models or not all(isinstance(m, LibraryObject) and m.facts.get("gives") == "scores" for m in models):
        return
    scorers = (s.facts for s in options(scoring) if isinstance(s, LibraryObject) and s.role == "scorer")
    if told := [facts["told"] for facts in scorers if "told" in facts]:
        state.events = [event for event in state.events if all(event is not one for one in told)]


def gets_labels(entry: Entry, arguments: Arguments) -> bool:
    """Whether a scorer hands predicted labels to its function, because nothing asks for the scores of the model."""
    if "asks_for_scores" not in entry.facts:
        return False
    asked = [value for key, value in arguments[1].items() if key in entry.facts["asks_for_scores"]]
    return all(isinstance(value, Const) and value.value in (None, False, "predict") for value in asked)


def evaluator_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``MulticlassClassificationEvaluator(metricName="f1")``: an object that measures the predictions in a frame.

    The measure is the library's default unless a keyword names another one. A measure of a ranking is one of labels if
    its column of scores is that of the predicted labels.
    """
    told = arguments[1].get(entry.facts["metric"], Const(value=entry.facts["default"]))
    name = entry.facts["scorers"].get(told.value) if isinstance(told, Const) else None
    column = arguments[1].get(entry.facts.get("scores_column", ""))
    facts = {
        "target": Const(value=name),
        "average": None,
        "hard": isinstance(column, Const) and column.value in entry.facts.get("hard_columns", ()),
        "call": (entry, arguments[1], node),
    }
    return LibraryObject(role="scorer", name=entry.name, facts=facts)


def told_evaluator(state: AnalysisState, base: LibraryObject, told: Mapping[str, AnyValue]) -> AnyValue:
    """An evaluator that a setter tells what to measure."""
    entry, keywords, node = base.facts["call"]
    return evaluator_call(state, entry, ([], {**keywords, **told}), node)


def call_scorer(state: AnalysisState, target: LibraryObject, node: ast.AST) -> AnyValue:
    """``scorer(model, X_test, y_test)``: the code itself calls a scorer."""
    for value in measured_by_scoring(state, target, node, None).values():
        return value
    return Data(state.active_axes, opaque=True)


def measure_of_entry(facts: Mapping[str, Any], average: str | None = None) -> Measure:
    """The measure of an entry of the knowledge."""
    return Measure(facts["measure"], average or facts.get("average"), facts.get("label", facts["measure"]))


def measured_by_scoring(
    state: AnalysisState, scoring: AnyValue | None, node: ast.AST, axis: Axis | None
) -> dict[str, AnyValue]:
    """What a ``scoring=`` argument computes in each fold, by the name that the result stores it under."""
    along = () if axis is None else (frozenset((axis,)),)
    found: dict[str, AnyValue] = {}
    for option in options(scoring):
        match option:
            case HeapObject() if option.kind == "dict":
                for key, value in option.fields.items():
                    found |= {str(key): v for v in values_of_scorer(state, value, str(key), node, along)}
            case HeapObject() if not isinstance(option, Instance):
                for value in option.entries():
                    for one in options(value):
                        name = one.value if isinstance(one, Const) else "score"
                        found |= {str(name): v for v in values_of_scorer(state, one, str(name), node, along)}
            case Function() if measures := measures_by_key(state, option):
                found |= {key: value_in_folds(state, measure, node, along) for key, measure in measures.items()}
            case _:
                for value in values_of_scorer(state, option, "score", node, along):
                    old = found.get("score")
                    found["score"] = value if old is None else join([old, value])
    return found


def values_of_scorer(
    state: AnalysisState, scoring: AnyValue, name: str, node: ast.AST, along: tuple[Axes, ...]
) -> list[AnyValue]:
    """The values of one scorer: a string, a scorer object or a function."""
    measure = scoring_measure(state, scoring, name)
    if measure is None:
        return []
    defined = isinstance(scoring, LibraryObject) and bool(scoring.facts.get("defined"))
    value = value_in_folds(state, measure, node, along, defined, is_default=isinstance(scoring, Data))
    hiding_argument = scoring.facts.get("hides") if isinstance(scoring, LibraryObject) else None
    if hiding_argument is not None and along:
        record_skip(state, hiding_argument, "zero-division", value, along[0])
    return [value]


def value_in_folds(
    state: AnalysisState,
    measure: Measure,
    node: ast.AST,
    along: tuple[Axes, ...],
    defined: bool = False,
    is_default: bool = False,
) -> MeasureValue:
    """The values of a measure that a library computes in each fold, perhaps by the default of an option."""
    by = ", by the default of an option" if is_default else ""
    step = state.step(node, f"{measure.label} is computed here{by}", heuristic=is_default)
    return MeasureValue(state.active_axes, along, (step,), measure, defined=defined)


def measures_by_key(state: AnalysisState, function: Function) -> dict[str, Measure]:
    """The measures of a scorer that returns several: ``return {"f1": f1_score(y, p), "recall": ...}``."""
    returned = [v for v in options(returned_by(state, function)) if isinstance(v, HeapObject) and v.kind == "dict"]
    fields = ((str(key), value) for one in returned for key, value in one.fields.items())
    return {key: measure for key, value in fields for measure in [v.measure for v in measures_in(value)][:1]}


def scoring_measure(state: AnalysisState, scoring: AnyValue, name: str) -> Measure | None:
    """The measure that a scorer computes; None where that is unknown."""
    match scoring:
        case Const(value=str() as text) | Data(codomain=Codomain(kind=Kind.TEXT), pattern=text):
            known = state.knowledge.scorer(text)
            if known is None:
                return None
            return Measure(known.measure, known.average, label_with_average(known.label, known.average))
        case LibraryObject(role="scorer"):
            inner = scoring_measure(state, scoring.facts["target"], name)
            average = scoring.facts["average"]
            if inner is None or average is None:
                return inner
            return Measure(inner.kind, average, label_with_average(inner.label, average))
        case LibraryName():
            entry = state.knowledge.entry(scoring.name)
            is_single = entry is not None and entry.effect == "measure" and "parts" not in entry.facts
            return measure_of_entry(entry.facts) if entry is not None and is_single else None
        case Partial(target=LibraryName() as target):
            return scoring_measure(state, target, name)
        case Function():
            return function_measure(state, scoring)
        case Instance():
            state.suppress_events += 1
            result = state.call(state, scoring, ([], {}), ast.Constant(None))
            state.suppress_events -= 1
            return next((value.measure for value in measures_in(result)), None)
        case _:
            return None


def function_measure(state: AnalysisState, function: Function) -> Measure | None:
    """The measure that a function of the project computes: by what it returns, else by its name."""
    for value in measures_in(returned_by(state, function)):
        return value.measure
    name = getattr(function.node, "name", "")
    kind = state.knowledge.measure_named(name) if name else None
    return None if kind is None else measure_of_kind(kind)


def steps_of(state: AnalysisState, scoring: AnyValue) -> Trace:
    """The steps by which a function of the project computes a measure."""
    found = measures_in(returned_by(state, scoring)) if isinstance(scoring, Function) else []
    return found[0].trace if found else ()


def returned_by(state: AnalysisState, function: Function) -> AnyValue:
    """What a function of the project returns when its arguments are unknown; events in it are not recorded."""
    state.suppress_events += 1
    result = state.call(state, function, ([], {}), function.node or ast.Constant(None))
    state.suppress_events -= 1
    return result


def label_with_average(label: str, average: str | None) -> str:
    """The label of a measure, with its average in front: "macro F1"."""
    return f"{average} {label}" if average in ("macro", "micro", "weighted") else label
