"""Where the ``cvlint`` command begins: a check with plain options starts at once, everything else goes to click."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes so long to load that Ctrl+C would often meet it
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def run() -> None:
    """Run the command line of this process, and exit with its status."""
    try:
        _run()
    except (KeyboardInterrupt, RuntimeError) as error:  # while the modules were loaded that treat it otherwise
        if isinstance(error, RuntimeError) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise  # Python makes such an error of what is raised while it defines a class
        sys.exit(130)


def _run() -> None:
    given = _plain_check(sys.argv[1:])
    if given is None:
        from cvlint.cli.program import main

        main()
    else:
        from cvlint.cli.check.run_check import run_check
        from cvlint.cli.console.exit_status import exit_status

        with exit_status() as end:
            end.status = run_check(given)
        gc.freeze()  # else Python searches all that the check has kept for cycles, before it exits
        sys.exit(end.status)


def _plain_check(words: Sequence[str]) -> dict[str, Any] | None:
    """The values of the options of ``cvlint check``; None for another command, and if only click can tell."""
    is_unusual = "_CVLINT_COMPLETE" in os.environ or (os.name == "nt" and set("".join(words)) & set("*?[~%$"))
    if words[:1] != ["check"] or is_unusual:  # a shell asks for completions, or click expands patterns
        return None
    from cvlint.cli.options.check_arguments import CHECK_OPTIONS
    from cvlint.cli.options.option import plain_values

    return plain_values(words[1:], CHECK_OPTIONS)
