"""Find the place in the user's code that a call comes from."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from dataclasses import dataclass, replace
from types import CodeType, FrameType

CELL = re.compile(r"(?P<path>.*\.ipynb):cell (?P<cell>\d+)", re.DOTALL)
"""The file name under which the code of a notebook's cell is compiled."""

LIBRARY_FOLDERS = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
THROUGH = re.compile(
    r"[\\/](?:wrapt[\\/]|sklearn[\\/](?:metrics[\\/]_scorer|utils[\\/](?:_param_validation|validation))\.py$"
    r"|evaluate[\\/]module\.py$|(?:evaluate|datasets)_modules[\\/])"  # Hugging Face keeps metrics in a cache
)
"""Library code that only passes calls on."""
CALLS_BACK = re.compile(r"[\\/]evaluate[\\/]module\.py$")
"""Library code that calls what the user defines as a measure, which is measured where the user calls the library."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A place in the user's code; lines and columns count from 1, and columns are None if Python does not know them."""

    path: str
    cell: int | None
    line: int
    end_line: int
    column: int | None = None
    end_column: int | None = None


class CallSites:
    """Find the call sites of frames, and cache them."""

    def __init__(self) -> None:
        self.cells: dict[str, str] = {}
        """The name of a cell by the file name under which an interactive shell compiled it."""
        self._kinds: dict[str, str] = {}
        self._sites: dict[tuple[CodeType, int], CallSite] = {}
        self._libraries = tuple(
            os.path.join(path, "") for name in ("stdlib", "platstdlib") if (path := sysconfig.get_path(name))
        )

    def kind(self, filename: str) -> str:
        """The kind of a file: "user", "library", or "through" for library code that only passes calls on."""
        if filename in self.cells:
            return "user"
        known = self._kinds.get(filename)
        if known is None:
            known = self._kinds[filename] = self._kind(filename)
        return known

    def _kind(self, filename: str) -> str:
        if THROUGH.search(filename) or filename.startswith(OURS):
            return "through"
        library = filename.startswith("<") or any(folder in filename for folder in LIBRARY_FOLDERS)
        return "library" if library or filename.startswith(self._libraries) else "user"

    def caller(self, frame: FrameType | None) -> CallSite | None:
        """The call site in user code that called a library directly; None if a library called itself."""
        while frame is not None:
            above = frame.f_back
            match self.kind(frame.f_code.co_filename):
                case "user" if above is None or not CALLS_BACK.search(above.f_code.co_filename):
                    return self.site(frame)
                case "library":
                    return None
            frame = above
        return None

    def nearest(self, frame: FrameType | None) -> CallSite | None:
        """The nearest call site in user code, however many library frames lie above it."""
        while frame is not None and self.kind(frame.f_code.co_filename) != "user":
            frame = frame.f_back
        return None if frame is None else self.site(frame)

    def site(self, frame: FrameType) -> CallSite:
        """The call site of a frame."""
        key = (frame.f_code, frame.f_lasti)
        known = self._sites.get(key)
        if known is None:
            known = self._sites[key] = site_of(frame)
        cell = self.cells.get(frame.f_code.co_filename)
        return known if cell is None else replace(known, path=cell)


def site_of(frame: FrameType) -> CallSite:
    """The call site of a frame, from the position table of its code object."""
    code = frame.f_code
    match = CELL.fullmatch(code.co_filename)
    path, cell = (match["path"], int(match["cell"])) if match else (os.path.abspath(code.co_filename), None)
    if sys.version_info >= (3, 11):
        positions = list(code.co_positions())
        line, end_line, start, end = positions[min(frame.f_lasti // 2, len(positions) - 1)]
        if line is not None and end_line is not None and start is not None and end is not None:
            return CallSite(path, cell, line, end_line, start + 1, end + 1)
    return CallSite(path, cell, frame.f_lineno, frame.f_lineno)
