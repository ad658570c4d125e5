"""Properties of every fix: the text parses, the finding is gone, none is new, and nothing else changes."""

from __future__ import annotations

import ast
import io
import json
import os
import tokenize
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.source.module import read_bytes
from tests.fixes.conftest import EVERYTHING, fixed, found

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CORPUS = os.environ.get("CVLINT_CORPUS")  # a folder of strangers' code to try, too


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".ipynb"))


def holds(before: bytes, name: str) -> int:
    """Check the properties for one file; return the number of fixes."""
    after = fixed(before, name)
    if not after.count:
        assert after.data == before
        return 0
    reading = read_bytes(after.data, Path(name), name)
    assert reading.source is not None and reading.problem is None
    old, new = (Counter(f.rule for f in found(data, name, EVERYTHING)) for data in (before, after.data))
    assert not new - old
    assert (old - new).total() >= after.count
    again = fixed(after.data, name)
    assert (again.count, again.data) == (0, after.data)
    if name.endswith(".ipynb"):
        assert stripped(before) == stripped(after.data)
        assert len(layout(before)) <= len(layout(after.data)) + 4 * after.count
    else:
        assert comments(before) == comments(after.data)
    return after.count


def stripped(data: bytes) -> str:
    """A notebook without its code, in the order of its keys."""
    notebook: dict[str, Any] = json.loads(data.decode("utf-8-sig"))
    for sheet in notebook.get("worksheets", [notebook]):
        for cell in sheet["cells"]:
            if cell["cell_type"] == "code":
                cell["source" if "source" in cell else "input"] = ""
    return json.dumps(notebook)


def layout(data: bytes) -> list[bytes]:
    return [line[: len(line) - len(line.lstrip())] for line in data.splitlines()]


def comments(data: bytes) -> list[str]:
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("folder", sorted(p for p in FIXTURES.iterdir() if p.is_dir()), ids=lambda p: p.name)
def test_fixtures(folder: Path) -> None:
    silent = [path for path in files(folder) if path.name.startswith("silent_")]
    for path in sorted({*files(folder)} - {*silent}) + silent[::4]:  # there is nothing to fix in a silent one
        holds(path.read_bytes(), str(path))


def test_fixtures_that_are_fixed() -> None:
    """This test notices a rewrite that the check refuses everywhere."""
    textbook = FIXTURES / "mean-of-fold-f" / "faulty_list_append_np_mean.py"
    cells = FIXTURES / "mean-of-fold-f" / "faulty_cells.ipynb"
    assert [holds(path.read_bytes(), str(path)) for path in (textbook, cells)] == [1, 1]


@pytest.mark.skipif(CORPUS is None, reason="CVLINT_CORPUS names no folder")
def test_corpus() -> None:
    assert sum(holds(path.read_bytes(), str(path)) for path in files(Path(CORPUS or "."))) > 0


names = st.sampled_from(["scores", "f1s", "résultats", "L", "fold_f1_list"])
fillers = st.lists(
    st.sampled_from(["", "# Größe: 1 µm", "print('→', 'f1')", "size = (1,\n        2)  # two", 's = """a\n\nb"""']),
    max_size=3,
)
indents = st.sampled_from(["    ", "\t", "  "])


@st.composite
def scripts(draw: st.DrawFn) -> tuple[str, str]:
    """A script with a fault in a random setting, and its text after the fix."""
    name, indent, kept = draw(names), draw(indents), draw(st.booleans())
    average = draw(st.sampled_from(["", ", average='macro'", ", zero_division=0"]))
    mean = draw(st.sampled_from(["np.mean({})", "np.array({}).mean()", "sum({0}) / len({0})"])).format(name)
    fill = [draw(fillers) for _ in range(3)]
    head = ["import numpy as np", "from sklearn.metrics import f1_score", "from sklearn.model_selection import KFold"]
    loop = ["for tr, te in KFold(5).split(X, y):", f"{indent}m.fit(X[tr], y[tr])"]
    spread = [f"print(np.std({name}))"] if kept else []
    measure = f"f1_score(y[te], p{average})"
    predict = f"{indent}p = m.predict(X[te])"
    before = [*head, *fill[0], f"{name} = []", *fill[1], *loop, predict, f"{indent}{name}.append({measure})  # F1"]
    before += [*spread, *fill[2], f"print({mean}, 2)  # mean", ""]
    lists = f"{name}, true_labels, predictions = [], [], []" if kept else "true_labels, predictions = [], []"
    collecting = [f"{indent}true_labels.append(y[te])", f"{indent}predictions.append(p)  # F1"]
    if kept:
        collecting = [f"{indent}{name}.append({measure})", *collecting]
    pooled = f"f1_score(np.concatenate(true_labels), np.concatenate(predictions){average})"
    after = [*head, *fill[0], lists, *fill[1], *loop, predict, *collecting]
    after += [*spread, *fill[2], f"print({pooled}, 2)  # mean", ""]
    return "\n".join(before), "\n".join(after)


def fixed_fold_f(data: bytes, name: str) -> bytes:
    """A file with the fixes of one rule alone."""
    from tests.fixes.conftest import USUAL, Fixer

    chosen = [finding for finding in found(data, name) if finding.rule == "mean-of-fold-f"]
    return Fixer(USUAL, unsafe=True).fix(data, Path(name), name, chosen).data


@settings(max_examples=40)
@given(scripts(), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_scripts(pair: tuple[str, str], newline: str, bom: bool, ended: bool) -> None:
    data, expected = (
        (b"\xef\xbb\xbf" if bom else b"") + (text if ended else text.rstrip("\n")).replace("\n", newline).encode()
        for text in pair
    )
    assert fixed_fold_f(data, "train.py").decode() == expected.decode()


@settings(max_examples=40)
@given(scripts(), st.sampled_from([None, 1, 4, "\t"]), st.booleans(), st.booleans(), st.booleans())
def test_notebooks(
    pair: tuple[str, str], indent: int | str | None, ascii_only: bool, listed: bool, magic: bool
) -> None:
    """The JSON of the fixed notebook is that of the notebook with the fixed code, byte for byte."""
    data, expected = (notebook(text, indent, ascii_only, listed, magic) for text in pair)
    assert fixed_fold_f(data, "train.ipynb").decode() == expected.decode()


def notebook(text: str, indent: int | str | None, ascii_only: bool, listed: bool, magic: bool) -> bytes:
    """A notebook with a script in two cells, and with outputs, numbers and keys in an unusual order."""
    starts = [number for number, line in enumerate(text.split("\n")) if line.startswith("for tr")]
    lines = text.split("\n")
    parts = ["\n".join(lines[: starts[0]]), "\n".join(lines[starts[0] :])]
    if magic:
        parts = ["%matplotlib inline\n!pip install x", *parts]
    cells: list[dict[str, object]] = [{"source": ["# F1"], "cell_type": "markdown", "metadata": {}}]
    for part in parts:
        source = part.splitlines(True) if listed else part
        output = {"output_type": "stream", "text": ["1e-05 é\n"], "name": "stdout"}
        cells.append({"outputs": [output], "cell_type": "code", "source": source, "metadata": {"z": 1.0, "a": 1e5}})
    document = {"nbformat_minor": 2, "cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}
    return (json.dumps(document, indent=indent, ensure_ascii=ascii_only) + "\n").encode()


def test_latin_1() -> None:
    text = """# coding: latin-1
from sklearn.model_selection import cross_val_score
print("Größe", cross_val_score(m, X, y, scoring="f1").mean())
"""
    after = fixed(text.encode("latin-1")).data
    assert after.decode("latin-1").endswith('print("Größe", f1_score(y, cross_val_predict(m, X, y)))\n')
    ast.parse(after)


@pytest.mark.parametrize("data", [b"", b"\xff", b"def", b"print 'f1'\n", b"{", b"\0"])
@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_files_that_cannot_be_read(data: bytes, name: str) -> None:
    assert fixed(data, name).data == data
