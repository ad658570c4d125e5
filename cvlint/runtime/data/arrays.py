"""Check the arrays that users pass, and convert them into the arrays of a `FoldSet`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.labels import Coded, Codes, Label, encode, joined, other_label, positive_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, Kind

MOST_WEIGHT = 1e15  # as of counts: sums of squares of larger weights have no number
FEW_CODES = 200  # are searched for one by one, which reads all rows for each


def array_of(values: Any, name: str) -> Any:
    """A numpy array from numpy, pandas, polars, torch (also on a device), JAX or lists.

    Raises
    ------
    FoldDataError
        For rows of unequal lengths, and for a single value.
    """
    if isinstance(values, Coded):
        return values
    for step in ("detach", "cpu"):  # torch: leave the graph and the device
        values = getattr(values, step)() if callable(getattr(values, step, None)) else values
    if callable(getattr(values, "to_numpy", None)):
        values = values.to_numpy()
    try:
        found = np.asarray(values.float() if is_half(values) else values)
    except ValueError:
        raise FoldDataError(f"{name} has rows of different lengths: one row a sample is needed.") from None
    except TypeError as error:
        raise FoldDataError(f"{name} makes no array: {error}.") from None
    if found.dtype.name == "bfloat16":  # of JAX; numpy itself does not know this type
        found = found.astype(np.float32)
    if not found.ndim:
        raise FoldDataError(f"{name} is a single value: one value a sample is needed.")
    return found


def is_half(values: Any) -> bool:
    """Whether these are torch's bfloat16, which numpy cannot hold."""
    return str(getattr(values, "dtype", "")) == "torch.bfloat16"


def frozen(values: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only."""
    values.flags.writeable = False
    return values


def checked_arrays(y_true: Any, given: dict[str, Any]) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """The true labels and the other given columns, as arrays of the same length."""
    truth = array_of(y_true, "y_true")
    n = len(truth)
    if not n:
        raise FoldDataError("there are no samples: y_true is empty.")
    if truth.ndim > 2:
        raise FoldDataError(f"y_true has {truth.ndim} axes: one value, or one indicator a class, a sample is needed.")
    arrays = {name: array_of(values, name) for name, values in given.items() if values is not None}
    for name, values in arrays.items():
        if len(values) != n:
            raise FoldDataError(f"{name} has {len(values)} rows and y_true has {n}: they need the same number.")
        if values.ndim > (2 if name in ("y_pred", "y_score") else 1):
            raise FoldDataError(f"{name} has {values.ndim} axes: one value a sample is needed.")
    if "fold" not in arrays:
        raise FoldDataError("fold is not given: every sample needs the fold that it was tested in.")
    if "y_pred" not in arrays and "y_score" not in arrays:
        raise FoldDataError("neither y_pred nor y_score is given: at least one of them is needed.")
    return truth, arrays


@dataclass(frozen=True, eq=False, slots=True)
class EncodedLabels:
    """Labels as codes or indicators, and their classes; ``labels`` counts them before one is set against the rest."""

    true: NDArray[Any]
    pred: NDArray[Any] | None
    classes: tuple[Label, ...]
    kind: Kind
    labels: int
    column: int | None = None  # the place of the positive label among the sorted labels of a binary task


def encoded_labels(
    truth: NDArray[Any], pred: NDArray[Any] | None, positive: Label | None, names: Sequence[Label] | None = None
) -> EncodedLabels:
    """Encode labels and find their task: multilabel by their shape, binary by their number or by a positive label.

    ``names`` are those of the columns of a multilabel task; by default they are numbered.
    """
    if truth.ndim == 2 and truth.shape[1] > 1:
        check_positive(truth, positive)
        return indicators(truth, pred, range(truth.shape[1]) if names is None else names)
    true, guess, labels = label_codes(truth.reshape(len(truth)), pred)
    if len(labels) > 2 and positive is None:
        return EncodedLabels(true, guess, labels, "multiclass", len(labels))
    column = labels.index(positive_of(labels, positive))
    guess = None if guess is None else (guess == column).astype(np.uint8)
    others = labels[:column] + labels[column + 1 :]
    rest: Label = others[0] if len(others) == 1 else f"not {labels[column]}"
    classes = (rest, labels[column])
    return EncodedLabels((true == column).astype(np.uint8), guess, classes, "binary", len(labels), column)


def check_positive(truth: NDArray[Any], positive: Label | None) -> None:
    """Refuse a positive label for multilabel indicators, where 1 is positive in each column."""
    if positive is not None and truth.ndim == 2 and truth.shape[1] > 1:
        raise FoldDataError(
            f"the positive label {positive!r} is one of single labels, and y_true holds indicators of "
            f"{truth.shape[1]} labels: name none."
        )


def indicators(truth: NDArray[Any], pred: NDArray[Any] | None, names: Sequence[Label]) -> EncodedLabels:
    """Multilabel indicators as booleans, (n, classes)."""
    if len(set(names)) != truth.shape[1] or len(names) != truth.shape[1]:
        raise FoldDataError(f"y_true has {truth.shape[1]} columns: a name of its own is needed for each.")
    for name, values in (("y_true", truth), ("y_pred", pred)):
        if values is None:
            continue
        if values.shape != truth.shape:
            raise FoldDataError(
                f"{name} has the shape {values.shape} and y_true {truth.shape}: they need the same one."
            )
        if not np.isin(values, (0, 1)).all():
            row = int(np.flatnonzero(~np.isin(values, (0, 1)).all(axis=1))[0])
            raise FoldDataError(f"{name} holds other values than 0 and 1 in row {{row}}: indicators are needed.", row)
    return EncodedLabels(
        truth.astype(np.bool_), None if pred is None else pred.astype(np.bool_), tuple(names), "multilabel", len(names)
    )


def label_codes(
    truth: NDArray[Any], pred: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any] | None, tuple[Label, ...]]:
    """Codes of true and predicted labels, and the sorted labels; a single label gets a second one."""
    encoded = [encode(truth, "y_true")]
    if pred is not None:
        if pred.ndim == 2 and pred.shape[1] != 1:
            raise FoldDataError(
                f"y_pred has {pred.shape[1]} columns: one label a sample is needed; scores are y_score."
            )
        encoded.append(encode(pred.reshape(len(truth)), "y_pred"))
    only = {label for _, labels in encoded for label in labels}
    if len(only) == 1:
        encoded.append((np.zeros(0, dtype=np.uint8), other_label(only.pop())))
    codes, labels = joined(*encoded)
    return codes[0], codes[1] if pred is not None else None, labels


def scores_of(values: NDArray[Any] | None, task: EncodedLabels) -> Floats | None:
    """Scores as (n, columns): one column for each label, or only that of the positive label."""
    if values is None:
        return None
    if values.dtype.kind not in "biufOUS":
        raise FoldDataError(f"y_score holds values of the type {values.dtype}: scores must be numbers.")
    try:
        ours = values.flags.owndata and not values.flags.writeable  # it cannot change, so that no copy is needed
        scores = values.astype(np.float64, copy=not ours).reshape(len(values), -1)
    except (TypeError, ValueError):
        raise FoldDataError("y_score holds something that is no number: scores must be numbers.") from None
    if not np.isfinite(scores).all():
        row = int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])
        raise FoldDataError("y_score is NaN or infinite in row {row}: such a score has no place in a ranking.", row)
    column = task.column
    if scores.shape[1] != task.labels and not (column is not None and scores.shape[1] == 1):
        only, stray = strays(task)
        columns = "1 column" if scores.shape[1] == 1 else f"{scores.shape[1]} columns"
        raise FoldDataError(
            f"y_score has {columns}, and there are {task.labels} labels{only}: one column a label is "
            "needed, in sorted order, or only the positive label's.",
            stray,
        )
    if column is not None and scores.shape[1] > 1:
        scores = np.ascontiguousarray(scores[:, column : column + 1])
    return frozen(scores)


def check_predicted(task: EncodedLabels) -> None:
    """Refuse a predicted label that is none of the two true labels of a task: it is a slip, not a class.

    Raises
    ------
    FoldDataError
        If there is such a label. A positive label, or scores for each label, would say what it is.
    """
    if task.pred is None or task.kind != "multiclass" or len(true := np.unique(task.true)) != 2:
        return
    row = int(np.flatnonzero(~np.isin(task.pred, true))[0])
    first, second = (task.classes[code] for code in true)
    raise FoldDataError(
        f"y_pred is {task.classes[task.pred[row]]!r} in row {{row}}, and y_true is {first!r} or {second!r} everywhere: "
        "mend the label, or name the positive one, so that each other label counts as negative.",
        row,
    )


def strays(task: EncodedLabels) -> tuple[str, int | None]:
    """Labels that may be slips, in brackets, and the first row of them; empty if there are none.

    They are those that are predicted and never true, or one
    that a single row has.
    """
    if task.kind != "multiclass":
        return "", None
    times = np.bincount(task.true, minlength=len(task.classes))
    only = [] if task.pred is None else [code for code in np.unique(task.pred).tolist() if not times[code]]
    if task.pred is not None and only:
        shown = ", ".join(repr(task.classes[code]) for code in only[:5]) + (" …" if len(only) > 5 else "")
        return f" ({shown} only in y_pred, first in row {{row}})", int(np.flatnonzero(np.isin(task.pred, only))[0])
    once = np.flatnonzero(times == 1)
    if not len(once):
        return "", None
    return f" ({task.classes[once[0]]!r} only in row {{row}})", int(np.flatnonzero(task.true == once[0])[0])


def weights_of(values: NDArray[Any] | None) -> Floats | None:
    """Weights in double precision; raises unless they are finite and above 0."""
    if values is None:
        return None
    try:
        weights = values.astype(np.float64) if values.dtype.kind in "biufOUS" else np.full(len(values), np.nan)
    except (TypeError, ValueError):
        raise FoldDataError("weight holds something that is no number: weights must be numbers.") from None
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
    if len(bad):
        raise FoldDataError("weight is not above 0 in row {row}: leave out samples that do not count.", int(bad[0]))
    large = np.flatnonzero(weights > MOST_WEIGHT)
    if len(large):
        raise FoldDataError(f"weight is above {MOST_WEIGHT:,.0f} in row {{row}}: divide all weights.", int(large[0]))
    return frozen(weights)


def hashes_of(values: NDArray[Any] | None) -> NDArray[np.int64] | None:
    """Hashes of features as whole numbers."""
    if values is None:
        return None
    whole = values.dtype.kind in "iu" or (values.dtype.kind == "f" and np.array_equal(values, np.round(values)))
    if not whole:
        raise FoldDataError("row_hash holds something that is no hash: keep the features and leave it out.")
    return frozen(values.astype(np.int64))


def groups_of(arrays: dict[str, NDArray[Any]]) -> tuple[Codes, tuple[Label, ...]] | None:
    """The groups as codes, or None; raises where the group of a sample is empty or NaN."""
    found = labelled(arrays, "group")
    if found is None:
        return None
    codes, names = found
    missing = [i for i, name in enumerate(names) if name == "" or name != name]
    if missing:
        row = int(np.flatnonzero(np.isin(codes, missing))[0])
        raise FoldDataError("group has no value in row {row}: every sample needs a group, or none has one.", row)
    return found


def labelled(arrays: dict[str, NDArray[Any]], name: str) -> tuple[Codes, tuple[Label, ...]] | None:
    """A column of names as codes, or None."""
    if name not in arrays:
        return None
    codes, names = encode(arrays[name], name)
    return frozen(codes), names


def rows_of_each(codes: Codes, count: int) -> Iterator[NDArray[np.intp]]:
    """The rows of each code from 0 to ``count - 1``, in their order.

    A search for each code reads all rows; where there are many codes, sorting them once is quicker.
    """
    if count <= FEW_CODES:
        yield from (np.flatnonzero(codes == code) for code in range(count))
        return
    order = np.argsort(codes, kind="stable")
    yield from np.split(order, np.cumsum(np.bincount(codes, minlength=count))[:-1])
