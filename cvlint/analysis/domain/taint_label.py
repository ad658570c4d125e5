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
        *measured*, *chosen* as the best, *cut* at a threshold, *joined*, made a *statistic* or a *part*.
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
        How the best was chosen: from a ``loop``, from ``several`` values, from a ``curve``, …
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
    undersampling: bool = False


Taint: TypeAlias = frozenset[TaintLabel]


NO_TAINT: Taint = frozenset()
