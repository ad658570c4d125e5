"""Taint labels: what happened to data on their way through the program."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeAlias

from cvlint.analysis.domain.axis import NO_AXES, Axes, DataName
from cvlint.analysis.domain.frozen import dataclass, replace
from cvlint.analysis.domain.rows import RowSet, split_parts
from cvlint.analysis.domain.trace import Step, Trace
from cvlint.analysis.domain.work import work
from cvlint.analysis.kept import kept_for_file

MOST_LABELS = 50  # so many things that happened to data are told apart
MOST_COLUMNS = 50  # a label for more columns is one for all columns
CACHED_LABELS = 4096
NO_COLUMNS: frozenset[str] = frozenset()
LEFT_OUT = "left-out"  # the kind of what a comparison with the element of a loop chooses
RESULTS = ("measured", "ordered")  # kinds of labels: of results, and of data in their order


@dataclass(frozen=True, slots=True, eq=False)
class TaintLabel:
    """A label that data carry to wherever they go; labels are told apart by identity.

    Parameters
    ----------
    kind
        What happened: something was *learned* from the data (scaler, feature selection), they were *resampled*,
        *measured*, *chosen* as the best, *cut* at a threshold, *joined*, made a *statistic* or a *part*, compared with
        each value of a loop (*swept*), *ordered* by a measure; models were *scored* in folds; or which part of a split
        they are (*rows*).
    step
        Where it happened.
    cause
        What did it: the name of the transformer, the sampler or the measure.
    axes
        The loops around that place.
    columns
        The columns that it happened to; empty for all of them.
    subject
        The name of the data that something was learned from.
    choice
        How the best was chosen: from a ``loop``, from ``several`` values, from a ``curve``, at its ``peak``, as a
        ``threshold``, …
    over
        The loops that the best was chosen along.
    swept
        The loops whose variables the scores were compared with before the measure was computed: loops over thresholds.
    is_loss
        Whether a smaller value is the better one: ``1 - f1``.
    turning
        The loops that the data turn with which a measure was computed on.
    pooled
        The axes whose parts were put together before the measure was computed.
    part
        Of rows, ``train`` or ``test``. Of what learned or was drawn, ``test`` if it met nothing but a test part. Of a
        measure, ``test`` if nothing learned from the data that it was computed on.
    measured_on
        The data that the measure was computed on.
    undersampling
        Whether resampling left rows out and doubled none.
    way
        The steps that led there: the calls of the function in which it happened, and the statistic that it uses.
    rows
        The rows that a statistic is of, or that a measure was computed on, where the code says so.
    """

    kind: str
    step: Step
    cause: str = ""
    axes: Axes = NO_AXES
    columns: frozenset[str] = frozenset()
    subject: str = ""
    choice: str = ""
    measured_on: DataName | None = None
    over: Axes = NO_AXES
    swept: Axes = NO_AXES
    turning: Axes = NO_AXES
    pooled: Axes = NO_AXES
    is_loss: bool = False
    part: str = ""
    undersampling: bool = False
    way: Trace = ()
    rows: RowSet | None = None


Taint: TypeAlias = frozenset[TaintLabel]


NO_TAINT: Taint = frozenset()


def choices_in(taint: Taint) -> Taint:
    """The labels of choices, which a model keeps that is fitted or predicts with what was chosen."""
    return frozenset(label for label in taint if label.kind in ("chosen", "cut"))


def is_entry_label(label: TaintLabel) -> bool:
    """Whether a label applies to some entries of a tuple only."""
    columns = label.columns
    return bool(columns) and hold_entries(columns)


@kept_for_file(CACHED_LABELS)
def hold_entries(columns: frozenset[str]) -> bool:
    """Whether some of the columns are entries of a tuple."""
    return any(column.startswith("[") for column in columns)


@kept_for_file(CACHED_LABELS)
def for_columns(label: TaintLabel, columns: frozenset[str]) -> TaintLabel:
    """A label for other columns; the same one for each call, because labels are told apart by identity."""
    return label if label.columns == columns else replace(label, columns=columns)


def merge_labels(taint: Taint) -> Taint:
    """Merge labels that differ only in their columns, or in the way to them; of very many the first stay."""
    if len(taint) < 2:
        return taint
    work(4 * len(taint))
    return _merged(taint)


@kept_for_file(CACHED_LABELS)
def _merged(taint: Taint) -> Taint:
    """Do what `merge_labels` does; the same labels meet again and again."""
    found: dict[tuple[object, ...], TaintLabel] = {}
    for label in taint:
        key = (*content_of(label), is_entry_label(label))
        other = found.get(key)
        if other is None:
            found[key] = label
            continue
        first = label if differ_in_columns_alone(label, other) else min(label, other, key=label_order)
        if other.columns != label.columns:
            every = other.columns | label.columns if other.columns and label.columns else frozenset()
            first = for_columns(first, every if len(every) <= MOST_COLUMNS else NO_COLUMNS)
        found[key] = first
    if len(found) > MOST_LABELS:
        return frozenset(sorted_labels(found.values())[:MOST_LABELS])
    return frozenset(found.values())


def differ_in_columns_alone(one: TaintLabel, other: TaintLabel) -> bool:
    """Whether two labels of the same content are alike in everything else but their columns."""
    return (
        one.step is other.step
        and one.way is other.way
        and one.swept == other.swept
        and one.turning == other.turning
        and one.pooled == other.pooled
        and one.undersampling == other.undersampling
    )


def content_of(label: TaintLabel) -> tuple[object, ...]:
    """What a label says, but for its columns."""
    return (
        label.kind,
        label.step.node,
        label.cause,
        label.measured_on,
        label.subject,
        label.choice,
        label.axes,
        label.over,
        label.part,
        label.is_loss,
        None if label.rows is None else tuple(split_parts(label.rows)[-1:]),
    )


def sorted_labels(taint: Iterable[TaintLabel]) -> list[TaintLabel]:
    """Labels in the order of their places in the code: a set has no order, and messages must not depend on chance."""
    return sorted(taint, key=label_order)


@kept_for_file(CACHED_LABELS)
def label_order(label: TaintLabel) -> tuple[object, ...]:
    """The key by which labels are sorted."""
    node = label.step.node
    name = label.measured_on.name if label.measured_on else ""
    return (
        label.step.source.display,
        *place_of(node),
        label.kind,
        label.cause,
        name,
        label.subject,
        label.choice,
        label.part,
        len(label.axes),
        way_order(label),
        sorted(label.columns),
        *(len(axes) for axes in (label.over, label.swept, label.turning, label.pooled)),
        label.is_loss,
        label.undersampling,
        label.step.note,
    )


def way_order(label: TaintLabel) -> list[tuple[object, ...]]:
    """The places on the way to a label, by which labels are sorted that say the same."""
    return [(step.source.display, *place_of(step.node)) for step in label.way]


def place_of(node: ast.AST) -> list[int]:
    """Where code begins and ends."""
    return [getattr(node, name, 0) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")]
