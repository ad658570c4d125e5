"""The JSON documents of the commands about fold data."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from cvlint.output.shared.strangers_text import harmless_json

VERSION = 1


def document(content: dict[str, Any]) -> str:
    """Write a document; undefined and infinite numbers, which JSON does not have, become null."""
    return harmless_json(json.dumps(finite({"version": VERSION, **content}), indent=2, allow_nan=False)) + "\n"


def of_experiments(objects: Sequence[dict[str, Any]]) -> str:
    """Write the results of experiments: one as a single object, several in a list."""
    return document(objects[0] if len(objects) == 1 else {"experiments": list(objects)})


def finite(value: Any) -> Any:
    """A value with None for NaN and infinity."""
    match value:
        case dict():
            return {k: finite(v) for k, v in value.items()}
        case list() | tuple():
            return [finite(v) for v in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value
