"""Data from outside, made-up data and plain values. Effects: ``data``, ``made-data``, ``constant``.

``pd.read_csv(path)``, ``make_classification(weights=[0.95])``, ``time.time()``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.codomain import BOOL
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import codomain_of, pooled_axes
from cvlint.analysis.domain.value import AnyValue, Const, Data, axes_of
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.early_stopping import label_data_set
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def data_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``pd.read_csv(path)``: data from outside, which are no measure; ``pd.get_dummies(labels)`` are labels still."""
    if entry.facts.get("encodes") and codomain_of(first_argument(arguments)).is_hard:
        return Data(axes_of(first_argument(arguments)), codomain=BOOL, pooled=pooled_axes(first_argument(arguments)))
    if "truth" in entry.facts:
        label_data_set(state, entry, node)
    return Data(state.active_axes.union(*(axes_of(v) for v in arguments[0])), origin="data" if arguments else "unknown")


def made_data_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``make_classification(n_samples=…, weights=[…], flip_y=0)``: data, and their size where the call says it."""
    if entry.facts.get("multilabel"):
        return HeapObject(
            "tuple", {0: Data(origin="data"), 1: Data(origin="multilabel")}, allocation_loops=state.active_axes
        )
    positional, keywords = arguments
    samples = literal_or_default(positional[0] if positional else keywords.get("n_samples"), 100)
    weights = keywords.get("weights")
    class_shares = [literal_or_default(v, None) for v in weights.entries()] if isinstance(weights, HeapObject) else []
    first_share = (
        class_shares[0]
        if 1 <= len(class_shares) <= 2 and literal_or_default(keywords.get("flip_y"), 0.01) == 0
        else None
    )
    size = None
    if isinstance(samples, int) and isinstance(first_share, float) and 0 < first_share < 1:
        size = (samples, round(samples * (1 - first_share)))
    return HeapObject(
        "tuple", dict(enumerate([Data(origin="data", size=size)] * 2)), allocation_loops=state.active_axes
    )


def literal_or_default(value: AnyValue | None, default: object) -> object:
    """The value of a literal argument, or its default where the call does not give it; None where it is unknown."""
    if value is None:
        return default
    return value.value if isinstance(value, Const) else None


def constant_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``time.time()``: a value that is known to be no measure."""
    return Data(state.active_axes.union(*(axes_of(v) for v in arguments[0])), opaque=False)
