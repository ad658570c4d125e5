"""Clusters of all the data: the numbers of the clusters, as one more feature, were learned from all rows.

``d["cluster"] = KMeans(3).fit_predict(d)``, ``groups.fit(d)`` and ``groups.predict(d)`` or ``groups.labels_``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import label_learned, name_of_data
from cvlint.analysis.checkers.leakage.own_statistics import OF_FIT
from cvlint.analysis.checkers.leakage.true_labels import CLUSTERS
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.taint_label import choices_in, sorted_labels
from cvlint.analysis.domain.value import AnyValue, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import taint_at


def is_clusterer(base: AnyValue) -> bool:
    """Whether a model groups data that have no labels."""
    return isinstance(base, LibraryObject) and base.facts.get("task") == "clusters"


def label_clusters(state: AnalysisState, base: LibraryObject, node: ast.Call) -> None:
    """``groups.predict(X)``: each row gets the number of its cluster, which knows what ``X`` and the model know.

    A model that was fitted to other data has learned from training data.
    """
    if not isinstance(node.func, ast.Attribute) or not node.args:
        return
    given, by = taint_at(state, node.args[0]), base.name.rpartition(".")[2]
    state.taint |= {m for m in given if m.kind == "learned"}
    if "fit" in node.func.attr:
        label_learned(state, node, f"{by} is fitted to", of=name_of_data(node.args[0]), choice=CLUSTERS)
        return
    for fitted in sorted_labels(m for m in taint_at(state, node.func.value) - given if m.choice == OF_FIT):
        learned = replace(fitted, kind="learned", cause=f"{by} is fitted to", choice=CLUSTERS)
        state.taint |= {learned}
        if fitted.subject != name_of_data(node.args[0]):
            state.training_data.add(fitted.step.node)


def label_numbers(state: AnalysisState, base: LibraryObject, node: ast.Attribute) -> None:
    """``groups.labels_``: the number of the cluster of each row that the model was fitted to."""
    by = base.name.rpartition(".")[2]
    fitted = {m for m in taint_at(state, node.value) if m.choice == OF_FIT}
    learned = {replace(m, kind="learned", cause=f"{by} is fitted to", choice=CLUSTERS) for m in fitted}
    state.taint = choices_in(state.taint) | learned
