"""Replace a plain splitter by the stratified one, and pass the labels to its ``split``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, arguments, bound_value

SELECTION = "sklearn.model_selection"
STRATIFIED = {
    "KFold": "StratifiedKFold",
    "RepeatedKFold": "RepeatedStratifiedKFold",
    "ShuffleSplit": "StratifiedShuffleSplit",
}
ROWS = ("iloc", "loc", "values")


def stratified_splitter(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``KFold(…).split(X)`` → ``StratifiedKFold(…).split(X, y)``."""
    if not isinstance(place, cst.Call):
        return
    module, _, name = code.meaning(place.func).rpartition(".")
    uses = _uses(code, place)
    if module != SELECTION or name not in STRATIFIED or not uses:
        return
    given = [_labelled(code, use) for use in uses]
    splitter = imported(code, place, SELECTION, STRATIFIED[name], [place.func])
    if splitter is None or any(edits is None for edits in given):
        return
    labels = [edit for edits in given for edit in edits or ()]
    yield Proposal((Edit(*code.span(place.func), splitter[0]), *splitter[1], *labels))


def _uses(code: Code, place: cst.Call) -> Sequence[cst.CSTNode]:
    """Find where the splitter is used: at its creation, or where its variable is read."""
    match code.parent(place):
        case cst.Arg() | cst.Attribute():
            return [place]
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            variable = code.variable(name)
            return variable.reads if variable is not None and len(variable.bound) == 1 else []
        case _:
            return []


def _labelled(code: Code, use: cst.CSTNode) -> tuple[Edit, ...] | None:
    """The edits that pass labels to a use of the splitter; None if the labels are not clear."""
    parent = code.parent(use)
    match parent, code.parent(parent):
        case cst.Attribute(attr=cst.Name(value="split")), cst.Call() as split if split.func is parent:
            return _split(code, split)
        case cst.Attribute(attr=cst.Name(value="get_n_splits" | "n_splits")), _:
            return ()
        case cst.Arg(keyword=cst.Name(value="cv")), cst.Call(func=func) if code.meaning(func).startswith(SELECTION):
            return ()
        case _:
            return None


def _split(code: Code, split: cst.Call) -> tuple[Edit, ...] | None:
    given = arguments(split, "X", "y", "groups")
    if given is None or "X" not in given or "groups" in given:
        return None
    if "y" in given:
        return ()
    labels = _labels(code, split)
    if labels is None:
        return None
    at = code.span(given["X"])[1]
    return (Edit(at, at, f", y={labels}" if given["X"].keyword else f", {labels}"),)


def _labels(code: Code, split: cst.Call) -> str | None:
    """The expression from which all measures in the loop over the folds take their true labels, if it is one."""
    loop = next((node for node in code.above(split) if isinstance(node, cst.For)), None)
    if loop is None or split not in (loop.iter, *_given_to_enumerate(loop.iter)):
        return None
    test = _test_part(loop)
    bases = [base for call in _measures(code, loop.body) if (base := _base(code, call, test)) is not None]
    if len({code.text(base) for base in bases}) != 1 or not unchanged(code, bases[0], *code.span(loop)):
        return None
    for name in code.names(bases[0]):
        variable = code.variable(name)
        if variable is None or code.span(variable.bound[0]) > code.span(loop):
            return None
    return code.text(bases[0])


def _given_to_enumerate(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    match node:
        case cst.Call(func=cst.Name(value="enumerate"), args=[cst.Arg(value=value), *_]):
            return [value]
        case _:
            return []


def _test_part(loop: cst.For) -> str:
    """The name of the test indices: the last name that the loop binds."""
    target: cst.CSTNode = loop.target
    while isinstance(target, cst.Tuple) and target.elements:
        target = target.elements[-1].value
    return target.value if isinstance(target, cst.Name) else ""


def _measures(code: Code, node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls of scikit-learn's measures in a block."""
    for child in node.children:
        if isinstance(child, cst.Call) and code.meaning(child.func).startswith("sklearn.metrics."):
            yield child
        yield from _measures(code, child)


def _base(code: Code, call: cst.Call, test: str) -> cst.BaseExpression | None:
    """The whole labels behind the true labels of a measure: ``y`` for ``y[test]`` and for ``y.iloc[test]``."""
    given = [
        arg
        for number, arg in enumerate(call.args)
        if (arg.keyword is None and number == 0) or _keyword(arg) == "y_true"
    ]
    value: cst.BaseExpression | None = given[0].value if given and not given[0].star else None
    if isinstance(value, cst.Name):
        variable = code.variable(value)
        value = bound_value(code, variable.bound[0]) if variable is not None and len(variable.bound) == 1 else None
    match value:
        case cst.Subscript(value=base, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(value=rows)))]) if (
            rows == test
        ):
            if isinstance(base, cst.Attribute) and base.attr.value in ROWS:
                base = base.value
            return base if isinstance(base, cst.Name | cst.Attribute) else None
        case _:
            return None


def _keyword(arg: cst.Arg) -> str:
    return arg.keyword.value if arg.keyword is not None else ""
