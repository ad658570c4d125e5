"""Parse text to a syntax tree that recursive functions can walk safely, or say why it would take too much."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from itertools import accumulate, islice

from cvlint.source.decoding import Failure

MAX_DEPTH = 600
"""The greatest depth of a syntax tree that the analysis walks."""

TOO_DEEP = "too deeply nested to be checked"
_NO_NODES = {"ctx", "op", "ops", "id", "attr", "arg", "asname", "module", "level", "kind", "type_comment"}
"""Fields of nodes that hold no further nodes, or only those that every tree shares (``ast.Load()``)."""

_SMALL_TEXT = 20_000
_STACK_PER_CHARACTER = 128

MAX_WORDS = 350_000
"""Words and signs of a text: its syntax tree holds up to a kilobyte for each of them."""

MAX_FIELD_CHARACTERS = 3_000_000_000
"""Fields times characters of an f-string, added up over the f-strings of a text.

For each field the parser goes through the whole f-string: so many take it about two seconds, and ten times as many
fields in one f-string a hundred times as long.
"""

TOO_LONG = (
    f"too long to be checked: it has more than {MAX_WORDS:,} words and signs; "
    "move data out of the code, and the code that matters into a file of its own"
)

TOO_MANY_FIELDS = (
    "cannot be checked: Python's parser would take minutes for the f-string with {fields:,} fields that begins in line "
    "{line}; join shorter texts instead, or move the code that matters into a file of its own"
)

_LARGEST = 10**4_299
"""The largest power of ten that Python writes in decimal digits."""

_MANY_DIGITS = re.compile(r"(?<!\w)0[xXoObB]\w{3571}")
"""A number that may be larger: 3,571 hexadecimal digits are 4,300 decimal ones."""

_T_STRING = re.compile(r"(?i)\b(?:t|tr|rt)['\"]")

_WORD = re.compile(r"\w+|[^\w\s]|\n")
_BEGIN = re.compile(r"""#|(?P<prefix>\b[bfrtu]{1,2})?(?P<quote>\"""|\'\'\'|"|')""", re.IGNORECASE)
_END = {
    quote: re.compile(rf"\\.|{quote}" if len(quote) == 3 else rf"\\.|{quote}|\n", re.DOTALL)
    for quote in ('"', "'", '"""', "'''")
}


def reason_not_to_parse(text: str) -> str | None:
    """Why a text cannot be parsed in reasonable memory and time: a sentence without its subject, or None."""
    if is_too_long(text):
        return TOO_LONG
    if text.count("{") * len(text) <= MAX_FIELD_CHARACTERS:
        return None
    spent, worst, begin = 0, 0, 0
    for first, last in _f_strings(text):
        fields = text.count("{", first, last)
        spent += fields * (last - first)
        if fields > worst:
            worst, begin = fields, first
    if spent <= MAX_FIELD_CHARACTERS:
        return None
    return TOO_MANY_FIELDS.format(fields=worst, line=text.count("\n", 0, begin) + 1)


def _f_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where the f-strings of a text begin and end."""
    place = 0
    while (found := _BEGIN.search(text, place)) is not None:
        if found["quote"] is None:  # a comment
            place = text.find("\n", found.end())
            if place < 0:
                return
            continue
        ends = _END[found["quote"]].finditer(text, found.end())
        place = next((end.end() for end in ends if end[0][0] != "\\"), len(text))
        if "f" in (found["prefix"] or "").lower():
            yield found.start(), place


def is_too_long(text: str) -> bool:
    """Whether the syntax tree of a text would need too much memory."""
    return len(text) > MAX_WORDS and next(islice(_WORD.finditer(text), MAX_WORDS, None), None) is not None


def parse(text: str) -> ast.Module | Failure:
    """Parse ``text``; it never raises, never prints, and never returns a tree deeper than `MAX_DEPTH`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parse(text)
    except SyntaxError as error:
        return Failure(f"not valid Python 3: {_reason(error)}", error.lineno)
    except (RecursionError, MemoryError):
        return Failure(TOO_DEEP)
    except (ValueError, OverflowError) as error:
        return Failure(f"not valid Python 3: {error}")
    line = _first_deep_line(tree, text)
    if line is not None:
        return Failure(TOO_DEEP, line)
    if _MANY_DIGITS.search(text):
        _make_numbers_writable(tree)
    if sys.version_info >= (3, 14) and _T_STRING.search(text):
        _read_templates_as_f_strings(tree)
    return tree


def _read_templates_as_f_strings(tree: ast.Module) -> None:
    """Give each t-string the type of an f-string: it shows the same values."""
    as_f_string = {"TemplateStr": ast.JoinedStr, "Interpolation": ast.FormattedValue}
    for node in walk(tree):
        kind = as_f_string.get(type(node).__name__)
        if kind is not None:
            node.__class__ = kind


def _make_numbers_writable(tree: ast.Module) -> None:
    """Put the largest number that Python writes in place of larger ones: to write them raises an error."""
    for node in walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value = min(node.value, _LARGEST)


class _ChildFields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that can hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        is_leaf = issubclass(kind, ast.Constant)
        self[kind] = () if is_leaf else tuple(name for name in kind._fields if name not in _NO_NODES)
        return self[kind]


_CHILD_FIELDS = _ChildFields()


def walk(node: ast.AST) -> list[ast.AST]:
    """The nodes of a tree in the order of `ast.walk`, in a fraction of its time, without contexts and operators."""
    found = [node]
    for parent in found:
        _append_children(parent, found)
    return found


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside of a node, without contexts and operators."""
    found: list[ast.AST] = []
    _append_children(node, found)
    return found


def _append_children(node: ast.AST, found: list[ast.AST]) -> None:
    for name in _CHILD_FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [child for child in value if isinstance(child, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)


if sys.version_info >= (3, 11):

    def _parse(text: str) -> ast.Module:
        return ast.parse(text)

else:

    def _parse(text: str) -> ast.Module:
        """Parse with a large enough stack: Python 3.10 does not count levels when it makes the tree, and can crash."""
        if len(text) < _SMALL_TEXT:
            return ast.parse(text)
        import threading

        outcome: list[ast.Module | BaseException] = []

        def work() -> None:
            try:
                outcome.append(ast.parse(text))
            except Exception as error:
                outcome.append(error)

        before = threading.stack_size(64 * 2**20 + _STACK_PER_CHARACTER * len(text) // 4096 * 4096)
        try:
            thread = threading.Thread(target=work)
            thread.start()
        except RuntimeError as error:  # no memory for such a stack
            raise MemoryError from error
        finally:
            threading.stack_size(before)
        thread.join()
        if isinstance(outcome[0], ast.Module):
            return outcome[0]
        raise outcome[0]


def _reason(error: SyntaxError) -> str:
    """The message of Python in the style of cvlint: no capital, no advice."""
    if isinstance(error, TabError):
        return "inconsistent use of tabs and spaces in indentation"
    message = (error.msg or "invalid syntax").split(". ")[0].split("; ")[0].rstrip(".")
    return message[:1].lower() + message[1:]


def _first_deep_line(tree: ast.Module, text: str) -> int | None:
    """Find a line where the tree is deeper than `MAX_DEPTH`.

    Walking every node would take longer than parsing. Each level takes at least one character, so only a long
    statement can be deep: statements are counted by nesting, and only the expressions of long ones are walked.
    """
    if len(text) < MAX_DEPTH:
        return None
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    stack: list[tuple[ast.AST, int]] = [(node, 1) for node in tree.body]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_DEPTH:
            return _line(node)
        end = getattr(node, "end_lineno", None)
        if end and offsets[min(end, len(offsets) - 1)] - offsets[_first_line(node) - 1] + depth <= MAX_DEPTH:
            continue
        blocks = list(_blocks(node))
        stack.extend((child, depth + 1) for child in blocks if not _is_short(child, offsets, MAX_DEPTH - depth))
        first = _first_line(node)
        last = (_line(blocks[0]) if blocks else getattr(node, "end_lineno", None)) or first
        long = offsets[min(last, len(offsets) - 1)] - offsets[first - 1] + depth > MAX_DEPTH
        if long and _is_deep(node, blocks, depth):
            return _line(node)
    return None


def _is_short(node: ast.AST, offsets: list[int], length: int) -> bool:
    """Whether a plain statement has fewer characters than ``length``: it is the quick answer for most of them."""
    if not isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Return)):
        return False
    return offsets[min(node.end_lineno or 0, len(offsets) - 1)] - offsets[node.lineno - 1] < length


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """The statements, handlers and cases directly inside ``node``."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        children = getattr(node, field, None)
        if isinstance(children, list):
            yield from children


def _is_deep(node: ast.AST, without: list[ast.AST], depth: int) -> bool:
    """Tell whether the expressions of ``node`` are deeper than `MAX_DEPTH`, level by level."""
    blocks = set(map(id, without))
    level = [node]
    while level and depth <= MAX_DEPTH:
        level = [child for parent in level for child in ast.iter_child_nodes(parent) if id(child) not in blocks]
        if any(len(getattr(one, "generators", ())) > MAX_DEPTH for one in level):
            return True  # each `for` of a comprehension is a loop inside of the one before it
        depth += 1
    return bool(level)


def _first_line(node: ast.AST) -> int:
    """The first line of a statement, its decorators included."""
    return min(_line(node) or 1, *(_line(d) or 1 for d in getattr(node, "decorator_list", ())), 10**9)


def _line(node: ast.AST) -> int | None:
    pattern = getattr(node, "pattern", None)  # a match_case has no position, its pattern has
    line: int | None = getattr(node if pattern is None else pattern, "lineno", None)
    return line
