"""What functions of torchmetrics decide before they count: they take probabilities and logits for predictions, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LIBRARY = "torchmetrics.functional"
USUAL_THRESHOLD = 0.5


def with_decisions(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call with decisions for probabilities and logits, and without samples to be ignored.

    Raises
    ------
    ValueError
        For decisions that are not one label for each sample: the ``top_k`` highest classes.
    """
    import numpy as np  # here, because a script that uses none must not wait for it

    from cvlint.recording.compact_arrays import compact

    found = dict(given)
    if "y_pred" in given:
        found["y_pred"] = decisions(given)
    ignored, true = given.get("ignore_index"), compact(given["y_true"], "y_true")
    if ignored is not None and true.ndim == 1:
        kept = np.asarray(true != ignored)
        for role in ("y_true", "y_pred", "y_score"):
            if found.get(role) is not None:
                found[role] = compact(found[role], role)[kept]
    return found


def decisions(given: Mapping[str, Any]) -> Any:
    """The predicted labels of a call."""
    import numpy as np

    from cvlint.recording.compact_arrays import compact

    if given.get("top_k") not in (None, 1):
        raise ValueError(f"top_k is {given['top_k']}, so that several classes of a sample count as its prediction")
    found, true = compact(given["y_pred"], "y_pred"), compact(given["y_true"], "y_true")
    if found.ndim == true.ndim + 1:
        return found.argmax(axis=1)
    if found.dtype.kind != "f":
        return found
    threshold = given.get("threshold", USUAL_THRESHOLD)
    with np.errstate(over="ignore"):
        inside = found if ((found >= 0) & (found <= 1)).all() else 1 / (1 + np.exp(-found))
    return (inside > threshold).astype(np.int8)
