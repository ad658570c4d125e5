"""Taint labels: what happened to data on their way through the program."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.trace import Step


@dataclass(frozen=True, slots=True)
class DataName:
    """The name of data in a program: a variable, or the spelling of a part, and the node that it was bound to.

    ``environment`` only tells equal names apart, by its identity.
    """

    environment: object
    name: str
    bound: ast.AST | None


@dataclass(frozen=True, slots=True, eq=False)
class TaintLabel:
    """A label that data carry to wherever they go; labels are told apart by identity.

    Parameters
    ----------
    kind
        What happened: something was *learned* from the data (scaler, feature selection), they were *resampled*,
        *measured*, *chosen* as the best, *cut* at a threshold, *joined*, made a *statistic* or a *part*, compared with
        each value of a loop (*swept*), *ordered* by a measure; or which part of a split they are (*rows*).
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
        How the best was chosen: from a ``loop``, from ``several`` values, from a ``curve``, as a ``threshold``, …
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
        Of rows, ``train`` or ``test``. Of a measure, ``test`` if nothing learned from the data that it was computed on.
    measured_on
        The data that the measure was computed on.
    undersampling
        Whether resampling left rows out and doubled none.
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


Taint: TypeAlias = frozenset[TaintLabel]


NO_TAINT: Taint = frozenset()


def choices_in(taint: Taint) -> Taint:
    """The labels of choices, which a model keeps that is fitted or predicts with what was chosen."""
    return frozenset(label for label in taint if label.kind in ("chosen", "cut"))
