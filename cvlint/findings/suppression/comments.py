"""Comments that suppress findings, as they stand in a source: ``# cvlint: ignore[…] reason`` and ``# noqa: CVL…``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cvlint.source.fstrings import with_tuples
from cvlint.source.lexing import tokens
from cvlint.source.location import Location
from cvlint.source.module import Source

Kind = Literal["line", "file", "noqa", "unclear"]

_NEXT = re.compile(r"(?<!\#)(?=\#+[ \t]*(?:[^\W\d_][\w-]*:|noqa\b))", re.IGNORECASE)
"""Where another directive begins in the same comment: ours, or one for another tool; `#12:` is the name of an issue."""
_OWN = re.compile(r"\#+[ \t]*cvlint:[ \t]*(?P<rest>.*)", re.IGNORECASE)
_VERB = re.compile(r"ignore(?:-file)?(?![\w-])", re.IGNORECASE)
_NOQA = re.compile(r"\#+[ \t]*noqa\b(?P<rest>.*)", re.IGNORECASE)
_CODES = re.compile(r"[ \t]*:[ \t]*(?P<codes>[A-Z]+[0-9]+(?:[, \t]+[A-Z]+[0-9]+\b)*)", re.IGNORECASE)
_OURS = re.compile(r"CVL[0-9]+", re.IGNORECASE)
_BEFORE_REASON = " \t:;,.–—-"
_NO_REASON = ("(", "=", ":")
"""What stands before rules in the directives of other tools: of ours it says too much, or nothing, to guess."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that suppresses findings.

    Attributes
    ----------
    location
        Where it stands, from its mark to the end of its rules.
    first, last
        The lines of the statement that it stands in, counted as in ``location``; of a compound statement its head. One
        of kind "line" that stands alone is for the statement right below it, too.
    kind
        For which findings it is: those at its statement or with a step there, or those in its file; "noqa" is for
        those at its statement only, and "unclear" for none, because it cannot be understood.
    comment
        The comment as it is written, without the reason.
    words
        The rules that it names, by name, code, or beginning of a code; none stands for all rules.
    reason
        Why, as far as the comment says so.
    """

    location: Location
    first: int
    last: int
    kind: Kind
    comment: str
    words: tuple[str, ...]
    reason: str

    def holds_start_of(self, location: Location) -> bool:
        """Tell whether a place in the same file begins in the statement that the comment stands in."""
        return self.location.cell == location.cell and self.first <= location.line <= self.last

    def meets(self, location: Location) -> bool:
        """Tell whether the comment stands in a statement that a place in the same file is in, or that is in it."""
        return self.location.cell == location.cell and self.first <= location.end_line and location.line <= self.last


class Directive(NamedTuple):
    """What one comment says: the fields of an `Ignore` that its text alone gives."""

    kind: Kind
    comment: str
    words: tuple[str, ...]
    reason: str


class LogicalLine(NamedTuple):
    """What Python calls so: a simple statement, the head of a compound one, a decorator, or a line without any.

    ``opening`` is its first token, empty where there is none, and ``comments`` are those in it, each with its line.
    """

    opening: str
    first: int
    last: int
    comments: tuple[tuple[str, int], ...]


class Comment(NamedTuple):
    """A comment of a text, its line, and the lines of the statement around it.

    One that stands alone may stand above a statement, perhaps with other comments and with decorators between: then
    ``below`` is the last line of that statement, or of its head; otherwise it is ``last``.
    """

    text: str
    line: int
    first: int
    last: int
    below: int


def file_key(path: str) -> str:
    """One spelling for a path: what a module imports from is spelled ``pkg/../lib.py``."""
    return os.path.normpath(path)


def may_hold(data: bytes) -> bool:
    """Tell by its bytes whether a file may hold a comment that suppresses findings."""
    return b"cvlint:" in (lowered := data.lower()) or b"noqa" in lowered


def may_be_unused(data: bytes) -> bool:
    """Tell by its bytes whether a file may hold such a comment that is for cvlint alone."""
    return b"cvlint:" in (lowered := data.lower()) or (b"noqa" in lowered and b"cvl" in lowered)


def ignores_of(source: Source) -> tuple[Ignore, ...]:
    """The comments of a source that suppress findings, in their order; what is inside a string is none."""
    return tuple(
        ignore(source, comment, directive)
        for comment in comments(source.text)
        for directive in directives(comment.text)
    )


def comments(text: str) -> list[Comment]:
    """The comments of a program, in their order, whatever version of Python it is for."""
    found: list[Comment] = []
    below: int | None = None  # the last line of the statement that begins in the next line
    for one in reversed(list(logical_lines(text))):
        match one.opening:
            case "" if one.comments:
                reach = below or one.last
            case "":
                reach, below = one.last, None
            case "@":
                reach, below = one.last, below or one.last
            case _:
                reach = below = one.last
        found += [Comment(*comment, one.first, one.last, reach) for comment in reversed(one.comments)]
    return found[::-1]


def logical_lines(text: str) -> Iterator[LogicalLine]:
    """The lines of a program as Python sees them: a statement goes on over line ends in brackets.

    ``tokenize`` would see them differently under each version of Python, in f-strings and in what is no valid Python 3.
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
    """Tell whether an f-string holds its own quotes, as since Python 3.12: what looks like its text ends in a brace."""
    strings = (token.text for token in tokens(text) if token.kind == "string" and token.text[0] in "fFrR")
    return any(string.count("{") != string.count("}") for string in strings)


def pieces(comment: str) -> list[str]:
    """A comment cut before each directive in it, ours or another tool's; together the pieces are the comment."""
    return [piece for piece in _NEXT.split(comment) if piece]


def directives(comment: str) -> Iterator[Directive]:
    """What a comment says to us; it may say several things, and others to other tools."""
    for piece in pieces(comment):
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


def ignore(source: Source, comment: Comment, directive: Directive) -> Ignore:
    """What a comment says, with its place in the lines as the author wrote them."""
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
