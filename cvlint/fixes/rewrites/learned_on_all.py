"""Fit a transformer on the training part only: after the split, or in a pipeline with the model."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, arguments, inside
from cvlint.records import dataclass

SELECTION = "sklearn.model_selection"
SPLIT = f"{SELECTION}.train_test_split"
VALIDATIONS = tuple(f"{SELECTION}.{name}" for name in ("cross_val_score", "cross_val_predict", "cross_validate"))
MODULES = (
    "sklearn.decomposition",
    "sklearn.feature_extraction.text",
    "sklearn.feature_selection",
    "sklearn.impute",
    "sklearn.preprocessing",
)
"""Modules in which each class with ``fit_transform`` also has ``transform`` for new data."""
STEPS = frozenset({"params", "fit_params"})
"""Arguments of a cross-validation that name the steps of a pipeline."""
_WORD = re.compile(r"[A-Z]+[a-z0-9]*")


@dataclass(frozen=True, slots=True)
class FitTransformLine:
    """A line ``scaled = scaler.fit_transform(X)``."""

    data: cst.BaseExpression
    """The data before the transform."""
    name: str
    """The name of the transformer after the edits."""
    edits: tuple[Edit, ...]
    """The edits of the line: it is removed, or it only creates the transformer."""
    reads: tuple[cst.CSTNode, ...]
    """The reads of the transformed data."""
    is_used: bool
    """Whether the transformer has another use, for which it must be fitted."""


def fitted_on_training(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``fit_transform`` of all data → of the training part, or in a pipeline with the model."""
    found = _transformed(code, place)
    if found is None:
        return
    first = code.parent(code.parent(found.reads[0]))
    meaning = code.meaning(first.func) if isinstance(first, cst.Call) else ""
    edits = _after_split(code, found) if (meaning, len(found.reads)) == (SPLIT, 1) else _in_pipeline(code, found)
    if edits is not None:
        yield Proposal((*found.edits, *edits))


def _transformed(code: Code, place: cst.BaseExpression) -> FitTransformLine | None:
    match place:
        case cst.Call(
            func=cst.Attribute(value=made, attr=cst.Name(value="fit_transform")),
            args=[cst.Arg(keyword=None, star="", value=data)],
        ) if not any(isinstance(node, cst.Call) for node in inside(data)):
            assign = code.parent(place)
        case _:
            return None
    line = code.parent(assign)
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]) if (
            isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        ):
            reads = _reads_after(code, target, assign)
        case _:
            return None
    called = _transformer(code, made, line)
    if called is None or not reads:
        return None
    name, edits = called
    last = max(code.span(read)[1] for read in reads)
    variable = code.variable(made)
    uses = variable.reads if variable is not None else ()
    if any(code.span(assign)[1] <= code.span(read)[0] < last for read in uses):
        return None  # the code may read what the transformer learned
    if not unchanged(code, data, code.span(assign)[1], last):
        return None
    return FitTransformLine(data, name, edits, reads, len(uses) > 1)


def _reads_after(code: Code, target: cst.Name, assign: cst.Assign) -> tuple[cst.CSTNode, ...]:
    """The reads of an assigned name, if all follow the assignment in a straight line; empty if that is uncertain."""
    variable = code.variable(target)
    if variable is None or is_exposed(code, target, target.value):
        return ()
    after = tuple(read for read in variable.reads if code.span(read)[0] >= code.span(assign)[1])
    before = [read for read in variable.reads if read not in after]
    alone = all(code.scope(read) is code.scope(target) for read in before)
    later = [one for one in variable.bound if code.span(one)[0] >= code.span(assign)[1]]
    straight = all(code.once(code.statement(assign.value), read) for read in after)
    return after if alone and straight and not later else ()


def _transformer(
    code: Code, made: cst.BaseExpression, line: cst.SimpleStatementLine
) -> tuple[str, tuple[Edit, ...]] | None:
    """The name of a transformer, and the edits of the line that fits it to all data."""
    assign = code.assigned(made) if isinstance(made, cst.Name) else None
    value = assign.value if assign is not None else made
    if not isinstance(value, cst.Call):
        return None
    module, _, kind = code.meaning(value.func).rpartition(".")
    if module not in MODULES:
        return None
    if assign is not None:
        gone = code.removable(line)
        return (code.text(made), (Edit(*gone, ""),)) if gone is not None else None
    name = code.fresh(_WORD.findall(kind)[-1].lower())
    return name, (Edit(*code.span(line.body[0]), f"{name} = {code.text(made)}"),)


def _after_split(code: Code, found: FitTransformLine) -> tuple[Edit, ...] | None:
    """The edits that split the raw data first, and then fit the transformer to the training part."""
    argument = code.parent(found.reads[0])
    split = code.parent(argument)
    assign = code.parent(split)
    match split, assign:
        case (
            cst.Call(args=[cst.Arg(keyword=None, star="") as first, *_]),
            cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=parts))]),
        ) if first is argument:
            line = code.parent(assign)
        case _:
            return None
    match [part.value for part in parts[:2]]:
        case [cst.Name(value=train), cst.Name(value=test)]:
            pass
        case _:
            return None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    start, end = code.lines(line)
    indent = code.source.text[start : code.span(line)[0]]
    learned = f"{train} = {found.name}.fit_transform({train})"
    applied = f"{test} = {found.name}.transform({test})"
    edit = Edit(*code.span(found.reads[0]), code.text(found.data))
    return edit, Edit(end, end, f"\n{indent}{learned}\n{indent}{applied}")


def _in_pipeline(code: Code, found: FitTransformLine) -> tuple[Edit, ...] | None:
    """The edits that pass the raw data to each cross-validation, with a pipeline as the model."""
    pipeline = None if found.is_used else imported(code, found.reads[0], "sklearn.pipeline", "make_pipeline")
    edits: list[Edit] = []
    for read in found.reads:
        call = code.parent(code.parent(read))
        if not isinstance(call, cst.Call) or code.meaning(call.func) not in VALIDATIONS or pipeline is None:
            return None
        given = arguments(call, "estimator", "X", "y")
        if (
            given is None
            or not {"estimator", "X"} <= given.keys()
            or given["X"].value is not read
            or STEPS & given.keys()
        ):
            return None
        model = given["estimator"].value
        steps = f"{pipeline[0]}({found.name}, {code.argument(model)})"
        edits += [Edit(*code.span(model), steps), Edit(*code.span(read), code.text(found.data))]
    return (*edits, *pipeline[1]) if pipeline is not None else None
