"""What a call does with a value that it takes and does not give back: by its effect, which the knowledge names."""

from __future__ import annotations

from cvlint.analysis.fates import reasons

HARMLESS = {
    "show": reasons.PRINTED,
    "log": reasons.PRINTED,
    "format": reasons.PRINTED,
    "text": reasons.PRINTED,
    "write": reasons.WRITTEN,
    "save": reasons.WRITTEN,
    "store": reasons.WRITTEN,
    "spread": reasons.SPREAD,
    "quantile": reasons.SPREAD,
    "select": reasons.COMPARED,
    "mask": reasons.TESTED,
    "drop-undefined": reasons.TESTED,
    "measure": reasons.MEASURED,
    "counts": reasons.MEASURED,
    "fit": reasons.FITTED,
    "predict": reasons.FITTED,
    "estimator": reasons.FITTED,
    "transformer": reasons.FITTED,
    "optimise": reasons.OPTIMISED,
}
"""Effects of calls that use a value up: what they return is no measure any more."""

BY_NAME = {
    "ends-plotted": reasons.PLOTTED,
    "ends-printed": reasons.PRINTED,
    "ends-written": reasons.WRITTEN,
    "ends-compared": reasons.COMPARED,
    "ends-converted": reasons.DERIVED,
    "ends-size": "",
    "judging": reasons.MEASURED,
}
"""What unknown functions do with a value, by naming conventions; nothing if they ask for its size."""

NO_USE = frozenset(
    (
        "append",
        "extend",
        "insert",
        "update",
        "clear",
        "sort",
        "setdefault",
        "keys",
        "length",
        "drop-undefined",
        "compile",
    )
)
"""Effects of methods that read nothing from their object, and of functions that look only at its size."""
