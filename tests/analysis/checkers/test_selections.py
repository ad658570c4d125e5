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
    return [event for event in Analysis(load_knowledge()).analyse(read.source).events if event.name == "choose"]


def swept(measure: str, keep: str, shown: str) -> str:
    body = "\n    ".join([*measure.split("\n"), *keep.split("\n")])
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
        ("if f < best: best = f", "best"),  # the worst
        ("if f >= best: continue\nbest = f", "best"),
        ("best = f if f < best else best", "best"),
        ("best = best if best < f else f", "best"),
        ("if 1 - f > best: best = 1 - f", "best"),
    ],
)
def test_other_comparisons_choose_nothing(keep: str, shown: str) -> None:
    assert choices(swept(OF_MODELS, keep, shown)) == []


@pytest.mark.parametrize("keep", ["if f > best: best = f\nprint(best)", "if f > best:\n    best = f\n    print(best)"])
def test_the_best_so_far_is_the_result_if_nothing_is_shown_after_it(keep: str) -> None:
    (event,) = choices(swept(OF_MODELS, keep, "'done'"))
    assert event.trace[-1].heuristic
    assert choices(swept(OF_MODELS, keep, "f1_score(v, model.predict(B))")) == []
    assert not any(event.trace[-1].heuristic for event in choices(swept(OF_MODELS, keep, "best")))


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


SWEEPS = [
    "f = f1_score(v, np.greater(p, c))",
    "f = f1_score(v, (p - c) > 0)",
    "f = f1_score(v, [1 if s > c else 0 for s in p])",
    "q = p.copy()\nq[q > c] = 1\nf = f1_score(v, q)",
    "at = c / 2\nq = p > at\nf = f1_score(v, q)",
    "q = p > c\ntp, wrong = np.sum(q & (v == 1)), np.sum(q ^ (v == 1))\nf = 2 * tp / (2 * tp + wrong)",
]


@pytest.mark.parametrize("measure", SWEEPS)
def test_a_sweep_is_told_by_its_comparison(measure: str) -> None:
    found = choices(swept(measure, "best = max(best, f)", "best"))
    assert {event.facts["what"] for event in found} == {"threshold"}


@pytest.mark.parametrize(("loop", "bound"), [("True", "if at > 1: break"), ("at < 1", "pass")])
def test_a_loop_without_a_variable_sweeps_by_what_it_adds_to(loop: str, bound: str) -> None:
    code = f"at = 0\nwhile {loop}:\n    best = max(best, f1_score(v, p > at))\n    at += 0.1\n    {bound}\nprint(best)"
    assert {event.facts["what"] for event in choices(code)} == {"threshold"}


@pytest.mark.parametrize(
    ("rows", "is_same"),
    [
        ("v == c", False),
        ("np.random.randint(0, 9, 9)", False),
        ("np.load(f'{c}.npy')", False),
        ("np.arange(9)", True),
    ],
)
def test_the_best_of_several_samples_is_no_choice(rows: str, is_same: bool) -> None:
    code = swept(
        f"k = {rows}\nf = f1_score(v[k], LogisticRegression(C=c).fit(A, u).predict(B)[k])",
        "best = max(best, f)",
        "best",
    )
    assert bool(choices(code)) == is_same


ENDS = [
    ("max(rows)", True),
    ("max(rows)[0]", True),
    ("sorted(rows)[-1]", True),
    ("max(row[0] for row in rows) - min(row[0] for row in rows)", False),
    ("sorted((c, f) for f, c in rows)[-1]", False),  # in the order of C
    ("min(rows)", False),
    ("sorted(rows)", False),
]


@pytest.mark.parametrize(("shown", "is_best"), ENDS)
def test_rows_are_compared_by_their_first_entry(shown: str, is_best: bool) -> None:
    code = f"rows = [(f1_score(v, LogisticRegression(C=c).fit(A, u).predict(B)), c) for c in range(9)]\nprint({shown})"
    assert bool(choices(code)) == is_best


def test_the_best_beside_the_mean_is_no_result() -> None:
    code = "f = [f1_score(v, LogisticRegression(C=c).fit(A, u).predict(B)) for c in range(9)]\n"
    assert choices(code + "print(max(f))")
    assert not choices(code + "print(np.mean(f), max(f))")


def test_a_row_tells_what_its_own_entries_were_measured_on() -> None:
    code = """
A, V, u, w = train_test_split(A, u)
rows = []
for c in range(9):
    model = LogisticRegression(C=c).fit(A, u)
    rows.append({"a": f1_score(w, model.predict(V)), "b": f1_score(v, model.predict(B))})
"""
    assert not choices(code + "print(max(rows, key=lambda row: row['a'])['b'])")
    assert choices(code + "print(max(rows, key=lambda row: row['b'])['b'])")
