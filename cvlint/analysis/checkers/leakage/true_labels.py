"""Whether data are the true labels, or were made with them, by the names of variables and the titles of columns."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in, root_name
from cvlint.analysis.taint import constant_columns, selected_columns, taint_at


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


def learned_by_labels(state: AnalysisState, data: Sequence[ast.expr], strata: Sequence[ast.expr] = ()) -> Taint:
    """What only the true labels were made with, as clusters or duplicates are: the features know nothing of it.

    Nor do they of the column by which the rows are stratified: ``frame["bins"] = pd.qcut(frame["age"], 5)``.
    """
    return learned_by_truth(state, data) | learned_by_strata(state, data, strata)


def learned_by_strata(state: AnalysisState, data: Sequence[ast.expr], strata: Sequence[ast.expr]) -> Taint:
    """What only a column knows that says how to split its frame: ``folds.split(frame, frame.bins.values)``."""
    if not data:
        return NO_TAINT
    columns = [node for node in (*data[1:], *strata) if root_name(node) == root_name(data[0])]
    titles = {title for node in columns for title in titles_in(state, node)}
    own = frozenset(m for m in taint_at(state, data[0]) if m.kind == "learned" and m.columns and m.columns <= titles)
    learned = {m.step.node for m in own}
    state.strata |= learned
    return own | frozenset(m for m in taint_at(state, *columns) if m.step.node in learned)


def titles_in(state: AnalysisState, node: ast.expr) -> list[str]:
    """The columns that an expression selects, in whatever form: ``frame["bins"].values``, ``frame.bins``."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=inner, attr="values"):
            return titles_in(state, inner)
        case _:
            return selected_columns(state, node)


def learned_by_truth(state: AnalysisState, data: Sequence[ast.expr]) -> Taint:
    """What only the true labels among the data were made with."""
    labels = [node for node in data[1:] if state.knowledge.conforms("truth", root_name(node))]
    if not labels:
        return NO_TAINT
    features = taint_at(state, *(node for node in data if node not in labels))
    return frozenset(m for m in taint_at(state, *labels) - features if m.kind == "learned")
