"""Calls of library functions: the knowledge names an effect, and the effect has a transfer function.

Of ``numpy.mean`` the knowledge says ``effect = "reduce"``, so that ``np.mean(scores)`` goes to `reduce_call`. A
function that the knowledge does not name gives an unknown value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.value import AnyValue, LibraryName, LibraryObject, axes_of
from cvlint.analysis.models.arguments import first_argument, unknown_result, wrapped_result
from cvlint.analysis.models.containers.arrays_and_frames import (
    array_call,
    bins_call,
    distinct_call,
    frame_call,
    length_call,
    same_call,
    text_call,
    threshold_call,
)
from cvlint.analysis.models.containers.column_expressions import column_call
from cvlint.analysis.models.containers.concatenation import pool_call, stack_call
from cvlint.analysis.models.containers.extremes import select_call
from cvlint.analysis.models.containers.files import load_call, open_call, store_call
from cvlint.analysis.models.containers.iteration import iterate_call, loader_call
from cvlint.analysis.models.containers.lists_and_dicts import container_call, copy_call
from cvlint.analysis.models.containers.reductions import (
    accumulate_call,
    quantile_call,
    reduce_call,
    spread_call,
    weigh_call,
)
from cvlint.analysis.models.containers.undefined_values import divide_call, mask_call, patch_call
from cvlint.analysis.models.dispatch.callables import fold_call, map_call, optimise_call, partial_call
from cvlint.analysis.models.dispatch.python_code import python_call, unbound_method
from cvlint.analysis.models.experiment.cross_validation import cross_val_call, search_call
from cvlint.analysis.models.experiment.data_sources import constant_call, data_call, made_data_call
from cvlint.analysis.models.experiment.estimators import estimator_call, learned_by_steps, pipeline_steps
from cvlint.analysis.models.experiment.metric_objects import evaluate_load_call
from cvlint.analysis.models.experiment.metric_results import area_call
from cvlint.analysis.models.experiment.metrics import counts_call, harmonic_call, measure_call
from cvlint.analysis.models.experiment.predictions import unknown_measure
from cvlint.analysis.models.experiment.printing import show_call
from cvlint.analysis.models.experiment.sampling import draw_call
from cvlint.analysis.models.experiment.scorers import evaluator_call, scorer_call
from cvlint.analysis.models.experiment.splitters import hold_out_call, parts_call, rest_call, splitter_call
from cvlint.analysis.models.experiment.training_loops import batch_scoring_call, learner_call
from cvlint.analysis.models.objects import (
    attribute_call,
    attributes_call,
    descriptor_call,
    field_call,
    record_call,
    super_call,
)
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taken_arguments
from cvlint.knowledge.schema import Entry

PASSING_EFFECTS = ("python", "partial", "map", "fold", "container", "copy", "store")  # they pass their arguments on

FunctionTransfer: TypeAlias = Callable[[AnalysisState, Entry, Arguments, ast.AST], AnyValue]


def call_library_function(state: AnalysisState, target: LibraryName, arguments: Arguments, node: ast.AST) -> AnyValue:
    """The value of a call of a library function, such as ``np.mean(scores)``."""
    entry = state.knowledge.entry(target.name)
    if entry is None or entry.effect not in FUNCTION_TRANSFERS:
        method = state.knowledge.methods.get(target.name.rpartition(".")[2])
        if method is not None and method.effect in ("show", "log", "write"):  # logging.info, logger.info, tqdm.write
            return show_call(state, method, arguments, node)
        cls = state.knowledge.entry(target.name.rpartition(".")[0])
        if method is not None and cls is not None and cls.effect == "container":  # ``list.append(scores, f1)``
            return state.call(state, unbound_method(state, target.name.rpartition(".")[2], node), arguments, node)
        if entry is None and not state.knowledge.measure_named(target.name.rpartition(".")[2]):
            if (measured := unknown_measure(state, target.name, arguments, node)) is not None:
                return measured
            return wrapped_result(state, target.name, arguments, node)
        return unknown_result(state, arguments)
    if entry.effect not in PASSING_EFFECTS:
        arguments = taken_arguments(arguments)
    return FUNCTION_TRANSFERS[entry.effect](state, entry, arguments, node)


def library_object_of_role(role: str) -> FunctionTransfer:
    """The transfer function of a constructor: ``StandardScaler()`` makes a library object of the role "transformer"."""

    def transfer(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
        axes = NO_AXES.union(*(axes_of(v) for v in (*arguments[0], *arguments[1].values())))
        if entry.facts.get("learns") == "parts":
            steps = [v for arg in (*arguments[0], *arguments[1].values()) for v in pipeline_steps(arg)]
            return LibraryObject(axes=axes, role=role, name=entry.name, facts={"learns": learned_by_steps(steps)})
        return LibraryObject(
            axes=axes,
            role=role,
            name=entry.name,
            facts={**entry.facts, "function": first_argument(arguments), "node": node},
        )

    return transfer


FUNCTION_TRANSFERS: dict[str, FunctionTransfer] = {
    "measure": measure_call,
    "reduce": reduce_call,
    "spread": spread_call,
    "select": select_call,
    "same": same_call,
    "pool": pool_call,
    "stack": stack_call,
    "array": array_call,
    "container": container_call,
    "frame": frame_call,
    "splitter": splitter_call,
    "hold-out": hold_out_call,
    "parts": parts_call,
    "cross-val": cross_val_call,
    "search": search_call,
    "scorer": scorer_call,
    "evaluator": evaluator_call,
    "column": column_call,
    "learner": learner_call,
    "batch-scoring": batch_scoring_call,
    "iterate": iterate_call,
    "map": map_call,
    "optimise": optimise_call,
    "mask": mask_call,
    "patch": patch_call,
    "divide": divide_call,
    "counts": counts_call,
    "data": data_call,
    "made-data": made_data_call,
    "rest": rest_call,
    "estimator": estimator_call,
    "calibrated": library_object_of_role("calibrated"),
    "loader": loader_call,
    "dataset": library_object_of_role("dataset"),
    "stateful-measure": library_object_of_role("state"),
    "parallel": library_object_of_role("parallel"),
    "delayed": library_object_of_role("delayed"),
    "partial": partial_call,
    "fold": fold_call,
    "copy": copy_call,
    "length": length_call,
    "show": show_call,
    "distinct": distinct_call,
    "threshold": threshold_call,
    "bins": bins_call,
    "area": area_call,
    "check-cv": same_call,
    "constant": constant_call,
    "transformer": library_object_of_role("transformer"),
    "resampler": library_object_of_role("resampler"),
    "draw": draw_call,
    "evaluate-load": evaluate_load_call,
    "harmonic": harmonic_call,
    "record": record_call,
    "field": field_call,
    "descriptor": descriptor_call,
    "super": super_call,
    "attribute": attribute_call,
    "attributes": attributes_call,
    "python": python_call,
    "accumulate": accumulate_call,
    "weigh": weigh_call,
    "quantile": quantile_call,
    "text": text_call,
    "open": open_call,
    "store": store_call,
    "load": load_call,
}
