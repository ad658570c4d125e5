"""Rows that are cut into a training and a test part: ``X[:n]`` and ``X[n:]``, ``X[drawn]`` and ``X[~drawn]``."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage import (
    LEAKING_KINDS,
    RESTORED,
    binds_training_part,
    check_split,
    label_parts,
)
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import root_name, row_keys, taint_at


def check_cut(state: AnalysisState, node: ast.Subscript) -> None:
    """``train = X[:n]`` and ``test = X[n:]`` cut labelled data into a training and a test part."""
    key = row_keys(node)[0]
    along_loop = any(axis.loop_variables & names_in(key) for axis in state.active_loops)  # windows, which move on
    cut = cut_at(key)
    if cut is None or along_loop:
        return
    at, is_first = cut
    taint, name = taint_at(state, node.value), root_name(node.value)
    if not any(m.kind in LEAKING_KINDS for m in taint):
        if isinstance(key, ast.Slice) and key.upper is not None and binds_training_part(state):
            joined = any(m.kind == "joined" for m in taint)
            label_parts(state, node, name, RESTORED if joined else "")
    elif any(m.kind in ("part", "joined") for m in taint):
        return
    elif is_first and binds_training_part(state):
        state.slice_cuts[name, at] = node
    elif not is_first and not isinstance(key, ast.Slice) and not binds_test_part(state):
        return  # rows that are left out of the training data
    elif not is_first and (first := state.slice_cuts.get((name, at))) is not None:
        check_split(state, taint, state.step(first, "the data are cut into parts here"), "hold-out")


def binds_test_part(state: AnalysisState) -> bool:
    """Whether the statement under way binds a name of a test or validation part."""
    return any(
        state.knowledge.conforms("test-part", name) for target in state.assigned_targets for name in names_in(target)
    )


def cut_at(key: ast.expr) -> tuple[str, bool] | None:
    """Where a key cuts the rows, and whether it takes the first of the two parts; None for other keys."""
    match key:
        case ast.Slice(lower=None | ast.Constant(value=0), upper=ast.expr() as bound, step=None):
            return bound_of_slice(bound), True
        case ast.Slice(lower=ast.expr() as bound, step=None):
            return bound_of_slice(bound), False
        case ast.Name(id=mask):
            return mask, True
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Name(id=mask)):
            return mask, False
        case _:
            return None


def bound_of_slice(node: ast.expr) -> str:
    """The bound of a slice as text: the name in it, or its spelling."""
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return names[0] if names else ast.unparse(node)
