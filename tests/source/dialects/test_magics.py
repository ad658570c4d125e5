"""IPython syntax is removed from scripts and cells without moving a line or changing valid Python."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.dialects import magics
from cvlint.source.dialects.magics import blank_magics, cell_magic
from cvlint.source.module import read_bytes

LINES = """
%matplotlib inline
% matplotlib inline
%%time
!pip install x
!echo "it's {x}" | (cat
x = !ls
x, y = %magic 1
d['a'] = !ls
x?
df.head??
?x
%timeit?
%who
pip install -q x
cd ../data
"""


@pytest.mark.parametrize("line", LINES.strip().split("\n"))
@pytest.mark.parametrize("before", ["", "if 1:\n    "])
def test_lines_become_pass(line: str, before: str) -> None:
    text = blank_magics(f"{before}{line}\n")
    assert text == f"{before}pass\n"
    assert read_bytes(f"{before}{line}\n".encode(), Path("a.py"), "a.py").problem is None


def test_code_behind_a_magic_stays() -> None:
    assert blank_magics("%time x = f(1)\n  %timeit -n 10 -r 3 g(2)\n%prun h()") == "x = f(1)\n  g(2)\nh()"


def test_a_command_goes_on_behind_a_backslash() -> None:
    assert blank_magics("!pip install a \\\n  b \\\n  'c\nx = 1") == "pass\n\n\nx = 1"


def test_strings_and_brackets_are_left_alone() -> None:
    text = "%magic\ns = '''\n%matplotlib inline\n!ls\n'''\nx = ('%d'\n  % y)\nz = 7 \\\n  % 3\n"
    assert blank_magics(text) == text.replace("%magic", "pass")


def test_valid_python_is_never_rewritten() -> None:
    text = "x = ('%d'\n% y)\npip -x\nz = 5 \\\n%matplotlib\n"
    source = read_bytes(text.encode(), Path("a.py"), "a.py").source
    assert source is not None
    assert source.text == text


@pytest.mark.parametrize(
    ("cell", "text", "certain"),
    [
        ("%%time\nx = 1", "\nx = 1", True),
        ("\n# note\n%%capture out\nx = 1", "\n# note\n\nx = 1", True),
        ("%%time\n%%capture\nx", "\n\nx", True),
        ("%%bash\necho $x\nls", "\n\n", True),
        ("%%R -i x\nplot(x)", "\n", True),
        ("%% HTML\n<p>", "\n", True),
        ("%%!\nls", "\n", True),
        ("%%cvlint\nx = 1", "\nx = 1", True),
        ("%%wandb\nx = 1", "\nx = 1", False),
        ("x = 1\n%%time", "x = 1\n%%time", True),
    ],
)
def test_cell_magics(cell: str, text: str, certain: bool) -> None:
    assert cell_magic(cell) == (text, certain)


def test_the_text_of_a_cell_is_not_made_anew_for_each_magic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Very many magics in a cell took hours."""
    seen = []

    class Cell:
        def match(self, text: str, position: int = 0) -> re.Match[str] | None:
            seen.append(text)
            return cell.match(text, position)

    cell = magics._CELL
    monkeypatch.setattr(magics, "_CELL", Cell())
    text = "%%time\n# c\n" * 3 + "x = 1"
    assert cell_magic(text) == ("\n# c\n" * 3 + "x = 1", True)
    assert len(seen) == 4 and all(one is text for one in seen)


@given(st.text(alphabet="%!?x =timeb'\"\\#(\n\t ", max_size=80))
def test_the_number_of_lines_stays(text: str) -> None:
    assert blank_magics(text).count("\n") == text.count("\n")
    assert cell_magic(text)[0].count("\n") == text.count("\n")


@given(
    st.lists(st.sampled_from(["%ls\n", "!ls 'x\n", "x = 1\n", "y = (\n1)\n", "if x:\n  %who\n", "z?\n"])).map("".join)
)
def test_text_without_magics_parses(text: str) -> None:
    ast.parse(blank_magics(text))
