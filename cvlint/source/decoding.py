"""Decode the bytes of a file to text with LF line ends."""

from __future__ import annotations

import codecs
import re
import warnings

from cvlint.records import dataclass

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_UTF16_OR_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_SURROGATE = re.compile("[\ud800-\udfff]")
# Codecs that Python accepts for source code, but that nobody uses for it; some need quadratic time.
_REFUSED = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a file cannot be decoded or parsed: a sentence without a full stop, and the line."""

    message: str
    line: int | None = None


def decode(data: bytes) -> str | Failure:
    """Decode Python source as the interpreter does: by its BOM, by its encoding comment, or else as UTF-8."""
    if data.startswith(_UTF16_OR_32):
        return Failure("not UTF-8 text: the file is in UTF-16 or UTF-32", 1)
    if b"\0" in data:
        return Failure("not a text file: it holds NUL bytes", _line_at(data, data.index(b"\0")))
    if data.startswith(codecs.BOM_UTF8):
        return decode_utf8(data)
    encoding = _cookie(data)
    if encoding is None:
        return decode_utf8(data)
    return _decode_as(data, encoding)


def decode_utf8(data: bytes) -> str | Failure:
    """Decode UTF-8, with or without a byte order mark."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return with_unix_line_ends(data.decode("utf-8"))  # no lone surrogate can be in it
    except UnicodeDecodeError as error:
        line = _line_at(data, error.start)
        byte = f"byte 0x{data[error.start]:02x}"
        return Failure(f"not UTF-8 text: {byte} cannot be decoded, and no other encoding is declared", line)


def normalise(text: str) -> str:
    """Convert line ends to LF, as the tokenizer of Python does, and replace lone surrogates."""
    text = with_unix_line_ends(text)
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def with_unix_line_ends(text: str) -> str:
    """The text with LF at the ends of its lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decode_as(data: bytes, encoding: str) -> str | Failure:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if codecs.lookup(encoding).name.replace("-", "_") in _REFUSED:
                raise LookupError
            return normalise(data.decode(encoding))
    except LookupError:
        return Failure(f"not readable text: the declared encoding {encoding!r} is unknown", 1)
    except ValueError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        return Failure(f"not {encoding} text, although it is declared as such", _line_at(data, start))


def _cookie(data: bytes) -> str | None:
    """The encoding that a PEP 263 comment in the first two lines declares, as Python spells it."""
    for line in re.split(rb"\r\n?|\n", data[:4096], maxsplit=2)[:2]:
        if match := _COOKIE.match(line):
            name = match[1].decode("ascii", "replace").lower().replace("_", "-")
            # Emacs writes "utf-8-unix"; Python accepts that for its two commonest encodings.
            known = re.match(r"(utf-8|latin-1|iso-8859-1|iso-latin-1)(?=-|$)", name)
            return known[1] if known else name
        if not _BLANK.match(line):
            return None
    return None


def _line_at(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
