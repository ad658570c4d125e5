"""The keys of the entries in knowledge files: which keys an effect has, what their values are, and which it needs.

A new key of an entry is added here, together with the model that reads it.
"""

from __future__ import annotations

from collections.abc import Mapping

SHARED_KEYS: Mapping[str, tuple[type, ...]] = {
    "module": (str,),
    "names": (list,),
    "effect": (str,),
    "needs_import": (bool,),
    "old": (bool, list),
}
"""The keys that every entry may have."""

KEYS_OF_EFFECTS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "array": {"fill": (int, float, str)},
    "attributes": {"of": (str,)},
    "batch-scoring": {"library": (str,)},
    "bins": {"cuts": (int,)},
    "column": {"every": (bool,), "statistic": (bool,)},
    "constant": {"value": (int, float, str)},
    "container": {"kind": (str,), "orders": (bool,), "reverses": (bool,)},
    "copy": {"deep": (bool,)},
    "counts": {"images": (bool,), "keywords": (dict,), "params": (list,)},
    "cross-val": {
        "measures": (dict,),
        "metric_keys": (list,),
        "old_params": (list,),
        "params": (list,),
        "returns": (str,),
        "shape": (list,),
        "stratified": (bool,),
    },
    "data": {"encodes": (bool,)},
    "descriptor": {"form": (str,)},
    "divide": {"guarded": (bool,)},
    "draw": {"again": (bool,)},
    "estimator": {
        "calibrates": (bool,),
        "gives": (str,),
        "hard_objectives": (list,),
        "labels": (str,),
        "methods": (dict,),
        "predicts": (str,),
        "task": (str,),
    },
    "evaluate-load": {"keywords": (dict,), "measures": (dict,), "params": (list,), "results": (dict,)},
    "evaluator": {
        "default": (str,),
        "hard_columns": (list,),
        "metric": (str,),
        "scorers": (dict,),
        "scores_column": (str,),
    },
    "field": {"parameters": (dict,)},
    "iterate": {"form": (str,)},
    "learner": {"batchwise": (list,), "gives": (str,), "library": (str,)},
    "load": {"form": (str,), "place": (list,), "samples": (bool,), "unknown": (str,)},
    "made-data": {"multilabel": (bool,)},
    "measure": {
        "average": (str,),
        "curve": (bool,),
        "images": (bool,),
        "keywords": (dict,),
        "label": (str,),
        "loss": (bool,),
        "measure": (str,),
        "multilabel": (bool,),
        "params": (list,),
        "parts": (list,),
        "plot": (bool,),
        "report": (dict,),
        "task_average": (dict,),
    },
    "open": {"memory": (bool,), "mode": (list,), "place": (list,)},
    "optimise": {"returns": (str,)},
    "python": {"code": (str,)},
    "quantile": {"axis_at": (int,)},
    "record": {"kind": (str,), "parameter": (str,)},
    "reduce": {"kind": (str,)},
    "resampler": {"rows": (str,)},
    "same": {
        "as_is": (bool,),
        "axis": (int,),
        "copies": (bool,),
        "draws_with": (str,),
        "learned": (bool,),
        "number": (bool,),
        "text": (bool,),
        "to": (str,),
    },
    "scorer": {"params": (list,)},
    "search": {
        "means": (dict,),
        "only_if": (dict,),
        "params": (list,),
        "scorers": (dict,),
        "scoring": (str,),
        "told_in_fit": (bool,),
        "transforms": (bool,),
    },
    "select": {"forgives": (bool,), "largest": (str,), "orders": (bool,), "pairs": (str,), "smallest": (str,)},
    "splitter": {"labels": (str,), "stratified": (bool,), "style": (str,)},
    "spread": {"axis_at": (int,)},
    "stack": {"joins": (str,)},
    "stateful-measure": {
        "average": (str,),
        "curve": (bool,),
        "curves": (dict,),
        "images": (bool,),
        "label": (str,),
        "measure": (str,),
        "task_average": (dict,),
    },
    "store": {"place": (list,), "suffix": (str,), "value": (str, list)},
    "text": {"lists": (bool,), "separator": (str,)},
    "threshold": {"least": (int,), "listed": (bool,)},
    "transformer": {"learns": (str,), "learns_if": (dict,), "multilabel": (bool,), "told_by": (dict,)},
}
"""The further keys of the entries of an effect; other effects have none."""

NEEDED_KEYS: Mapping[str, tuple[str, ...]] = {
    "stateful-measure": ("measure", "label"),
    "counts": ("params",),
    "evaluate-load": ("params", "measures", "keywords"),
    "evaluator": ("metric", "default", "scorers"),
    "learner": ("batchwise",),
    "batch-scoring": ("library",),
    "splitter": ("style", "stratified"),
    "cross-val": ("params", "returns"),
    "search": ("params",),
    "scorer": ("params",),
    "reduce": ("kind",),
    "container": ("kind",),
    "iterate": ("form",),
    "constant": ("value",),
    "descriptor": ("form",),
    "estimator": ("gives",),
    "field": ("parameters",),
    "optimise": ("returns",),
    "python": ("code",),
    "record": ("kind", "parameter"),
}
"""The keys without which the model of an effect cannot work."""

VALID_VALUES: Mapping[str, tuple[str, ...]] = {
    "average": ("binary", "micro", "macro", "samples", "none", "multiclass", "report", "entities", "weighted"),
    "gives": ("hard", "scores", "as-last"),
    "learns": ("nothing", "labels", "categories", "parts", "values"),
    "returns": ("scores", "dict", "predictions", "curve", "table", "point", "result"),
    "style": ("k-fold", "hold-out", "groups", "group-hold-out", "leave-one-out"),
    "rows": ("fewer", "more"),
}
"""The values of keys that have only a few; "weighted" and others are averages of scikit-learn."""

NAMES_OF_TYPES: Mapping[type, str] = {
    str: "a text",
    list: "a list",
    dict: "a table",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}
"""What a value is called in a message."""
