"""`cvlint.records` makes the same classes as `dataclasses`, and all that a start loads uses it."""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle
import sys
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cvlint import records

ROOT = Path(__file__).parents[1]
# rooms that no check loads
LATER = ("runtime", "recording", "report", "submissions", "server", "notebook", "assistant")
NUMBERS = """
from __future__ import annotations
from typing import ClassVar

@dataclass({options})
class Pair:
    left: int
    right: int = 2

@dataclass({options})
class More(Pair):
    names: list[str] = field(default_factory=list)
    hidden: int = field(default=3, repr=False, compare=False)
    made: int = field(init=False, default=7)
    keyword: str = field(default="k", kw_only=True)
    KIND: ClassVar[str] = "more"

    def __post_init__(self):
        self.names.append("post")

@dataclass({options})
class Empty:
    pass

@dataclass({options})
class Own:
    value: int

    def __eq__(self, other):
        return True

    def __repr__(self):
        return "own"
"""
OPTIONS = (
    "frozen=True, slots=True",
    "frozen=True, slots=True, order=True",
    "frozen=True, slots=True, eq=False",
    "frozen=True",
    "slots=True",
    "slots=True, eq=False",
    "slots=True, unsafe_hash=True",
    "eq=False",
)


def made(maker: Any, options: str, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The classes above, in a module that pickle finds."""
    module = ModuleType(name)
    module.__dict__.update(dataclass=maker.dataclass, field=maker.field)
    monkeypatch.setitem(sys.modules, name, module)
    exec(NUMBERS.format(options=options), module.__dict__)
    return module


def outcome(action: Any) -> Any:
    """What a call gives, or the class of what it raises."""
    try:
        return action()
    except Exception as error:
        return type(error), str(error)


def facts(kinds: Any, maker: Any) -> list[Any]:
    """What can be seen of the classes; lists of values without the classes themselves."""
    pair, more, empty, own = kinds.Pair, kinds.More, kinds.Empty, kinds.Own
    one = more(1, names=["a"])

    def assign() -> None:
        pair(1).left = 4

    def remove() -> None:
        del pair(1).left

    def matched() -> Any:
        match pair(5, 6):
            case pair(left, right):
                return left, right

    actions = [
        lambda: repr(pair(1)),
        lambda: repr(one),
        lambda: repr([empty(), own(1)]),
        lambda: (one.left, one.right, one.names, one.hidden, one.made, one.keyword, more.KIND),
        lambda: pair(1) == pair(1, 2),
        lambda: pair(1) == pair(1, 3),
        lambda: (pair(1) == 1, pair(1) != more(1), own(1) == own(2), empty() == empty()),
        lambda: more(1, hidden=1) == more(1, hidden=2),
        lambda: hash(pair(1)) == hash((1, 2)),
        lambda: (pair.__hash__ is None, own.__hash__ is None),
        lambda: {pair(1): 1}[pair(1)],
        lambda: sorted([pair(3), pair(1, 4), pair(1)])[0].right,
        lambda: pair(1) < pair(2) <= pair(2) and pair(3) > pair(2) >= pair(2),
        lambda: more(1).names is more(1).names,
        matched,
        lambda: [pair.__match_args__, more.__match_args__, empty.__match_args__],
        lambda: repr(maker.replace(one, left=9, keyword="other")),
        lambda: repr(dataclasses.replace(one, right=8)),
        lambda: dataclasses.asdict(one),
        lambda: dataclasses.astuple(pair(1)),
        lambda: [(f.name, f.init, f.repr, f.compare, f.kw_only) for f in dataclasses.fields(more)],
        lambda: (dataclasses.is_dataclass(pair), dataclasses.is_dataclass(one)),
        lambda: repr(copy.copy(one)),
        lambda: repr(copy.deepcopy(one)),
        lambda: repr(pickle.loads(pickle.dumps(one))),
        lambda: hasattr(pair(1), "__dict__"),
        lambda: (more.__qualname__, more.__init__.__qualname__),
    ]
    return [*map(outcome, actions), outcome(assign), outcome(remove)]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_classes_are_those_of_dataclasses(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = facts(made(dataclasses, options, "made", monkeypatch), dataclasses)
    assert facts(made(records, options, "made", monkeypatch), records) == expected
    assert len({str(one) for one in expected}) > 12  # they say more than that all is refused


def test_wrong_arguments_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = made(records, "frozen=True, slots=True", "made", monkeypatch)
    for arguments, named in (((), {}), ((1, 2, 3), {}), ((1,), {"unknown": 2}), ((1,), {"left": 1})):
        with pytest.raises(TypeError, match=r"Pair\.__init__\(\)"):
            kinds.Pair(*arguments, **named)
    with pytest.raises(TypeError):
        records.replace(kinds.Pair(1), unknown=2)


def test_defaults_are_made_for_each_object_and_shadows_only_once() -> None:
    numbers = count()

    @records.dataclass(slots=True)
    class Numbered:
        number: int = records.field(default_factory=numbers.__next__)

    assert [Numbered().number, Numbered().number] == [0, 1]
    assert dataclasses.fields(Numbered) == dataclasses.fields(Numbered)
    assert Numbered.__dataclass_fields__ is Numbered.__dataclass_fields__


def test_an_object_that_holds_itself_has_a_representation() -> None:
    @records.dataclass(slots=True, eq=False)
    class Node:
        inner: Any = None

    node = Node()
    node.inner = node
    assert repr(node).endswith("Node(inner=...)")


def test_both_kinds_meet() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Lean:
        first: int = 1

    @dataclasses.dataclass(frozen=True)
    class Plain(Lean):
        second: int = 2

    assert (Plain(3), Plain().second) == (Plain(3, 2), 2)
    assert records.replace(Plain(3, 5), first=4) == Plain(4, 5)
    with pytest.raises(TypeError, match="which `dataclasses` made"):

        @records.dataclass(frozen=True)
        class Mixed(Plain):
            third: int = 3


def test_all_that_a_start_may_load_uses_it() -> None:
    """Another dataclass on the way of a start would load `inspect` again; what users import are plain dataclasses."""
    later = tuple(ROOT / "cvlint" / room for room in LATER)
    for path in (ROOT / "cvlint").rglob("*.py"):
        if path.is_relative_to(later[0]):
            assert "cvlint.records" not in path.read_text(encoding="utf-8"), path
        if any(path.is_relative_to(room) for room in later):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"]
        names = {alias.name for node in found for alias in node.names}
        assert path.name in ("records.py", "frozen.py") or not names & {"dataclass", "field", "replace"}, path
