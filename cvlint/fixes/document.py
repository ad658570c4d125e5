"""Files with their text replaced: encoding, line ends and all that is not code stay byte for byte."""

from __future__ import annotations

import io
import json
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from cvlint.fixes.edits import Edit, edited
from cvlint.source.module import Source

_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"\r\n?|\n")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_DECODER = json.JSONDecoder()


def rewritten(data: bytes, source: Source, edits: Sequence[Edit]) -> bytes | None:
    """The bytes of a file after edits.

    Parameters
    ----------
    data : bytes
        The file as it is.
    source : Source
        What was read from it.
    edits : sequence of Edit
        Sorted and apart, in offsets of the text that the author wrote, with LF line ends.

    Returns
    -------
    bytes or None
        None where the file cannot be put together again just as it was.
    """
    try:
        return _script(data, source, edits) if source.cells is None else _notebook(data, source, edits)
    except (UnicodeError, SyntaxError):  # SyntaxError: an encoding that is declared and unknown
        return None


def readable(data: bytes, display: str) -> str:
    """The text of a file, for people to read."""
    try:
        encoding = "utf-8" if display.endswith(".ipynb") else tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        return data.decode(encoding)
    except (UnicodeError, SyntaxError):
        return data.decode("utf-8", "backslashreplace")


def _script(data: bytes, source: Source, edits: Sequence[Edit]) -> bytes | None:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    ends = [*_LINE_END.findall(text), ""]
    if text.encode(encoding) != data or tuple(_LINE_END.split(text)) != source.original:
        return None
    usual = ends[0] or "\n"
    widths = [len(line) for line in source.original]
    starts = list(accumulate((width + 1 for width in widths), initial=0))
    raw_starts = list(accumulate((width + len(end) for width, end in zip(widths, ends, strict=True)), initial=0))

    def raw(offset: int) -> int:
        line = bisect_right(starts, offset) - 1
        return raw_starts[line] + offset - starts[line]

    raw_edits = [Edit(raw(e.start), raw(e.end), e.text.replace("\n", usual)) for e in edits]
    return edited(text, raw_edits).encode(encoding)


def _notebook(data: bytes, source: Source, edits: Sequence[Edit]) -> bytes | None:
    text = data.decode("utf-8-sig")
    bom = data[: len(data) - len(text.encode("utf-8"))]
    cells = list(_code_cells(text))
    assert source.cells is not None
    if bom + text.encode("utf-8") != data or len(cells) != len(source.cells):
        return None
    spliced: list[Edit] = []
    offset = 0
    for (start, end), cell in zip(cells, source.cells, strict=True):
        old = "\n".join(source.original[cell.first_line - 1 : cell.first_line - 1 + cell.lines])
        inside = [e for e in edits if offset <= e.start and e.end <= offset + len(old)]
        if inside:
            value = json.loads(text[start:end])
            if old != (value if isinstance(value, str) else "".join(value)):
                return None
            new = edited(old, [Edit(e.start - offset, e.end - offset, e.text) for e in inside])
            spliced.append(Edit(start, end, _respelled(text[start:end], new)))
            edits = [e for e in edits if e not in inside]
        offset += len(old) + 1
    return None if edits else bom + edited(text, spliced).encode("utf-8")


def _respelled(raw: str, new: str) -> str:
    """A JSON value with another text: one string, or a list whose first and last lines stay as they are spelled."""
    ascii_only = raw.isascii() and "\\u" in raw
    if raw.startswith('"'):
        return json.dumps(new, ensure_ascii=ascii_only)
    spans = [(start, end) for _, start, end in _entries(raw, 0)]
    if not spans:
        return json.dumps(_LINES.findall(new), ensure_ascii=ascii_only)
    head = [raw[start:end] for start, end in spans]
    lines = [json.loads(line) for line in head]
    first = 0
    while first < len(lines) and new.startswith("".join(lines[: first + 1])) and lines[first].endswith("\n"):
        first += 1
    rest = new[len("".join(lines[:first])) :]
    last = len(lines)
    while last > first and rest.endswith("".join(lines[last - 1 :])) and lines[last - 2].endswith("\n"):
        last -= 1
    middle = rest[: len(rest) - len("".join(lines[last:]))]
    spelled = [json.dumps(line, ensure_ascii=ascii_only) for line in _LINES.findall(middle)]
    between = raw[spans[0][1] : spans[1][0]] if len(spans) > 1 else "," + raw[1 : spans[0][0]]
    return raw[: spans[0][0]] + between.join([*head[:first], *spelled, *head[last:]]) + raw[spans[-1][1] :]


def _code_cells(text: str) -> Iterator[tuple[int, int]]:
    """Where the source of each code cell is in the JSON of a notebook, of nbformat 4 or 3."""
    top = {key: start for key, start, _ in _entries(text, _skip(text, 0))}
    if "cells" in top:
        lists = [top["cells"]]
    else:
        sheets = [start for _, start, _ in _entries(text, top["worksheets"])]
        lists = [start for sheet in sheets for key, start, _ in _entries(text, sheet) if key == "cells"]
    for cells in lists:
        for _, start, _ in _entries(text, cells):
            cell = {key: (first, last) for key, first, last in _entries(text, start)}
            if "cell_type" in cell and text[slice(*cell["cell_type"])] == '"code"':
                yield cell.get("source") or cell.get("input") or (start, start)


def _entries(text: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """The entries of the object or list that begins at an offset: the key, and where its value begins and ends."""
    if text[start] not in "{[":
        return
    at, number = _skip(text, start + 1), 0
    while text[at] not in "]}":
        key: str | int = number
        if text[start] == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield key, at, end
        at, number = _skip(text, end), number + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()
