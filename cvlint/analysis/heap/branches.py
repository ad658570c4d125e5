"""Branches: what an arm of a branch writes to containers and objects is joined with what the other arms leave.

``if ok: scores.append(f1)`` / ``else: scores.clear()``: a strong update in an arm may not happen. Each arm notes what
the objects that it changes held before, and the arms are joined object by object. An arm sees what the arms before it
wrote, because in a loop it may run after them: ``if i == 0: box["a"] = []`` / ``else: box["a"].append(f1)``.
"""

from __future__ import annotations

from copy import copy

from cvlint.analysis.domain.heap_object import BIRTHS, HeapObject, Instance
from cvlint.analysis.domain.lattice import join, options
from cvlint.analysis.domain.value import AnyValue
from cvlint.analysis.domain.work import COPIES_PER_UNIT, work
from cvlint.analysis.state import AnalysisState, Arm


def touch(state: AnalysisState, held: HeapObject) -> None:
    """Note what an object holds before it changes, for each arm under way that did not make the object."""
    work(len(state.arms))
    for arm in state.arms:
        if held.birth < arm.birth and id(held) not in arm.before:
            arm.before[id(held)] = (held, snapshot(held))


def snapshot(held: HeapObject) -> HeapObject:
    """An object with the present content of another."""
    work(1 + len(held.fields) // COPIES_PER_UNIT)
    earlier = copy(held)
    earlier.fields, earlier.patterns = dict(earlier.fields), dict(earlier.patterns)
    if isinstance(earlier, Instance):
        earlier.attributes = dict(earlier.attributes)
    return earlier


class BranchArm:
    """A context: one arm of a branch runs."""

    __slots__ = ("_arms",)

    def __init__(self, state: AnalysisState) -> None:
        self._arms = state.arms

    def __enter__(self) -> Arm:
        self._arms.append(Arm(next(BIRTHS)))
        return self._arms[-1]

    def __exit__(self, *_: object) -> None:
        self._arms.pop()


def join_arms(arms: list[Arm], exhaustive: bool) -> None:
    """Join what the arms left; if they are not ``exhaustive``, it may be that none was executed.

    An object's content at the start of an arm is what the arms before it left.
    """
    for number, arm in enumerate(arms):
        for key, (held, earlier) in arm.before.items():
            first = not any(key in other.before for other in arms[:number])
            if first and exhaustive and all(key in other.before for other in arms):
                continue
            join_content(held, earlier)


def join_content(held: HeapObject, earlier: HeapObject) -> None:
    """Join the content of an object with an earlier content of it."""
    join_entries(held.fields, earlier.fields)
    held.patterns = earlier.patterns | held.patterns
    if earlier.elements is not None and earlier.elements is not held.elements:
        held.elements = join([*options(held.elements), earlier.elements])
    held.extent |= earlier.extent
    held.allocation_loops &= earlier.allocation_loops
    if isinstance(held, Instance) and isinstance(earlier, Instance):
        join_entries(held.attributes, earlier.attributes)


def join_entries(held: dict[str, AnyValue], earlier: dict[str, AnyValue]) -> None:
    """Join entries with earlier entries; what only one side has stays."""
    work(len(earlier) // COPIES_PER_UNIT)
    for key, value in earlier.items():
        if key not in held:
            held[key] = value
        elif held[key] is not value:
            held[key] = join([value, held[key]])
