"""Loops that split the same data anew in each pass: a repeated hold-out, whose test parts overlap.

``for seed in range(20): train_test_split(X, y, random_state=seed)``. A loop over models or parameters that splits the
data in each pass is none: its results are not averaged to tell how good one model is.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.value import Const, LibraryObject
from cvlint.analysis.inference.loop_axes import FOLDS_BY_NAME
from cvlint.analysis.inference.loop_dependence import loops_turning
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in

SPLIT_AGAIN = "each pass of this loop splits the data anew"
HOLD_OUT = {"style": "hold-out", "drawn_anew": True}  # what is known of a splitter that draws random test parts
RANGES = frozenset(("range", "xrange", "trange"))
SHOWN_BY = frozenset(("print", "format", "str", "info", "debug"))
LISTED_BY = frozenset(("append", "insert", "add"))


def prove_repeated_hold_out(state: AnalysisState, node: ast.AST, name: str, seeded_by: str | None = None) -> None:
    """Turn the loop around a hold-out into a loop over folds, if each pass draws another test part of the same data.

    ``name`` is what splits. The argument ``seeded_by`` takes its random numbers; by default the names of seeds say so.
    """
    if not isinstance(node, ast.Call) or not state.active_loops:
        return
    axis = state.active_loops[-1]
    if axis.kind not in ("loop", "seed") or axis.splitter is not None:
        return
    if any(axis in loops_turning(state, argument) for argument in node.args) or not draws_anew(
        state, node, axis, seeded_by
    ):
        return
    if axis.kind == "seed" or only_counts_passes(state, axis):
        axis.kind, axis.splitter = "fold", LibraryObject(role="splitter", name=name, facts=dict(HOLD_OUT))
        axis.step = replace(axis.step, note=SPLIT_AGAIN)


def prove_split_by_name(state: AnalysisState, names: frozenset[str], source: ast.expr) -> None:
    """``train, test = split(data, held)``: a function that splits, by its name, gets the same data in each pass.

    ``names`` are those of the parts. What else it gets says what is held out, if that turns with the loop.
    """
    if not (state.active_loops and isinstance(source, ast.Call) and len(source.args) > 1):
        return
    axis, conventions = state.active_loops[-1], state.knowledge.loop_conventions
    if axis.kind != "loop" or not {"train-part", "test-part"} <= conventions(names):
        return
    if "splits" not in conventions(frozenset((called_name(source.func),))):
        return
    data, *others = [axis in loops_turning(state, argument) for argument in source.args]
    if any(others) and not data:
        axis.kind, axis.step = "fold", replace(axis.step, note=FOLDS_BY_NAME, heuristic=True)


def draws_anew(state: AnalysisState, node: ast.Call, axis: Axis, seeded_by: str | None) -> bool:
    """Whether each pass of a loop makes another split: no seed is given, or one that the loop changes."""
    names = {k.arg for k in node.keywords if k.arg is not None}
    seeds = {name for name in names if name == seeded_by or state.knowledge.conforms("seed", name)}
    given = [k.value for k in node.keywords if k.arg in seeds]
    for seed in given:
        value = state.evaluate(state, seed)
        if isinstance(value, Const) and value.value is None:
            continue
        return axis in loops_turning(state, seed)
    return True


def only_counts_passes(state: AnalysisState, axis: Axis) -> bool:
    """Whether a loop counts (``range(20)``), and its number is a seed, a key or shown, and no parameter of a model."""
    if not is_range(axis.step.node):
        return False
    loops = (loop for frame in state.frames for loop in nodes_in(frame.node, ast.For))
    loop = next((loop for loop in loops if loop.iter is axis.step.node), None)
    return loop is not None and not any(takes_number(state, call, axis) for call in nodes_in(loop, ast.Call))


def is_range(node: ast.AST) -> bool:
    """Whether an expression is ``range(20)``, or that in a progress bar."""
    match node:
        case ast.Call(func=func) if called_name(func) in RANGES:
            return True
        case ast.Call(args=[inner, *_]):
            return is_range(inner)
        case _:
            return False


def takes_number(state: AnalysisState, call: ast.Call, axis: Axis) -> bool:
    """Whether a call gets the number of the pass as it is, other than to show it, or as a seed."""
    given = [*call.args, *(k.value for k in call.keywords if not state.knowledge.conforms("seed", k.arg or ""))]
    if not any(isinstance(a, ast.Name) and a.id in axis.loop_variables for a in given):
        return False
    name = called_name(call.func)
    return name not in SHOWN_BY and not state.knowledge.conforms("seed", name) and name not in LISTED_BY
