"""Which rows of which data a value holds, and what was fitted to them.

Data are known by the *set of rows* that they hold: a root (a file that was read), a part of another set (the test part
of a split, rows under a mask), or several sets that were put together. A scaled copy of data and its labels hold the
same set. Sets are compared only where the code proves how they are related.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.kept import at_end_of_file
from cvlint.records import dataclass, field

MOST_STEPS_UP = 40  # a chain of parts of parts that is longer comes out of a loop


class HoldOutPart(NamedTuple):
    """The key of a part of a hold-out: which split it is, and the role of the part."""

    split: object
    role: str


@dataclass(eq=False, slots=True)
class RowSet:
    """A set of rows; two sets that turn out to be the same are joined by ``same``.

    Parameters
    ----------
    parent
        The set that this one is a part of; None for a root.
    key
        Which part it is: equal keys select the same rows of the same set.
    role
        ``train`` or ``test`` for a part of a split, ``part`` for other rows, ``view`` for what may be columns or rows.
    step
        Where the part was made.
    contains
        The sets whose rows are surely all in this one: of joined data, the parts.
    is_union
        Whether these are all its rows.
    is_assumed
        Whether nothing is known of it but that a name holds it, which the program read before it bound it.
    is_paired
        Whether the code has used the rows together with other data: with features or labels.
    named
        The part that it is by the names that it was bound to: ``train``, ``test``, ``valid`` or nothing.
    is_called_test
        Whether a statement gives it the name of a test part, whatever its first name says.
    split
        Of a part of a split, or its row numbers: which split it is. Others split the same rows in another way. None
        where nobody knows that.
    """

    parent: RowSet | None = None
    key: Hashable = None
    role: str = ""
    step: Step | None = None
    contains: tuple[RowSet, ...] = ()
    is_union: bool = False
    is_assumed: bool = False
    is_paired: bool = False
    named: str = ""
    is_called_test: bool = False
    split: object = None
    same: RowSet | None = None
    parts: dict[Hashable, RowSet] = field(default_factory=dict)

    @property
    def found(self) -> RowSet:
        """The set that stands for all that are the same as this one."""
        found = self
        while found.same is not None:
            found = found.same
        return found

    def part(self, key: Hashable, role: str, step: Step | None = None) -> RowSet:
        """A part of the set; the same one for the same key."""
        whole = self.found
        part = whole.parts.get(key)
        if part is None:
            if not whole.parts:
                _DIVIDED.append(whole)
            part = whole.parts[key] = RowSet(whole, key, role, step)
        return part.found

    def ancestors(self) -> Iterator[RowSet]:
        """The set itself, what it is a part of, and so on."""
        here: RowSet | None = self.found
        for _ in range(MOST_STEPS_UP):
            if here is None:
                return
            yield here
            here = None if here.parent is None else here.parent.found


_DIVIDED: list[RowSet] = []  # the sets that have parts


@at_end_of_file
def forget_parts() -> None:
    """Take the cycles of sets and their parts apart, which would keep the file until the next search for cycles."""
    for whole in _DIVIDED:
        whole.parts.clear()
    _DIVIDED.clear()


def unify(one: RowSet, other: RowSet, is_sure: bool = False) -> None:
    """The code uses two sets as the same rows in the same order: ``model.fit(X, y)``.

    If ``y`` was used with other features before, both features may be of the same rows, or two parts with equal labels:
    unless ``is_sure``, nothing is said.
    """
    one, other = one.found, other.found
    if one is other:
        return
    if is_view_of(other, one):
        other.same = one
    elif is_view_of(one, other):
        one.same = other
    elif is_root(one) and is_root(other):
        if is_sure or not (one.is_paired or other.is_paired):
            other.same, one.is_paired = one, True
    elif is_root(other):
        other.same = one
    elif is_root(one):
        one.same = other
    elif one.key == other.key and one.parent is not None and other.parent is not None:
        unify(one.parent, other.parent, is_sure)
        if one.parent.found is other.parent.found:
            other.same = one
    elif one.role == other.role == "view":
        other.same = one
    elif one.is_union and other.is_union and len(one.contains) == len(other.contains):
        for part, its_labels in zip(one.contains, other.contains, strict=True):
            unify(part, its_labels, is_sure)
        if all(a.found is b.found for a, b in zip(one.contains, other.contains, strict=True)):
            other.same = one


def is_root(rows: RowSet) -> bool:
    """Whether nothing is known of where rows come from."""
    return rows.parent is None and not rows.contains


def is_view_of(one: RowSet, other: RowSet) -> bool:
    """Whether a set may be all rows of another: only columns, or nobody knows, were selected on the way."""
    for above in one.ancestors():
        if above is other:
            return True
        if above.role != "view":
            return False
    return False


def frame_of(rows: RowSet) -> RowSet:
    """The set of the frame whose column a set is: of ``frame`` for ``frame["age"]`` and ``frame.age``."""
    for above in rows.ancestors():
        match above.key:
            case (str() as title, _) if title[:1] in "'\"" and above.role == "view":
                continue
            case str() as title if title.startswith(".") and above.role == "view":
                continue
            case _:
                return above
    return rows.found


def title_of(rows: RowSet) -> str:
    """What an attribute or an entry is called that may be columns or rows: ``data.test_mask``, ``split["test"]``."""
    match rows.found:
        case RowSet(role="view", key=str() as title) | RowSet(role="view", key=(str() as title, ())):
            return title
        case _:
            return ""


def covers(whole: RowSet, part: RowSet, depth: int = 8) -> bool:
    """Whether all rows of a set are surely among those of another."""
    whole = whole.found
    if not depth:
        return False
    for above in part.ancestors():
        if above is whole:
            return True
        if above.is_union and all(covers(whole, p, depth - 1) for p in above.contains):
            return True
    return any(covers(inner, part, depth - 1) for inner in whole.contains)


def split_parts(rows: RowSet) -> list[RowSet]:
    """The parts of splits that lead to a set of rows, each a part of the one before."""
    return [part for part in reversed(list(rows.ancestors())) if part.role in ("train", "test")]


def first_split(numbers: RowSet) -> object:
    """The split that row numbers come from, which other splits may have divided further: ``train[inner]``."""
    return next((above.split for above in reversed(list(numbers.ancestors())) if above.split is not None), None)


def learns_nothing_of(one: RowSet, other: RowSet) -> bool:
    """Whether one set is the training part of a split, whose test part holds the other set or the rest of it."""
    pairs = zip_longest(split_parts(one), split_parts(other))
    apart = next(((a, b) for a, b in pairs if a is None or b is None or a.key != b.key), None)
    match apart:
        case (RowSet(role="train"), None | RowSet(role="test")) | (RowSet(role="test"), RowSet(role="train")):
            return True
        case _:
            return False


def is_train_part(part: RowSet, whole: RowSet) -> bool:
    """Whether a set is cut out of another one, and a name says that it is the training part."""
    cut = part.found
    if cut.named != "train" or cut.parent is None or cut is whole.found:
        return False
    return is_view_of(whole.found, cut.parent.found)


def held_out_part(whole: RowSet, part: RowSet, depth: int = 8) -> RowSet | None:
    """The test part of a split inside ``whole`` that the rows of ``part`` are of."""
    for above in part.ancestors():
        if above is whole.found:
            return None
        if above.role == "test":
            return above if covers(whole, above) else None
        if above.role == "train":
            return None
        if above.is_union and depth:
            inner = [held_out_part(whole, p, depth - 1) for p in above.contains]
            if inner and all(inner):
                return inner[0]
    return None


def is_of_hold_out(part: RowSet) -> bool:
    """Whether a set is a part of ``train_test_split``, and not of a split into folds."""
    return isinstance(part.key, HoldOutPart)


def part_of(rows: RowSet) -> str:
    """The part of a split that rows are, as the split or their name says."""
    roles = [above.role for above in rows.ancestors() if above.role in ("train", "test")]
    return roles[0] if roles else rows.found.named


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A transformer was fitted to a set of rows, and data hold what it made of them; ``call`` called the function.

    ``by`` names the transformer. ``by_hand``: no transformer; the code ``scaled`` or ``filled`` the rows itself.
    ``of_categories``: only which categories there are was learned; ``of_chance``: nothing of the values. ``before``:
    what the same transformer had learned until then.
    """

    by: str
    step: Step
    rows: RowSet
    call: Step | None = None
    by_hand: str = ""
    of_categories: bool = False
    of_chance: bool = False
    before: Learned | None = None


def place_of(learned: Learned) -> tuple[str, int]:
    """Where something was learned, for a fixed order."""
    return learned.step.source.display, getattr(learned.step.node, "lineno", 0)


@dataclass(frozen=True, slots=True)
class Measured:
    """A fitted model was measured: how these rows are related to its training rows, and where.

    ``relation`` is ``same``, ``subset``, ``part`` (a test part within the training rows), ``whole`` (the training rows
    are a part of them), ``most`` (a fold's training part was taken from among them and others) or ``other``.
    ``computed``: where a helper computes the measure.
    """

    relation: str
    step: Step
    rows: RowSet
    is_counted: bool = True
    learned: frozenset[Learned] = frozenset()
    computed: tuple[Step, ...] = ()


@dataclass(eq=False, slots=True)
class ModelFit:
    """A model was fitted to rows, with their labels unless it ``has_no_labels``.

    ``predicted``: the parts of data that it predicts; ``beside``: those whose predictions stand beside the labels.
    ``is_used_elsewhere``: other code may measure it, too. ``folds``: the loop over folds in which it goes on learning.
    ``is_asked_of_rest``: it predicts the test part of its fold. ``functions``: the code under way when it was fitted;
    ``is_called``: a call led to it, and not only that the function is analysed by itself.
    """

    step: Step
    name: str
    model: RowSet
    rows: RowSet
    learned: frozenset[Learned]
    measured: list[Measured] = field(default_factory=list)
    predicted: list[Measured] = field(default_factory=list)
    beside: list[Measured] = field(default_factory=list)
    is_used_elsewhere: bool = False
    has_no_labels: bool = False
    folds: Axis | None = None
    is_asked_of_rest: bool = False
    functions: frozenset[ast.AST] = frozenset()
    is_called: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RowsOf:
    """What is known of the rows of a value; the same object for the same value under another name.

    ``fit`` is the model whose predictions it holds, ``learned`` what was fitted to make it. ``entries`` are those of a
    tuple, ``each`` is what a generator or a list gives in each pass.
    """

    rows: RowSet
    learned: frozenset[Learned] = frozenset()
    fit: ModelFit | None = None
    entries: tuple[RowsOf, ...] = ()
    each: RowsOf | None = None


Holder = tuple[object, Hashable]
"""A variable of an environment, an attribute of an object, or an entry of a collection."""
