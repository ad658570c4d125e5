"""Functions that call themselves: the calls are the passes of a loop, which a number counts.

The first evaluation takes what the inner call returns for nothing. If a number differs from call to call, as ``k`` does
in ``[scores_of(splits[k])] + run(k + 1)``, a second evaluation takes it for the index of a loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.codomain import BOTTOM, Kind
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import join, leave_loop, options, vary_over
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, axes_of
from cvlint.analysis.state import AnalysisState, Arguments, Frame


def frame_of(state: AnalysisState, function: Function) -> Frame | None:
    """The call of a function that is under way; None if it does not call itself here."""
    of_function = (f for f in state.frames if f.node is function.node and f.environment.parent is function.environment)
    return next(of_function, None)


def result_of_inner_call(frame: Frame, arguments: Arguments, unknown: Data) -> AnyValue:
    """What a function gets by calling itself, by the result of unknown code: it adds nothing to its own result."""
    frame.inner_arguments = frame.inner_arguments or arguments
    return replace(unknown, codomain=BOTTOM)


def counted_arguments(first: Arguments, inner: Arguments, axis: Axis) -> Arguments | None:
    """The arguments, of which the numbers that differ from call to call are the index of a loop; None without any."""
    pairs = list(zip(first[0], inner[0], strict=False))
    counted = {i for i, (one, other) in enumerate(pairs) if is_counted(one, other)}
    if not counted:
        return None
    index = Data(frozenset((axis,)), index="loop-index")
    return [index if i in counted else value for i, value in enumerate(first[0])], first[1]


def is_counted(first: AnyValue, inner: AnyValue) -> bool:
    """Whether an argument is a number, and another number in the inner call: ``run(0)`` and ``run(k + 1)``."""
    is_number = isinstance(first, Const) and isinstance(first.value, int) and not isinstance(first.value, bool)
    return is_number and isinstance(inner, Data) and inner.codomain.kind is Kind.NUMBER


def repeated(
    state: AnalysisState, frame: Frame, arguments: Arguments, call: Callable[[Arguments], Frame], node: ast.AST
) -> Frame | None:
    """The frame of a second evaluation, in which the calls are the passes of a loop; None if no number counts them.

    ``call`` makes a frame with other arguments.
    """
    if frame.inner_arguments is None:
        return None
    axis = Axis("loop", state.step(node, "a loop of calls"))
    given = counted_arguments(arguments, frame.inner_arguments, axis)
    if given is None:
        return None
    made = call(given)
    made.recursion = frozenset((axis,))
    made.call_loops = made.call_loops | made.recursion
    return made


def leave_calls(value: AnyValue, recursion: Axes) -> AnyValue:
    """The result of the outermost call: what the inner calls made grows along them."""
    for option in options(value):
        if isinstance(option, HeapObject):
            option.allocation_loops -= recursion
    return leave_loop(value, recursion)


def grown_by_itself(state: AnalysisState, part: HeapObject) -> HeapObject:
    """The list that a function makes of ``part`` and of what it returns for the rest: ``[xs[0]] + walk(xs[1:])``."""
    entries = part.entries()
    around = state.active_axes - state.frame.recursion
    extent = (NO_AXES.union(*map(axes_of, entries)) | state.frame.recursion) - around
    each = vary_over(join(entries), state.frame.recursion) if entries else None  # each call adds an entry of its own
    return HeapObject("list", {}, each, extent, around)


def summed_by_itself(state: AnalysisState, value: MeasureValue) -> MeasureValue:
    """The sum of a measure and of what the function returns for the rest: ``xs[0] + total(xs[1:])``."""
    summed = value.axes - (state.active_axes - state.frame.recursion)
    return replace(value, axes=value.axes - summed, summed_over=value.summed_over | summed)
