"""Results side by side: several results of a measure on the same data, which code has written into a list or dict.

``results = [("svm", f1_svm), ("lr", f1_lr)]``: the best of them is chosen from several.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import join, options
from cvlint.analysis.domain.taint_label import CACHED_LABELS, Taint, TaintLabel
from cvlint.analysis.domain.value import AnyValue, MeasureValue, Union
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import labels_in

MOST_LEVELS = 3  # a list of pairs of a name and a dict of measures


def are_two_results(state: AnalysisState, left: Taint, right: Taint) -> bool:
    """Whether a test compares two results of a measure on the same data, and not a new result with the best so far.

    ``best`` may begin with a result from before the loop.
    """
    active = state.active_axes
    sides = ({(m.measured_on, m.cause, m.axes & active) for m in labels} for labels in (left, right))
    are_alike = next(sides) == next(sides) != set()
    apart = {label.step.node for label in left}.isdisjoint(label.step.node for label in right)
    return are_alike and (apart or not state.active_axes)


def are_several_results(state: AnalysisState, values: AnyValue) -> bool:
    """Whether a list or dict, or a column of a frame, holds two results of a measure on the same data.

    Those that a loop made are its passes, and not asked for here.
    """
    held = [o for o in options(values) if isinstance(o, HeapObject)]
    held += [c for o in held if o.kind != "list" for c in o.fields.values() if isinstance(c, HeapObject)]
    for found in ([single_results(state, entry) for entry in o.fields.values()] for o in held):
        if any(are_two_results(state, one, other) for one, other in pairwise(filter(None, found))):
            return True
    return False


def single_results(state: AnalysisState, entry: AnyValue) -> Taint:
    """The labels of what was measured in an entry, but not in a loop that has ended; a row may hold both."""
    return frozenset(label for label in labels_in(entry, "measured") if label.axes <= state.active_axes)


def as_candidates(state: AnalysisState, values: Sequence[AnyValue], source: AnyValue) -> tuple[AnyValue, ...]:
    """``values``, of ``source`` or made of it: results side by side are candidates, from which the best is chosen.

    A loop goes over them one by one, or, where they are many, over what all have in common.
    """
    held = values if len(values) > 1 else source.entries() if isinstance(source, HeapObject) else ()
    if len(held) < 2 or not are_several_results(state, HeapObject("list", dict(enumerate(held)))):
        return tuple(values)
    return tuple(as_candidate(value) for value in values)


def as_candidate(value: AnyValue, depth: int = MOST_LEVELS) -> AnyValue:
    """A value whose measures are candidates; containers are copied."""
    match value:
        case MeasureValue() if value.labels:
            return replace(value, labels=frozenset(map(label_of_candidate, value.labels)))
        case Union():
            return join(as_candidate(option, depth) for option in value.options)
        case HeapObject() if depth and value.fields:
            return replace(value, fields={key: as_candidate(entry, depth - 1) for key, entry in value.fields.items()})
        case _:
            return value


@kept_for_file(CACHED_LABELS)
def label_of_candidate(label: TaintLabel) -> TaintLabel:
    """The label of one of several results; the same one for each call, because labels are told apart by identity."""
    is_single = label.kind == "measured" and label.choice in ("", "area")
    return replace(label, choice="several") if is_single else label
