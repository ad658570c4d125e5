"""Abstract values: what the analysis knows of a value, and over which loops it varies.

The analysis is dimensional. A `MeasureValue` from inside a fold loop *varies over* the loop's `Axis` (``axes``).
Collected in a list, it becomes an array *along* the axis (``along``: a tuple of dimensions, each a set of axes). A mean
takes the dimension away again. `Data` is everything that is not a measure, unknown values included.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any, TypeAlias

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import TOP, Codomain
from cvlint.analysis.domain.frozen import dataclass
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.domain.trace import Trace
from cvlint.records import field

PREDICTION = "prediction"  # origins: what a model returns,
CALIBRATED = "calibrated"  # scores on a scale that all models share,
NO_SCORES = "no-scores"  # and None or NaN in place of what a model without scores cannot give
CELLS = ("true-negatives", "false-positives", "false-negatives", "true-positives")  # of a confusion matrix, row by row

MASKS = ("mask", "above", "below")  # keys: rows by a test, of which some compare with a bound

AXES_DEPTH = 6  # containers are searched to this depth, because a container may hold itself


@dataclass(frozen=True, slots=True)
class Measure:
    """Which measure: ``kind`` as in the knowledge ("f-measure", "roc-auc", …) and its ``average``."""

    kind: str
    average: str | None = None
    label: str = ""

    def __str__(self) -> str:
        return self.label or self.kind


@dataclass(frozen=True, slots=True)
class Value:
    """The base of all immutable values.

    ``labels`` of data are the taint with which they lie in a container: `cvlint.analysis.taint.stored` puts it there,
    and whoever reads the value takes it out again. ``labels`` of a measure say what it was measured on, and which
    choices it decided or came from; they stay with the value.
    """

    axes: Axes = NO_AXES
    along: tuple[Axes, ...] = ()
    trace: Trace = ()
    labels: Taint = field(default=NO_TAINT, kw_only=True)


@dataclass(frozen=True, slots=True)
class Data(Value):
    """Arrays, labels, scores, counts and indices, and every value of which nothing is known.

    Parameters
    ----------
    codomain
        Which values it can take.
    pooled
        The axes whose parts were put together into one array (``oof[test] = scores``, ``extend``).
    opaque
        Whether the value comes out of code that could not be followed: only such a value may be typed by its name.
    size
        The numbers of samples and of positives, if the code says them.
    pattern
        Of a text: its known and unknown parts (`cvlint.analysis.domain.texts`).
    index
        What it selects as a key: rows (``test-indices``, ``mask``, ``above``, ``slice-before``, …), or one entry
        (``loop-index``, ``key``).
    bound
        Of rows ``above`` or ``below`` a bound: the code of what is compared, and of the bound.
    origin
        Where it comes from, where that says more than its values: ``data``, ``prediction``, ``counts``, …. A count of a
        confusion matrix of two classes comes from one of its ``CELLS``.
    """

    codomain: Codomain = TOP
    pooled: Axes = NO_AXES
    opaque: bool = False
    size: tuple[int, int] | None = None
    pattern: str = ""
    index: str = ""
    bound: str = ""
    origin: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether neither its values nor its use as a key nor its origin are known."""
        if self.index or self.origin not in ("", PREDICTION):
            return False
        return self.codomain is TOP or self.codomain == TOP  # most are TOP itself

    @property
    def is_calibrated(self) -> bool:
        """Whether it holds scores on a scale that all models share."""
        return self.codomain.is_real and self.origin == CALIBRATED


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A literal.

    ``allocation_loops`` are the loops around the place where it was bound to a name: an accumulator starts there.
    ``drawn``: a loop draws this key from the dict itself, so the code around need not know it.
    """

    value: Any = None
    allocation_loops: Axes = NO_AXES
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class MeasureValue(Value):
    """The value of a performance measure.

    Parameters
    ----------
    measure
        Which measure it is.
    summed_over
        The axes over which it was summed, with the division still to come.
    averaged_over
        The axes over which it was averaged.
    scaled
        Whether it was already divided by a count.
    pooled
        The axes whose parts were put together before the measure was computed.
    parts
        The measures that a formula computes it from.
    defined
        Whether a test, or ``zero_division``, gives it a 0 where it is undefined.
    fixed
        The fold axes along which only the model varies, and not the data that it is measured on.
    """

    measure: Measure = Measure("unknown")
    summed_over: Axes = NO_AXES
    averaged_over: Axes = NO_AXES
    scaled: bool = False
    pooled: Axes = NO_AXES
    parts: tuple[str, ...] = ()
    defined: bool = False
    fixed: Axes = NO_AXES


@dataclass(frozen=True, slots=True)
class LibraryName(Value):
    """A name of a library: ``sklearn.metrics.f1_score``, a module or a class."""

    name: str = ""
    heuristic: bool = False


@cache
def library(name: str, heuristic: bool = False) -> LibraryName:
    """A name of a library, made once, because most calls are calls of libraries."""
    return LibraryName(name=name, heuristic=heuristic)


@dataclass(frozen=True, slots=True, eq=False)
class Partial(Value):
    """A callable with some arguments given: ``functools.partial``. ``node`` is the call that gave them."""

    target: AnyValue | None = None
    arguments: tuple[AnyValue, ...] = ()
    keywords: tuple[tuple[str, AnyValue], ...] = ()
    node: ast.Call | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LibraryObject(Value):
    """An object of a library that the analysis follows: a splitter, a search, an estimator, a scorer, folds.

    ``role`` says which of these it is. ``facts`` hold what the knowledge and the call say of it (scoring, stratified,
    …).
    """

    role: str = ""
    name: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """One of several values, after a branch or under an unknown key."""

    options: tuple[AnyValue, ...]

    @property
    def axes(self) -> Axes:
        """The axes over which any option varies."""
        return axes_of(self)


class MutableValue:
    """The base of heap objects (`cvlint.analysis.domain.heap_object`), which the program changes in place."""

    __slots__ = ()

    @property
    def axes(self) -> Axes:
        """The axes over which the object as a whole varies."""
        return self.axes_within(AXES_DEPTH)

    def axes_within(self, depth: int) -> Axes:
        """The axes over which the object varies, by its entries to a ``depth``."""
        raise NotImplementedError


AnyValue: TypeAlias = Value | Union | MutableValue


def axes_of(value: AnyValue, depth: int = AXES_DEPTH) -> Axes:
    """The axes over which ``value`` varies; containers are searched ``depth`` levels deep."""
    match value:
        case Value():
            return value.axes
        case Union():
            return NO_AXES.union(*(axes_of(v, depth - 1) for v in value.options)) if depth else NO_AXES
        case _:
            return value.axes_within(depth)
