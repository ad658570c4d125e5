"""The table of effects: the transfer functions of each effect that the knowledge names.

The first transfer function is for calls of library functions, the second one for calls of methods. The row
``"update": (None, lists_and_dicts.update_method)`` says that no library function has the effect "update", and that
`cvlint.analysis.models.containers.lists_and_dicts` models ``scores.update(other)``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

from cvlint.analysis.checkers.leakage import check_construction
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.value import AnyValue, Const, LibraryObject, axes_of
from cvlint.analysis.models import objects
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.containers import (
    arrays_and_frames,
    column_expressions,
    concatenation,
    extremes,
    files,
    frames,
    group_reductions,
    iteration,
    lists_and_dicts,
    reductions,
    undefined_values,
)
from cvlint.analysis.models.dispatch import callables, python_code
from cvlint.analysis.models.experiment import (
    cross_validation,
    data_sources,
    estimators,
    metric_objects,
    metric_results,
    metrics,
    printing,
    sampling,
    scorers,
    splitters,
    training_loops,
)
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

FunctionTransfer: TypeAlias = Callable[[AnalysisState, Entry, Arguments, ast.AST], AnyValue]
MethodTransfer: TypeAlias = Callable[[AnalysisState, AnyValue, Entry, Arguments, ast.Call], AnyValue]


def library_object_of_role(role: str) -> FunctionTransfer:
    """The transfer function of a constructor: ``StandardScaler()`` makes a library object of the role "transformer"."""

    def transfer(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
        axes = NO_AXES.union(*(axes_of(v) for v in (*arguments[0], *arguments[1].values())))
        if entry.facts.get("learns") == "parts":
            steps = [v for arg in (*arguments[0], *arguments[1].values()) for v in estimators.pipeline_steps(arg)]
            facts: dict[str, Any] = {"learns": estimators.learned_by_steps(steps)}
        else:
            told = {name: value.value for name, value in arguments[1].items() if isinstance(value, Const)}
            facts = {**entry.facts, "function": first_argument(arguments), "node": node, "told": told}
        if "fits" in entry.facts:
            check_construction(state, node, entry.name.rpartition(".")[2], entry.facts["fits"])
        return LibraryObject(axes=axes, role=role, name=entry.name, facts=facts)

    return transfer


EFFECTS: dict[str, tuple[FunctionTransfer | None, MethodTransfer | None]] = {
    "accumulate": (reductions.accumulate_call, reductions.accumulate_method),
    "aggregate": (None, group_reductions.aggregate_method),
    "append": (None, lists_and_dicts.append_method),
    "area": (metric_results.area_call, None),
    "array": (arrays_and_frames.array_call, None),
    "attribute": (objects.attribute_call, None),
    "attributes": (objects.attributes_call, None),
    "batch-scoring": (training_loops.batch_scoring_call, None),
    "bins": (arrays_and_frames.bins_call, None),
    "calibrated": (library_object_of_role("calibrated"), None),
    "callable": (objects.callable_call, None),
    "check-cv": (arrays_and_frames.same_call, None),
    "clear": (None, lists_and_dicts.clear_method),
    "column": (column_expressions.column_call, None),
    "compile": (None, training_loops.compile_method),
    "constant": (data_sources.constant_call, None),
    "container": (lists_and_dicts.container_call, None),
    "copy": (lists_and_dicts.copy_call, lists_and_dicts.copy_method),
    "counts": (metrics.counts_call, None),
    "cross-val": (cross_validation.cross_val_call, None),
    "data": (data_sources.data_call, None),
    "dataset": (library_object_of_role("dataset"), None),
    "delayed": (library_object_of_role("delayed"), None),
    "descriptor": (objects.descriptor_call, None),
    "distinct": (arrays_and_frames.distinct_call, arrays_and_frames.distinct_method),
    "divide": (undefined_values.divide_call, None),
    "draw": (sampling.draw_call, sampling.draw_method),
    "drop-undefined": (None, undefined_values.drop_undefined_method),
    "estimator": (estimators.estimator_call, None),
    "evaluate-load": (metric_objects.evaluate_load_call, None),
    "evaluator": (scorers.evaluator_call, None),
    "extend": (None, lists_and_dicts.extend_method),
    "field": (objects.field_call, None),
    "fit": (None, estimators.fit_method),
    "fold": (callables.fold_call, None),
    "format": (None, printing.format_method),
    "frame": (arrays_and_frames.frame_call, None),
    "get": (None, lists_and_dicts.get_method),
    "harmonic": (metrics.harmonic_call, None),
    "hold-out": (splitters.hold_out_call, None),
    "insert": (None, lists_and_dicts.insert_method),
    "items": (None, lists_and_dicts.items_method),
    "iterate": (iteration.iterate_call, None),
    "keys": (None, lists_and_dicts.keys_method),
    "learner": (training_loops.learner_call, None),
    "length": (arrays_and_frames.length_call, None),
    "load": (files.load_call, files.load_method),
    "loader": (iteration.loader_call, None),
    "log": (None, printing.log_method),
    "made-data": (data_sources.made_data_call, None),
    "map": (callables.map_call, callables.map_method),
    "mask": (undefined_values.mask_call, undefined_values.mask_method),
    "measure": (metrics.measure_call, None),
    "open": (files.open_call, files.open_method),
    "optimise": (callables.optimise_call, None),
    "parallel": (library_object_of_role("parallel"), None),
    "partial": (callables.partial_call, None),
    "parts": (splitters.parts_call, splitters.parts_method),
    "patch": (undefined_values.patch_call, undefined_values.patch_method),
    "pool": (concatenation.pool_call, None),
    "predict": (None, estimators.predict_method),
    "python": (python_code.python_call, python_code.python_method),
    "quantile": (reductions.quantile_call, reductions.quantile_method),
    "record": (objects.record_call, None),
    "reduce": (reductions.reduce_call, reductions.reduce_method),
    "rename": (None, frames.rename_method),
    "resampler": (library_object_of_role("resampler"), None),
    "rest": (splitters.rest_call, None),
    "rows": (None, arrays_and_frames.rows_method),
    "same": (arrays_and_frames.same_call, arrays_and_frames.same_method),
    "save": (None, files.save_method),
    "scorer": (scorers.scorer_call, None),
    "search": (cross_validation.search_call, None),
    "select": (extremes.select_call, extremes.select_method),
    "select-columns": (None, column_expressions.select_columns_method),
    "setdefault": (None, lists_and_dicts.setdefault_method),
    "show": (printing.show_call, printing.show_method),
    "slice": (objects.slice_call, None),
    "sort": (None, lists_and_dicts.sort_method),
    "split": (None, splitters.split_method),
    "splitter": (splitters.splitter_call, None),
    "spread": (reductions.spread_call, reductions.spread_method),
    "stack": (concatenation.stack_call, None),
    "stateful-measure": (library_object_of_role("state"), None),
    "store": (files.store_call, None),
    "submit": (None, callables.submit_method),
    "super": (objects.super_call, None),
    "text": (arrays_and_frames.text_call, arrays_and_frames.text_method),
    "threshold": (arrays_and_frames.threshold_call, None),
    "transform": (None, group_reductions.transform_method),
    "transformer": (library_object_of_role("transformer"), None),
    "update": (None, lists_and_dicts.update_method),
    "values": (None, lists_and_dicts.values_method),
    "weigh": (reductions.weigh_call, reductions.weigh_method),
    "write": (None, files.write_method),
}
"""The transfer functions of an effect: of library functions, and of methods."""

FUNCTION_TRANSFERS = {effect: transfer for effect, (transfer, _) in EFFECTS.items() if transfer is not None}
METHOD_TRANSFERS = {effect: transfer for effect, (_, transfer) in EFFECTS.items() if transfer is not None}
