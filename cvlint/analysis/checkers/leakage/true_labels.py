"""Whether data are the true labels, or were made with them, by the names of variables and the titles of columns."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in, root_name
from cvlint.analysis.taint import constant_columns, taint_at


def are_true_labels(state: AnalysisState, data: ast.expr) -> bool:
    """Whether data are columns of the true labels: their scale tells the features nothing.

    The name of a variable counts where it holds one title, as ``target = "price"`` does. A list from elsewhere says too
    little: ``target_columns`` may be the columns to work on.
    """
    match data:
        case ast.Attribute(attr=name) if state.knowledge.conforms("truth", name):
            return True  # ``frame.target``, ``self.labels``
        case ast.Call(func=inner) | ast.Attribute(value=inner) | ast.BinOp(left=inner):
            return are_true_labels(state, inner)  # ``frame["target"].values.reshape(-1, 1)``
        case ast.Subscript(slice=ast.Name(id=name)) if isinstance(
            state.environment.definitions.get(name), ast.Constant
        ):
            return state.knowledge.conforms("truth", name)
        case ast.Subscript(slice=key) if titles := constant_columns(state, key):
            return all(state.knowledge.conforms("truth", title) for title in titles)
        case _:
            return False


def is_of_target(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression holds a statistic of the true labels, by the name of their column or their variable."""
    sources = [m.step.node for m in taint_at(state, node) if m.kind == "statistic"]
    titles = {n.value for source in sources for n in nodes_in(source, ast.Constant) if isinstance(n.value, str)}
    titles |= {root_name(source) for source in sources if isinstance(source, ast.Call)}
    titles |= {name for source in sources for n in nodes_in(source, ast.Subscript) for name in names_in(n.slice)}
    return any(state.knowledge.conforms("truth", title) for title in titles)


def learned_by_labels(state: AnalysisState, data: Sequence[ast.expr]) -> Taint:
    """What only the true labels were made with, as clusters or duplicates are: the features know nothing of it."""
    labels = [node for node in data[1:] if state.knowledge.conforms("truth", root_name(node))]
    if not labels:
        return NO_TAINT
    features = taint_at(state, *(node for node in data if node not in labels))
    return frozenset(m for m in taint_at(state, *labels) - features if m.kind == "learned")
