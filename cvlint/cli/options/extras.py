"""Libraries that only some commands need: a user installs them as an extra, ``cvlint[report]``."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cvlint.usage_error import UsageError


def require_extra(extra: str, libraries: Sequence[str], purpose: str) -> None:
    """Stop with a usage error that names the extra, if one of its libraries is not installed."""
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"{purpose} needs {' and '.join(missing)}, which is not installed: install cvlint[{extra}]")


@contextmanager
def importing_extra(extra: str, libraries: Sequence[str], command: str) -> Iterator[None]:
    """Import code that needs the libraries of an extra; a usage error names the extra where they are missing or old."""
    try:
        yield
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in libraries:
            raise
        problem = f"The command `{command}` needs {libraries[0]}, version 2 or newer, which is not installed"
        raise UsageError(problem, f"install cvlint[{extra}]") from None
