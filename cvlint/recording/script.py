"""Run a script, a module or a notebook as Python does: as ``__main__``, with its own arguments and search path."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from cvlint.filesystem.regular_file import read_program
from cvlint.recording.call_sites import OURS
from cvlint.usage_error import UsageError


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run."""

    name: str
    """The name that the user typed."""
    path: Path
    """The absolute path of the file."""
    argv: tuple[str, ...]
    """The new value of ``sys.argv``."""
    module: str | None
    """The dotted name of a module (``-m``); None for a script or notebook."""
    data: bytes
    """The content of the file."""
    cells: tuple[str, ...] | None = None
    """The code cells of a notebook."""


def script(name: str, arguments: Sequence[str]) -> Program:
    """Read a script or a notebook.

    Raises
    ------
    UsageError
        If the file cannot be read, or is not a notebook as its name says.
    """
    path = Path(name)
    if path.is_dir():
        path = path / "__main__.py"
        if not path.is_file():
            raise UsageError(f"'{name}' is a folder without a __main__.py, so there is nothing to run")
    try:
        data = read_program(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"'{name}' cannot be run: {getattr(error, 'strerror', None) or error}") from None
    cells = _code_cells(name, data) if path.suffix == ".ipynb" else None
    return Program(name, Path(os.path.abspath(path)), (name, *arguments), None, data, cells)


def _code_cells(name: str, data: bytes) -> tuple[str, ...]:
    from cvlint.source.decoding import Failure
    from cvlint.source.notebooks.code_cells import code_cells

    cells = code_cells(data)
    if isinstance(cells, Failure):
        raise UsageError(f"'{name}' cannot be run: {cells.message}")
    return tuple(cells)


def module(name: str, arguments: Sequence[str]) -> Program:
    """Find a module, as ``python -m`` does; its parent packages are imported when it runs.

    Raises
    ------
    UsageError
        If there is no such module with Python code.
    """
    spec = spec_of(name)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise UsageError(f"There is no module '{name}' that can be run from here")
    path = Path(os.path.abspath(spec.origin))
    try:
        data = read_program(path)
    except OSError as error:
        raise UsageError(f"The module '{name}' cannot be run: {error.strerror or error}") from None
    return Program(name, path, (str(path), *arguments), spec.name, data)


def spec_of(name: str) -> importlib.machinery.ModuleSpec | None:
    """Find a module, or the ``__main__`` of a package."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            return importlib.util.find_spec(f"{name}.__main__")
    except (ImportError, ValueError, AttributeError):
        return None
    return spec


def enter(program: Program) -> ModuleType:
    """Make this process look as if Python had started with the program; return its ``__main__``."""
    main = ModuleType("__main__")
    names = main.__dict__
    names["__builtins__"] = builtins
    if program.cells is not None:
        # As in Jupyter: no __file__, and the notebook's folder is the working directory.
        names["display"] = print
        os.chdir(program.path.parent)
        search_first(str(program.path.parent))
    elif program.module is None:
        names["__file__"] = str(program.path)
        names["__loader__"] = importlib.machinery.SourceFileLoader("__main__", str(program.path))
        search_first(os.path.dirname(os.path.realpath(program.path)))
    else:
        spec = spec_of(program.module)
        assert spec is not None  # `module` found it before
        names.update(__file__=str(program.path), __spec__=spec, __package__=spec.parent, __loader__=spec.loader)
    sys.modules["__main__"] = main
    sys.argv[:] = program.argv
    return main


def search_first(folder: str) -> None:
    """Make imports search a folder first, instead of the folder that Python started cvlint from."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def execute(program: Program, main: ModuleType) -> None:
    """Run the program; its exceptions pass through."""
    for code in codes(program):
        exec(code, main.__dict__)


def codes(program: Program) -> Iterator[CodeType]:
    """Compile the code to run; each cell of a notebook is compiled just before it runs, as in Jupyter."""
    if program.cells is None:
        yield compile(program.data, str(program.path), "exec", dont_inherit=True)
        return
    for number, text in enumerate(without_ipython(program.name, program.cells), start=1):
        name = f"{program.path}:cell {number}"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        yield compile(text, name, "exec", dont_inherit=True)


def without_ipython(notebook: str, cells: Sequence[str]) -> Iterator[str]:
    """Give the code cells of a notebook without IPython syntax; skipped lines are named on standard error."""
    from cvlint.source.dialects.magics import blank_magics, cell_magic

    for number, original in enumerate(cells, start=1):
        text, _ = cell_magic(original)
        text = text if is_python(text) else blank_magics(text)
        for line, (was, now) in enumerate(zip(original.split("\n"), text.split("\n"), strict=False), start=1):
            if was.strip() and now.strip() in ("", "pass") and was != now:
                print(f"cvlint: {notebook}:cell {number}:{line}: not run: {was.strip()}", file=sys.stderr)
        yield text


def is_python(text: str) -> bool:
    """Whether a text is valid Python."""
    try:
        compile(text, "<cell>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def show(error: BaseException) -> None:
    """Report an error that ended the program as Python does, without the frames of cvlint."""
    without_our_frames(error)
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    if sys.excepthook is sys.__excepthook__:
        traceback.print_exception(error)  # unlike the built-in hook, it shows the lines of a notebook's cells
    else:
        sys.excepthook(type(error), error, error.__traceback__)


def without_our_frames(error: BaseException) -> None:
    """Remove cvlint's frames from the traceback of an error and of its causes."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = user_frames(one.__traceback__)
        waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


def user_frames(at: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of cvlint and of the library that calls its hooks."""
    frames = []
    while at is not None:
        if not is_ours(at.tb_frame.f_code.co_filename):
            frames.append(at)
        at = at.tb_next
    found: TracebackType | None = None
    for one in reversed(frames):
        found = TracebackType(found, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return found


def is_ours(filename: str) -> bool:
    """Whether a file belongs to cvlint, or to the library that calls its hooks."""
    return filename.startswith(OURS) or f"{os.sep}wrapt{os.sep}" in filename
