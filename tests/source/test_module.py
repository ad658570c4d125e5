"""Reading any bytes gives a source, a problem or both, and positions are those of the original text."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.location import Location
from cvlint.source.module import MAX_SOURCE, Reading, Source, original_lines, read_bytes, read_file
from cvlint.source.parsing import MAX_DEPTH


def read(data: bytes | str, display: str = "train.py") -> Reading:
    return read_bytes(data.encode() if isinstance(data, str) else data, Path(display), display)


def source_of(data: bytes | str) -> Source:
    reading = read(data)
    assert reading.source is not None, reading.problem
    return reading.source


def message_of(reading: Reading) -> str:
    assert reading.problem is not None
    return reading.problem.message


@pytest.mark.parametrize(
    "data",
    [
        b"# only a comment",
        b"\xef\xbb\xbfx = 1\n",
        b"# -*- coding: latin-1 -*-\nname = '\xe9'\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nname = '\x80'\n",
        b"# coding: utf-8-unix\nname = '\xc3\xa9'\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"\x0cx = 1\n\x0cdef f():\n    pass\n",
        b"await x\nasync for y in z:\n    pass\nreturn 3\n",
        b"x = '\\d'\nassert (x, 'always')\nx is 1\n",  # SyntaxWarnings
    ],
)
def test_good_files_give_a_source_and_nothing_else(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reading = read(data)
    assert reading.problem is None
    assert reading.source is not None
    assert reading.source.cells is None
    assert reading.source.path.is_absolute()


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"x = (\n", "not valid Python 3: '(' was never closed", 1),
        (b"x = 1\nfor x in y\n    pass\n", "not valid Python 3: expected ':'", 2),
        (b"x = 1\ny = \xff\n", "not UTF-8 text: byte 0xff cannot be decoded", 2),
        (b"\x80\x04\x95\x00\x00", "not a text file: it holds NUL bytes", 1),
        (b"\xff\xfex\x00", "not UTF-8 text: the file is in UTF-16", 1),
        (b"# coding: klingon\n", "not readable text: the declared encoding 'klingon' is unknown", 1),
        (b"# coding: rot13\n", "not readable text", 1),
        (b"# coding: punycode\n", "not readable text", 1),
        (b"# coding: ascii\n\n\xe9\n", "not ascii text, although it is declared as such", 3),
        (b"{{ cookiecutter.name }}:\n", "not valid Python 3", 1),
        (b"x" * (MAX_SOURCE + 1), "cannot be read: it is too large: 5.0 MB, more than 5 MB", None),
    ],
)
def test_bad_files_give_one_problem(data: bytes, message: str, line: int | None) -> None:
    reading = read(data)
    assert reading.source is None
    assert message_of(reading).startswith(message)
    assert reading.problem is not None
    assert (reading.problem.path, reading.problem.line) == ("train.py", line)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b" \t"])
def test_an_empty_file_is_a_module(data: bytes) -> None:
    reading = read_bytes(data, Path("a/train.py"), "a/train.py")
    assert reading.problem is None
    assert reading.source is not None
    assert reading.source.tree.body == []


@pytest.mark.parametrize("text", ["a\n" * 250_000, "x = [" + "1," * 200_000 + "]", "[];" * 200_000])
def test_a_text_of_too_many_words_is_refused_before_it_is_parsed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cvlint.source.module.parse", None)
    assert "more than 350,000 words and signs" in message_of(read_bytes(text.encode(), Path("a.py"), "a.py"))


FIELDS = "{n}" * 40_000


@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
def test_an_f_string_of_too_many_fields_is_refused_before_it_is_parsed(
    quote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cvlint.source.module.parse", None)
    text = f"# it's f\"{{\nx = 1\ny = Rf{quote}{FIELDS}{quote}\n"
    message = message_of(read_bytes(text.encode(), Path("a.py"), "a.py"))
    assert "f-string with 40,000 fields that begins in line 3; join shorter texts instead" in message
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []}]
    data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
    assert "40,000 fields" in message_of(read_bytes(data, Path("a.ipynb"), "a.ipynb"))


@pytest.mark.parametrize(
    "text",
    [
        f"x = '{FIELDS}'\n",
        f"# f'{FIELDS}'\n",
        f'"""f\'{FIELDS}\'"""\n',
        "x = f'{n}'\n" * 20_000,
        f"x = 'it\\'s', f'{{n}}', '{FIELDS}'\n",
    ],
    ids=["no f-string", "comment", "text in a text", "short f-strings", "a quote in a text"],
)
def test_many_braces_elsewhere_are_read(text: str) -> None:
    assert read_bytes(text.encode(), Path("a.py"), "a.py").problem is None


def test_a_long_text_of_few_words_is_read() -> None:
    reading = read_bytes(b"x = '" + b"a" * 3_000_000 + b"'\n", Path("a.py"), "a.py")
    assert reading.problem is None


N = 100_000
DEEP = {
    "parentheses": "(" * N + ")" * N,
    "open parentheses": "(" * N,
    "brackets": "[" * N + "]" * N,
    "unary minus": "-" * N + "1",
    "attributes": "a" + ".b" * N,
    "calls": "f" + "()" * N,
    "subscripts": "a" + "[0]" * N,
    "sum": "x" + "+x" * N,
    "sum over lines": "(x" + "\n+x" * N + ")",
    "elif": "if a:\n pass\n" + "elif b:\n pass\n" * N,
    "lambdas": "lambda:" * N + "1",
    "f-string": 'f"{' * N,
    "just below the limit of bytes": "a" + ".b" * (MAX_SOURCE // 2 - 2),
}


@pytest.mark.parametrize("kind", DEEP)
def test_nesting_without_end_is_refused(kind: str) -> None:
    reading = read(DEEP[kind])
    assert reading.source is None
    assert any(reason in message_of(reading) for reason in ("too deeply nested", "too many", "too long"))


@pytest.mark.parametrize("levels", [300, 3000])
@pytest.mark.parametrize(
    "template", ["x{}", "def f():\n  for a in b:\n    return x{}", "if x{}:\n  pass", "@d\n@x{}\ndef f(): pass"]
)
def test_depth_is_measured_exactly_enough(template: str, levels: int) -> None:
    assert (read(template.format(" + y" * levels)).source is not None) == (levels < MAX_DEPTH)


@pytest.mark.parametrize("number", [f"0x{'f' * 5_000}", f"-0b{'1' * 20_000}", f"0O{'_7' * 9_000}"])
def test_each_number_of_a_tree_can_be_written(number: str) -> None:
    """Python writes no number of more than 4,300 decimal digits: `ast.unparse` raises an error."""
    tree = source_of(f"x = score({number}, {number[-1]}, True)\n").tree
    assert ast.unparse(tree).endswith(f"0, {number[-1]}, True)")


def test_long_flat_files_are_fine() -> None:
    assert source_of("if a:\n pass\n" + "elif b:\n pass\n" * 400)
    assert source_of("x = [" + "1, " * 100_000 + "]")
    assert source_of("match a:\n" + " case [1, *_]:\n  pass\n" * 1000)


def test_columns_are_characters_and_end_exclusive() -> None:
    source = source_of("é = 'ü'; f1 = score(\n    'äö', y)\n")
    call = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Call))
    assert source.location(call) == Location("train.py", None, 1, 15, 2, 13)
    assert source.location(source.tree) == Location("train.py", None, 1, 1, 1, 1)


def test_lines_split_where_python_splits() -> None:
    source = source_of("x = '\x0b\x1c\u2028\x85'\r\ny = 1\rz = 2\n")
    assert [node.lineno for node in source.tree.body] == [1, 2, 3]
    assert source.original[1:] == ("y = 1", "z = 2", "")
    assert source.locate(3) == (None, 3)


def test_columns_follow_code_that_a_magic_ran() -> None:
    source = source_of("if 1:\n    %time scores = f(x)\n")
    (name,) = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "scores"]
    assert source.location(name) == Location("train.py", None, 2, 11, 2, 17)
    assert source.original[1] == "    %time scores = f(x)"


@pytest.mark.parametrize("name", ["f-of-mean-pr/faulty_cells.ipynb", "unguarded-f/faulty_set_spans.py"])
def test_the_lines_of_an_excerpt_need_no_parser(name: str) -> None:
    path = Path(__file__).parents[2] / "fixtures" / name
    source = read_file(path, name).source
    assert source is not None
    lines, cells = original_lines(path.read_bytes(), name) or ((), None)
    assert (tuple(lines), cells) == (source.original, source.cells)


def test_read_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    source = read_file(path, "a.py").source
    assert source is not None
    assert (source.path, source.display, source.text) == (path, "a.py", "x = 1\n")
    assert message_of(read_file(tmp_path, "d")) == "cannot be read: it is not a regular file"
    assert message_of(read_file(tmp_path / "b.py", "b.py")) == "cannot be read: No such file or directory"
    assert message_of(read_file(Path("a\0.py"), "a\0.py")).startswith("cannot be read: ")
    os.mkfifo(tmp_path / "pipe.py")
    assert message_of(read_file(tmp_path / "pipe.py", "pipe.py")) == "cannot be read: it is not a regular file"
    with open(tmp_path / "large.py", "wb") as file:
        file.truncate(MAX_SOURCE + 1)
    assert "too large" in message_of(read_file(tmp_path / "large.py", "large.py"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.touch(mode=0)
    assert message_of(read_file(path, "a.py")) == "cannot be read: Permission denied"


def test_start_up_is_light() -> None:
    code = (
        "import sys, cvlint.source.module, cvlint.source.discovery, cvlint.source.project, cvlint.source.prefilter;"
        "print(*{'numpy', 'libcst', 'pathspec', 'json', 'threading'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


SNIPPETS = """print 'a', x|%time y = 1|%%bash|!ls \\|x?|'''|"|    |\t|if x:|except E, e:|raise E, 'm'|0777L|ur'a'|`x`
(|)|é|# c|lambda (a, b): a|exec 'x' in y|print >>f, (a), b|;|def f((a, b)):|x = %who|for x in y:|pass""".replace(
    "\n", "|"
).split("|")
PIECES = st.sampled_from([*SNIPPETS, "\\\n", "\r\n", "\r", "\x0c", "\n", "\n", "\ud800", "\0"])


@given(st.lists(PIECES).map("".join))
def test_anything_is_read_line_by_line(text: str) -> None:
    reading = read(text.encode("utf-8", "surrogatepass"))
    if reading.source is None:
        assert reading.problem is not None
    else:
        assert len(reading.source.original) == len(reading.source.lines)
        for node in ast.walk(reading.source.tree):
            location = reading.source.location(node)
            assert 1 <= location.line <= location.end_line <= len(reading.source.lines)
            assert location.column >= 1


@given(st.binary(), st.sampled_from(["a.py", "a.ipynb"]))
def test_bytes_never_raise(data: bytes, display: str) -> None:
    reading = read(data, display)
    assert reading.source or reading.problem


def test_a_comprehension_of_very_many_loops_is_too_deep() -> None:
    """Each is inside of the one before; 99 000 of them took 16 GB."""
    from cvlint.source.decoding import Failure
    from cvlint.source.parsing import MAX_DEPTH, TOO_DEEP, parse

    assert not isinstance(parse(f"x = [a{' for a in b' * MAX_DEPTH}]"), Failure)
    assert parse(f"x = [a{' for a in b' * (MAX_DEPTH + 1)}]") == Failure(TOO_DEEP, 1)
