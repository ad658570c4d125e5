"""Rewrite Python 2 so that Python 3 can parse it, with the same lines and where possible the same columns.

The result need not run. It has the same names, calls and statements in the same positions.
"""

from __future__ import annotations

import re
from itertools import pairwise

from cvlint.source.dialects.lexing import Token, tokens

_BLOCKS = frozenset({"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class"})
_OPENING = {"(": ")", "[": "]", "{": "}"}
# Tokens that can follow ``print`` where it is a name and not the statement.
_AFTER_NAME = "= . , ) ] } : == != < > <= >= += | & ^ / % // in is and or if"
_NAME_FOLLOWED_BY = frozenset(_AFTER_NAME.split())
_LONG = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[lL]")
_OCTAL = re.compile(r"0+[0-7]*[1-7][0-7]*[lL]?")
_ESCAPE = re.compile(
    r"""
    \\(?: x(?![0-9a-fA-F]{2}) | N(?!\{) | u(?![0-9a-fA-F]{4}) | U(?!000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4}) )
  | (?P<good>\\.)
    """,
    re.VERBOSE | re.DOTALL,
)
_INDENT = re.compile(r"[ \t\f]*")


def to_python3(text: str) -> str:
    """Rewrite the syntax of Python 2, or of Python before 3.7, in ``text``.

    Returns
    -------
    str
        The text with the same number of lines; ``text`` itself if it has no such syntax.
    """
    pieces = list(tokens(text))
    prints = "print_function" not in text
    rewritten = "".join(
        "".join(_rewrite_statement(statement, prints)) for statement in _statements(_even_indentation(pieces))
    )
    return rewritten


def _even_indentation(pieces: list[Token]) -> list[Token]:
    """Convert tabs to spaces, as Python 2 does, in a text that indents with both."""
    starts = [index for index, piece in enumerate(pieces) if piece.kind == "space" and _begins_line(pieces, index)]
    indents = "".join(pieces[index].text for index in starts)
    if "\t" not in indents or " " not in indents:
        return pieces
    for index in starts:
        indent = pieces[index].text.replace("\f", "").expandtabs(8)
        pieces[index] = pieces[index]._replace(text=indent)
    return pieces


def _begins_line(pieces: list[Token], index: int) -> bool:
    return "\\" not in pieces[index].text and (
        index == 0 or (pieces[index - 1].kind == "newline" and not pieces[index - 1].depth)
    )


def _statements(pieces: list[Token]) -> list[list[Token]]:
    """Group tokens to simple statements and heads of blocks; a group ends with the separator."""
    groups: list[list[Token]] = [[]]
    first: str | None = None
    lambdas = 0
    for piece in pieces:
        groups[-1].append(piece)
        if piece.kind in {"space", "comment"} or piece.depth or piece.text in _OPENING:
            first = first or (piece.text if piece.text in _OPENING else None)
            continue
        if first is None and piece.kind != "newline":
            first, lambdas = piece.text, 0
        if piece.text == "lambda":
            lambdas += 1
        ends_head = piece.text == ":" and first in _BLOCKS and not lambdas
        if piece.text == ":":
            lambdas = max(0, lambdas - 1)
        if ends_head or piece.kind == "newline" or piece.text == ";":
            groups.append([])
            first = None
    return groups


def _rewrite_statement(statement: list[Token], prints: bool) -> list[str]:
    texts = [_rewrite_token(piece) for piece in statement]
    solid = [index for index, piece in enumerate(statement) if piece.kind not in {"space", "comment", "newline"}]
    if solid and statement[solid[-1]].text == ";":
        solid.pop()
    if not solid:
        return texts
    _rewrite_backticks(statement, texts)
    _rewrite_parameters(statement, texts, solid)
    _rewrite_async(statement, texts, solid)
    keyword = statement[solid[0]].text
    if keyword == "print" and prints:
        _rewrite_print(statement, texts, solid)
    elif keyword == "exec":
        _rewrite_exec(statement, texts, solid)
    elif keyword == "raise":
        _rewrite_raise(statement, texts, solid)
    elif keyword == "except":
        _rewrite_except(statement, texts, solid)
    return texts


def _rewrite_token(piece: Token) -> str:
    """Rewrite single tokens: ``<>``, ``10L``, ``0777``, ``ur''``; spaces keep their length."""
    text = piece.text
    if text == "<>":
        return "!="
    if piece.kind == "number":
        return _rewrite_number(text)
    if piece.kind == "string":
        return _rewrite_string(text)
    return text


def _rewrite_number(text: str) -> str:
    if _OCTAL.fullmatch(text):
        return str(int(text.rstrip("lL"), 8)).ljust(len(text)) if len(text) < 64 else text
    if match := _LONG.fullmatch(text):
        return (match[1] if match[1].strip("0") or len(match[1]) == 1 else "0").ljust(len(text))
    return text


def _rewrite_string(text: str) -> str:
    prefix = re.match(r"\w*", text)
    letters = prefix[0].lower() if prefix else ""
    if letters == "ur":
        return text[1:] + " "
    if "r" in letters or "\\" not in text:
        return text
    # "C:\Users" without an r in front was valid in Python 2.
    return _ESCAPE.sub(lambda match: match["good"] or "/" + match[0][1:], text)


def _rewrite_backticks(statement: list[Token], texts: list[str]) -> None:
    ticks = [index for index, piece in enumerate(statement) if piece.text == "`"]
    for opening, closing in zip(ticks[::2], ticks[1::2], strict=False):
        texts[opening], texts[closing] = "(", ")"


def _rewrite_parameters(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    """Flatten tuples among parameters: ``lambda (k, v): k`` and ``def f(a, (b, c)): …``."""
    in_def = statement[solid[0]].text == "def"
    done = 0
    for before, index in pairwise(solid):
        if statement[index].text != "(" or index < done:
            continue
        is_parameter = in_def and statement[index].depth == 1 and statement[before].text in {"(", ","}
        if is_parameter or statement[before].text == "lambda":
            done = _closing(statement, index)  # skip the inner brackets: visiting them again would take quadratic time
            for inner in range(index, done + 1):
                if statement[inner].text in {"(", ")"}:
                    texts[inner] = " "


def _rewrite_async(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    """``async`` was a name before Python 3.7, as in ``x.cuda(async=True)``."""
    for index, after in pairwise(solid):
        if statement[index].text == "async" and statement[after].text in {"=", ",", ")", "."}:
            texts[index] = "async_"


def _rewrite_print(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    if len(solid) == 1 or statement[solid[1]].text in _NAME_FOLLOWED_BY:
        return
    if statement[solid[1]].text == "(" and _closing(statement, solid[1]) == solid[-1]:
        return
    if statement[solid[1]].text == ">>":
        texts[solid[1]] = "  "
    _enclose(texts, solid[0], solid[-1])


def _rewrite_exec(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    if len(solid) > 1 and statement[solid[1]].text not in _NAME_FOLLOWED_BY | {"("}:
        _enclose(texts, solid[0], solid[-1])


def _rewrite_raise(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    """``raise E, value`` becomes ``raise E(value)``."""
    commas = [index for index in solid if statement[index].text == "," and not statement[index].depth]
    if commas and solid[0] < commas[0] < solid[-1]:
        texts[commas[0]] = "("
        texts[solid[-1]] += ")"


def _rewrite_except(statement: list[Token], texts: list[str], solid: list[int]) -> None:
    """``except E, e:`` becomes ``except E as e:``; a target that is not a name is dropped."""
    commas = [index for index in solid if statement[index].text == "," and not statement[index].depth]
    if not commas or statement[solid[-1]].text != ":" or any(statement[index].text == "as" for index in solid):
        return
    target = [index for index in solid if commas[0] < index < solid[-1]]
    if not target:
        return
    texts[commas[0]] = " as" if statement[commas[0] + 1].kind == "space" else " as "
    if len(target) > 1:
        for index in target:
            texts[index] = ""
        texts[target[0]] = "_"


def _enclose(texts: list[str], keyword: int, last: int) -> None:
    """Put what follows a keyword in brackets; the opening bracket replaces a space."""
    if texts[keyword + 1][:1] in {" ", "\t"}:
        texts[keyword + 1] = "(" + texts[keyword + 1][1:]
    else:
        texts[keyword] += "("
    texts[last] += ")"


def _closing(statement: list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at ``opening``, or of the last token."""
    depth = statement[opening].depth
    for index in range(opening + 1, len(statement)):
        if statement[index].depth == depth and statement[index].text in {")", "]", "}"}:
            return index
    return len(statement) - 1
