"""How much longer an experiment takes under `cvlint run`: whole processes, and without the report at the end.

    python tests/benchmarks/run_overhead.py [ROUNDS]

Plain and recorded runs alternate; medians are printed. The experiment is a random forest in a cross-validation by hand,
in cross_validate with several scorers, and in a grid search, on 20,000 samples and 10 folds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

EXPERIMENT = """\
import time
begun = time.perf_counter()
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate

X, y = make_classification(n_samples=20_000, n_features=12, n_informative=6, weights=[0.95], random_state=0)
cv = StratifiedKFold(10, shuffle=True, random_state=0)
model = RandomForestClassifier(n_estimators=20, max_depth=8, random_state=0)

f1s, aucs, ps, rs = [], [], [], []
for train, test in cv.split(X, y):
    model.fit(X[train], y[train])
    predicted = model.predict(X[test])
    f1s.append(f1_score(y[test], predicted))
    ps.append(precision_score(y[test], predicted))
    rs.append(recall_score(y[test], predicted))
    aucs.append(roc_auc_score(y[test], model.predict_proba(X[test])[:, 1]))
print(np.mean(f1s), np.mean(aucs))
print(cross_validate(model, X, y, cv=cv, scoring=["f1", "roc_auc", "average_precision"])["test_f1"].mean())
search = GridSearchCV(model, {"max_depth": [4, 8]}, scoring="f1", cv=cv, n_jobs=-1).fit(X, y)
print(search.best_score_)
import sys
print(time.perf_counter() - begun, file=sys.stderr)
"""


def timed(command: list[str], folder: str) -> tuple[float, float]:
    """Seconds of the whole process, and from the experiment's first line to its last."""
    begun = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return time.perf_counter() - begun, float(done.stderr.splitlines()[0])


def main() -> None:
    """Print the ratios."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "train.py").write_text(EXPERIMENT)
        plain: list[tuple[float, float]] = []
        ours: list[tuple[float, float]] = []
        for _ in range(rounds):
            plain.append(timed([sys.executable, "train.py"], folder))
            ours.append(timed([sys.executable, "-m", "cvlint", "run", "train.py"], folder))
            (a, alone), (b, ours_alone) = plain[-1], ours[-1]
            print(f"plain {a:.2f} s ({alone:.2f} alone), cvlint run {b:.2f} s ({ours_alone:.2f})", flush=True)
    for i, what in enumerate(("whole process", "the experiment alone, without start, check and report")):
        a, b = (statistics.median(times[i] for times in each) for each in (plain, ours))
        print(f"{what}: {a:.2f} s plain, {b:.2f} s with cvlint, {100 * (b / a - 1):+.1f} %")


if __name__ == "__main__":
    main()
