"""What a program writes to a path, it reads again under the same path."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.analysis.domain.texts import anonymous, fits, is_same_file
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

HEAD = """
import csv, glob, json, os, pickle
import numpy as np
import pandas as pd
from pathlib import Path
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold
"""
LOOP = """
for i, (a, b) in enumerate(StratifiedKFold(5).split(X, y)):
    model.fit(X[a], y[a])
    made = {measure}(y[b], model.predict(X[b]))
    {inside}
{after}
"""
ROUND_TRIPS = [
    ("", "np.save(f'part{i}.npy', made)", "print(np.mean([np.load(f'part{k}.npy') for k in range(5)]))"),
    (
        "",
        "name = make(i); path = name + '.npy'; np.save(path, made)",
        "print(np.mean([np.load(make(k) + '.npy') for k in range(5)]))",
    ),
    ("n = 0", "np.save('f%d' % n, made); n += 1", "print(np.mean([np.load('f%d.npy' % k) for k in range(5)]))"),
    (
        "out = get()",
        "json.dump({'a': made}, open(os.path.join(out, f'r{i}.json'), 'w'))",
        "print(np.mean([json.load(open(os.path.join(out, f'r{k}.json')))['a'] for k in range(5)]))",
    ),
    ("f = open('log.txt', 'w')", "f.write(f'{made}\\n')", "print(np.mean([float(line) for line in open('log.txt')]))"),
    (
        "w = csv.writer(open('log.csv', 'w'))\nw.writerow(['n', 'a'])",
        "w.writerow([i, made])",
        "print(pd.read_csv('log.csv')['a'].mean())",
    ),
    (
        "",
        "pd.DataFrame({'a': [made]}).to_csv(f'r_{i}.csv')",
        "print(pd.concat([pd.read_csv(p) for p in glob.glob('r_*.csv')])['a'].mean())",
    ),
    (
        "def keep(x, path):\n    with open(path, 'wb') as f:\n        pickle.dump(x, f)\nbox = []",
        "box.append(made)",
        "keep(box, 'r.pkl')\nprint(np.mean(pickle.load(open('r.pkl', 'rb'))))",
    ),
]
OTHERS = [
    ("box = []", "box.append(made)", "np.save('a.npy', box)\nprint(np.load('b.npy').mean())"),
    ("box = []", "box.append(made)", "np.save('old/a.npy', box)\nprint(np.load('new/a.npy').mean())"),
    ("box = []", "box.append(made)", "np.save('a.npy', box)\nnp.save('a.npy', X)\nprint(np.load('a.npy').mean())"),
    ("", "json.dump([made], open('r.json', 'w'))", "print(np.mean(json.load(open('r.json'))))"),
]


def found(before: str, inside: str, after: str, measure: str = "f1_score") -> set[str]:
    text = HEAD + before + LOOP.format(measure=measure, inside=inside, after=after)
    options = CheckOptions(frozenset(rule.name for rule in load_rules()))
    return {one.rule for one in check_bytes(text.encode(), Path("program.py"), "program.py", options).findings}


@pytest.mark.parametrize(("before", "inside", "after"), ROUND_TRIPS)
def test_a_file_carries_the_folds(before: str, inside: str, after: str) -> None:
    assert "mean-of-fold-f" in found(before, inside, after)
    assert not found(before, inside, after, "accuracy_score")


@pytest.mark.parametrize(("before", "inside", "after"), OTHERS)
def test_another_file_and_an_overwritten_one_do_not(before: str, inside: str, after: str) -> None:
    assert not found(before, inside, after)


def test_patterns_tell_paths_apart() -> None:
    assert fits("fold\0\0.npy", "fold3.npy")
    assert not fits("fold\0\0.npy", "folds/3.npy")
    assert is_same_file("\0out@1\0/scores.npy", "\0args.out@0\0/scores.npy")
    assert not is_same_file("old/scores.npy", "\0args.out@0\0/scores.npy")
    assert not is_same_file("\0path@1\0", "\0path@2\0")
    assert anonymous("\0out@1\0/\0\0.npy") == "\0/\0.npy"
