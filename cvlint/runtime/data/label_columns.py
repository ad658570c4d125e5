"""Columns that each belong to one label (``y_score_cat``, ``y_score_dog``): matched by the label in their names.

The order of the columns in the file does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.columns import numbers_of
from cvlint.runtime.data.labels import Coded, Label, encode, joined, other_label, positive_of, spelling
from cvlint.runtime.errors import FoldDataError

NOTHING = np.zeros(0, dtype=np.uint8)
SHOWN = 20  # names in a message


def with_labels(columns: Mapping[str, Any], positive: Label | None) -> tuple[dict[str, Any], tuple[Label, ...] | None]:
    """Gather the true labels, the predicted labels and the scores; columns of one label each become one array.

    Parameters
    ----------
    columns
        By our names: ``y_true`` or ``y_true_<label>``, ``y_pred`` and so on, (n,) each.
    positive
        The positive label of a binary task, if the user names one.

    Returns
    -------
    tuple
        The arrays by our names, and the names of the labels of a multilabel task; None for other tasks.

    Raises
    ------
    FoldDataError
        When the columns of predictions or scores are for other labels than there are.
    """
    gathered: dict[str, Any] = {}
    names: tuple[str, ...] = ()
    for name in ("y_true", "y_pred", "y_score"):
        wide = {n.removeprefix(f"{name}_"): v for n, v in columns.items() if n.startswith(f"{name}_")}
        if name in columns:
            gathered[name] = columns[name]
        elif wide:
            names = tuple(wide) if name == "y_true" else names
            labels = names or labels_of_scores(tuple(wide), columns, positive)
            stray = stray_row(gathered) if name == "y_score" else None
            gathered[name] = stacked(name, [wide[label] for label in in_order(name, tuple(wide), labels, stray)])
    check_alike(*(gathered.get(name) for name in ("y_true", "y_pred")))
    return gathered, numbers_of(names) if len(names) > 1 else None


def check_alike(y_true: Any, y_pred: Any) -> None:
    """Refuse predicted labels that never occur in ``y_true``, although that has several: their spelling differs."""
    if y_pred is None or y_true.ndim != 1 or y_pred.ndim != 1:
        return
    true, predicted = labels_of(y_true, "y_true"), labels_of(y_pred, "y_pred")
    every = joined((NOTHING, true), (NOTHING, predicted))[1]
    if len(true) > 1 and len(every) == len(true) + len(predicted):
        raise FoldDataError(
            f"y_pred holds {shown(map(repr, predicted))}, none of which occurs in y_true ({shown(map(repr, true))}): "
            "write both alike."
        )


def labels_of(values: Any, name: str) -> tuple[Label, ...]:
    """The labels in a column."""
    return values.labels if isinstance(values, Coded) else encode(values, name)[1]


def stray_row(columns: Mapping[str, Any]) -> int | None:
    """The first row with a predicted label that is never true; None without one."""
    true, pred = columns.get("y_true"), columns.get("y_pred")
    if true is None or pred is None or true.ndim != 1 or pred.ndim != 1:
        return None
    codes, _ = joined(encode(true, "y_true"), encode(pred, "y_pred"))
    rows = np.flatnonzero(~np.isin(codes[1], np.unique(codes[0])))
    return int(rows[0]) if len(rows) else None


def in_order(name: str, given: Sequence[str], labels: Sequence[Label], stray: int | None = None) -> list[str]:
    """The names of the columns in the order of their labels; ``stray`` is a row that may hold a slip."""
    found = by_label(given, labels)
    if found is None:
        only = "" if stray is None else " (the first label that is predicted and never true is in row {row})"
        raise FoldDataError(
            f"the columns {shown(f'{name}_{label}' for label in given)} are not for the labels that they must be for, "
            f"{shown(labels)}{only}: name one column after each of these.",
            stray,
        )
    return found


def shown(names: Iterable[Label]) -> str:
    """The first of some names."""
    every = [str(name) for name in names]
    return ", ".join(every[:SHOWN]) + (" …" if len(every) > SHOWN else "")


def stacked(name: str, parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Columns side by side as one array, (n, columns)."""
    if len({values.shape for values in parts}) > 1:
        raise FoldDataError(f"the arrays {name}_… differ in shape: one value a sample is needed in each.")
    return np.stack(parts, axis=1)


def labels_of_scores(given: Sequence[str], columns: Mapping[str, Any], positive: Label | None) -> tuple[Label, ...]:
    """The labels that the columns of scores must belong to: all labels, sorted; for one column the positive label.

    Where only one label occurs, a second column belongs to the other label under any name.
    """
    labelled = [labels_of(columns[name], name) for name in ("y_true", "y_pred") if name in columns]
    labels = joined(*((NOTHING, own) for own in labelled))[1]
    if len(labels) == 1:
        only = labels[0]
        labels = joined((NOTHING, labels), (NOTHING, other_label(only)))[1]
        others = [name for name in given if spelling(name) != spelling(only)]
        if len(given) == 2 and len(others) == 1:
            return tuple(label if spelling(label) == spelling(only) else others[0] for label in labels)
    return labels if len(given) > 1 else (positive_of(labels, positive),)


def by_label(names: Sequence[str], labels: Sequence[Label]) -> list[str] | None:
    """The names of the columns in the order of their labels; None where they belong to other labels."""
    spellings: tuple[Callable[[Label], Label], ...] = (str, spelling)
    for spelled in spellings:
        found = {spelled(name): name for name in names}
        if len(found) == len(names) == len(labels) and found.keys() == {spelled(label) for label in labels}:
            return [found[spelled(label)] for label in labels]
    return None
