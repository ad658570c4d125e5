"""Tests for NaN and replacements of it. Effects: ``mask``, ``patch``, ``divide``, ``drop-undefined``.

``np.isnan(scores)``, ``np.nan_to_num(scores)``, ``series.dropna()``, ``np.divide(tp, tp + fp, where=tp + fp > 0)``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import label_learned
from cvlint.analysis.checkers.undefined_folds.filters import check_dropped
from cvlint.analysis.checkers.undefined_folds.without_scores import is_missing
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, join
from cvlint.analysis.domain.value import AnyValue, Const, Data, Union, axes_of
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def mask_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.isnan(x)``."""
    state.excuse_undefined(first_argument(arguments))
    return Data(axes_of(first_argument(arguments)), index="nan-mask")


def patch_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.nan_to_num(x)``; with ``nan=1`` it patches undefined folds."""
    state.excuse_undefined(first_argument(arguments))
    value, patch = as_array(first_argument(arguments)), arguments[1].get("nan")
    if isinstance(patch, Const) and patch.value:
        check_dropped(state, value, node, "patch")
    return value


def divide_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.divide(a, b, where=b > 0)``: a division; ``where`` guards it against zeros."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return Data(state.active_axes, opaque=True)
    division = ast.copy_location(ast.BinOp(node.args[0], ast.Div(), node.args[1]), node)
    guarded = {"where", "out"} & arguments[1].keys() or entry.facts.get("guarded")
    if guarded:
        state.frame.guards.append(ast.With(items=[], body=[]))
    try:
        return state.evaluate(state, division)
    finally:
        if guarded:
            state.frame.guards.pop()


def mask_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``series.isna()``."""
    state.excuse_undefined(base)
    return Data(axes_of(base), index="nan-mask")


def patch_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``series.fillna(0)``, ``frame.fill_null(strategy="mean")``: undefined values are replaced."""
    state.excuse_undefined(base)
    strategy = arguments[1].get("strategy")
    if isinstance(strategy, Const) and strategy.value in entry.facts.get("learned_strategies", ()):
        label_learned(state, node, f"{entry.name}(strategy={strategy.value!r}) fills with statistics of")
    return base


def drop_undefined_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``series.dropna()``."""
    check_dropped(state, as_array(base), node)
    return those_defined(base)


def those_defined(value: AnyValue) -> AnyValue:
    """A column, or a frame, without its undefined entries."""
    match value:
        case HeapObject(kind="frame" | "table"):
            columns = {title: those_defined(column) for title, column in value.fields.items()}
            rest = None if value.elements is None else those_defined(value.elements)
            return HeapObject(value.kind, columns, rest, value.extent, value.allocation_loops)
        case Union(options=found):
            defined = [option for option in found if not is_undefined(option)]
            return join(defined) if defined else value
        case _:
            return value


def is_undefined(value: AnyValue) -> bool:
    """Whether an entry may be undefined: ``roc_auc_score(y, s) if both else np.nan``."""
    match value:
        case Data(codomain=codomain):
            return codomain.undefined
        case _:
            return is_missing(value)  # None, too, which pandas reads as NaN
