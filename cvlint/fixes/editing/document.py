"""Apply edits to files: encoding, line ends and everything that is not code stay the same, byte for byte."""

from __future__ import annotations

import codecs
import io
import json
import re
import tokenize
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from operator import add

from cvlint.fixes.editing.edits import Edit, Replacement, edited
from cvlint.records import dataclass
from cvlint.source.location import Location
from cvlint.source.module import Source
from cvlint.source.notebooks.cell_spans import cell_spans, entries

_LINE_END = re.compile(r"\r\n?|\n")
_LINES_WITH_ENDS = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The text of a file, its encoding, and edits in offsets of this text."""

    text: str
    encoding: str
    edits: tuple[Edit, ...]

    @property
    def data(self) -> bytes:
        """The bytes of the file after the edits."""
        return edited(self.text, self.edits).encode(self.encoding)


def rewritten(data: bytes, source: Source, edits: Sequence[Edit]) -> bytes | None:
    """Give the bytes of a file after edits; the parameters are those of `file_edits`."""
    found = file_edits(data, source, edits)
    return None if found is None else found.data


def file_edits(data: bytes, source: Source, edits: Sequence[Edit]) -> FileEdits | None:
    """Translate edits of the code into edits of the file's text, which is JSON for a notebook.

    Parameters
    ----------
    data : bytes
        The file before the edits.
    source : Source
        The parsed file.
    edits : sequence of Edit
        Sorted edits that do not overlap, in offsets of the original text with LF line ends.

    Returns
    -------
    FileEdits or None
        The edits with the line ends of the file; None if the file cannot be reassembled exactly.
    """
    try:
        found = _script(data, source, edits) if source.cells is None else _notebook(data, source, edits)
        return found if found is not None and found.text.encode(found.encoding) == data else None
    except (UnicodeError, SyntaxError):  # SyntaxError: the file declares an unknown encoding
        return None


def in_code(source: Source, edits: Sequence[Edit]) -> tuple[Replacement, ...]:
    """Locate edits of the original text by lines; in a notebook lines count inside the cells."""
    text = "\n".join(source.original)
    found = []
    for edit in edits:
        (first, column), (last, end_column) = _place(text, edit.start), _place(text, edit.end)
        cell, line = source.locate(first)
        location = Location(source.display, cell, line, column, source.locate(last)[1], end_column)
        found.append(Replacement(location, edit.text))
    return tuple(found)


def in_file(file_edits: FileEdits, display: str) -> tuple[Replacement, ...]:
    """Locate edits by lines of the file's text; a byte order mark does not belong to the text."""
    text = file_edits.text
    places = ((*_place(text, edit.start), *_place(text, edit.end), edit.text) for edit in file_edits.edits)
    return tuple(Replacement(Location(display, None, *place), new) for *place, new in places)


def _place(text: str, offset: int) -> tuple[int, int]:
    lines = _LINE_END.split(text[:offset])
    return len(lines), len(lines[-1]) + 1


def readable(data: bytes, display: str) -> str:
    """Decode a file for people to read."""
    try:
        encoding = "utf-8" if display.endswith(".ipynb") else tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        return data.decode(encoding)
    except (UnicodeError, SyntaxError):
        return data.decode("utf-8", "backslashreplace")


def _script(data: bytes, source: Source, edits: Sequence[Edit]) -> FileEdits | None:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    ends = [*_LINE_END.findall(text), ""]
    if tuple(_LINE_END.split(text)) != source.original:
        return None
    widths = [len(line) for line in source.original]
    starts = list(accumulate((width + 1 for width in widths), initial=0))
    raw_starts = list(accumulate((width + len(end) for width, end in zip(widths, ends, strict=True)), initial=0))

    def raw(offset: int) -> int:
        line = bisect_right(starts, offset) - 1
        return raw_starts[line] + offset - starts[line]

    spans = [(raw(edit.start), raw(edit.end)) for edit in edits]
    ended = [_ended(edit.text, text, *span) for edit, span in zip(edits, spans, strict=True)]
    return FileEdits(text, encoding, tuple(Edit(*span, new) for span, new in zip(spans, ended, strict=True)))


def _ended(new: str, text: str, start: int, end: int) -> str:
    """Add line ends to a new text: old lines keep theirs, and new lines get the line end of the line they begin in."""
    old = _LINES_WITH_ENDS.findall(text[start:end])
    here = _LINE_END.search(text, start)
    usual = here[0] if here is not None else (_LINE_END.findall(text) or ["\n"])[-1]
    lines = new.split("\n")
    ended = [usual] * (len(lines) - 1)
    matching = SequenceMatcher(None, [line.rstrip("\r\n") for line in old], lines, autojunk=False)
    for first, second, size in matching.get_matching_blocks():
        for shift in range(min(size, len(ended) - second)):
            line = old[first + shift]
            ended[second + shift] = line[len(line.rstrip("\r\n")) :] or usual
    return "".join(map(add, lines, [*ended, ""]))


def _notebook(data: bytes, source: Source, edits: Sequence[Edit]) -> FileEdits | None:
    encoding = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    text = data.decode(encoding)
    spans = cell_spans(text)
    assert source.cells is not None
    if len(spans) != len(source.cells):
        return None
    spliced: list[Edit] = []
    offset = 0
    for span, cell in zip(spans, source.cells, strict=True):
        old = "\n".join(source.original_lines(cell))
        inside = [e for e in edits if offset <= e.start and e.end <= offset + len(old)]
        if inside:
            raw = text[slice(*span)] if span is not None else "null"
            value = json.loads(raw)
            if span is None or old != (value if isinstance(value, str) else "".join(value)):
                return None
            new = edited(old, [Edit(e.start - offset, e.end - offset, e.text) for e in inside])
            spliced.append(Edit(*span, _respelled(raw, new)))
            edits = [e for e in edits if e not in inside]
        offset += len(old) + 1
    return None if edits else FileEdits(text, encoding, tuple(spliced))


def _respelled(raw: str, new: str) -> str:
    """Put another text into a JSON string or list of lines; unchanged first and last lines keep their spelling."""
    ascii_only = raw.isascii() and "\\u" in raw
    if raw.startswith('"'):
        return json.dumps(new, ensure_ascii=ascii_only)
    spans = [span for _, span in entries(raw, 0)]
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
