"""Read the code cells from the JSON of a notebook of nbformat 3 or 4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cvlint.source.decoding import Failure, decode_utf8, normalise

MAX_VALUES = 1_000_000
"""Values in the JSON of a notebook; its plots are texts, however long they are."""

_LONG = 2_000_000  # characters: a shorter text holds no more values

_KERNELS = {"ir": "R", "julia": "Julia", "scala": "Scala", "bash": "bash", "octave": "Octave", "sos": "SoS"}


class CodeCell(NamedTuple):
    """The source of a code cell, with LF line ends, and the number of its last run; None for a cell that never ran."""

    source: str
    run: int | None


def code_cells(data: bytes) -> list[str] | Failure:
    """Read the source of each code cell of a notebook, as `counted_cells` does."""
    cells = counted_cells(data)
    return cells if isinstance(cells, Failure) else [cell.source for cell in cells]


def counted_cells(data: bytes) -> list[CodeCell] | Failure:
    """Read the code cells of a notebook.

    Returns
    -------
    list[CodeCell] | Failure
        All cells in order; or the reason why this is not a Python notebook.
    """
    notebook = _load(data)
    if isinstance(notebook, Failure):
        return notebook
    language = _language(notebook)
    if language is not None and "py" not in language.lower() and "sage" not in language.lower():
        return Failure(f"not checked: the notebook's language is {language}, not Python")
    return [CodeCell(_source(c), _count(c)) for c in _cells(notebook) if c.get("cell_type") == "code"]


def _load(data: bytes) -> dict[str, Any] | Failure:
    import json

    text = decode_utf8(data)
    if isinstance(text, Failure):
        return text
    if not text.strip():
        return Failure("not a notebook: the file is empty")
    if text.startswith("version https://git-lfs"):
        return Failure("not a notebook: a Git LFS pointer whose content was not fetched")
    if len(text) > _LONG and _values(text) > MAX_VALUES:
        return Failure(
            f"not checked: the notebook holds more than {MAX_VALUES:,} values, so it is data and no experiment"
        )
    try:
        notebook = json.loads(text, parse_int=_small, parse_float=_no_number)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        return Failure(f"not a notebook: its JSON is broken, {reason}", error.lineno)
    except (ValueError, RecursionError):
        return Failure("not a notebook: its JSON is broken")
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        return Failure("not a notebook: the JSON holds no cells")
    return notebook


def _small(text: str) -> int | None:
    """The number of a run; no other number tells anything, and Python refuses integers of thousands of digits."""
    return int(text) if len(text) < 10 else None


def _no_number(_: str) -> None:
    """Read no number: none of them is code."""


def _values(text: str) -> int:
    """The number of values in a JSON text, or a larger one where there are very many texts."""
    plain = text.replace("\\\\", "").replace('\\"', "")
    quotes = plain.count('"')
    if quotes > 4 * MAX_VALUES:
        return quotes
    outside = re.sub(r'"[^"]*"', "", plain)
    return sum(map(outside.count, ",[{:"))


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of nbformat 4, or those in the worksheets of nbformat 3."""
    if isinstance(notebook.get("cells"), list):
        yield from _dicts(notebook["cells"])
        return
    for sheet in _dicts(notebook["worksheets"]):
        yield from _dicts(sheet.get("cells"))


def _count(cell: dict[str, Any]) -> int | None:
    count = cell.get("execution_count", cell.get("prompt_number"))
    return count if type(count) is int else None


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if str(cell.get("language") or "python").lower() != "python":  # nbformat 3 has a language for each cell
        return "\n" * str(source).count("\n")
    return normalise(source.removeprefix("\ufeff")) if isinstance(source, str) else ""


def _language(notebook: dict[str, Any]) -> str | None:
    """The language as the notebook spells it, or None if the notebook does not contain it."""
    metadata = _dict(notebook.get("metadata"))
    kernel = _dict(metadata.get("kernelspec"))
    for named in (_dict(metadata.get("language_info")).get("name"), kernel.get("language")):
        if isinstance(named, str) and named.strip():
            return " ".join(named.split())[:40]
    name = str(kernel.get("name") or "").lower().split("-")[0]
    return _KERNELS.get(name)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
