"""Names that others read stay bound, and imports that others use stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cvlint.fixes.fixer import Fixer
from tests.fixes.conftest import USUAL, Fix, fixed, found

HEAD = """from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_score
"""
MADE = 'scores = cross_val_score(model, X, y, scoring="f1")\n'
FAULT = f"{HEAD}{MADE}print(scores.mean())\n"
COUNTS = """from sklearn.metrics import confusion_matrix
tn, fp, fn, tp = confusion_matrix(y, guess).ravel()
precision = tp / (tp + fp)
recall = tp / (tp + fn)
f1 = 2 * precision * recall / (precision + recall)
print(f1)
"""
RANKED = """from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
model = LogisticRegression().fit(Z, z)
guess = model.predict(X)
print(roc_auc_score(y, guess))
"""
SCALED = """from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler
scaled = StandardScaler().fit_transform(X)
print(cross_val_score(model, scaled, y))
"""


def test_a_name_that_nothing_else_reads_goes(fix: Fix) -> None:
    after = fix(FAULT)
    assert "scores" not in after and "cross_val_score" not in after


@pytest.mark.parametrize(
    "line",
    [
        '__all__ = ["scores"]',
        '__all__ = []\n__all__ += ["scores"]',
        'print("%(scores)s" % globals())',
        "print(vars())",
        'print(eval("scores"))',
        "%store scores",
        "!echo {scores}",
        "scores?",
    ],
)
def test_a_name_that_is_read_as_a_text_stays(fix: Fix, line: str) -> None:
    text = f"{FAULT}{line}\n"
    assert MADE in fix(text)
    assert fix(text).endswith(f"print(pooled_f)\n{line}\n")


def test_other_names_do_not_stay(fix: Fix) -> None:
    text = f'{FAULT}__all__ = ["more_scores"]\n%store others\nprint(vars(model))\n'
    assert MADE not in fix(text)


def test_magics_of_a_notebook() -> None:
    cells = [{"cell_type": "code", "source": text, "outputs": []} for text in (FAULT, "%store scores")]
    after = fixed(json.dumps({"cells": cells}).encode(), "a.ipynb")
    assert after.count == 1
    assert MADE in json.loads(after.data)["cells"][0]["source"]


def test_names_in_a_class_and_in_a_function(fix: Fix) -> None:
    inner = "".join(f"    {line}\n" for line in f"{MADE}print(scores.mean())".splitlines())
    assert "scores = " in fix(f"{HEAD}class Result:\n{inner}")
    assert "scores = " not in fix(f"{HEAD}def result():\n{inner}")
    assert "scores = " in fix(f"{HEAD}def result():\n{inner}    return locals()\n")


def in_folder(folder: Path, texts: dict[str, str], name: str, *, given: bool) -> str:
    """A file after fixes, with other files that may import it or lie in the same folder."""
    for other, text in texts.items():
        (folder / other).parent.mkdir(exist_ok=True)
        (folder / other).write_text(text)
    path, data = folder / name, texts[name].encode()
    fixer = Fixer(USUAL, True, [folder / other for other in texts] if given else ())
    return fixer.fix(data, path, str(path), found(data, str(path))).data.decode()


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("reader", "text", "stays"),
    [
        ("from lab import scores", FAULT, MADE),
        ("import lab\nprint(lab.scores)", FAULT, MADE),
        ("from lab import *\nprint(scores)", FAULT, MADE),
        ("from lab import cross_val_score", FAULT, "import cross_val_predict, cross_val_score\n"),
        ("from lab import precision", COUNTS, "precision = tp / (tp + fp) if tp + fp else 0.0\n"),
        ("from lab import guess", RANKED, "guess = model.predict(X)\n"),
        ("from lab import scaled", SCALED, "scaled = StandardScaler().fit_transform(X)\n"),
    ],
)
def test_names_that_another_file_imports(tmp_path: Path, reader: str, text: str, stays: str, given: bool) -> None:
    assert stays in in_folder(tmp_path, {"lab.py": text, "plot.py": f"{reader}\n"}, "lab.py", given=given)
    for other in ("import os\n", "scores = precision = scaled = guess = cross_val_score = 1\n", "from lab import X\n"):
        assert stays not in in_folder(tmp_path, {"lab.py": text, "plot.py": other}, "lab.py", given=given)


def test_names_that_a_package_hands_on(tmp_path: Path) -> None:
    texts = {"pkg/__init__.py": "from .lab import *\n", "pkg/lab.py": FAULT, "use.py": "from pkg import scores\n"}
    assert MADE in in_folder(tmp_path, texts, "pkg/lab.py", given=True)


def test_a_package_keeps_all_its_names(tmp_path: Path) -> None:
    assert MADE in in_folder(tmp_path, {"pkg/__init__.py": FAULT}, "pkg/__init__.py", given=False)
