"""Libraries that only some commands need: a user installs them as an extra, ``cvlint[report]``."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from cvlint.usage_error import UsageError


def require_extra(extra: str, libraries: Sequence[str], purpose: str) -> None:
    """Stop with a usage error that names the extra, if one of its libraries is not installed."""
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"{purpose} needs {' and '.join(missing)}, which is not installed: install cvlint[{extra}]")
