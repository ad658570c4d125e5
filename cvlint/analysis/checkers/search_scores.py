"""Parameter searches: their scores are means over folds, and whether those are reported."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.leakage import into_split
from cvlint.analysis.checkers.reported_scores import READ, SEARCHED
from cvlint.analysis.domain.lattice import join, options, stacked
from cvlint.analysis.domain.value import NO_MARKS, AnyValue, Cell, Const, Data, Measured, Step, Thing
from cvlint.analysis.inference.loop_axes import one_axis
from cvlint.analysis.state import Run


def search_attribute(run: Run, base: Thing, node: ast.Attribute) -> AnyValue:
    """``best_score_`` and ``cv_results_`` of a search, whose data may have been prepared as a whole before."""
    if node.attr in ("best_score_", "cv_results_", "grid_scores_"):
        into_split(run, base.facts.get("fitted", NO_MARKS), base.facts["axis"].step, "search")
    scoring: dict[str, AnyValue] = base.facts["scoring"]
    match node.attr:
        case "best_score_":
            refit = base.facts["refit"]
            wanted = refit.value if isinstance(refit, Const) and refit.value in scoring else None
            value = scoring.get(wanted or "score")
            return shown_score(run, value, node)
        case "cv_results_":
            return Thing(role="search-results", facts=base.facts)
        case "grid_scores_":
            row = Cell("tuple", {0: Data(), 1: shown_score(run, scoring.get("score"), node), 2: Data()})
            return Cell("list", rest=row, born=run.active_axes)
        case "scores_":
            return shown_score(run, scoring.get("score"), node)
        case "best_estimator_":
            return Data(run.active_axes, opaque=False)
        case _:
            return Data(run.active_axes)


def search_column(run: Run, base: Thing, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """``cv_results_["mean_test_f1"]``."""
    scoring: dict[str, AnyValue] = base.facts["scoring"]
    if isinstance(key, Cell):
        return join(search_column(run, base, value, node) for value in key.keyed.values())
    name = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
    if name.startswith("mean_test_"):
        candidates = one_axis(run, "candidate", node)
        return stacked(shown_score(run, scoring.get(name.removeprefix("mean_test_")), node), candidates)
    return Data(run.active_axes)


def shown_score(run: Run, value: AnyValue | None, node: ast.AST) -> AnyValue:
    """The mean over folds of a search's score; whether it is shown is seen later (see `reported`)."""
    found: list[AnyValue] = []
    for option in options(value):
        if isinstance(option, Measured):
            axes = frozenset().union(*option.along)
            module, place, _ = run.place(node, option.trace, "computed here")
            step = Step(module, place, READ)
            found.append(
                replace(option, along=(), reduced=option.reduced | axes, trace=(*option.trace, step), parts=SEARCHED)
            )
    return join(found) if found else Data(run.active_axes)
