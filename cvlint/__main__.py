"""``python -m cvlint``: the same as the ``cvlint`` command."""

import os
import sys


def search_no_strangers_code() -> None:
    """Make imports not search the working directory, which may hold a stranger's ``json.py``; nor does ``cvlint``."""
    holder, searched = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.realpath(sys.path[0])
    if getattr(sys.flags, "safe_path", False) or searched == os.path.realpath(holder):
        return
    sys.path[0] = os.path.dirname(sys.executable)  # as it is for the command
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        path = os.path.realpath(file) if file else ""  # what Python itself holds has none, and stays
        if path and name != "__main__" and os.path.dirname(path.removesuffix(os.sep + "__init__.py")) == searched:
            del sys.modules[name]  # ``-m`` itself imports ``warnings``, and has found the stranger's


if __name__ == "__main__":
    search_no_strangers_code()
    from cvlint.cli.entry import run

    run()
