"""The tables of effects: the transfer functions of each effect that the knowledge names.

One table is for calls of library functions, the other one for calls of methods. The row ``"update":
lists_and_dicts.update_method`` of the methods says that `cvlint.analysis.models.containers.lists_and_dicts` models
``scores.update(other)``; without a row in the other table, no library function has the effect "update".
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

from cvlint.analysis.checkers.leakage.learned import check_construction
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.value import AnyValue, Const, LibraryObject, axes_of
from cvlint.analysis.models import early_stopping, enumerations, objects, settings
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


FUNCTION_TRANSFERS: dict[str, FunctionTransfer] = {
    "accumulate": reductions.accumulate_call,
    "area": metric_results.area_call,
    "array": arrays_and_frames.array_call,
    "attribute": objects.attribute_call,
    "attributes": objects.attributes_call,
    "batch-scoring": training_loops.batch_scoring_call,
    "bins": arrays_and_frames.bins_call,
    "calibrated": library_object_of_role("calibrated"),
    "callable": objects.callable_call,
    "check-cv": arrays_and_frames.same_call,
    "class": objects.class_call,
    "code": python_code.code_call,
    "column": column_expressions.column_call,
    "constant": data_sources.constant_call,
    "container": lists_and_dicts.container_call,
    "copy": lists_and_dicts.copy_call,
    "counts": metrics.counts_call,
    "cross-val": cross_validation.cross_val_call,
    "data": data_sources.data_call,
    "dataset": library_object_of_role("dataset"),
    "default": settings.default_call,
    "delayed": library_object_of_role("delayed"),
    "descriptor": objects.descriptor_call,
    "distinct": arrays_and_frames.distinct_call,
    "divide": undefined_values.divide_call,
    "draw": sampling.draw_call,
    "estimator": estimators.estimator_call,
    "evaluate-load": metric_objects.evaluate_load_call,
    "evaluator": scorers.evaluator_call,
    "field": objects.field_call,
    "flag": settings.flag_call,
    "fold": callables.fold_call,
    "frame": arrays_and_frames.frame_call,
    "harmonic": metrics.harmonic_call,
    "hold-out": splitters.hold_out_call,
    "instance-of": objects.instance_of_call,
    "iterate": iteration.iterate_call,
    "learner": training_loops.learner_call,
    "keeps-best": early_stopping.keeps_best_call,
    "length": arrays_and_frames.length_call,
    "load": files.load_call,
    "loader": iteration.loader_call,
    "made-data": data_sources.made_data_call,
    "map": callables.map_call,
    "mask": undefined_values.mask_call,
    "measure": metrics.measure_call,
    "member": enumerations.member_call,
    "open": files.open_call,
    "optimise": callables.optimise_call,
    "optimiser": estimators.optimiser_call,
    "option-parser": library_object_of_role(settings.PARSER),
    "parallel": library_object_of_role("parallel"),
    "partial": callables.partial_call,
    "parts": splitters.parts_call,
    "patch": undefined_values.patch_call,
    "pool": concatenation.pool_call,
    "python": python_code.python_call,
    "quantile": reductions.quantile_call,
    "record": objects.record_call,
    "reduce": reductions.reduce_call,
    "resampler": library_object_of_role("resampler"),
    "rest": splitters.rest_call,
    "same": arrays_and_frames.same_call,
    "scorer": scorers.scorer_call,
    "search": cross_validation.search_call,
    "select": extremes.select_call,
    "settings": settings.settings_call,
    "show": printing.show_call,
    "slice": objects.slice_call,
    "splitter": splitters.splitter_call,
    "spread": reductions.spread_call,
    "stack": concatenation.stack_call,
    "stateful-measure": library_object_of_role("state"),
    "store": files.store_call,
    "super": objects.super_call,
    "text": arrays_and_frames.text_call,
    "threshold": arrays_and_frames.threshold_call,
    "transformer": library_object_of_role("transformer"),
    "weigh": reductions.weigh_call,
}
"""The transfer function of each effect for calls of library functions."""

METHOD_TRANSFERS: dict[str, MethodTransfer] = {
    "accumulate": reductions.accumulate_method,
    "aggregate": group_reductions.aggregate_method,
    "append": lists_and_dicts.append_method,
    "beside": concatenation.beside_method,
    "clear": lists_and_dicts.clear_method,
    "columns-code": concatenation.columns_code_method,
    "compile": training_loops.compile_method,
    "copy": lists_and_dicts.copy_method,
    "distinct": arrays_and_frames.distinct_method,
    "draw": sampling.draw_method,
    "drop-undefined": undefined_values.drop_undefined_method,
    "extend": lists_and_dicts.extend_method,
    "fit": estimators.fit_method,
    "format": printing.format_method,
    "get": lists_and_dicts.get_method,
    "insert": lists_and_dicts.insert_method,
    "items": lists_and_dicts.items_method,
    "keys": lists_and_dicts.keys_method,
    "load": files.load_method,
    "log": printing.log_method,
    "map": callables.map_method,
    "mask": undefined_values.mask_method,
    "open": files.open_method,
    "option": settings.option_method,
    "option-defaults": settings.option_defaults_method,
    "options": settings.options_method,
    "parts": splitters.parts_method,
    "patch": undefined_values.patch_method,
    "predict": estimators.predict_method,
    "python": python_code.python_method,
    "quantile": reductions.quantile_method,
    "reduce": reductions.reduce_method,
    "rename": frames.rename_method,
    "rows": arrays_and_frames.rows_method,
    "same": arrays_and_frames.same_method,
    "save": files.save_method,
    "select": extremes.select_method,
    "select-columns": column_expressions.select_columns_method,
    "setdefault": lists_and_dicts.setdefault_method,
    "show": printing.show_method,
    "sort": lists_and_dicts.sort_method,
    "split": splitters.split_method,
    "spread": reductions.spread_method,
    "submit": callables.submit_method,
    "text": arrays_and_frames.text_method,
    "transform": group_reductions.transform_method,
    "transpose": concatenation.transpose_method,
    "unstack": concatenation.unstack_method,
    "update": lists_and_dicts.update_method,
    "values": lists_and_dicts.values_method,
    "weigh": reductions.weigh_method,
    "write": files.write_method,
}
"""The transfer function of each effect for calls of methods."""
