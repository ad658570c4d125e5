"""The command line: commands, their options, and the console.

In go the words of a command line; out come a report, an exit status, and sentences about what cannot be done. The
folders import each other in one direction: `entry` → `program` → `commands` → `check` → `options` → `console`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes so long to load that Ctrl+C would often meet it
if TYPE_CHECKING:
    from typing import Any

    from cvlint.cli.program import COMMANDS as COMMANDS
    from cvlint.cli.program import main as main


def __getattr__(name: str) -> Any:
    """Load click, and the list of the commands, when somebody asks for them."""
    if name not in ("COMMANDS", "main"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cvlint.cli import program

    return getattr(program, name)
