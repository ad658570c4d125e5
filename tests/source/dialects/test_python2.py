"""Python 2 is rewritten to text that Python 3 parses, with the same positions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.dialects.python2 import to_python3
from cvlint.source.module import read_bytes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print x, y", "print(x, y)"),
        ("print x,", "print(x,)"),
        ("print\nprint 'a'", "print\nprint('a')"),
        ("print'a'", "print('a')"),
        ("print 'f1: %.2f' % f1  # note", "print('f1: %.2f' % f1)  # note"),
        ("print ('%d') % x", "print(('%d') % x)"),
        ("print ('a')\nprint 'b'", "print ('a')\nprint('b')"),
        ("print (a), (b)", "print((a), (b))"),
        ("print -x; print [x]; y", "print(-x); print([x]); y"),
        ("print >>sys.stderr, x", "print(  sys.stderr, x)"),
        ("print f(a,\n  b), \\\n  c", "print(f(a,\n  b), \\\n  c)"),
        ("if x: print y\nelse: print z", "if x: print(y)\nelse: print(z)"),
        ("if x[lambda: 1:2]: print y", "if x[lambda: 1:2]: print(y)"),
        ("try: pass\nexcept E, e: print e", "try: pass\nexcept E as e: print(e)"),
        ("try: pass\nexcept (A, B), e:\n  pass", "try: pass\nexcept (A, B) as e:\n  pass"),
        ("try: pass\nexcept E, e.args:\n  pass", "try: pass\nexcept E as _:\n  pass"),
        ("raise E, 'message'", "raise E( 'message')"),
        ("raise E, 'message', tb", "raise E( 'message', tb)"),
        ("exec 'x' in ns", "exec('x' in ns)"),
        ("a <> b", "a != b"),
        ("x = `y`", "x = (y)"),
        ("x = 10L + 0xFFL", "x = 10  + 0xFF "),
        ("os.chmod(p, 0777)", "os.chmod(p, 511 )"),
        ("x = ur'a' + u'b'", "x = r'a'  + u'b'"),
        ("open('C:\\Users')\n", "open('C:/Users')\n"),
        ("sorted(d, key=lambda (k, v): v)", "sorted(d, key=lambda  k, v : v)"),
        ("def f(a, (b, c), d=(1, 2)): pass", "def f(a,  b, c , d=(1, 2)): pass"),
        ("x.cuda(async=True)", "x.cuda(async_=True)"),
        ("if a:\n\tb\n        c <> d", "if a:\n        b\n        c != d"),
    ],
)
def test_rewriting(old: str, new: str) -> None:
    assert to_python3(old) == new
    ast.parse(new)
    reading = read_bytes(old.encode(), Path("old.py"), "old.py")
    assert reading.source is not None
    assert reading.source.original == tuple(old.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "print(x)\nprint = 3\nprint.x\nexec(x)\nraise E(a, b)\n",
        "s = '''\nprint x\n'''\n# print x\n",
        "def f(a, b=(1, 2), *, c): pass\nlambda a: (a)\nx = 0o777 + 0 + 00 + 1_000\n",
        "try:\n    pass\nexcept (A, B) as e:\n    pass\n",
        "async def f():\n    async with a: pass\n    [x async for x in y]\n",
        "'\\x41\\u0041\\U00000041\\N{DASH}\\\\U'\nrb'\\x'\n",
    ],
)
def test_python3_stays(text: str) -> None:
    assert to_python3(text) == text


def test_the_problem_says_that_the_file_was_checked_all_the_same() -> None:
    reading = read_bytes(b"x = 1\nprint x\n", Path("old.py"), "old.py")
    assert reading.problem is not None
    assert reading.problem.line == 2
    assert reading.problem.message == (
        "not valid Python 3: missing parentheses in call to 'print'; read as Python 2 and checked as such"
    )


def test_text_that_is_not_any_python_gives_a_problem_only() -> None:
    reading = read_bytes(b"print x\ny = (\n", Path("old.py"), "old.py")
    assert reading.source is None
    assert reading.problem is not None
    assert "Python 2" not in reading.problem.message


@given(st.text(alphabet="print exc,ELasyd(:)[]`<>'\"\\#;0123\n\t\r é", max_size=80))
def test_lines_and_their_number_stay(text: str) -> None:
    assert to_python3(text).count("\n") == text.count("\n")
