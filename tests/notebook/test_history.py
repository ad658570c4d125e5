from __future__ import annotations

import json

import pytest

from cvlint.knowledge.loader import load_prefilter_words
from cvlint.notebook.history import Cell, History
from cvlint.source.prefilter import Prefilter


def cell(key: str, text: str, number: int, succeeded: bool = True) -> Cell:
    return Cell(key, text, number, succeeded)


@pytest.fixture
def history() -> History:
    return History(words=Prefilter(load_prefilter_words()))


def texts(history: History) -> list[str]:
    return [one["source"] for one in json.loads(history.notebook())["cells"]]


def test_a_cell_that_runs_again_keeps_its_place(history: History) -> None:
    for number, (key, text) in enumerate([("a", "x = 1"), ("b", "y = x"), ("a", "x = 2")], start=1):
        history.add(cell(key, text, number))
    assert texts(history) == ["x = 2", "y = x"]
    assert [one.label for one in history.cells] == ["In [3]", "In [2]"]


def test_a_cell_that_failed_moves_behind_what_it_lacked(history: History) -> None:
    history.add(cell("a", "use(x)", 1, succeeded=False))
    history.add(cell("b", "x = 1", 2))
    history.add(cell("a", "use(x)", 3))
    assert texts(history) == ["x = 1", "use(x)"]


def test_only_cells_that_can_complete_a_fault_concern_a_check(history: History) -> None:
    def concerns(text: str) -> bool:
        return history.concerns(cell(text, text, 1), text)

    assert not concerns("import numpy as np\nimport pandas as pd")
    assert not concerns("df = pd.read_csv('x.csv')\nprint(len(df))")
    assert concerns("scores.append(f1_score(y, model.predict(X)))")
    assert concerns("result = np.mean(scores)")
    assert concerns("print(result)")
    assert not concerns("print(len(np.zeros(3)))")  # Python's own names and modules hold no measure


def test_modules_of_the_project_may_hold_measures(history: History) -> None:
    history.is_own = lambda module: module == "lab"
    assert not history.concerns(cell("a", "import numpy as np", 1), "import numpy as np\nnp.zeros(3)")
    assert history.concerns(cell("b", "import lab.scores as ls", 2), "import lab.scores as ls")
    assert history.concerns(cell("c", "ls.evaluate()", 3), "ls.evaluate()")


def test_nothing_is_left_out_before_the_words_are_known() -> None:
    assert History().concerns(cell("a", "1 + 1", 1), "1 + 1")


def test_a_cell_that_cannot_be_parsed_is_not_left_out(history: History) -> None:
    assert history.concerns(cell("a", "if", 1), "if")
