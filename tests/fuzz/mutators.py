"""Mutators: from a seed and the fixtures they make inputs that nobody wrote. The same seed gives the same input."""

from __future__ import annotations

import io
import json
import random
import re
import tokenize
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"

ODD = (
    "",
    "\0",
    "\ud800",
    "é",
    "\u2028",
    "\f",
    "\r",
    "0x" + "f" * 5_000,
    "9" * 500,
    "1e999",
    "'''",
    '"',
    "\\",
    "{",
    ")",
    "*",
    "**",
    ":=",
    "lambda:",
    "yield",
    "await x",
    "async",
    "match x:",
    "del x",
    "@f",
    "...",
    "0j",
    "f'{x!r:>{w}}'",
    "__class__",
    "'%1000000000d' % 3",
    "'{:>1000000000}'.format(3)",
    "'a' * 10**9",
    "10**10**10",
    "[x for x in x]",
    "x[...]",
    "-" * 50,
    "nonlocal x",
    "global f1",
    "import *",
    "from . import *",
    "class C(C): pass",
    "x: int",
    "%timeit",
    "!ls",
    "print 'a'",
)


@cache
def scripts() -> tuple[str, ...]:
    """The scripts among the fixtures."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.rglob("*.py")))


@cache
def notebooks() -> tuple[str, ...]:
    """The notebooks among the fixtures."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.rglob("*.ipynb")))


def tokens(rng: random.Random) -> tuple[str, bytes]:
    """A script whose tokens are deleted, doubled, swapped or replaced."""
    text = rng.choice(scripts())
    every = (token.string for token in tokenize.generate_tokens(io.StringIO(text).readline))
    found = [string for string in every if string.strip()] or [""]
    pieces = re.split(r"(\s+)", text)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(pieces))
        pieces[at] = rng.choice(("", pieces[at] * 2, rng.choice(found), rng.choice(ODD), rng.choice(pieces)))
    return "a.py", "".join(pieces).encode("utf-8", "surrogatepass")


def lines(rng: random.Random) -> tuple[str, bytes]:
    """Lines of several scripts, mixed, indented and doubled."""
    rows = [line for _ in range(rng.randint(1, 3)) for line in rng.choice(scripts()).split("\n")]
    for _ in range(rng.randint(1, 20)):
        at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        match rng.randrange(5):
            case 0:
                rows[at], rows[other] = rows[other], rows[at]
            case 1:
                rows[at] = "    " + rows[at]
            case 2:
                rows[at] = rows[at].removeprefix("    ")
            case 3:
                rows.insert(at, rows[other])
            case _:
                del rows[at : at + rng.randint(1, 5)]
                rows = rows or [""]
    return "a.py", "\n".join(rows).encode()


def statements(rng: random.Random) -> tuple[str, bytes]:
    """Whole statements of several scripts, which are valid Python in any order and depth."""
    import ast

    bodies = [statement for _ in range(3) for statement in ast.parse(rng.choice(scripts())).body]
    every = [*bodies, *(node for body in bodies for node in ast.walk(body) if isinstance(node, ast.stmt))]
    chosen = [ast.unparse(rng.choice(every)) for _ in range(rng.randint(1, 25))]
    heads = ("if a:", "for i in x:", "while f1:", "with a as b:", "def f(x, *y):", "class D(B):", "try:")
    made = []
    for text in chosen:
        for _ in range(rng.choice((0, 0, 1, 2))):
            head = rng.choice(heads)
            inner = "\n".join("    " + line for line in text.split("\n"))
            text = f"{head}\n{inner}" + ("\nexcept E:\n    pass" if head == "try:" else "")
        made.append(text)
    return "a.py", "\n".join(made).encode()


def raw_bytes(rng: random.Random) -> tuple[str, bytes]:
    """A script with bytes replaced, cut or put in."""
    data = bytearray(rng.choice(scripts()).encode())
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.choice((0, 1, 30))] = rng.choice(
            (b"", b"\xff", b"\0", b"\r", bytes([rng.randrange(256)]) * 9)
        )
    return "a.py", bytes(data)


def notebook(rng: random.Random) -> tuple[str, bytes]:
    """A notebook with values replaced by others, and with its text cut."""
    tree = json.loads(rng.choice(notebooks()))
    values: tuple[object, ...] = (
        None,
        0,
        -1,
        1e308,
        "",
        "x = (\n",
        [],
        {},
        [[]],
        {"a": []},
        True,
        ["a", 3],
        "\ud800",
        "%%bash\n",
    )
    for _ in range(rng.randint(1, 6)):
        place = tree
        while isinstance(place, dict | list) and place:
            key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
            if not isinstance(place[key], dict | list) or rng.random() < 0.3:
                place[key] = deepcopy(rng.choice(values))
                break
            place = place[key]
    text = json.dumps(tree)
    if rng.random() < 0.2:
        text = text[: rng.randrange(len(text))]
    return "a.ipynb", text.encode()


def config(rng: random.Random) -> tuple[str, bytes]:
    """A config of known and unknown keys with values of any type."""
    keys = (
        "select",
        "extend-select",
        "ignore",
        "exclude",
        "severity",
        "per-file-ignores",
        "confidence",
        "min-severity",
        "baseline",
        "extend",
        "extend-rules",
        "extend-knowledge",
        "require-reason",
        "required-version",
        "odd",
    )
    values = (
        "'ALL'",
        "['ALL']",
        "[]",
        "['[', '!', '**', '\\u0000']",
        "1",
        "1.5",
        "true",
        "{}",
        "{ 'mean-of-fold-f' = 'note' }",
        "'low'",
        "'../x.toml'",
        "'.'",
        "['*.toml']",
        "['/etc/passwd']",
        "'>=0'",
        "1979-05-27",
        "''",
        "[[1]]",
        "9" * 40,
    )
    rows = [f"{rng.choice(keys)} = {rng.choice(values)}" for _ in range(rng.randint(1, 4))]
    text = "\n".join(rows)
    return "cvlint.toml", (text if rng.random() < 0.9 else text[: rng.randrange(len(text))]).encode()


def project(rng: random.Random) -> tuple[str, bytes]:
    """A file of one of the growing programs, of a random size."""
    from tests.fuzz.growing import PATTERNS

    files = rng.choice(PATTERNS)(rng.randint(1, 10))
    return "a.py", files[next(iter(files))].encode()


MUTATORS: tuple[Callable[[random.Random], tuple[str, bytes]], ...] = (
    tokens,
    lines,
    statements,
    raw_bytes,
    notebook,
    config,
    project,
)


def made(seed: int) -> tuple[str, bytes]:
    """The name and the content of the input with a number."""
    rng = random.Random(seed)
    return MUTATORS[seed % len(MUTATORS)](rng)
