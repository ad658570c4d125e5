"""``python -m cvlint``: the same as the ``cvlint`` command."""

import os
import sys


def search_no_strangers_code() -> None:
    """Make imports not search the working directory, which may hold a stranger's ``json.py``; nor does ``cvlint``."""
    holder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not getattr(sys.flags, "safe_path", False) and os.path.realpath(sys.path[0]) != os.path.realpath(holder):
        sys.path[0] = os.path.dirname(sys.executable)  # as it is for the command


if __name__ == "__main__":
    search_no_strangers_code()
    from cvlint.cli.entry import run

    run()
