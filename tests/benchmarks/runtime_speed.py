"""How fast the runtime companion is, compared with other ways to the same numbers: ``python runtime_speed.py``.

Prints the seconds of CPU of (a) cvlint and (b) the other way, each the best of the repetitions, and b/a:
AUC of ten million scores with scikit-learn; every aggregate of ten folds of a million samples with the scikit-learn
calls that give the same numbers, and of a hundred folds of a million samples in all; every aggregate of a CSV file of a
million samples with pandas and scikit-learn, for scores alone and with labels; a million repetitions of the simulation
(ten folds, five aggregates) with plain vectorised numpy. With ``--rows`` it prints instead how long a file with so many
rows takes to read and to recompute (``--ending .csv`` or ``.parquet``), and the peak memory of that.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from cvlint.runtime import FoldSet, read, recompute
from cvlint.runtime.measures.ranking import Ranking
from cvlint.runtime.simulation.monte_carlo import simulate
from cvlint.runtime.simulation.simulated_cv import Setting


def best(action: Callable[[], object], times: int) -> float:
    """The seconds of CPU of the quickest of several runs: all that is measured here is computed in one process."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def with_sklearn(fold: np.ndarray, true: np.ndarray, pred: np.ndarray, score: np.ndarray) -> list[float]:
    """The aggregates of `recompute` by calls of scikit-learn: in each fold, and over all folds."""
    rows = [np.flatnonzero(fold == i) for i in np.unique(fold)]
    measures = (f1_score, precision_score, recall_score)
    each = np.array([[m(true[r], pred[r], zero_division=0) for m in measures] for r in rows])
    f, p, q = each.mean(axis=0)
    ranked = np.array([[m(true[r], score[r]) for m in (roc_auc_score, average_precision_score)] for r in rows])
    whole = [f1_score(true, pred), roc_auc_score(true, score), average_precision_score(true, score)]
    return [f, 2 * p * q / (p + q), *ranked.mean(axis=0), *whole]


def stored_set(path: Path) -> FoldSet:
    """The samples in a file, as cvlint reads them."""
    data = read(path).data
    assert isinstance(data, FoldSet)
    return data


def with_pandas(path: Path) -> list[float]:
    """Every aggregate that `cvlint recompute` prints of a file, by pandas and scikit-learn: a script that users write.

    Without a column ``y_pred`` those of AUC and AP only.
    """
    import pandas

    frame = pandas.read_csv(path)
    folds = [part for _, part in frame.groupby("fold")]
    found = [np.mean([roc_auc_score(part.y_true, part.y_score) for part in folds])]
    found += [np.mean([average_precision_score(part.y_true, part.y_score) for part in folds])]
    found += [m(frame.y_true, frame.y_score) for m in (roc_auc_score, average_precision_score)]
    if "y_pred" not in frame:
        return found
    measures = (f1_score, precision_score, recall_score)
    each = np.array([[m(part.y_true, part.y_pred, zero_division=np.nan) for m in measures] for part in folds])
    for f, p, q in (np.nan_to_num(each).mean(axis=0), each[~np.isnan(each).any(axis=1)].mean(axis=0)):
        found += [f, 2 * p * q / (p + q)]
    return [*found, f1_score(frame.y_true, frame.y_pred)]


def with_cvlint(path: Path) -> list[float]:
    """The same numbers in the same order by cvlint, which also computes the expected biases."""
    (found,) = recompute(stored_set(path))
    names = ["auc_avg", "ap_avg", "auc_merge", "ap_merge", "f_avg", "f_prre", "f_avg_valid", "f_prre_valid", "f_tpfp"]
    known = {a.name: a.value for a in found.aggregates}
    return [known[name] for name in names if name in known]


def plain_simulation(repetitions: int) -> list[float]:
    """The same simulation in plain numpy: arrays of (repetitions, folds), in blocks that fit the memory."""
    rng = np.random.default_rng(0)
    sums = np.zeros(5)
    for _ in range(repetitions // 100_000):
        tp = rng.binomial(1, 0.8, (100_000, 10))
        fp = rng.binomial(99, 2 / 990, (100_000, 10))
        valid = tp + fp > 0
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(valid, tp / (tp + fp), 0)
            recall = tp / 1
            f = np.where(valid, 2 * tp / (1 + tp + fp), 0)
            p, r = precision.mean(axis=1), recall.mean(axis=1)
            n = valid.sum(axis=1)
            pv, rv = precision.sum(axis=1) / n, recall.sum(axis=1) / n
            total, alarms = tp.sum(axis=1), fp.sum(axis=1)
            values = (f.mean(axis=1), 2 * p * r / (p + r), 2 * total / (10 + total + alarms), f.sum(axis=1) / n)
            sums += [np.nansum(v) for v in (*values, 2 * pv * rv / (pv + rv))]
    return list(sums / repetitions)


def judge_file(rows: int, ending: str) -> None:
    """Write a file with fold data in one process, read and recompute it in another, and print the memory of that."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"folds{ending}"
        made = f"write_rows({rows}, Path({str(path)!r}))"
        here = [sys.executable, "-c", f"from runtime_speed import *; {made}"]
        subprocess.run(here, check=True, cwd=Path(__file__).parent)
        started = time.perf_counter()
        recomputing = [sys.executable, "-m", "cvlint", "recompute", str(path), "--replicates", "0"]
        subprocess.run(recomputing, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
        size = path.stat().st_size / 1e9
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    print(f"{rows:,} rows, a {ending} file of {size:.2f} GB: {seconds:.1f} s, at most {memory:.2f} GB of memory")


def write_rows(rows: int, path: Path, labels: bool = False) -> None:
    """A CSV or Parquet file of ten folds with scores, and maybe labels.

    It is written a million rows at a time: writing must need less memory than reading.
    """
    rng = np.random.default_rng(0)
    writer: Any = None
    for start in range(0, rows, 10**6):
        n = min(10**6, rows - start)
        true = rng.random(n) < 0.1
        score = rng.normal(size=n) + true
        columns = {"fold": np.arange(n) % 10, "y_true": true.astype(int)}
        columns |= {"y_pred": (score > 1).astype(int)} if labels else {}
        columns |= {"y_score": score.round(6)}
        if path.suffix == ".csv":
            with path.open("a", encoding="utf-8") as file:
                header = "" if start else ",".join(columns)
                file.write(header + "\n" * bool(header))
                file.writelines(",".join(map(str, row)) + "\n" for row in zip(*columns.values(), strict=True))
            continue
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.table(columns)
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--rows", type=int, metavar="N")
    parser.add_argument("--ending", choices=(".csv", ".parquet"), default=".parquet")
    given = parser.parse_args()
    if given.rows:
        judge_file(given.rows, given.ending)
        return
    times = given.times
    rng = np.random.default_rng(0)
    setting = Setting(1000, 10)
    a = best(lambda: simulate(setting, 1_000_000), times)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    b = best(lambda: plain_simulation(1_000_000), times)
    print(f"simulation, 10^6 repetitions        ours {a:7.3f} s  numpy        {b:7.3f} s  b/a {b / a:6.2f}")
    print(f"                                    peak memory of the process until then {memory:.0f} MB")
    true = rng.random(10**7) < 0.1
    score = rng.normal(size=10**7) + true
    a = best(lambda: Ranking.of(true, score).roc_auc(), times)
    b = best(lambda: roc_auc_score(true, score), times)
    print(f"AUC of 10^7 scores                  ours {a:7.3f} s  scikit-learn {b:7.3f} s  b/a {b / a:6.2f}")
    fold, labels, pred = np.arange(10**7) % 10, true.astype(np.int64), (score > 1).astype(np.int64)
    a = best(lambda: recompute(FoldSet.from_arrays(fold, labels, pred, score)), times)
    b = best(lambda: with_sklearn(fold, labels, pred, score), 1)
    print(f"all aggregates, 10 folds of 10^6    ours {a:7.3f} s  scikit-learn {b:7.3f} s  b/a {b / a:6.2f}")
    small = np.arange(10**6) % 100, labels[: 10**6], pred[: 10**6], score[: 10**6]
    a = best(lambda: recompute(FoldSet.from_arrays(*small)), times)
    without = best(lambda: recompute(FoldSet.from_arrays(*small), simulated=False), times)
    b = best(lambda: with_sklearn(*small), times)
    print(f"all aggregates, 100 folds, 10^6     ours {a:7.3f} s  scikit-learn {b:7.3f} s  b/a {b / a:6.2f}")
    print(
        f"   without expected biases, as there  ours {without:7.3f} s                          b/a {b / without:6.2f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for what in ("scores", "labels and scores"):
            path = Path(folder) / f"{what}.csv"
            write_rows(10**6, path, labels=what != "scores")
            np.testing.assert_allclose(with_cvlint(path), with_pandas(path), rtol=1e-9)
            a, b = (best(lambda act=act, path=path: act(path), times) for act in (with_cvlint, with_pandas))
            print(f"a CSV file of 10^6 rows, every aggregate of its {what}")
            print(f"                                    ours {a:7.3f} s  with pandas  {b:7.3f} s  b/a {b / a:6.2f}")


if __name__ == "__main__":
    main()
