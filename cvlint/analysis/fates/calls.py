"""What a call does with a value that it takes and does not give back: by its effect, which the knowledge names."""

from __future__ import annotations

PRINTED = "printed or logged"
EACH_PASS = "printed or logged for each pass of the loop"
PLOTTED = "plotted"
WRITTEN = "written to a file"
COMPARED = "compared with other results"
DERIVED = "something that is no measure is computed from it"
TESTED = "tested"
SPREAD = "its spread is computed"
FITTED = "given to a model"
MEASURED = "given to a measure"
OPTIMISED = "the objective of an optimiser"

HARMLESS = {
    "show": PRINTED,
    "log": PRINTED,
    "format": PRINTED,
    "text": PRINTED,
    "write": WRITTEN,
    "save": WRITTEN,
    "store": WRITTEN,
    "spread": SPREAD,
    "quantile": SPREAD,
    "select": COMPARED,
    "mask": TESTED,
    "drop-undefined": TESTED,
    "measure": MEASURED,
    "counts": MEASURED,
    "fit": FITTED,
    "predict": FITTED,
    "estimator": FITTED,
    "transformer": FITTED,
    "optimise": OPTIMISED,
}
"""Effects of calls that use a value up: what they return is no measure any more."""

BY_NAME = {
    "ends-plotted": PLOTTED,
    "ends-printed": PRINTED,
    "ends-written": WRITTEN,
    "ends-compared": COMPARED,
    "ends-converted": DERIVED,
    "ends-size": "",
    "judging": MEASURED,
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
