"""A loop over blocks of rows is a loop over batches; one that goes on by single rows is none, whatever it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

PROGRAM = """
import numpy as np
from sklearn.metrics import f1_score
scores = []
for {loop}:
    scores.append(f1_score(y[i : i + 32], p[i : i + 32]))
print(np.mean(scores))
"""


@pytest.mark.parametrize(
    ("loop", "rules"),
    [
        ("i in range(0, n, 32)", ["mean-of-batch-f"]),
        ("i in range(n)", []),
        ("i, row in enumerate(rows)", []),
        ("i in places", []),
    ],
)
def test_blocks_follow_each_other(loop: str, rules: list[str]) -> None:
    options = CheckOptions(frozenset(["mean-of-batch-f"]))
    found = check_bytes(PROGRAM.format(loop=loop).encode(), Path("train.py"), "train.py", options).findings
    assert [finding.rule for finding in found] == rules
