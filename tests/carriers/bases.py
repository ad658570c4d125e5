"""Faults, and right programs of the same shape, with a place where a value can travel.

``{value}`` (one value), or ``{before}``, ``{inside}`` and ``{after}`` (all values of a loop) are where a construct
stands; what travels is called ``made``, and what arrives ``got``. The names say nothing of folds, measures or parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

HEAD = """\
import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, precision_score, recall_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, train_test_split
from sklearn.preprocessing import StandardScaler
{define}
X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
model = LogisticRegression()
"""

Kind = Literal["value", "array", "collection", "arrays"]


@dataclass(frozen=True, slots=True)
class Base:
    """A program with a fault of ``rule``, and its right twin, which has no finding."""

    name: str
    rule: str
    kind: Kind
    faulty: str
    right: str = ""


FOLDS = """\
{{before}}
for a, b in StratifiedKFold(5).split(X, y):
    model.fit(X[a], y[a])
    made = {measure}
    {{inside}}
{{after}}
{end}
"""
F = "f1_score(y[b], model.predict(X[b]))"
ACCURACY = "accuracy_score(y[b], model.predict(X[b]))"
PROBABILITY = "model.predict_proba(X[b])[:, 1]"

SPLIT = "A, B, c, d = train_test_split(X, y, random_state=0)\nmodel.fit(A, c)\n"
BATCHES = (
    SPLIT
    + """\
{{before}}
for i in range(0, len(d), 25):
    made = {measure}
    {{inside}}
{{after}}
print(np.mean(got))
"""
)

BASES = (
    Base(
        "fold F",
        "mean-of-fold-f",
        "collection",
        FOLDS.format(measure=F, end="print(np.mean(got))"),
        FOLDS.format(measure=ACCURACY, end="print(np.mean(got))"),
    ),
    Base(
        "one fold's F",
        "mean-of-fold-f",
        "value",
        FOLDS.format(measure=F, end="print(np.mean(scores))")
        .replace("{before}", "scores = []")
        .replace("{inside}", "{value}\n    scores.append(got)")
        .replace("{after}", ""),
        FOLDS.format(measure=ACCURACY, end="print(np.mean(scores))")
        .replace("{before}", "scores = []")
        .replace("{inside}", "{value}\n    scores.append(got)")
        .replace("{after}", ""),
    ),
    Base(
        "skipped folds",
        "skipped-undefined-fold",
        "collection",
        FOLDS.format(measure="roc_auc_score(y[b], model.predict_proba(X[b])[:, 1])", end="print(np.nanmean(got))"),
        FOLDS.format(measure=ACCURACY, end="print(np.nanmean(got))"),
    ),
    Base(
        "pooled scores",
        "auc-merge",
        "arrays",
        FOLDS.format(measure=PROBABILITY, end="print(roc_auc_score(np.concatenate(truth), np.concatenate(got)))")
        .replace("{before}", "truth = []\n{before}")
        .replace("{inside}", "truth.append(y[b])\n    {inside}"),
        FOLDS.format(measure="model.predict(X[b])", end="print(f1_score(np.concatenate(truth), np.concatenate(got)))")
        .replace("{before}", "truth = []\n{before}")
        .replace("{inside}", "truth.append(y[b])\n    {inside}"),
    ),
    Base(
        "out-of-fold array",
        "auc-merge",
        "array",
        "made = np.zeros(len(y))\nfor a, b in StratifiedKFold(5).split(X, y):\n    model.fit(X[a], y[a])\n"
        "    made[b] = model.predict_proba(X[b])[:, 1]\n{value}\nprint(roc_auc_score(y, got))",
        "made = np.zeros(len(y))\nfor a, b in StratifiedKFold(5).split(X, y):\n    model.fit(X[a], y[a])\n"
        "    made[b] = model.predict(X[b])\n{value}\nprint(f1_score(y, got))",
    ),
    Base(
        "hard labels",
        "auc-hard-labels",
        "array",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nmodel.fit(A, c)\nmade = model.predict(B)\n{value}\n"
        "print(roc_auc_score(d, got))",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nmodel.fit(A, c)\nmade = model.predict_proba(B)[:, 1]\n{value}\n"
        "print(roc_auc_score(d, got))",
    ),
    Base(
        "scaled before the split",
        "preprocess-before-split",
        "array",
        "made = StandardScaler().fit_transform(X)\n{value}\nA, B, c, d = train_test_split(got, y, random_state=0)\n"
        "model.fit(A, c)\nprint(f1_score(d, model.predict(B)))",
        "made = np.log1p(np.abs(X))\n{value}\nA, B, c, d = train_test_split(got, y, random_state=0)\n"
        "model.fit(A, c)\nprint(f1_score(d, model.predict(B)))",
    ),
    Base(
        "threshold on the test part",
        "threshold-on-test",
        "value",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nmodel.fit(A, c)\np = model.predict_proba(B)[:, 1]\n"
        "best, t_best = 0, 0\nfor t in np.linspace(0.1, 0.9, 17):\n    made = f1_score(d, p > t)\n    {value}\n"
        "    if got > best:\n        best, t_best = got, t\nprint(best)",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nmodel.fit(A, c)\np = model.predict_proba(A)[:, 1]\n"
        "best, t_best = 0, 0\nfor t in np.linspace(0.1, 0.9, 17):\n    made = f1_score(c, p > t)\n    {value}\n"
        "    if got > best:\n        best, t_best = got, t\nprint(f1_score(d, model.predict_proba(B)[:, 1] > t_best))",
    ),
    Base(
        "best model on the test part",
        "max-over-test",
        "value",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nbest = 0\nfor C in [0.01, 0.1, 1, 10]:\n"
        "    model = LogisticRegression(C=C).fit(A, c)\n    made = f1_score(d, model.predict(B))\n    {value}\n"
        "    if got > best:\n        best = got\nprint(best)",
        "A, B, c, d = train_test_split(X, y, random_state=0)\nA, V, c, w = train_test_split(A, c, random_state=0)\n"
        "best, kept = 0, None\nfor C in [0.01, 0.1, 1, 10]:\n    model = LogisticRegression(C=C).fit(A, c)\n"
        "    made = f1_score(w, model.predict(V))\n    {value}\n    if got > best:\n        best, kept = got, model\n"
        "print(f1_score(d, kept.predict(B)))",
    ),
    Base(
        "search",
        "search-best-f",
        "value",
        "search = GridSearchCV(model, {{'C': [0.1, 1]}}, scoring='f1').fit(X, y)\nmade = search.best_score_\n{value}\nprint(got)",
        "search = GridSearchCV(model, {{'C': [0.1, 1]}}, scoring='accuracy').fit(X, y)\nmade = search.best_score_\n{value}\n"
        "print(got)",
    ),
    Base(
        "cross_val_score",
        "mean-of-fold-f",
        "array",
        "made = cross_val_score(model, X, y, cv=5, scoring='f1')\n{value}\nprint(np.mean(got))",
        "made = cross_val_score(model, X, y, cv=5, scoring='accuracy')\n{value}\nprint(np.mean(got))",
    ),
    Base(
        "wrong formula",
        "wrong-f-definition",
        "value",
        SPLIT + "h = model.predict(B)\nmade = precision_score(d, h)\n{value}\nr = recall_score(d, h)\n"
        "f1 = got * r / (got + r)\nprint(f1)",
        SPLIT + "h = model.predict(B)\nmade = precision_score(d, h)\n{value}\nr = recall_score(d, h)\n"
        "f1 = 2 * got * r / (got + r) if got + r else 0.0\nprint(f1)",
    ),
    Base(
        "result of a wrong formula",
        "wrong-f-definition",
        "value",
        SPLIT + "h = model.predict(B)\nprecision, r = precision_score(d, h), recall_score(d, h)\n"
        "made = precision * r / (precision + r)\n{value}\nf1 = got\nprint(f1)",
        SPLIT + "h = model.predict(B)\nprecision, r = precision_score(d, h), recall_score(d, h)\n"
        "made = 2 * precision * r / (precision + r) if precision + r else 0.0\n{value}\nf1 = got\nprint(f1)",
    ),
    Base(
        "means of precision and recall",
        "f-of-mean-pr",
        "collection",
        FOLDS.format(measure="precision_score(y[b], model.predict(X[b]))", end="{end}")
        .replace("{before}", "recalls = []\n{before}")
        .replace("{inside}", "recalls.append(recall_score(y[b], model.predict(X[b])))\n    {inside}")
        .replace("{end}", "p, r = np.mean(got), np.mean(recalls)\nprint(2 * p * r / (p + r))"),
        FOLDS.format(measure="precision_score(y[b], model.predict(X[b]))", end="{end}")
        .replace("{before}", "recalls = []\n{before}")
        .replace("{inside}", "recalls.append(recall_score(y[b], model.predict(X[b])))\n    {inside}")
        .replace("{end}", "print(got[0], recalls[0])"),
    ),
    Base(
        "F of batches",
        "mean-of-batch-f",
        "collection",
        BATCHES.format(measure="f1_score(d[i : i + 25], model.predict(B[i : i + 25]))"),
        BATCHES.format(measure="accuracy_score(d[i : i + 25], model.predict(B[i : i + 25]))"),
    ),
    Base(
        "resampled before the split",
        "resampled-before-split",
        "array",
        "rows = np.concatenate([np.arange(len(y)), np.random.RandomState(0).choice(np.where(y == 1)[0], 100)])\n"
        "made = rows\n{value}\nA, B, c, d = train_test_split(X[got], y[got], random_state=0)\n"
        "model.fit(A, c)\nprint(f1_score(d, model.predict(B)))",
        "made = np.arange(len(y))\n{value}\nA, B, c, d = train_test_split(X[got], y[got], random_state=0)\n"
        "model.fit(A, c)\nprint(f1_score(d, model.predict(B)))",
    ),
)
