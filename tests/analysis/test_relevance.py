"""Files and functions that can lead to no finding are left out; those that can are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.analysis.interpreter.driver import Analysis
from cvlint.analysis.relevance import leading_names
from cvlint.knowledge.loader import load_knowledge
from cvlint.source.definitions import definitions_of
from cvlint.source.module import read_file
from cvlint.source.prefilter import Prefilter

METRICS = """
from sklearn.metrics import f1_score as measure
from sklearn.model_selection import KFold

class Base:
    def run(self, X, y, model):
        results = []
        for train, test in KFold(5).split(X):
            results.append(measure(y[test], model.predict(X[test])))
        return sum(results) / len(results)

class Study(Base):
    pass

def shown(rows):
    return [str(row) for row in rows]

def plot(rows):
    return shown(rows)

def main(X, y, model):
    return launch(X, y, model)

def launch(X, y, model):
    return Study().run(X, y, model)
"""


def analysis_of(folder: Path, text: str) -> tuple[Analysis, Path]:
    (folder / "setup.py").touch()
    (folder / "metrics.py").write_text(METRICS)
    path = folder / "script.py"
    path.write_text(text)
    return Analysis(load_knowledge()), path


def leading(tmp_path: Path) -> frozenset[str]:
    analysis, path = analysis_of(tmp_path, METRICS)
    source = read_file(path, "script.py").source
    assert source is not None
    words = analysis.outlines.prefilter
    marks = words.words_in(source.text)
    return leading_names(definitions_of(source, words, marks), words.first_words(marks))


def test_a_function_leads_to_what_its_callees_lead_to(tmp_path: Path) -> None:
    found = leading(tmp_path)
    assert {"run", "launch", "main", "measure"} <= found
    assert not {"plot", "shown", "rows"} & found


@pytest.mark.parametrize(
    ("text", "is_relevant"),
    [
        ("import metrics\nmetrics.main(X, y, model)", True),
        ("from metrics import launch as start\nstart(X, y, model)", True),
        ("import metrics\ngetattr(metrics, 'main')(X, y, model)", True),
        ("def later():\n    from metrics import Study\n    return Study().run", True),
        ("import metrics\nmetrics.plot([1, 2])", False),
        ("import numpy\nnumpy.mean([1, 2])", False),
    ],
)
def test_a_file_is_left_out_if_nothing_in_it_leads_to_a_measure(tmp_path: Path, text: str, is_relevant: bool) -> None:
    analysis, path = analysis_of(tmp_path, text)
    source = read_file(path, "script.py").source
    assert source is not None
    assert analysis.outlines.relevance(source, 40).is_relevant is is_relevant


@pytest.mark.parametrize(
    ("script", "is_relevant"),
    [
        ("tools.scaled(X)", False),  # it scales data, and nothing that it calls fits a model
        ("tools.train(tools.scaled(X), y)", True),
        ("Model().fit(tools.scaled(X), y)", True),
        ("tools.shown(X)", False),
    ],
)
def test_words_that_make_an_entry_together_count_only_where_the_code_reaches_them(
    tmp_path: Path, script: str, is_relevant: bool
) -> None:
    tools = """
def scaled(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)

def train(X, y):
    return Model().fit(X, y)

def shown(X):
    return str(X)
"""
    (tmp_path / "tools.py").write_text(tools)
    analysis, path = analysis_of(tmp_path, f"import tools\n{script}")
    source = read_file(path, "script.py").source
    assert source is not None
    assert analysis.outlines.relevance(source, 40).is_relevant is is_relevant


def test_a_file_that_reaches_too_many_others_is_analysed_whole(tmp_path: Path) -> None:
    analysis, path = analysis_of(tmp_path, "import metrics\nmetrics.plot([1, 2])")
    source = read_file(path, "script.py").source
    assert source is not None
    assert analysis.outlines.relevance(source, 1).is_relevant


def test_an_uncalled_function_that_reads_results_is_not_left_out(tmp_path: Path) -> None:
    text = METRICS.replace("class Base", "RESULTS = [measure(y[t], p) for _, t in KFold(5).split(X)]\n\nclass Base")
    text += "\ndef mean_of_all():\n    return sum(RESULTS) / len(RESULTS)\n"
    analysis, path = analysis_of(tmp_path, text)
    source = read_file(path, "script.py").source
    assert source is not None
    whole, partly = analysis.analyse(source), analysis.analyse(source, whole=False)
    places = [[getattr(e.node, "lineno", 0) for e in found.events if e.name == "reduce"] for found in (whole, partly)]
    assert text.count("\n") in places[0]
    assert places[1] == places[0]


def test_a_changed_text_gets_a_new_outline(tmp_path: Path) -> None:
    analysis, path = analysis_of(tmp_path, "import metrics\nmetrics.plot([1, 2])")
    before = read_file(path, "script.py").source
    path.write_text("import metrics\nmetrics.main(X, y, model)")
    after = read_file(path, "script.py").source
    assert before is not None and after is not None
    assert [analysis.outlines.relevance(s, 40).is_relevant for s in (before, after, before)] == [False, True, False]


def test_a_long_chain_of_calls_takes_linear_time(tmp_path: Path) -> None:
    count = 5_000
    text = "\n".join(f"def g{i}():\n    return g{i + 1}()" for i in range(count)) + f"\ndef g{count}():\n    f1_score\n"
    _, path = analysis_of(tmp_path, text)
    source = read_file(path, "script.py").source
    assert source is not None
    roots = frozenset({"|f1_"})
    definitions = definitions_of(source, Prefilter({"f1": roots}), roots)
    assert len(leading_names(definitions, roots)) == count + 1
