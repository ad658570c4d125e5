"""Run ``cvlint`` with the given arguments, and write which functions of the package call which others, as JSON.

It is a program of its own, so that no result that an earlier test has cached hides a call. The first argument names the
file to write. Generators do not count: their code runs whenever somebody takes the next value. The code of a module,
which an import executes, does not count either: the map of imports has it.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

Function = tuple[str, str]
"""A module of the package, and the name of a function in it."""

calls: dict[tuple[Function, Function], None] = {}

seen: set[tuple[int, int]] = set()
"""The code objects of calls that need no second look; none of them is freed while modules live."""


def function_of(frame: FrameType) -> Function | None:
    """The function that a frame executes, if it belongs to the package; what makes dataclasses counts as a library."""
    module = frame.f_globals.get("__name__", "")
    is_own = module.split(".")[0] == "cvlint" and module != "cvlint.records"
    return (module, frame.f_code.co_name) if is_own else None


def caller_of(frame: FrameType) -> Function | None:
    """The function of the package that led to a frame, perhaps through libraries."""
    above = frame.f_back
    while above is not None and function_of(above) is None:
        above = above.f_back
    return None if above is None else function_of(above)


def note(frame: FrameType, event: str, argument: Any) -> None:
    """Note a call; as a tracer that returns nothing it is asked about calls only."""
    above = frame.f_back
    pair = (id(frame.f_code), id(above and above.f_code))
    if pair in seen or frame.f_code.co_flags & inspect.CO_GENERATOR or frame.f_code.co_name == "<module>":
        return
    called, caller = function_of(frame), caller_of(frame)
    if called is not None and caller is not None:
        calls[caller, called] = None
    # A library may be called from anywhere, so what it calls in turn is looked at each time.
    if called is None or (above is not None and function_of(above) is not None):
        seen.add(pair)


if __name__ == "__main__":
    from cvlint.cli.program import main

    sys.settrace(note)
    status = main(sys.argv[2:], standalone_mode=False)
    sys.settrace(None)
    Path(sys.argv[1]).write_text(json.dumps(list(calls)))
    sys.exit(status)
