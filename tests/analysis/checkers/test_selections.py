"""What an order comparison keeps is chosen, whatever keeps it; what it is chosen among is told by its use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cvlint.analysis.events import Event
from cvlint.analysis.interpreter.driver import Analysis
from cvlint.knowledge.loader import load_knowledge
from cvlint.source.module import read_bytes

HEAD = """
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, train_test_split
A, B, u, v = train_test_split(np.load("X.npy"), np.load("y.npy"))
p = LogisticRegression().fit(A, u).predict_proba(B)[:, 1]
class Holder:
    best = 0
    def keep(self, value):
        self.best = value
holder, table, pair, best = Holder(), {"f": 0}, (0, None), 0
"""
OF_MODELS = "f = f1_score(v, LogisticRegression(C=c).fit(A, u).predict(B))"
OF_THRESHOLDS = "f = f1_score(v, p > c)"


def choices(code: str) -> list[Event]:
    read = read_bytes((HEAD + code).encode(), Path("program.py"), "program.py")
    assert read.source is not None, read
    return [event for event in Analysis(load_knowledge()).analyse(read.source) if event.name == "choose"]


def swept(measure: str, keep: str, shown: str) -> str:
    body = "\n    ".join([measure, *keep.split("\n")])
    return f"for c in np.linspace(0.1, 1, 10):\n    {body}\nprint({shown})"


KEPT = [
    ("if f > best:\n    best = f", "best"),
    ("if best < f: best = f", "best"),
    ("if f <= best: continue\nbest = f", "best"),
    ("better = f > best\nif better: best = f", "best"),
    ("if c > 0 and f > best: best = f", "best"),
    ("if not f <= best: best = f", "best"),
    ("best = f if f > best else best", "best"),
    ("best = max(best, f)", "best"),
    ("if f > table['f']: table = {'f': f, 'c': c}", "table['f']"),
    ("if f > table['f']: table.update(f=f)", "table"),
    ("if f > table['f']: table['f'] = f", "table['f']"),
    ("if f > pair[0]: pair = (f, c)", "pair[0]"),
    ("pair = max(pair, (f, c))", "pair[0]"),
    ("if f > holder.best: holder.best = f", "holder.best"),
    ("if f > holder.best: holder.keep(f)", "holder.best"),
]


@pytest.mark.parametrize(("keep", "shown"), KEPT)
@pytest.mark.parametrize(("measure", "what"), [(OF_MODELS, "model"), (OF_THRESHOLDS, "threshold")])
def test_what_a_comparison_keeps_is_chosen(keep: str, shown: str, measure: str, what: str) -> None:
    found = choices(swept(measure, keep, shown))
    assert {(event.facts["what"], event.facts["part"]) for event in found} == {(what, "test")}


@pytest.mark.parametrize(
    ("keep", "shown"),
    [
        ("if f > 0.5: best = f", "best"),  # a floor, and no choice
        ("if f > best: best = f", "'done'"),  # nothing shows it
        ("if f > best: other = f", "other"),  # what is compared keeps nothing
        ("best = max(f, 0.5)", "best"),
        ("if f > best: best = f\nprint(best)", "'done'"),  # shown on the way only
    ],
)
def test_other_comparisons_choose_nothing(keep: str, shown: str) -> None:
    assert choices(swept(OF_MODELS, keep, shown)) == []


def test_the_best_threshold_alone_is_no_result() -> None:
    assert choices(swept(OF_THRESHOLDS, "if f > best: best, at = f, c", "at")) == []
    assert choices(swept(OF_THRESHOLDS, "if f > best: best, at = f, c", "at, best")) != []


PARTS = [
    ("A, H, u, w = train_test_split(A, u)", "w, H", "other"),
    ("H, T, w, z = train_test_split(B, v)", "w, H", "other"),
    ("H, T, w, z = train_test_split(B, v)", "z, T", "test"),
    ("", "v, B", "test"),
    ("", "u, A", "train"),
]


@pytest.mark.parametrize(("split", "data", "part"), PARTS)
def test_the_part_comes_from_the_splits_and_not_from_names(split: str, data: str, part: str) -> None:
    truth, rows = data.split(", ")
    code = swept(
        f"f = f1_score({truth}, LogisticRegression(C=c).fit(A, u).predict({rows}) > c)", "best = max(best, f)", "best"
    )
    again = f"\nif best: print(f1_score({truth}, LogisticRegression(C=best).fit(A, u).predict({rows})))"
    found = {event.facts["part"] for event in choices(f"{split}\n{code}{again}")}
    assert found == ({part} if part != "train" else set())


def test_the_place_is_the_comparison() -> None:
    (event, *_) = choices(swept(OF_MODELS, "if f > best: best = f", "best"))
    assert isinstance(event.node, ast.Compare)
