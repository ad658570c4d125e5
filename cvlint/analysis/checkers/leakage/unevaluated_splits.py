"""Splits that serve no evaluation, or another one.

Nothing reads the test part, the folds only make features of all rows, or a training part is split once more.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, kept_in_node, names_in, nodes_in, row_keys
from cvlint.source.parsing import walk


def is_test_part_unread(state: AnalysisState, node: ast.AST) -> bool:
    """Whether nothing reads the test parts of a hold-out, at least before all of them are bound anew.

    Where the code has no model, and reads no part at all, the split is there for a model to come.
    """
    for assignment in nodes_in(state.frame.node, ast.Assign):
        match assignment:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is node:
                names = {t.id for t in targets[1::2] if isinstance(t, ast.Name)}
                tree = state.frame.module.source.tree
                if are_unread(state, names_in(assignment.targets[0])) and not has_model(state, tree):
                    return False
                later = statements_until_bound_anew(state, assignment, names)
                read_by = [tree] if later is None else later
                reads = {n for code in read_by for n in nodes_in(code, ast.Name) if n.id in names}
                reads = {n for n in reads if isinstance(n.ctx, ast.Load)}
                return bool(names) and reads <= {n for code in read_by for n in names_that_monitor(state, code)}
    return False


def names_that_monitor(state: AnalysisState, code: ast.AST) -> set[ast.Name]:
    """The names of held-out data that a fit only watches: ``net.fit(X, y, validation_data=(V, v))``, a statement."""
    fits = [s.value for s in nodes_in(code, ast.Expr) if isinstance(s.value, ast.Call)]
    watched = state.knowledge.groups["held-out-arguments"]
    held_out = (k.value for fit in fits if called_name(fit.func) == "fit" for k in fit.keywords if k.arg in watched)
    return {name for value in held_out for name in nodes_in(value, ast.Name)}


def statements_until_bound_anew(state: AnalysisState, node: ast.Assign, names: set[str]) -> list[ast.AST] | None:
    """The statements from an assignment to the one that binds all these names anew; None where there is none."""
    body: list[ast.stmt] = getattr(state.frame.node, "body", [])
    if not isinstance(body, list) or node not in body:
        return None
    found: list[ast.AST] = []
    for statement in body[body.index(node) + 1 :]:
        match statement:
            case ast.Assign(targets=[target], value=value) if names <= names_in(target):
                return [*found, value]
            case _:
                found.append(statement)
    return None


def are_unread(state: AnalysisState, names: frozenset[str]) -> bool:
    """Whether nothing in a module reads any of these names, but to count the rows: ``print(len(test))``."""
    tree = state.frame.module.source.tree
    if any(a.attr in names and isinstance(a.ctx, ast.Load) for a in nodes_in(tree, ast.Attribute)):
        return False  # ``data.test_mask``
    read = {n for n in nodes_in(tree, ast.Name) if n.id in names and isinstance(n.ctx, ast.Load)}
    return not read or read <= names_counted(tree)


@kept_in_node
def names_counted(tree: ast.AST) -> frozenset[ast.Name]:
    """The names of which code asks the size alone: ``len(test)``, ``test.shape``."""
    counted = [c.args[0] for c in nodes_in(tree, ast.Call) if called_name(c.func) == "len" and c.args]
    shaped = [a.value for a in nodes_in(tree, ast.Attribute) if a.attr == "shape"]
    return frozenset(node for node in (*counted, *shaped) if isinstance(node, ast.Name))


def makes_features_only(state: AnalysisState, step: Step) -> bool:
    """Whether a loop over folds writes features of its test rows, and the code has no model.

    ``for train, test in cv.split(X): distance[test] = distances(X[test], X[train])``
    """
    trees = (step.source.tree, state.frames[0].module.source.tree)
    if any(has_model(state, tree) for tree in trees):
        return False
    loop = next((f for f in nodes_in(step.source.tree, ast.For) if any(n is step.node for n in walk(f.iter))), None)
    if loop is None:
        return False
    written, read = rows_selected(loop, ast.Store), rows_selected(loop, ast.Load)
    return bool(written) and bool(read - written)  # ``frame.loc[test, "fold"] = fold`` only numbers the folds


def has_model(state: AnalysisState, tree: ast.AST) -> bool:
    """Whether code trains a model, lets one predict, or measures what one has predicted."""
    groups = state.knowledge.groups
    if names_in(tree) & (groups["predicts"] | groups["measures-itself"] | groups["trains-by-gradient"]):
        return True
    names = {called_name(call.func) for call in nodes_in(tree, ast.Call)}
    names = {name for name in names if not state.knowledge.conforms("test-part", name)}  # ``train_test_split``
    return any(state.knowledge.conforms(kind, name) for name in names for kind in ("judging", "training"))


def rows_selected(loop: ast.For, context: type[ast.expr_context]) -> set[str]:
    """The variables of a loop by which it selects the rows that it reads, or writes."""
    parts = (n for n in nodes_in(loop, ast.Subscript) if isinstance(n.ctx, context))
    keys = {key.id for part in parts for key in row_keys(part) if isinstance(key, ast.Name)}
    return keys & names_in(loop.target)


def is_training_part(state: AnalysisState, node: ast.AST) -> bool:
    """Whether a call gets the training part of a split, as the split says."""
    given = node.args[:1] if isinstance(node, ast.Call) and state.rows.is_followed else []
    return any(above.role == "train" for data in given for above in rows_of(state, data).rows.ancestors())
