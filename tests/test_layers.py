"""The map of the package: which room may import which. This is the one place where it is written down.

A room is a folder with its modules. It may import from itself and from rooms that stand below it here. Imports inside
functions and for types count, too: a reader follows them all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

LAYERS = (
    ("cli",),
    ("cli.commands",),
    ("cli.check",),
    ("cli.options",),
    ("cli.console",),
    ("server",),
    ("report",),
    ("report.figures",),
    ("report.drawing",),
    ("output.audit",),
    ("output.findings",),
    ("output.rules", "output.evaluation"),
    ("output.shared",),
    ("output",),
    ("fixes",),
    ("fixes.rewrites",),
    ("fixes.editing",),
    ("recording.hooks",),
    ("recording",),
    ("workspace.steps",),
    ("workspace",),
    ("workspace.settings", "workspace.snapshots"),
    ("audit",),
    ("findings.suppression",),
    ("rules",),
    ("analysis.interpreter",),
    ("analysis.fates",),
    ("analysis.models.dispatch",),
    ("analysis.models.containers",),
    ("analysis.models.experiment",),
    ("analysis.models",),
    ("analysis.heap",),
    ("analysis.checkers",),
    ("analysis.checkers.formulas", "analysis.checkers.undefined_folds"),
    ("analysis.inference",),
    ("analysis",),
    ("analysis.domain",),
    ("knowledge",),
    ("findings",),
    ("source",),
    ("source.dialects", "source.notebooks"),
    ("runtime.examples",),
    ("runtime.combination", "runtime.consistency"),
    ("runtime.spaces",),
    ("runtime.thresholds",),
    ("runtime.aggregates",),
    ("runtime.intervals", "runtime.simulation"),
    ("runtime.data",),
    ("runtime.measures",),
    ("runtime",),
    ("filesystem",),
    ("",),
)
"""From the top floor down. Rooms on one floor do not import each other."""

OLD_PATHS = ("cvlint.runtime.combining",)
"""Modules that only keep a documented path alive. Like the face of a package, they show what its rooms hold."""
MOST_MODULES = 12
MOST_LINES = 400


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "cvlint").rglob("*.py")):
        yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path


NAMES = {name for name, _ in modules()}


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "cvlint")
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "cvlint":
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in NAMES else node.module


BASES = {name for name, path in modules() if path.name != "__init__.py" and not any(imports(path))}
"""Modules that import nothing of the package: the rooms inside their folder may stand on them."""


def room_of(module: str) -> str:
    """The room of a module: a package is the face of its own room."""
    path = ROOT.joinpath(*module.split("."))
    parts = module.split(".") if path.is_dir() else module.split(".")[:-1]
    return ".".join(parts[1:])


@pytest.mark.parametrize(
    ("module", "path"), tuple(modules()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_arrows_go_down(module: str, path: Path) -> None:
    floors = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}
    own = room_of(module)
    assert own in floors, f"the room '{own}' is not on the map"
    if own == "" or path.name == "__main__.py":
        return  # the face of the package, and what starts it
    for other in imports(path):
        room = room_of(other)
        is_face = (path.name == "__init__.py" or module in OLD_PATHS) and room.startswith(own)
        is_base = own.startswith(f"{room}.") and other in BASES  # what a folder's rooms all stand on
        lower = room == own or is_face or is_base or floors[room] > floors[own]
        assert lower, f"{module} imports {other}, which is above it"


def test_no_circles() -> None:
    """Modules of one room do not import each other in a circle."""
    arrows = {module: set(imports(path)) for module, path in modules()}
    done: set[str] = set()

    def follow(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " → ".join((*way[way.index(module) :], module))
        if module not in done:
            for other in sorted(arrows.get(module, ())):
                follow(other, (*way, module))
            done.add(module)

    for module in arrows:
        follow(module, ())


def test_rooms_and_modules_are_small() -> None:
    rooms: dict[str, int] = {}
    for module, path in modules():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= MOST_LINES, f"{module} has {lines} lines"
        if path.name != "__init__.py":
            rooms[room_of(module)] = rooms.get(room_of(module), 0) + 1
    full = {room: count for room, count in rooms.items() if count > MOST_MODULES and room != "cli.commands"}
    assert not full  # commands are one a module


def test_every_room_says_what_it_holds() -> None:
    for module, path in modules():
        if path.name == "__init__.py":
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert "In go" in text or module == "cvlint", f"{module} does not say what goes in and what comes out"
