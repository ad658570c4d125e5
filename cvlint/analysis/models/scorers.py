"""Measures that a ``scoring=`` argument or a scorer names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from cvlint.analysis.checkers.undefined_folds import is_undefined_constant, is_zero, skip
from cvlint.analysis.domain.lattice import join, measures, options
from cvlint.analysis.domain.value import (
    AnyValue,
    Axes,
    Axis,
    Const,
    Data,
    Function,
    HeapObject,
    LibraryName,
    LibraryObject,
    Measure,
    MeasureValue,
    Partial,
)
from cvlint.analysis.inference.identifier_inference import LABELS
from cvlint.analysis.models.arguments import first
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def scorer(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``make_scorer(fbeta_score, beta=2)``, ``get_scorer("f1")``."""
    average, undefined = given[1].get("average"), given[1].get("zero_division")
    facts = {
        "target": first(given),
        "average": average.value if isinstance(average, Const) else None,
        "defined": is_zero(undefined),
        "hides": node if is_undefined_constant(undefined) else None,
    }
    return LibraryObject(role="scorer", facts=facts)


def scored(state: AnalysisState, target: LibraryObject, node: ast.AST) -> AnyValue:
    """A scorer called by hand: ``scorer(model, X_test, y_test)``."""
    for value in measured_by_scoring(state, target, node, None).values():
        return value
    return Data(state.active_axes, opaque=True)


def labelled(facts: Mapping[str, Any], average: str | None = None) -> Measure:
    """The measure that an entry of the knowledge names."""
    return Measure(facts["measure"], average or facts.get("average"), facts.get("label", facts["measure"]))


def measured_by_scoring(
    state: AnalysisState, scoring: AnyValue | None, node: ast.AST, axis: Axis | None
) -> dict[str, AnyValue]:
    """What a ``scoring=`` argument computes in each fold, by the name it is stored under."""
    along = () if axis is None else (frozenset((axis,)),)
    found: dict[str, AnyValue] = {}
    for option in options(scoring):
        match option:
            case HeapObject() if option.kind == "dict":
                for key, value in option.keyed.items():
                    found |= {str(key): v for v in single(state, value, str(key), node, along)}
            case HeapObject():
                for value in option.entries():
                    for one in options(value):
                        name = one.value if isinstance(one, Const) else "score"
                        found |= {str(name): v for v in single(state, one, str(name), node, along)}
            case _:
                for value in single(state, option, "score", node, along):
                    old = found.get("score")
                    found["score"] = value if old is None else join([old, value])
    return found


def single(
    state: AnalysisState, scoring: AnyValue, name: str, node: ast.AST, along: tuple[Axes, ...]
) -> list[AnyValue]:
    """The values of one scorer: a string, a scorer object, a function."""
    measure = scoring_measure(state, scoring, name)
    if measure is None:
        return []
    step = state.step(node, f"{measure.label} is computed here")
    defined = isinstance(scoring, LibraryObject) and bool(scoring.facts.get("defined"))
    value = MeasureValue(state.active_axes, along, (step,), measure, defined=defined)
    hides = scoring.facts.get("hides") if isinstance(scoring, LibraryObject) else None
    if hides is not None and along:
        skip(state, hides, "zero-division", value, along[0])
    return [value]


def scoring_measure(state: AnalysisState, scoring: AnyValue, name: str) -> Measure | None:
    """Which measure a scorer computes."""
    match scoring:
        case Const(value=str() as text):
            known = state.knowledge.scorer(text)
            return (
                None
                if known is None
                else Measure(known.measure, known.average, named_average(known.label, known.average))
            )
        case LibraryObject(role="scorer"):
            inner = scoring_measure(state, scoring.facts["target"], name)
            average = scoring.facts["average"]
            if inner is None or average is None:
                return inner
            return Measure(inner.kind, average, named_average(inner.label, average))
        case LibraryName():
            entry = state.knowledge.entry(scoring.name)
            return (
                labelled(entry.facts)
                if entry is not None and entry.effect == "measure" and "parts" not in entry.facts
                else None
            )
        case Partial(target=LibraryName() as target):
            return scoring_measure(state, target, name)
        case Function():
            return function_measure(state, scoring)
        case _:
            return None


def function_measure(state: AnalysisState, function: Function) -> Measure | None:
    """Which measure a function of the project computes: by what it returns, else by its name."""
    for value in measures(returned_by(state, function)):
        return value.measure
    name = getattr(function.node, "name", "")
    kind = state.knowledge.measure_named(name) if name else None
    return None if kind is None else Measure(kind, None, LABELS[kind])


def returned_by(state: AnalysisState, function: Function) -> AnyValue:
    """What a function of the project returns, whatever it is called with."""
    state.suppress_events += 1
    result = state.call(state, function, ([], {}), function.node or ast.Constant(None))
    state.suppress_events -= 1
    return result


def named_average(label: str, average: str | None) -> str:
    """The label of a measure with its average."""
    return f"{average} {label}" if average in ("macro", "micro", "weighted") else label
