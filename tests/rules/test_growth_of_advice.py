"""Twice as many findings take twice the work to put into words: lines that run are counted, nothing is timed.

`tests/fuzz/test_growth.py` counts the calls of whole checks, in which advice and texts are too small a part to be seen.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import cvlint
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions
from tests.rules.test_own_names import COUNTS, FIT, HEAD, LOOP, MODEL, SPLIT

OPTIONS = CheckOptions(frozenset(one.name for one in load_rules()), confidence="low", jobs=1)
COUNTED = tuple(str(Path(cvlint.__file__).parent / room) for room in ("rules", "findings"))
"""The rooms that make findings of events, with their messages, advice, fingerprints and traces."""

MANY = 12

PIECES = {
    "labels in the place of scores": MODEL.format(model="SVC()") + "print(roc_auc_score(y_te, hard))\n",
    "labels cut from scores": "hard = (p > 0.5).astype(int)\nprint(roc_auc_score(y_te, hard))\n",
    "mean over folds": LOOP.format(splitter="StratifiedKFold()"),
    "mean over folds of one call": "print(cross_val_score(clf, data, labels, scoring='f1', cv=7).mean())\n",
    "pooled scores": "s = cross_val_predict(clf, X, y, cv=3, method='predict_proba')\nroc_auc_score(y, s[:, 1])\n",
    "folds without strata": "kf = KFold(4)\nfor a, b in kf.split(X):\n    f1_score(y[b], m.fit(X[a]).predict(X[b]))\n",
    "folds given by keyword": "kf = KFold(4)\nprint(cross_val_score(m, X, y, cv=kf, scoring='f1'))\n",
    "transform before the split": FIT.format(then=SPLIT.format(data="Z")),
    "transform before the folds": FIT.format(then="print(cross_val_score(LogisticRegression(), Z, y))"),
    "formula of counts": f"{COUNTS}P = tp / (tp + fp)\nprint(P)\n",
    "formula of a confusion matrix": (
        "tn, fp, fn, tp = confusion_matrix(y, p).ravel()\nR = tp / (tp + fn)\nprint(R)\n"
    ),
    "search": ("gs = GridSearchCV(SVC(), {'C': [1, 2]}, scoring='f1')\ngs.fit(data, labels)\nprint(gs.best_score_)\n"),
}


@contextmanager
def counted_steps() -> Iterator[Counter[str]]:
    """Count the lines that run in each function of the rooms; each round of a comprehension is one."""
    steps: Counter[str] = Counter()

    def step(frame: FrameType, event: str, argument: Any) -> Any:
        if event in ("call", "line"):
            steps[f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}"] += 1
        return step

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return step(frame, event, argument) if frame.f_code.co_filename.startswith(COUNTED) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield steps
    finally:
        sys.settrace(before)


def steps_for(text: str) -> tuple[int, Counter[str]]:
    """The number of findings in a program, and the steps that it takes to make them."""
    data = (HEAD + "from sklearn.metrics import confusion_matrix\n" + text).encode()
    with counted_steps() as steps:
        result = check_bytes(data, Path("train.py"), "train.py", OPTIONS)
    return len(result.findings), steps


@pytest.mark.parametrize("piece", PIECES)
def test_twice_the_findings_take_twice_the_steps(piece: str) -> None:
    text = PIECES[piece]
    few, steps = steps_for(text * MANY)
    many, more = steps_for(text * (2 * MANY))
    assert many == 2 * few >= 2 * MANY or many == few == 1  # the same fault again is one finding with many places
    grown = {name: (steps[name], more[name]) for name in more if more[name] > 2.5 * steps[name] + 300}
    assert not grown
    assert more.total() < 2.3 * steps.total()
