"""Measures in the parts that a splitter makes, which may lack a class where it does not stratify."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.value import LibraryObject, MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.inference.loop_dependence import argument_of
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives

MOST_NAMES = 12
MOST_SAMPLES = 10_000  # samples: the exact probability takes long for more


def split_axes(state: AnalysisState, axes: Axes) -> list[Axis]:
    """The splits whose test parts a measure is computed in: of nested ones only the innermost."""
    split = [axis for axis in axes if axis.kind == "fold" and axis.splitter is not None]
    under_way = [axis for axis in state.active_loops if axis in split]
    return under_way[-1:] or split


def check_stratification(
    state: AnalysisState, axis: Axis, value: MeasureValue, node: ast.AST, labels: str = "one"
) -> None:
    """A measure is computed in each part that a splitter makes: reported at the splitter, and at its alternatives."""
    splitter = axis.splitter
    if splitter is None or "step" not in splitter.facts:
        return
    if splits_no_samples(state, axis):
        return
    for other in splitter.facts.get("others", ()):
        check_stratification(state, Axis("fold", axis.step, other), value, node, labels)
    made = splitter.facts["step"]
    facts = {
        "style": splitter.facts["style"],
        "stratified": "yes" if splitter.facts["stratified"] else "no",
        "splitter": splitter.name,
        "labels": labels,
        "chance": empty_fold_clause(axis, splitter),
    }
    trace = (state.step(node, f"{value.measure} is computed in each part here"),)
    state.record(Event("split", made.module, made.node, value.measure, frozenset((axis,)), trace, "", facts))


def splits_no_samples(state: AnalysisState, axis: Axis) -> bool:
    """Whether no labelled samples are split, but patients or positives, by the names that the indices pick from."""
    picked, known = state.indexed_names.get(axis, set()), state.knowledge
    labelled = [name for name in picked if known.conforms("truth", name)]
    rows = [name for name in picked if known.conforms("rows", name) and not known.conforms("positives", name)]
    return bool(picked) and not labelled and not rows


def empty_fold_clause(axis: Axis, splitter: LibraryObject) -> str:
    """What is known of how likely a fold without positives is, as a clause of the message."""
    folds = splitter.facts.get("count")
    if axis.size is None or folds is None or splitter.name != "KFold":
        return ""
    samples, positives = axis.size
    if not 2 <= folds <= samples <= MOST_SAMPLES:
        return ""
    chance = p_some_fold_without_positives(samples, positives, folds)
    return f" (with {positives} positives among {samples} samples and {folds} folds, with probability {chance:.2g})"


def has_many_labels(state: AnalysisState, truth: ast.expr | None) -> bool:
    """Whether true labels are several columns of a frame, ``train[classes].values[test]``: no splitter stratifies so.

    Names are followed to what they were bound to, and parameters to what was given for them.
    """
    level, node = len(state.frames) - 1, truth
    for _ in range(MOST_NAMES):
        frame = state.frames[level]
        match node:
            case ast.Subscript(value=inner, slice=key):
                if takes_several_columns(frame.environment, key):
                    return True
                node = inner
            case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case ast.Name(id=name):
                home = frame.environment.defining_environment(name)
                given = argument_of(frame, name) if level and home is frame.environment else None
                level -= given is not None
                node = given or (home.definitions.get(name) if home is not None else None)
            case _:
                return False
    return False


def takes_several_columns(environment: Environment, key: ast.expr) -> bool:
    """Whether a key takes several columns: ``["a", "b"]``, a name for such a list, ``columns[2:-2]``, ``:, 1:7``."""
    match key:
        case ast.List(elts=elts):
            return len(elts) > 1 and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in elts)
        case ast.Name(id=name):
            home = environment.defining_environment(name)
            return (
                home is not None
                and isinstance(listed := home.definitions.get(name), ast.List)
                and takes_several_columns(environment, listed)
            )
        case ast.Subscript(value=columns, slice=ast.Slice(lower=lower)):
            return "columns" in names_in(columns) and not isinstance(lower, ast.UnaryOp)
        case ast.Tuple(elts=[ast.Slice(), ast.Slice(lower=None, upper=ast.Constant(value=int() as b))]):
            return b > 1
        case ast.Tuple(
            elts=[ast.Slice(), ast.Slice(lower=ast.Constant(value=int() as a), upper=ast.Constant(value=int() as b))]
        ):
            return b - a > 1
        case _:
            return False
