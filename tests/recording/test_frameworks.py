"""Test with the frameworks themselves what a run sees of them, and what it names as not seen.

They are too large to be installed for tests alone, so that each test is skipped without its framework; `test_unseen`
tests the same with stand-ins.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from cvlint.runtime import recompute
from cvlint.runtime.data.reading import read_each

LOOP = """
f1s = []
for train, test in cv.split(X, y):
    score = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    f1s.append(measured(score, y[test]))
print(np.mean(f1s))
"""

TORCHMETRICS = """
import torch
from torchmetrics.classification import BinaryF1Score
from torchmetrics.functional.classification import binary_f1_score
metric = BinaryF1Score(threshold=0.3)
def measured(score, true):
    metric.reset()
    metric.update(torch.tensor(score), torch.tensor(true))
    found = binary_f1_score(torch.tensor(score), torch.tensor(true), threshold=0.3)
    assert metric.compute() == found
    return FOUND
"""

SCORES = """
import torch
from torchmetrics.functional import FUNCTION, classification
def measured(score, true):
    marked = torch.tensor(np.append(true, -1))
    found = FUNCTION(torch.tensor(np.append(score, 1.0)), marked, task="binary", ignore_index=-1)
    assert classification.binary_FUNCTION(preds=torch.tensor(score), target=torch.tensor(true)) == found
    return found.item()
"""

KERAS = """
import os
os.environ["KERAS_BACKEND"] = "torch"
import keras
def measured(score, true):
    network = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
    network.compile(loss="binary_crossentropy", metrics=["f1_score", keras.metrics.AUC()])
    found = network.evaluate(score[:, None], true[:, None].astype("float32"), verbose=0, return_dict=True)
    return float(np.mean(found["f1_score"]))
"""

LIGHTNING = """
import logging, warnings
import lightning, torch
warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
class Module(lightning.LightningModule):
    def test_step(self, batch, index):
        self.log("test_f1", float(f1_score(batch[1], batch[0] > 0.5, zero_division=0)))
def measured(score, true):
    data = torch.utils.data.TensorDataset(torch.tensor(score), torch.tensor(true))
    quiet = {name: False for name in ("logger", "enable_checkpointing", "enable_progress_bar", "enable_model_summary")}
    trainer = lightning.Trainer(accelerator="cpu", **quiet)
    return trainer.test(Module(), torch.utils.data.DataLoader(data, batch_size=40), verbose=False)[0]["test_f1"]
"""

TRAINER = """
import tempfile
import torch
from transformers import Trainer, TrainingArguments
class Network(torch.nn.Module):
    def forward(self, score, labels):
        return {"loss": score.mean(), "logits": torch.stack((0.5 - score, score - 0.5), 1)}
def compute_metrics(found):
    return {"f1": f1_score(found.label_ids, found.predictions.argmax(-1))}
def measured(score, true):
    rows = [{"score": float(s), "labels": int(t)} for s, t in zip(score, true)]
    options = TrainingArguments(tempfile.mkdtemp(), report_to=[], use_cpu=True, disable_tqdm=True)
    trainer = Trainer(Network(), options, eval_dataset=rows, compute_metrics=compute_metrics)
    return trainer.evaluate()["eval_f1"]
"""

WORKERS = """
import torch
class Samples(torch.utils.data.Dataset):
    def __init__(self, *columns):
        self.rows = list(zip(*columns))
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, row):
        return self.rows[row]
def measured(score, true):
    batches = list(torch.utils.data.DataLoader(Samples(score, true), batch_size=40, num_workers=2))
    return f1_score(torch.cat([t for _, t in batches]), torch.cat([s for s, _ in batches]) > 0.5)
"""


def skip_without(frameworks: str) -> None:
    """Skip a test; nothing is imported, because Keras would look for TensorFlow."""
    for name in frameworks.split():
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


@pytest.mark.parametrize(
    ("frameworks", "code"),
    [
        ("torchmetrics", TORCHMETRICS.replace("FOUND", "found.item()")),
        ("transformers accelerate", TRAINER),
        ("torch", WORKERS),
    ],
)
def test_seen(frameworks: str, code: str, experiment: Any) -> None:
    skip_without(frameworks)
    result = experiment(code + LOOP)
    assert result.returncode == 0, result.stderr
    assert "mean-of-fold-f: F_avg 0." in result.stderr and ", 5 folds." in result.stderr, result.stderr


@pytest.mark.parametrize(("function", "family"), [("auroc", "auc_avg"), ("average_precision", "ap_avg")])
def test_scores_seen(function: str, family: str, experiment: Any, tmp_path: Path) -> None:
    skip_without("torchmetrics")
    result = experiment(SCORES.replace("FUNCTION", function) + LOOP, "--capture", "f.npz")
    assert result.returncode == 0, result.stderr
    ((_, folds),) = read_each(tmp_path / "f.npz")[0]  # of both calls, which measure the same
    (found,) = recompute(folds)
    assert found.value(family) == pytest.approx(float(result.stdout), abs=1e-6)


@pytest.mark.parametrize(
    ("frameworks", "code", "expected"),
    [
        (
            "torchmetrics",
            TORCHMETRICS.replace("FOUND", "metric.compute()"),
            ["What the torchmetrics object BinaryF1Score computes"],
        ),
        ("keras torch", KERAS, ["What the Keras object F1Score computes", "What the Keras object AUC computes"]),
        ("lightning", LIGHTNING, ["The value of test_f1 that Lightning averages over the batches of an epoch"]),
    ],
)
def test_named_as_not_seen(frameworks: str, code: str, expected: list[str], experiment: Any) -> None:
    skip_without(frameworks)
    result = experiment(code + LOOP)
    assert result.returncode == 0, result.stderr
    for sentence in expected:
        assert f"cvlint: {sentence} (line " in result.stderr, result.stderr
