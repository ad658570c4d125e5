"""Each effect of the knowledge has a transfer function, which is found by its name and by the map of its room."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import ModuleType

import pytest

from cvlint.analysis.models import containers, dispatch, experiment
from cvlint.analysis.models.dispatch.effects import FUNCTION_TRANSFERS, METHOD_TRANSFERS
from cvlint.knowledge.loader import load_knowledge

KNOWLEDGE = load_knowledge()
MAP_LINE = re.compile(r"- `(\w+)`: (.*?)(?=\n- |\Z)", re.DOTALL)
Transfers = Mapping[str, Callable[..., object]]


@pytest.mark.parametrize(
    ("entries", "transfers"),
    [(KNOWLEDGE.entries, FUNCTION_TRANSFERS), (KNOWLEDGE.methods, METHOD_TRANSFERS)],
    ids=["functions", "methods"],
)
def test_the_knowledge_and_the_transfer_functions_name_the_same_effects(
    entries: Mapping[str, object], transfers: Transfers
) -> None:
    assert {entry.effect for entry in entries.values()} == set(transfers)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("transfers", "suffix"), [(FUNCTION_TRANSFERS, "call"), (METHOD_TRANSFERS, "method")], ids=["functions", "methods"]
)
def test_a_transfer_function_is_named_for_its_effect(transfers: Transfers, suffix: str) -> None:
    constructors = {effect for effect, transfer in transfers.items() if transfer.__name__ == "transfer"}
    aliases = {"check-cv"}
    for effect in transfers.keys() - constructors - aliases:
        assert transfers[effect].__name__ == f"{effect.replace('-', '_')}_{suffix}"


@pytest.mark.parametrize(
    "room", [containers, dispatch, experiment], ids=lambda room: str(room.__name__).rpartition(".")[2]
)
def test_the_map_of_a_room_names_the_module_of_each_effect(room: ModuleType) -> None:
    mapped = {
        (module, effect)
        for module, effects in MAP_LINE.findall(room.__doc__ or "")
        for effect in re.findall(r"``([\w-]+)``", effects)
    }
    for effect, transfer in [*FUNCTION_TRANSFERS.items(), *METHOD_TRANSFERS.items()]:
        package, _, module = transfer.__module__.rpartition(".")
        if package == room.__name__ and transfer.__name__ != "transfer":  # constructors are named by their role
            assert (module, effect) in mapped
