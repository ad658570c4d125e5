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

KEYS_OF_EFFECTS: Mapping[str, tuple[str, ...]] = {
    "accumulate": ("by", "folds"),
    "array": ("fill",),
    "attribute": ("sets",),
    "attributes": ("form", "of"),
    "batch-scoring": ("library",),
    "bins": ("cuts",),
    "code": ("template",),
    "column": ("every", "statistic"),
    "constant": ("value",),
    "container": ("itself", "kind", "orders", "reverses"),
    "copy": ("deep",),
    "counts": ("images", "keywords", "params"),
    "cross-val": ("measures", "metric_keys", "old_params", "params", "returns", "shape", "stratified"),
    "data": ("encodes", "truth"),
    "descriptor": ("form",),
    "divide": ("guarded",),
    "draw": ("again", "of_rows"),
    "estimator": (
        "calibrates",
        "gives",
        "goes_on",
        "hard_objectives",
        "held_out",
        "labels",
        "methods",
        "metric_keys",
        "metrics_in",
        "params",
        "predicts",
        "stops",
        "stops_by",
        "task",
        "trained_on",
    ),
    "evaluate-load": ("keywords", "measures", "params", "results"),
    "evaluator": ("default", "hard_columns", "metric", "scorers", "scores_column"),
    "field": ("parameters",),
    "flag": ("to",),
    "frame": ("rows_if",),
    "iterate": ("form",),
    "keeps-best": ("keeps", "params"),
    "learner": ("batchwise", "gives", "library"),
    "load": ("form", "place", "samples", "unknown"),
    "made-data": ("multilabel",),
    "measure": (
        "average",
        "curve",
        "images",
        "keywords",
        "label",
        "loss",
        "measure",
        "multilabel",
        "params",
        "parts",
        "plot",
        "report",
        "task_average",
    ),
    "open": ("memory", "mode", "place"),
    "optimise": ("returns",),
    "optimiser": ("weights",),
    "parts": ("seeded_by",),
    "python": ("code",),
    "quantile": ("axis_at",),
    "record": ("kind", "parameter"),
    "reduce": ("kind",),
    "resampler": ("rows",),
    "same": (
        "as_is",
        "axis",
        "axis_at",
        "copies",
        "draws_with",
        "learned",
        "number",
        "special",
        "text",
        "to",
        "unless",
    ),
    "scorer": ("asks_for_scores", "params"),
    "search": ("means", "never_if", "only_if", "params", "scorers", "scoring", "told_in_fit", "transforms"),
    "select": ("forgives", "largest", "of_arguments", "orders", "pairs", "smallest"),
    "show": ("special",),
    "splitter": ("labels", "stratified", "style"),
    "spread": ("axis_at", "to"),
    "stack": ("joins",),
    "stateful-measure": ("average", "curve", "curves", "images", "label", "measure", "task_average"),
    "store": ("place", "suffix", "value"),
    "text": ("lists", "separator"),
    "threshold": ("least", "listed"),
    "transformer": ("fits", "kept_of", "learns", "learns_if", "methods", "multilabel", "told_by"),
}
"""The further keys of the entries of an effect; other effects have none."""

NEEDED_KEYS: Mapping[str, tuple[str, ...]] = {
    "stateful-measure": ("measure", "label"),
    "counts": ("params",),
    "evaluate-load": ("params", "measures", "keywords"),
    "evaluator": ("metric", "default", "scorers"),
    "keeps-best": ("params",),
    "learner": ("batchwise",),
    "batch-scoring": ("library",),
    "splitter": ("style", "stratified"),
    "cross-val": ("params", "returns"),
    "search": ("params",),
    "scorer": ("params",),
    "reduce": ("kind",),
    "container": ("kind",),
    "iterate": ("form",),
    "code": ("template",),
    "constant": ("value",),
    "descriptor": ("form",),
    "estimator": ("gives",),
    "field": ("parameters",),
    "flag": ("to",),
    "optimise": ("returns",),
    "optimiser": ("weights",),
    "python": ("code",),
    "record": ("kind", "parameter"),
}
"""The keys without which the model of an effect cannot work."""

VALID_VALUES: Mapping[str, tuple[str, ...]] = {
    "average": ("binary", "micro", "macro", "samples", "none", "multiclass", "report", "entities", "weighted"),
    "gives": ("hard", "scores", "as-last"),
    "learns": ("nothing", "chance", "labels", "categories", "parts", "values"),
    "returns": ("scores", "dict", "predictions", "curve", "table", "point", "result"),
    "style": ("k-fold", "hold-out", "groups", "group-hold-out", "leave-one-out", "time"),
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

KEYS_OF_TYPES: Mapping[tuple[type, ...], str] = {
    (str,): """
        average by code default draws_with fits folds form gives held_out itself joins keeps kind label labels largest
        learns library measure metric metrics_in of pairs parameter predicts returns rows scores_column scoring
        seeded_by separator smallest special style suffix task template to truth unknown unless
    """,
    (bool,): """
        again as_is calibrates copies curve deep encodes every forgives goes_on guarded images learned listed lists loss
        memory multilabel number of_arguments of_rows orders plot reverses samples sets statistic stops stratified text
        told_in_fit transforms
    """,
    (int,): "axis axis_at cuts least",
    (list,): """
        asks_for_scores batchwise hard_columns hard_objectives kept_of metric_keys mode old_params params parts place
        shape trained_on weights
    """,
    (dict,): """
        curves keywords learns_if means measures methods never_if only_if parameters report results rows_if scorers
        stops_by task_average told_by
    """,
    (int, float, str): "fill value",
}
"""The types of the values of these keys. Only the ``value`` of the effect "store" has others."""

TYPES_OF_KEYS: Mapping[str, tuple[type, ...]] = {
    key: kinds for kinds, keys in KEYS_OF_TYPES.items() for key in keys.split()
}


def valid_keys(effect: str) -> Mapping[str, tuple[type, ...]]:
    """The keys of an entry with this effect, and the types of their values."""
    own = {key: TYPES_OF_KEYS[key] for key in KEYS_OF_EFFECTS.get(effect, ())}
    if effect == "store":
        own["value"] = (str, list)
    return {**SHARED_KEYS, **own}
