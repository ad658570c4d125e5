"""The map of the package: which room may import which. This is the one place where it is written down.

A room is a folder with its modules. It may import from itself and from rooms that stand below it here. Imports inside
functions and for types count, too: a reader follows them all the same.

Calls follow the map as well: a check that runs calls from upper rooms into lower ones. A climb is a function that calls
one in a room above its own, because it was given it. The engine (`cvlint.analysis`) counts as one room here: its models
and the interpreter call each other, as its documentation says.
"""

from __future__ import annotations

import ast
import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

LAYERS = (
    ("cli",),
    ("cli.commands",),
    ("cli.commands.code", "cli.commands.fold_data", "cli.commands.setup"),
    ("cli.check", "cli.init"),
    ("cli.options",),
    ("cli.console",),
    ("submissions",),
    ("assistant", "notebook", "server"),
    ("server.texts",),
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
    ("workspace.cache",),
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
    ("analysis.checkers.undefined_folds",),
    ("analysis.checkers.formulas", "analysis.checkers.leakage"),
    ("analysis.checkers.rows",),
    ("analysis.inference",),
    ("analysis",),
    ("analysis.domain",),
    ("knowledge",),
    ("findings",),
    ("source.links",),
    ("source",),
    ("source.dialects", "source.notebooks"),
    ("runtime.examples",),
    ("runtime.combination", "runtime.comparison", "runtime.consistency"),
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
MOST_CLIMBS = 3


@functools.cache
def modules() -> tuple[tuple[str, Path], ...]:
    paths = sorted((ROOT / "cvlint").rglob("*.py"))
    return tuple(
        (".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path) for path in paths
    )


NAMES = {name for name, _ in modules()}


@functools.cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules of the package that a file imports, wherever the import stands."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names if alias.name.split(".")[0] == "cvlint")
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "cvlint":
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            found += (name if name in NAMES else node.module for name in inner)
    return tuple(found)


def is_base(module: str) -> bool:
    """Whether a module imports only dataclasses from the package: the rooms inside its folder may stand on it."""
    path = dict(modules()).get(module)
    return path is not None and path.name != "__init__.py" and set(imports(path)) <= {"cvlint.records"}


def room_of(module: str) -> str:
    """The room of a module: a package is the face of its own room."""
    path = ROOT.joinpath(*module.split("."))
    parts = module.split(".") if path.is_dir() else module.split(".")[:-1]
    return ".".join(parts[1:])


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_arrows_go_down(module: str, path: Path) -> None:
    floors = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}
    own = room_of(module)
    assert own in floors, f"the room '{own}' is not on the map"
    if own == "" or path.name == "__main__.py":
        return  # the face of the package, and what starts it
    for other in imports(path):
        room = room_of(other)
        is_face = (path.name == "__init__.py" or module in OLD_PATHS) and room.startswith(own)
        on_base = own.startswith(f"{room}.") and is_base(other)  # what a folder's rooms all stand on
        lower = room == own or is_face or on_base or floors[room] > floors[own]
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
    assert not {room: count for room, count in rooms.items() if count > MOST_MODULES}


def test_every_room_says_what_it_holds() -> None:
    for module, path in modules():
        if path.name == "__init__.py":
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert "In go" in text or module == "cvlint", f"{module} does not say what goes in and what comes out"


FAULTY = """\
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold

def evaluate(measure, model, X, y):
    scores = []
    for train, test in KFold(5).split(X, y):
        scores.append(measure(y[test], model.fit(X[train], y[train]).predict(X[test])))
    return np.mean(scores)
"""
CALLER = """\
from evaluation import evaluate
from sklearn.metrics import f1_score
print(evaluate(f1_score, model, X, y))  # cvlint: ignore[auc-merge] nothing here
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a config, a baseline with an entry that is gone, a fault across two files, and a comment."""
    (tmp_path / "pyproject.toml").write_text('[tool.cvlint]\nbaseline = "known.json"\n')
    (tmp_path / "gone.py").write_text(FAULTY + "evaluate(f1_score, model, X, y)\n")
    command = [sys.executable, "-m", "cvlint", "check", "--write-baseline", "known.json"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0
    (tmp_path / "gone.py").unlink()
    (tmp_path / "evaluation.py").write_text(FAULTY)
    (tmp_path / "main.py").write_text(CALLER)
    return tmp_path


def cvlint(folder: Path, *arguments: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Run a command in a folder, and give its calls: the module and name of the caller and of the called function."""
    calls = folder.parent / "calls.json"
    program = [sys.executable, str(ROOT / "tests" / "trace_calls.py"), str(calls), *arguments]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return [((a, b), (c, d)) for (a, b), (c, d) in json.loads(calls.read_text())]


def climbs(folder: Path, *arguments: str) -> set[tuple[str, str]]:
    """The functions of lower rooms that call functions of higher ones in a run, as ``module.function``."""
    floors = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}
    found = set()
    for caller, called in cvlint(folder, *arguments):
        rooms = [room_of(module) for module, _ in (caller, called)]
        is_engine = all(room.split(".")[0] == "analysis" for room in rooms)
        if not is_engine and floors[rooms[1]] < floors[rooms[0]]:
            found.add((".".join(caller), ".".join(called)))
    return found


@pytest.mark.parametrize(
    "options",
    [(), ("--fix",), ("--format", "sarif"), ("--add-ignores", "--reason", "known")],
    ids=" ".join,
)
def test_a_check_goes_down_the_map(project: Path, options: tuple[str, ...]) -> None:
    found = climbs(project, "check", *options)
    assert len(found) <= MOST_CLIMBS, found
    # The tracer sees what goes up: the analysis calls the progress bar, which stands in the console, and the list of
    # steps calls the one that the command line adds.
    assert ("cvlint.workspace.steps.analyse._check_all", "cvlint.cli.console.progress.__call__") in found
    if "--fix" in options:
        assert "cvlint.cli.check.fix.make_fixes" in {called for _, called in found}
