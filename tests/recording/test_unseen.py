"""Test that libraries whose measures are not recorded are named, and that others are seen through.

torch, TensorFlow and Lightning are too large to install for a test: the stand-ins have the modules, classes and
signatures that the hooks touch, and compute real numbers. Hugging Face's evaluate is also tested itself where it is
installed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from cvlint.runtime.data.reading import read_each

OBJECTS = """\
import numpy as np
class Metric:
    def __init__(self, **kwargs):
        self.true, self.pred = [], []
    def update(self, preds, target):
        self.true.extend(target)
        self.pred.extend(preds)
class BinaryF1Score(Metric):
    def __init__(self, threshold=0.5, **kwargs):
        super().__init__(**kwargs)
    def compute(self):
        true, pred = np.array(self.true), np.array(self.pred)
        return 2 * (true & pred).sum() / (true.sum() + pred.sum())
class MeanSquaredError(Metric):
    pass
"""

LIGHTNING = """\
class LightningModule:
    def __init__(self):
        self.logged = {}
    def log(self, name, value, prog_bar=False, on_epoch=None):
        self.logged.setdefault(name, []).append(value)
    def log_dict(self, dictionary, prog_bar=False):
        for name, value in dictionary.items():
            self.log(name, value)
"""


def library(folder: Path, **modules: str) -> None:
    """Write packages into a folder of libraries; a name has __ for each dot."""
    for name, code in modules.items():
        *parents, last = name.split("__")
        at = folder / "site-packages"
        for parent in parents:
            at = at / parent
            at.mkdir(parents=True, exist_ok=True)
            (at / "__init__.py").touch()
        (at / f"{last}.py").write_text(code)


HEAD = "import sys\nsys.path.insert(0, 'site-packages')\n"
TORCHMETRICS = f"""{HEAD}
from torchmetrics.metric import BinaryF1Score, MeanSquaredError
for _ in range(2):
    metric = BinaryF1Score(threshold=0.5)
MeanSquaredError()
metric.update([1, 0, 1], [1, 1, 1])
print(metric.compute())
"""
KERAS = f"""{HEAD}
from keras.src.metrics.metric import BinaryF1Score
metric = BinaryF1Score(); metric.update([1, 0, 1], [1, 1, 1]); print(metric.compute())
"""
LIGHT = f"""{HEAD}
from lightning.pytorch.core.module import LightningModule
class Net(LightningModule):
    def validation_step(self, batch):
        self.log("val_f1", 0.5, on_epoch=True)
        self.log_dict({{"val_loss": 0.5, "auroc": 0.25}})
net = Net(); net.validation_step(0); net.validation_step(1); print(net.logged)
"""


def test_objects_of_torchmetrics_are_named(started: Any, tmp_path: Path) -> None:
    library(tmp_path, torchmetrics__metric=OBJECTS)
    (tmp_path / "s.py").write_text(TORCHMETRICS)
    result = started("-m", "cvlint", "run", "s.py")
    assert (result.returncode, result.stdout) == (0, "0.8\n")
    (line,) = result.stderr.splitlines()
    assert (
        f"What the torchmetrics object BinaryF1Score computes (line 6 of {tmp_path / 's.py'}) is not recorded. To "
        in line
    )
    assert "call a function of sklearn.metrics or torchmetrics.functional on all predictions of the fold." in line


@pytest.mark.parametrize("module", ["keras__src__metrics__metric", "keras__src__metrics__base_metric"])
def test_objects_of_keras_are_named(started: Any, tmp_path: Path, module: str) -> None:
    library(tmp_path, **{module: OBJECTS})
    (tmp_path / "s.py").write_text(KERAS.replace("keras.src.metrics.metric", module.replace("__", ".")))
    result = started("-m", "cvlint", "run", "s.py")
    assert (result.returncode, result.stdout) == (0, "0.8\n")
    assert "What the Keras object BinaryF1Score computes (line 5 of " in result.stderr


def test_values_that_lightning_logs_are_named(started: Any, tmp_path: Path) -> None:
    library(tmp_path, lightning__pytorch__core__module=LIGHTNING)
    (tmp_path / "s.py").write_text(LIGHT)
    result = started("-m", "cvlint", "run", "s.py")
    assert result.stdout == "{'val_f1': [0.5, 0.5], 'val_loss': [0.5, 0.5], 'auroc': [0.25, 0.25]}\n"
    assert [line.partition(" that Lightning")[0] for line in result.stderr.splitlines()] == [
        "cvlint: The value of val_f1", "cvlint: The value of auroc",
    ]  # fmt: skip


TRAINER = """\
class EvalPrediction:
    def __init__(self, predictions, label_ids):
        self.predictions, self.label_ids = predictions, label_ids
class Trainer:
    def __init__(self, predict, compute_metrics):
        self.predict, self.compute_metrics = predict, compute_metrics
    def evaluate(self, X, y):
        return {f"eval_{k}": v for k, v in self.compute_metrics(EvalPrediction(self.predict(X), y)).items()}
"""


def test_the_compute_metrics_of_a_trainer_is_seen(experiment: Any, tmp_path: Path) -> None:
    library(tmp_path, transformers__trainer=TRAINER)
    code = f"""{HEAD}
from transformers.trainer import Trainer
def compute_metrics(prediction):
    return {{"f1": f1_score(prediction.label_ids, (prediction.predictions > 0).astype(int))}}
f1s = []
for train, test in cv.split(X, y):
    trainer = Trainer(model.fit(X[train], y[train]).decision_function, compute_metrics)
    f1s.append(trainer.evaluate(X[test], y[test])["eval_f1"])
print(np.mean(f1s))
"""
    result = experiment(code, "--capture", "f.csv")
    ((name, folds),) = read_each(tmp_path / "f.csv")[0]
    assert (name, folds.folds, len(folds)) == ("train.py:17", 5, 400)
    assert result.returncode == 0, result.stderr


METRIC = """\
import datasets
import evaluate
from sklearn.metrics import f1_score

INT = datasets.Value("int32")

class F1(evaluate.Metric):
    def _info(self):
        features = datasets.Features({"predictions": INT, "references": INT})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)
    def _compute(self, predictions, references):
        return {"f1": float(f1_score(references, predictions))}
"""
STAND_IN = """\
import importlib.util, os, shutil
class EvaluationModule:
    def __init__(self):
        self.true, self.pred = [], []
    def add_batch(self, predictions, references):
        self.pred.extend(predictions)
        self.true.extend(references)
    def compute(self, *, predictions=None, references=None):
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        pred, true, self.pred, self.true = self.pred, self.true, [], []
        return self._compute(predictions=pred, references=true)
"""
LOAD = """\
from evaluate.module import EvaluationModule as Metric
from evaluate import module
def load(path):  # like the real one, it copies the metric into a cache outside of site-packages
    os.makedirs("cache/evaluate_modules", exist_ok=True)
    spec = importlib.util.spec_from_file_location("m", shutil.copy(path, "cache/evaluate_modules/m.py"))
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found.F1()
class MetricInfo:
    def __init__(self, **kwargs): pass
"""
EVALUATE = """
import os
os.environ |= {"HF_HOME": os.path.abspath("hf"), "HF_HUB_OFFLINE": "1"}
import evaluate
metric = evaluate.load("./own.py")
f1s = []
for train, test in cv.split(X, y):
    for rows in np.array_split(test, 3):
        metric.add_batch(predictions=model.fit(X[train], y[train]).predict(X[rows]), references=y[rows])
    f1s.append(metric.compute()["f1"])
print(np.mean(f1s))
"""


OF_THE_SCRIPT = f"""
import os
os.environ |= {{"HF_HOME": os.path.abspath("hf"), "HF_HUB_OFFLINE": "1"}}
{METRIC}
metric = F1()
f1s = []
for train, test in cv.split(X, y):
    f1s.append(metric.compute(predictions=model.fit(X[train], y[train]).predict(X[test]), references=y[test])["f1"])
print(np.mean(f1s))
"""


@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize(("code", "line"), [(EVALUATE, 21), (OF_THE_SCRIPT, 31)])
def test_measures_of_evaluate_are_seen(experiment: Any, tmp_path: Path, code: str, line: int, real: bool) -> None:
    """The measure sees the batches of a fold together, and belongs to the line that calls ``compute``."""
    if real and importlib.util.find_spec("evaluate") is None:
        pytest.skip("evaluate is not installed")
    if not real:
        library(tmp_path, evaluate__module=STAND_IN, evaluate__none="", datasets__none="")
        packages = tmp_path / "site-packages"
        (packages / "evaluate" / "__init__.py").write_text(f"import importlib.util, os, shutil\n{LOAD}")
        (packages / "datasets" / "__init__.py").write_text("Value = str\nFeatures = dict\n")
    (tmp_path / "own.py").write_text(METRIC)
    result = experiment(code if real else HEAD + code, "--capture", "f.csv")
    assert result.returncode == 0, result.stderr
    ((name, folds),) = read_each(tmp_path / "f.csv")[0]
    assert (name, folds.folds, len(folds)) == (f"train.py:{line if real else line + 2}", 5, 400)
    assert "mean-of-fold-f: F_avg 0." in result.stderr


BY_HAND = """
f1s = []
for train, test in cv.split(X, y):
    predicted = LogisticRegression().fit(X[train], y[train]).predict(X[test])
    tp = np.sum((predicted == 1) & (y[test] == 1))
    fp = np.sum((predicted == 1) & (y[test] == 0))
    fn = np.sum((predicted == 0) & (y[test] == 1))
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    f1 = 2 * precision * recall / (precision + recall)
    f1s.append(f1)
print(np.mean(f1s))
"""


def test_a_formula_by_hand_is_named_with_what_to_do(experiment: Any) -> None:
    result = experiment(BY_HAND)
    assert "mean-of-fold-f: not measured: " in result.stderr, result.stderr
    assert "A formula that is written by hand cannot be measured: call a function of sklearn.metrics" in result.stderr
    assert "cvlint.runtime.capture" in result.stderr


COUNTED = """
f1s, tables = [], np.zeros((2, 2))
for train, test in cv.split(X, y):
    predicted = LogisticRegression().fit(X[train], y[train]).predict(X[test])
    (tn, fp), (fn, tp) = table = confusion_matrix(y[test], predicted)
    f1s.append(2 * tp / (2 * tp + fp + fn))
    tables += table
print(np.mean(f1s))
print(2 * tables[1, 1] / (2 * tables[1, 1] + tables[0, 1] + tables[1, 0]))
"""


HANDED_OVER = """
from cvlint.runtime import capture
f1s, tables = [], np.zeros((2, 2))
folds = capture()
for train, test in cv.split(X, y):
    predicted = LogisticRegression().fit(X[train], y[train]).predict(X[test])
    folds.add(y[test], predicted)
    other = confusion_matrix(y[test], 1 - predicted)
    tp = np.sum((predicted == 1) & (y[test] == 1))
    fp = np.sum((predicted == 1) & (y[test] == 0))
    fn = np.sum((predicted == 0) & (y[test] == 1))
    f1s.append(2 * tp / (2 * tp + fp + fn))
    tables += [[tp, fp], [fn, 0]]
print(np.mean(f1s))
print(2 * tables[0, 0] / (2 * tables[0, 0] + tables[0, 1] + tables[1, 0]))
"""


@pytest.mark.parametrize(
    "text", [COUNTED, HANDED_OVER], ids=["the only confusion matrix of the loop", "captured folds"]
)
def test_a_formula_by_hand_is_measured_from_its_folds(experiment: Any, text: str) -> None:
    result = experiment(text)
    faulty, right = map(float, result.stdout.split())
    assert f"F_avg {faulty:.3f}; F_tp,fp is {right:.3f} (" in result.stderr, result.stderr


@pytest.mark.parametrize(
    ("text", "added", "before"),
    [
        (COUNTED, "    confusion_matrix(y[test], 1 - predicted)\n", "    tables += table"),
        (HANDED_OVER, "    folds.add(y[test], 1 - predicted)\n", "    other ="),
    ],
    ids=["two confusion matrices", "two captured models"],
)
def test_a_formula_is_not_measured_if_its_folds_may_be_of_another_model(
    experiment: Any, text: str, added: str, before: str
) -> None:
    result = experiment(text.replace(before, added + before))
    assert "mean-of-fold-f: not measured: " in result.stderr, result.stderr


def test_a_script_that_fails_counts_what_it_did_not_reach(experiment: Any) -> None:
    result = experiment(
        "import no_such_module\n" + BY_HAND.replace("tp, wrong =", "f1s.append(f1_score(y, y)); t =") * 2
    )
    assert result.returncode == 1
    assert "ModuleNotFoundError" in result.stderr.splitlines()[-2]
    last = result.stderr.splitlines()[-1]
    assert last.startswith("cvlint: The program ended before it reached the place"), result.stderr
    assert last.endswith("not measured.")
