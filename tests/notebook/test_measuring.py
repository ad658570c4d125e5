from __future__ import annotations

import re

import pytest

from tests.notebook.conftest import Notebook

DATA = """\
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
metrics = {"f": f1_score}
y = np.array([1] * 10 + [0] * 50)
X = np.arange(60)[:, None]
def predict(train, test):
    return (np.arange(len(test)) % 7 < 2).astype(int)
"""
LOOP = """\
scores = []
for train, test in StratifiedKFold(5).split(X, y):
    scores.append(f1_score(y[test], predict(train, test)))
np.mean(scores)"""


def test_a_measured_cell_says_how_wrong_its_number_is(notebook: Notebook) -> None:
    notebook.run(DATA, "data")
    (text,) = notebook.run("%%cvlint\n" + LOOP, "loop")
    assert "mean-of-fold-f" in text
    value = re.search(r"measured: F_avg (\d\.\d+); F_tp,fp is\s+(\d\.\d+)", text)
    assert value is not None
    assert float(value[1]) == round(float(notebook.result.result), 3)
    assert "Measured:" in notebook.displayed[-1]["text/html"]
    assert notebook.extension.recorder._recorder.calls == []  # the labels are not kept

    function = notebook.shell.user_ns["f1_score"]
    notebook.run(LOOP, "other")
    assert notebook.extension.recorder._recorder.calls == [], "cells without the magic are not recorded"
    assert notebook.shell.user_ns["f1_score"] is function is notebook.shell.user_ns["metrics"]["f"]

    (text,) = notebook.run("%%cvlint\n1 + 1")
    assert text == "cvlint finds no fault in this cell, so there is nothing to measure."
    assert notebook.result.result == 2


def test_a_helper_of_an_earlier_cell_is_measured(notebook: Notebook) -> None:
    notebook.run(DATA, "data")
    notebook.run("def evaluate():\n" + re.sub("(?m)^", "    ", LOOP).replace("np.mean", "return np.mean"), "helper")
    (text,) = notebook.run("%%cvlint\nevaluate()", "call")
    assert "measured: F_avg" in text


def test_what_cannot_be_measured_is_refused_in_a_sentence_before_it_runs(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook.run(DATA, "data")
    notebook.run("before = 1")
    for text, sentence in (
        (
            "%%cvlint\nbefore = 2\nawait anything()\n" + LOOP,
            "%%cvlint cannot measure a cell with `await` outside of a function: "
            "move what it waits for to a cell above.",
        ),
        (
            "%%cvlint\n\n%%time\nbefore = 2\n" + LOOP,
            "%%cvlint cannot measure what %%time runs: write %%time above %%cvlint, or leave it out.",
        ),
    ):
        capsys.readouterr()
        assert notebook.run(text) == []
        assert not notebook.result.success
        assert capsys.readouterr().err == f"UsageError: {sentence}\n"
    assert notebook.shell.user_ns["before"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "%%time\n%%cvlint\n" + LOOP,
        "%%capture\n%%cvlint\n" + LOOP,
        "%%cvlint\n%%cvlint\n" + LOOP,
        "%%cvlint\n%time 1 + 1\n!echo x\nhere = %pwd\n" + LOOP,
        "%%cvlint\nasync def wait():\n    await anything()\n" + LOOP,
    ],
)
def test_other_magics_in_a_measured_cell(notebook: Notebook, text: str) -> None:
    notebook.run(DATA, "data")
    (shown,) = notebook.run(text, "loop")
    assert "measured: F_avg" in shown
    assert notebook.result.success


def test_a_copy_of_a_fault_above_is_one_of_this_cell_too(notebook: Notebook) -> None:
    """Calls inside of ``%time`` have no place, so they are not measured; the cell has its fault all the same."""
    notebook.run(DATA, "data")
    notebook.run(LOOP, "above")
    (text,) = notebook.run("%%cvlint\n" + LOOP.replace("    scores", "    %time scores"), "below")
    assert "mean-of-fold-f" in text and "not measured:" in text


def test_an_error_of_a_measured_cell_is_its_own(notebook: Notebook) -> None:
    assert notebook.run("%%cvlint\n\nmissing") == []
    assert isinstance(notebook.result.error_in_exec, NameError)
    at = notebook.result.error_in_exec.__traceback__
    while at.tb_next is not None:
        at = at.tb_next
    assert at.tb_lineno == 3
    assert notebook.run("%%cvlint\nif:") == []
    assert isinstance(notebook.result.error_in_exec, SyntaxError)
