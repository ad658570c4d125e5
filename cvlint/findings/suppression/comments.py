"""Read the comments that suppress findings from source code: ``# cvlint: ignore[…] reason`` and ``# noqa: CVL…``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cvlint.findings.suppression.ignore import Ignore as Ignore
from cvlint.findings.suppression.ignore import Kind as Kind
from cvlint.findings.suppression.ignore import file_key as file_key
from cvlint.findings.suppression.ignore import may_be_unused as may_be_unused
from cvlint.findings.suppression.ignore import may_hold as may_hold
from cvlint.source.dialects.fstrings import with_tuples
from cvlint.source.dialects.lexing import tokens
from cvlint.source.location import Location
from cvlint.source.module import Source

_NEXT = re.compile(r"(?<!\#)(?=\#+[ \t]*(?:[^\W\d_][\w-]*:|noqa\b))", re.IGNORECASE)
"""Where a directive, ours or another tool's, begins inside a comment; `#12:` is an issue number and not a directive."""
_OWN = re.compile(r"\#+[ \t]*cvlint:[ \t]*(?P<rest>.*)", re.IGNORECASE)
_VERB = re.compile(r"ignore(?:-file)?(?![\w-])", re.IGNORECASE)
_NOQA = re.compile(r"\#+[ \t]*noqa\b(?P<rest>.*)", re.IGNORECASE)
_CODES = re.compile(r"[ \t]*:[ \t]*(?P<codes>[A-Z]+[0-9]+(?:[, \t]+[A-Z]+[0-9]+\b)*)", re.IGNORECASE)
_OURS = re.compile(r"CVL[0-9]+", re.IGNORECASE)
_BEFORE_REASON = " \t:;,.–—-"
_NO_REASON = ("(", "=", ":")
"""Characters that precede the rules in the directives of other tools; in ours they make the comment unclear."""


class Directive(NamedTuple):
    """The fields of an `Ignore` that the text of the comment determines, without its position."""

    kind: Kind
    comment: str
    words: tuple[str, ...]
    reason: str


class LogicalLine(NamedTuple):
    """A logical line of Python: a simple statement, the head of a compound one, a decorator, or a line without code.

    ``opening`` is its first token, or an empty text; ``comments`` are the comments in it, each with its line.
    """

    opening: str
    first: int
    last: int
    comments: tuple[tuple[str, int], ...]


class Comment(NamedTuple):
    """A comment, its line, and the first and last line of the statement that contains it.

    A comment on a line of its own can precede a statement, with other comments and decorators between them. Then
    ``below`` is the last line of that statement, or of its head; otherwise ``below`` equals ``last``.
    """

    text: str
    line: int
    first: int
    last: int
    below: int


def ignores_of(source: Source) -> tuple[Ignore, ...]:
    """The comments of a source that suppress findings, in order; text inside strings is not a comment."""
    return tuple(
        _ignore(source, comment, directive)
        for comment in comments(source.text)
        for directive in directives(comment.text)
    )


def comments(text: str) -> list[Comment]:
    """The comments of a program in order, for any version of Python."""
    found: list[Comment] = []
    below: int | None = None  # the last line of the statement that begins in the next line
    for line in reversed(list(logical_lines(text))):
        match line.opening:
            case "" if line.comments:
                applies_to = below or line.last
            case "":
                applies_to, below = line.last, None
            case "@":
                applies_to, below = line.last, below or line.last
            case _:
                applies_to = below = line.last
        found += [Comment(*comment, line.first, line.last, applies_to) for comment in reversed(line.comments)]
    return found[::-1]


def logical_lines(text: str) -> Iterator[LogicalLine]:
    """The logical lines of a program: a statement continues over line ends inside brackets.

    ``tokenize`` is not used: it fails for code that is not valid Python 3, and treats f-strings differently in each
    version of Python.
    """
    line = first = 1
    opening = ""
    found: list[tuple[str, int]] = []
    for token in tokens(text if not has_newer_f_string(text) else with_tuples(text)):
        if token.kind == "comment":
            found.append((token.text, line))
        elif token.kind == "newline" and token.depth == 0:
            yield LogicalLine(opening, first, line, tuple(found))
            opening, found, first = "", [], line + 1
        elif token.kind not in ("newline", "space"):
            opening = opening or token.text
        line += token.text.count("\n")
    yield LogicalLine(opening, first, line, tuple(found))


def has_newer_f_string(text: str) -> bool:
    """Tell whether an f-string contains its own quotes, as in Python 3.12: its text seems to end inside a brace."""
    strings = (token.text for token in tokens(text) if token.kind == "string" and token.text[0] in "fFrR")
    return any(string.count("{") != string.count("}") for string in strings)


def split_directives(comment: str) -> list[str]:
    """Split a comment before each directive in it, ours or another tool's."""
    return [piece for piece in _NEXT.split(comment) if piece]


def directives(comment: str) -> Iterator[Directive]:
    """The directives for cvlint in a comment, which can contain several, and others for other tools."""
    for piece in split_directives(comment):
        if own := _OWN.match(piece):
            yield _own(piece, own)
        elif noqa := _NOQA.match(piece):
            yield from _noqa(piece, noqa)


def _own(piece: str, own: re.Match[str]) -> Directive:
    verb = _VERB.match(own["rest"])
    reason = "" if verb is None else own["rest"][verb.end() :]
    words: tuple[str, ...] = ()
    is_clear = not reason.lstrip(" \t").startswith(_NO_REASON)
    if reason.lstrip(" \t").startswith("["):
        listed, end, reason = reason.partition("[")[2].partition("]")
        words = _words(listed) if end and "[" not in listed else ()
        is_clear = bool(words) and not reason.startswith("[")
    if verb is None or not is_clear:
        return Directive("unclear", piece.strip(), (), "")
    kind: Kind = "file" if verb[0].lower() == "ignore-file" else "line"
    return Directive(kind, piece.removesuffix(reason).rstrip(), words, _reason(reason))


def _noqa(piece: str, noqa: re.Match[str]) -> Iterator[Directive]:
    rest = noqa["rest"]
    if not rest.lstrip().startswith(":"):
        yield Directive("noqa", piece[: noqa.start("rest")], (), _reason(rest))
    elif listed := _CODES.match(rest):
        words = tuple(code for code in _words(listed["codes"]) if _OURS.fullmatch(code))
        if words:
            comment = piece[: noqa.start("rest") + listed.end()]
            yield Directive("noqa", comment, words, _reason(rest[listed.end() :]))


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.split(r"[, \t]+", text.strip(", \t")))) if text.strip(", \t") else ()


def _reason(text: str) -> str:
    return text.strip().lstrip(_BEFORE_REASON).rstrip()


def _ignore(source: Source, comment: Comment, directive: Directive) -> Ignore:
    """A directive with its location in the lines as the author wrote them."""
    cell, line = source.locate(comment.line)
    column = max(0, source.original[comment.line - 1].rfind(directive.comment)) + 1
    is_for_below = directive.kind == "line" and source.locate(comment.below)[0] == cell
    return Ignore(
        location=Location(source.display, cell, line, column, line, column + len(directive.comment)),
        first=line - (comment.line - comment.first),
        last=line + ((comment.below if is_for_below else comment.last) - comment.line),
        kind=directive.kind,
        comment=directive.comment,
        words=directive.words,
        reason=directive.reason,
    )
