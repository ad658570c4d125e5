"""The columns of files with fold data: their names, and columns that grow while a file is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.csv_text import PlainColumn
from cvlint.runtime.data.features import feature_columns
from cvlint.runtime.data.labels import Coded, Label, encode
from cvlint.runtime.errors import FoldDataError

COLUMNS = ("fold", "y_true", "y_pred", "y_score", "repeat", "experiment", "sample_id", "group", "weight", "row_hash")
CELLS = ("tp", "fp", "fn", "tn")
NUMBERS = ("y_score", "weight", "row_hash", *CELLS)
ABSENT = "(none)"
"""The predicted label of an experiment that has only scores; missing scores are NaN."""
EMPTY = ""
"""A field of a CSV file without a value; where all rows of an experiment have it, the experiment lacks the column."""

WIDE = ("y_true_", "y_pred_", "y_score_")
MOST_USED = 10_000
"""A file has at most so many columns that are used; the work for each class is done for every fold."""


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Which of our columns each column of a file is, and which columns hold features."""

    path: Path
    mapped: dict[str, str]
    feature_patterns: tuple[str, ...] = ()

    def of(self, header: Sequence[str]) -> dict[str, str]:
        """Our names by the file's names, without the columns that we do not use.

        Raises
        ------
        FoldDataError
            When a named column does not exist, two columns have the same name, or very many are used.
        """
        for ours, theirs in self.mapped.items():
            if theirs not in header:
                raise FoldDataError(f"{self.path} has no column {theirs!r} for {ours}: {listed(header)}")
        for ours, theirs in self.mapped.items():
            self.check(ours, theirs)
        double = next((name for name, count in Counter(header).items() if count > 1), None)
        if double is not None:
            raise FoldDataError(f"{self.path} has two columns called {double!r}: it is not clear which one is meant.")
        taken = set(self.mapped.values())
        found = {theirs: ours for ours, theirs in self.mapped.items()}
        for name in header:
            known = name in COLUMNS or name in CELLS or name.startswith(WIDE)
            if known and name not in taken and name not in self.mapped:
                found[name] = name
        if len(found) > MOST_USED:
            raise FoldDataError(
                f"{self.path} has {len(found):,} columns of labels, scores and counts, and at most {MOST_USED:,} are "
                "read: keep those of the classes that matter."
            )
        return found

    def check(self, ours: str, theirs: str) -> None:
        """Refuse a column that the user names for two of ours, or that is already one that every sample needs."""
        also = next((own for own, name in self.mapped.items() if name == theirs and own != ours), None)
        if also is None and theirs in ("fold", "y_true") and theirs not in self.mapped:
            also = theirs
        if also is not None:
            raise FoldDataError(f"{self.path}: the column {theirs!r} cannot be both {ours} and {also}: name another.")

    def features(self, header: Sequence[str], found: dict[str, str]) -> tuple[str, ...]:
        """The columns of features; none where the file holds their hashes, and never one of our columns."""
        if "row_hash" in found.values() and not self.feature_patterns:
            return ()
        return tuple(n for n in feature_columns(header, self.feature_patterns, self.path) if n not in found)


def listed(header: Sequence[str]) -> str:
    """The columns of a file in a sentence."""
    return f"its columns are {', '.join(header[:20])}{' …' if len(header) > 20 else ''}."


def is_number(name: str) -> bool:
    """Whether a column of ours holds numbers; the others hold labels."""
    return name in NUMBERS or name.startswith(WIDE)


class NumberColumn:
    """A column of numbers that grows in place, so that it is never in memory twice."""

    def __init__(self) -> None:
        self.values = np.empty(0)
        self.count = 0

    def append(self, values: NDArray[np.float64]) -> None:
        """Append a block."""
        upto = self.count + len(values)
        if upto > len(self.values):
            self.values.resize(max(upto, len(self.values) * 9 // 8), refcheck=False)
        self.values[self.count : upto] = values
        self.count = upto

    def column(self) -> NDArray[np.float64]:
        """The whole column, read-only."""
        self.values.resize(self.count, refcheck=False)
        self.values.flags.writeable = False
        return self.values


class LabelColumn:
    """A growing column of labels; every label gets a code when it first appears."""

    def __init__(self) -> None:
        self.table: dict[Any, int] = {}
        self.blocks: list[NDArray[Any]] = []
        self.of_short = np.full(1 << 16, -1, dtype=np.int32)
        """The code of each label of one or two characters, by `PlainColumn.codes`; -1 for one that is new."""

    def add_strings(self, values: Sequence[str]) -> None:
        """Append labels as text."""
        table = self.table
        short = values.codes() if isinstance(values, PlainColumn) else None
        if short is not None:
            codes = self.of_short[short]
            while (codes < 0).any():  # a block with new labels is seldom
                row = int((codes < 0).argmax())
                self.of_short[short[row]] = table.setdefault(values[row], len(table))
                codes = self.of_short[short]
            self.add_codes(codes)
            return
        while True:
            try:
                dtype = np.min_scalar_type(len(table))
                self.blocks.append(np.fromiter(map(table.__getitem__, values), dtype, len(values)))
                return
            except KeyError:  # a block with new labels is seldom, and read twice
                for value in dict.fromkeys(values):
                    table.setdefault(value, len(table))

    def add_array(self, values: NDArray[Any], name: str) -> None:
        """Append labels of an array."""
        codes, labels = encode(values, name)
        for label in labels:
            self.table.setdefault(label, len(self.table))
        self.add_codes(np.array([self.table[label] for label in labels])[codes])

    def add_codes(self, codes: Any) -> None:
        """Append codes in a small type."""
        self.blocks.append(np.asarray(codes, dtype=np.min_scalar_type(len(self.table))))

    def column(self) -> Coded:
        """The whole column."""
        dtype = np.min_scalar_type(len(self.table))
        codes = np.concatenate(self.blocks, dtype=dtype) if self.blocks else np.zeros(0, dtype=dtype)
        return Coded(codes, numbers_of(tuple(self.table)))


def numbers_of(labels: tuple[Any, ...]) -> tuple[Label, ...]:
    """Labels that were read as text: as numbers, or as True and False, where all of them are."""
    if not all(isinstance(label, str) for label in labels):
        return labels
    if labels and {"True", "False"}.issuperset(labels):
        return tuple(label == "True" for label in labels)
    try:
        values = [float(label) for label in labels]
    except ValueError:
        return labels
    if len(set(values)) < len(labels):
        return labels  # "1" and "1.0", for example, stay different labels
    return tuple(int(v) if v.is_integer() else v for v in values)


def experiments_in(columns: Mapping[str, Any]) -> Iterator[tuple[Label, dict[str, Any]]]:
    """The columns of each experiment in the order of the file, without the columns that it lacks.

    Parameters
    ----------
    columns
        By our names. Without a column ``experiment``, everything is one experiment with an empty name.
    """
    if "experiment" not in columns:
        yield "", dict(columns)
        return
    codes, names = encode(columns["experiment"], "experiment")
    each = list(rows_of_each(codes, len(names)))
    coded = {name: encoded(values) for name, values in columns.items() if name != "experiment"}
    for code in sorted(range(len(names)), key=lambda code: int(each[code][0])):
        taken = {name: rows_of(values, each[code]) for name, values in coded.items()}
        yield names[code], {name: values for name, values in taken.items() if not is_absent(values)}


def encoded(values: Any) -> Any:
    """A column of labels as codes, once for all experiments; numbers as they are."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "UO":
        return values
    codes, labels = encode(values, "a column")
    return Coded(codes, labels)


def rows_of(values: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a column; labels become numbers again where only the other rows made them text."""
    if not isinstance(values, Coded):
        return values[rows]
    used, own = np.unique(values.codes[rows], return_inverse=True)
    return Coded(own.reshape(-1), numbers_of(tuple(values.labels[code] for code in used)))


def is_absent(values: Any) -> bool:
    """Whether an experiment lacks a column: it has no value in it."""
    if isinstance(values, Coded):
        return values.labels in ((ABSENT,), (EMPTY,))
    return bool(values.dtype.kind == "f" and np.isnan(values).all())
