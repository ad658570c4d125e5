"""Columns of which each is of one label: told by the label in their names, in whatever order they stand in a file."""

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
    """The true and predicted labels and the scores, those of several columns side by side; multilabel ones' names.

    Parameters
    ----------
    columns
        By our names: ``y_true`` or ``y_true_<label>`` and the like, (n,) each.
    positive
        The positive label of a binary task, if it was named.

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
            gathered[name] = beside(name, [wide[label] for label in in_order(name, tuple(wide), labels)])
    check_alike(*(gathered.get(name) for name in ("y_true", "y_pred")))
    return gathered, numbers_of(names) if len(names) > 1 else None


def check_alike(y_true: Any, y_pred: Any) -> None:
    """Refuse single labels of which none that is predicted is ever true, though several are: it is the spelling."""
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


def in_order(name: str, given: Sequence[str], labels: Sequence[Label]) -> list[str]:
    """The names of columns, each of one label, in the order of the labels."""
    found = by_label(given, labels)
    if found is None:
        raise FoldDataError(
            f"the columns {shown(f'{name}_{label}' for label in given)} are not for the labels that they must be for, "
            f"{shown(labels)}: name one column after each of these."
        )
    return found


def shown(names: Iterable[Label]) -> str:
    """The first of some names."""
    every = [str(name) for name in names]
    return ", ".join(every[:SHOWN]) + (" …" if len(every) > SHOWN else "")


def beside(name: str, parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Columns as one array, (n, columns)."""
    if len({values.shape for values in parts}) > 1:
        raise FoldDataError(f"the arrays {name}_… differ in shape: one value a sample is needed in each.")
    return np.stack(parts, axis=1)


def labels_of_scores(given: Sequence[str], columns: Mapping[str, Any], positive: Label | None) -> tuple[Label, ...]:
    """The labels that columns of scores must be for: all of them, sorted; of one column the positive label.

    Where only one label occurs, a second column is the other's, by whatever name.
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
    """The names of columns, each of one label, in the order of the labels; None where they are those of others."""
    spellings: tuple[Callable[[Label], Label], ...] = (str, spelling)
    for spelled in spellings:
        found = {spelled(name): name for name in names}
        if len(found) == len(names) == len(labels) and found.keys() == {spelled(label) for label in labels}:
            return [found[spelled(label)] for label in labels]
    return None
