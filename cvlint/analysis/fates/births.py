"""Births: the places where a value is made that the fate ledger accounts for, and the births that a value carries."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.taint_label import Taint, TaintLabel
from cvlint.analysis.domain.trace import COMPUTED, Step
from cvlint.analysis.domain.value import AnyValue, Data, LibraryObject, MeasureValue, Partial, Union
from cvlint.records import dataclass, field
from cvlint.source.module import Source

DEPTH = 4  # containers are searched to this depth
LOOP = "loop"  # the kind of an axis of which only the loop is known, such as one over predictions
LEARNED = ("learned", "resampled")
PARTS = ("part", "rows", "training")  # labels that say that data are a part of a split


@dataclass(eq=False, slots=True)
class Birth:
    """The place where a measure is computed in a loop, or where something is learned from whole data.

    Parameters
    ----------
    source, node
        The place.
    kind
        ``measure``, ``learned`` or ``resampled``.
    names
        What it is: the labels of the measure, or the name of the transformer.
    measures
        The kinds of the measure that is computed there.
    loops
        The kinds of the loops over which the measure varies.
    is_pooled
        Whether parts were put together before the measure was computed.
    is_guess
        Whether only a name says that it is a measure.
    is_part
        Whether it was learned from a part of a split: that is no birth, unless a leak is found there all the same.
    """

    source: Source
    node: ast.AST
    kind: str
    names: set[str] = field(default_factory=set)
    measures: set[str] = field(default_factory=set)
    loops: set[str] = field(default_factory=set)
    is_pooled: bool = False
    is_guess: bool = False
    is_part: bool = False

    def is_like(self, other: Birth) -> bool:
        """Whether a value of another birth can stand for this one: they are of one kind and one measure."""
        return self.kind == other.kind and (self.kind != "measure" or not self.measures.isdisjoint(other.measures))


def made_at(value: MeasureValue) -> Step | None:
    """The step at which a measure was computed."""
    made = [step for step in value.trace if step.note.endswith(COMPUTED)]
    return made[-1] if made else value.trace[0] if value.trace else None


def varies(value: MeasureValue) -> bool:
    """Whether a measure is one of several, or was computed once on what several parts gave."""
    return bool(value.axes or value.along or value.pooled or value.averaged_over or value.summed_over)


def nodes_of(value: MeasureValue) -> Iterator[ast.AST]:
    """The places where a measure was computed; a join of equal measures keeps the labels of all of them."""
    step = made_at(value)
    if step is not None:
        yield step.node
    for label in value.labels:
        if label.kind == "measured":
            yield label.step.node


def parts_of(value: AnyValue) -> Iterator[AnyValue]:
    """What a value consists of: the options of a union, the entries of a container, the parts of an iterator."""
    match value:
        case Union():
            yield from value.options
        case HeapObject():
            yield from value.entries()
        case LibraryObject(role="iterator", facts=facts):
            yield from facts.get("parts", ())
        case Partial(arguments=arguments, keywords=keywords):
            yield from (*arguments, *(held for _, held in keywords))


def measures_within(value: AnyValue, depth: int = DEPTH) -> Iterator[MeasureValue]:
    """All measures in a value, those in iterators and partial applications included."""
    if isinstance(value, MeasureValue):
        yield value
    elif depth:
        for part in parts_of(value):
            yield from measures_within(part, depth if isinstance(value, Union) else depth - 1)


def labels_in(value: AnyValue, depth: int = DEPTH) -> Iterator[TaintLabel]:
    """The labels with which data lie in a container."""
    if isinstance(value, (Data, LibraryObject)):
        yield from value.labels
    if depth:
        for part in parts_of(value):
            yield from labels_in(part, depth if isinstance(value, Union) else depth - 1)


@dataclass(slots=True)
class Births:
    """All births of one analysis, by the place and whether a measure is born there."""

    found: dict[tuple[bool, ast.AST], Birth] = field(default_factory=dict)

    def measured(self, value: AnyValue) -> set[Birth]:
        """The births of the measures in a value; measures that were not seen before are born."""
        carried = set()
        for measure in measures_within(value):
            step = made_at(measure)
            if step is None or not (varies(measure) or (True, step.node) in self.found):
                continue
            birth = self.found.get((True, step.node)) or Birth(step.source, step.node, "measure")
            self.found[True, step.node] = birth
            birth.names.add(str(measure.measure))
            birth.measures.add(measure.measure.kind)
            birth.loops |= {axis.kind for axis in measure.axes.union(*measure.along)}
            birth.is_pooled |= any(axis.kind != LOOP for axis in measure.pooled)
            birth.is_guess |= step.heuristic
            same = (self.found.get((True, node)) for node in nodes_of(measure))
            carried |= {one for one in same if one is not None and measure.measure.kind in one.measures}
        return carried

    def compared(self, taint: Taint) -> set[Birth]:
        """The births of measures from which an expression was computed that holds no measure: ``tpr - fpr``."""
        keys = ((True, label.step.node) for label in taint if label.kind == "measured")
        return {self.found[key] for key in keys if key in self.found}

    def tainted(self, value: AnyValue, taint: Taint, training: Mapping[str, bool]) -> set[Birth]:
        """The births of what was learned from the data of an expression."""
        labels = {label for label in (*taint, *labels_in(value)) if label.kind in LEARNED}
        is_part = any(label.kind in PARTS for label in taint)
        carried = set()
        for label in labels:
            key = (False, label.step.node)
            if key not in self.found:
                born = Birth(label.step.source, label.step.node, label.kind, {label.cause})
                born.is_part = is_part or training.get(label.subject, False)
                self.found[key] = born
            carried.add(self.found[key])
        return carried

    def all(self) -> list[Birth]:
        """Every birth."""
        return [birth for birth in self.found.values() if not birth.is_part]
