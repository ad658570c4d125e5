"""Tests and masks that leave out undefined folds.

``if not np.isnan(auc): aucs.append(auc)``, ``[x for x in aucs if x == x]``, ``aucs[~np.isnan(aucs)]``,
``frame.dropna()``. Event ``skip`` (see `skip_events`): CVL103.
"""

from __future__ import annotations

import ast

from cvlint.analysis.branched import Branched
from cvlint.analysis.checkers.undefined_folds.one_class_folds import (
    appends_if_both_classes,
    patches_fold,
    tests_for_both_classes,
)
from cvlint.analysis.checkers.undefined_folds.skip_events import (
    are_one_class_folds_skipped,
    continues_loop,
    has_fold_axis,
    record_skip,
)
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import codomain_of, lacks_scores, measures_in, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import is_same_code, names_in, nodes_in
from cvlint.source.parsing import walk


def check_if(state: AnalysisState, node: ast.If, test: AnyValue) -> None:
    """``if not isnan(auc): aucs.append(auc)`` and ``if len(unique(y[test])) < 2: continue`` in a fold."""
    tested = measure_under_test(state, node.test)
    if tested is not None and not tested.defined and has_fold_axis(tested.axes) and filters_folds(state, node, tested):
        record_skip(state, node.test, "filter", tested, tested.axes)
        return
    if (
        state.active_loops
        and state.active_loops[-1].kind == "fold"
        and (continues_loop(node) or patches_fold(state, node) or appends_if_both_classes(state, node))
        and tests_for_both_classes(state, node.test)
    ):
        axis = state.active_loops[-1]
        state.unresolved_one_class_tests.append((state.environment.module.source, node.test, frozenset((axis,))))


def filters_folds(state: AnalysisState, node: ast.If, value: MeasureValue) -> bool:
    """Whether a branch appends defined values only, or goes on with the next fold where one is undefined."""
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr="append" | "add" | "extend"))):
                born = frozenset().union(
                    *(v.allocation_loops for v in options(state.evaluate(state, receiver)) if isinstance(v, HeapObject))
                )
                if has_fold_axis(value.axes - born):
                    return True
            case ast.AugAssign(op=ast.Add()):
                return True
    if not continues_loop(node) or runs_over_one_fold(state, node, value):
        return False
    return any(keeps_value(statement_after) for statement_after in statements_after(state, node))


def runs_over_one_fold(state: AnalysisState, node: ast.If, value: MeasureValue) -> bool:
    """Whether the loop around a test takes what a single fold gave: ``for name, value in metrics.items(): …``."""
    around = [loop for loop in nodes_in(state.frame.node, ast.For) if any(child is node for child in walk(loop))]
    containers = (state.environment.lookup(name) for loop in around[-1:] for name in sorted(names_in(loop.iter)))
    held = [option for container in containers for option in options(container) if isinstance(option, HeapObject)]
    return any(has_fold_axis(value.axes & option.allocation_loops) for option in held)


def statements_after(state: AnalysisState, node: ast.stmt) -> list[ast.stmt]:
    """The statements after one in its block."""
    for parent in walk(state.frame.node):
        for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                return block[block.index(node) + 1 :]
    return []


def keeps_value(statement: ast.stmt) -> bool:
    """Whether a statement may keep a value: by an append, a sum, or a name."""
    for child in walk(statement):
        match child:
            case ast.AugAssign() | ast.Assign() | ast.Return() | ast.Yield():
                return True
            case ast.Call(func=ast.Attribute(attr="append" | "add" | "extend" | "update")):
                return True
    return False


@kept_for_file(4096)
def nodes_tested(test: ast.expr) -> tuple[ast.AST, ...]:
    """The nodes of a test that may check a value for being defined."""
    return tuple(child for child in walk(test) if isinstance(child, (ast.Call, ast.Compare)))


def measure_under_test(state: AnalysisState, test: ast.expr) -> MeasureValue | None:
    """The measure that a test checks for being defined: ``not np.isnan(auc)``, ``auc == auc``, ``auc is not None``."""
    for child in nodes_tested(test):
        match child:
            case ast.Call(
                func=ast.Attribute(attr="isnan" | "isfinite" | "isnull" | "notnull" | "isna" | "notna")
                | ast.Name(id="isnan" | "isfinite"),
                args=[inner, *_],
            ):
                return likely_undefined(state.evaluate(state, inner))
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if is_same_code(left, right):
                for value in measures_in(state.evaluate(state, left)):
                    return value
            case ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.NotEq() | ast.IsNot() | ast.Is()],
                comparators=[ast.Constant(value=0 | 0.0)],
            ):
                for value in measures_in(state.evaluate(state, left)):
                    return value
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value="nan")]):
                return likely_undefined(state.evaluate(state, left))
            case ast.Compare(left=left, ops=[ast.IsNot() | ast.Is()], comparators=[ast.Constant(value=None)]):
                return undefined_option(state.evaluate(state, left))
            case ast.Call(func=ast.Name(id=name), args=[inner]) if found := measure_kept_by(
                state, state.environment.lookup(name), state.evaluate(state, inner)
            ):
                return found
    return undefined_option(state.evaluate(state, test)) if isinstance(test, ast.Name) else None


def measure_kept_by(state: AnalysisState, keep: AnyValue | None, entry: AnyValue) -> MeasureValue | None:
    """The measure that the first argument of ``filter`` checks in each entry: ``None``, ``lambda v: v is not None``."""
    match keep:
        case Const(value=None):
            return undefined_option(entry)
        case Function(node=ast.Lambda(args=ast.arguments(args=[parameter]), body=body)):
            outer = state.environment
            state.environment = Environment(outer.module, outer, bindings=Branched({parameter.arg: entry}))
            found = measure_under_test(state, body)
            state.environment = outer
            return found
        case _:
            return None


def undefined_option(value: AnyValue) -> MeasureValue | None:
    """A measure that the program gives no value, ``None`` or NaN, where it is undefined.

    A record of several results that is missing as a whole tells of a crash or of an option, and of no measure.
    """
    if any(isinstance(option, HeapObject) and option.kind == "dict" for option in options(value)):
        return None
    return likely_undefined(value) if codomain_of(value).undefined else None


def likely_undefined(value: AnyValue) -> MeasureValue | None:
    """Of several measures the one that may be NaN: scikit-learn gives NaN for AUC, and 0 for F.

    Where the program itself gives NaN instead of a measure, the 0 of ``zero_division`` defines nothing.
    """
    if any(map(lacks_scores, options(value))):
        return None
    candidates = measures_in(value)
    found = next(
        (m for m in candidates if m.measure.kind in ("roc-auc", "average-precision")),
        candidates[0] if candidates else None,
    )
    return replace(found, defined=False) if found is not None and codomain_of(value).undefined else found


def skips_fold(state: AnalysisState, node: ast.If) -> bool:
    """Whether a branch goes on with the next fold, and at most prints something of this one."""
    if not state.active_loops or state.active_loops[-1].kind != "fold":
        return False
    only_shows = all(isinstance(s, ast.Expr) and "append" not in names_in(s) for s in node.body[:-1])
    return continues_loop(node) and only_shows


def corrects_tested_name(node: ast.If) -> bool:
    """Whether a branch only corrects what its test found: ``if n == 0: n = 1``."""
    tested = names_in(node.test)
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)) if name in tested:
                return True
    return False


def check_comprehension_filter(state: AnalysisState, test: ast.expr, axes: Axes) -> None:
    """``[x for x in aucs if not isnan(x)]``: undefined folds are left out."""
    tested = measure_under_test(state, test)
    if (
        tested is not None
        and not tested.defined
        and has_fold_axis(tested.axes & axes)
        and not are_one_class_folds_skipped(state, axes)
    ):
        state.excuse_undefined(tested)
        record_skip(state, test, "filter", tested, tested.axes)


def check_mask(state: AnalysisState, value: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """``aucs[~np.isnan(aucs)]``."""
    if isinstance(key, Data) and key.index == "nan-mask":
        check_dropped(state, value, node, "filter")


def check_dropped(state: AnalysisState, value: AnyValue, node: ast.AST, how: str = "dropna") -> None:
    """``frame.dropna()``: values along folds lose the undefined ones."""
    for found in measures_in(value):
        axes = frozenset().union(*found.along)
        if has_fold_axis(axes) and not found.defined:
            record_skip(state, node, how, found, axes)
            return
