"""Branches: what an arm of a branch writes to containers and objects is joined with what the other arms leave.

``if ok: scores.append(f1)`` / ``else: scores.clear()``: a strong update in an arm may not happen. Each arm notes what
the objects that it changes held before, and the arms are joined object by object. An arm sees what the arms before it
wrote, because in a loop it may run after them: ``if i == 0: box["a"] = []`` / ``else: box["a"].append(f1)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Any

from cvlint.analysis.branched import NOTHING, Branched, Changes, put
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.heap_object import BIRTHS, HeapObject, Instance
from cvlint.analysis.domain.lattice import join, measures_in, options
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, merge_labels
from cvlint.analysis.domain.value import AnyValue, Const, MeasureValue
from cvlint.analysis.domain.work import COPIES_PER_UNIT, work
from cvlint.analysis.row_store import RowsLeft
from cvlint.analysis.state import AnalysisState, Arm


def touch(state: AnalysisState, held: HeapObject) -> None:
    """Note what an object holds before it changes, for each arm under way that did not make the object.

    The body of a loop is such an arm for the attributes of objects: after it they hold what its last pass set.
    """
    arms = [*state.arms, *state.bodies] if isinstance(held, Instance) else state.arms
    work(len(arms))
    for arm in arms:
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


class ArmUnderWay:
    """A context: an arm of a branch, or the body of a loop, is under way; it stands last among ``arms`` meanwhile."""

    __slots__ = ("_arms",)

    def __init__(self, arms: list[Arm]) -> None:
        self._arms = arms

    def __enter__(self) -> Arm:
        self._arms.append(Arm(next(BIRTHS)))
        return self._arms[-1]

    def __exit__(self, *_: object) -> None:
        self._arms.pop()


class NameChanges:
    """What an arm changes in the names from now on: in their values and taint, and in the rows that they hold."""

    __slots__ = ("names", "rows")

    def __init__(self, state: AnalysisState) -> None:
        self.names = Changes(state.environment.bindings, state.environment.taint)
        self.rows = Changes(state.rows.held, state.rows.fits, state.rows.learned)

    def end(self) -> None:
        """The arm ends."""
        self.names.end()
        self.rows.end()

    def undo(self) -> None:
        """Put back what was there before the arm."""
        self.names.undo()
        self.rows.undo()

    def redo(self) -> None:
        """Put back what the arm left."""
        self.names.redo()
        self.rows.redo()


def join_body(state: AnalysisState, body: NameChanges, orelse: NameChanges) -> None:
    """Join what the body of an ``if`` left into what its other arm left, which is there now."""
    join_names(state, left_of(body.names, orelse.names))
    if any(body.rows.before) or any(orelse.rows.before):
        state.rows.join(RowsLeft(*left_of(body.rows, orelse.rows)))


def keep_from_first_pass(state: AnalysisState, first_arm: NameChanges, loops: Axes) -> None:
    """Later passes of loops begin: the names that only the first pass binds are as old as a None before the loop.

    ``if i == 0: scores = new``, ``else: scores = np.vstack((scores, new))``. A dict has the keys that it got there:
    ``if total is None: total = new``, ``else: for key in total: total[key] += new[key]``.
    """
    names = state.environment.bindings
    before = state.active_axes - loops
    for name, made in first_arm.names.after[0].items() if loops else ():
        held = names.get(name)
        if held is None or (isinstance(held, Const) and held.value is None):
            if isinstance(made, HeapObject) and made.kind == "dict" and measures_in(made):
                names[name] = with_sums_begun(made, before)
            elif held is None:
                names[name] = Const(allocation_loops=before)


def with_sums_begun(made: HeapObject, before: Axes) -> HeapObject:
    """A dict with the keys of another, whose measures are 0 as if before some loops."""
    zero = Const(value=0, allocation_loops=before)
    fields = {key: begun(entry, before, zero) for key, entry in made.fields.items()}
    elements = None if made.elements is None else begun(made.elements, before, zero)
    return HeapObject("dict", fields, elements, made.extent, before)


def begun(entry: AnyValue, before: Axes, zero: Const) -> AnyValue:
    """An entry of such a dict."""
    match entry:
        case HeapObject(kind="dict"):
            return with_sums_begun(entry, before)
        case MeasureValue():
            return zero
        case _:
            return entry


def leave_arm(state: AnalysisState, arm: NameChanges, leaves: bool) -> None:
    """After an arm that may not be executed: undo it in the names, and keep the rows that they hold in any case."""
    arm.end()
    arm.names.undo()
    if leaves:
        arm.rows.undo()
    else:
        state.rows.join(RowsLeft(*arm.rows.before))


def join_cases(state: AnalysisState, cases: list[NameChanges]) -> None:
    """Join what the cases of a ``match`` left in the names; an empty one stands for none of them.

    A match may have thousands of cases that bind as many names: each name is joined once.
    """
    bindings, taint = left_by_cases(state.environment.bindings, state.environment.taint, cases=cases)
    put(state.environment.bindings, {name: join(found) if found else NOTHING for name, found in bindings.items()})
    joined = {name: merge_labels(NO_TAINT.union(*found)) if found else NOTHING for name, found in taint.items()}
    put(state.environment.taint, joined)


def left_by_cases(*tables: Branched[Any, Any], cases: Sequence[NameChanges]) -> list[dict[Any, list[Any]]]:
    """For each table, what the cases left of each entry that some of them changed; others left it as it was."""
    left: list[dict[Any, list[Any]]] = [{} for _ in tables]
    for number, table in enumerate(tables):
        for case in cases:
            for key, value in case.names.after[number].items():
                left[number].setdefault(key, []).append(value)
        work(1 + len(left[number]) // COPIES_PER_UNIT)
        for key, values in left[number].items():
            if len(values) < len(cases):
                values.append(table.get(key, NOTHING))
            left[number][key] = [value for value in values if value is not NOTHING]
    return left


def left_of(arm: Changes, *others: Changes) -> list[dict[Any, Any]]:
    """What an arm left of the entries that it or other arms changed, which all began alike."""
    before = ({k: v for other in others for k, v in other.before[n].items()} for n in range(len(arm.tables)))
    return [{**earlier, **left} for earlier, left in zip(before, arm.after, strict=True)]


def join_names(state: AnalysisState, left: list[dict[Any, Any]]) -> None:
    """Join what an arm has left of names into what they hold now."""
    bindings, taint = left
    work(1 + len(bindings) // COPIES_PER_UNIT)
    join_bindings(state.environment.bindings, bindings)
    join_taint(state.environment.taint, taint)


def join_bindings(names: Branched[str, AnyValue], left: dict[str, AnyValue]) -> None:
    """Join what an arm has left of some names into their bindings; what only one side binds stays."""
    for name, value in left.items():
        other = names.get(name)
        if value is not NOTHING and value is not other:
            names[name] = value if other is None else join([value, other])


def join_taint(names: Branched[str, Taint], left: dict[str, Taint]) -> None:
    """Join the taint that an arm has left of some names."""
    for name, taint in left.items():
        if taint is not NOTHING and taint is not (other := names.get(name)):
            names[name] = merge_labels((other or NO_TAINT) | taint)


def join_arms(arms: list[Arm], exhaustive: bool) -> None:
    """Join what the arms left; if they are not ``exhaustive``, it may be that none was executed.

    An object's content at the start of an arm is what the arms before it left.
    """
    changing = Counter(key for arm in arms for key in arm.before)
    seen: set[Any] = set()
    for arm in arms:
        for key, (held, earlier) in arm.before.items():
            if not (exhaustive and key not in seen and changing[key] == len(arms)):
                join_content(held, earlier)
        seen |= arm.before.keys()


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
