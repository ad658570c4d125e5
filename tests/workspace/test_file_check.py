"""The check of one file says what it did not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import FileResult, check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

IMPORTS = "import numpy as np\nfrom sklearn.metrics import f1_score\n"
FOLDS = """\
scores = []
for fold in range(5):
    scores.append(f1_score(y[fold], p[fold]))
print(np.mean(scores))
"""


def checked(text: str) -> FileResult:
    options = CheckOptions(frozenset(rule.name for rule in load_rules()))
    return check_bytes(text.encode(), Path("program.py"), "program.py", options)


def unrolled(lines: int) -> str:
    """Two loops over short lists, which are unrolled: 16 passes of the inner one."""
    loops = "for v in [1, 2, 3, 4]:\n    for w in [1, 2, 3, 4]:\n"
    return loops + "        print(f1_score(y, p))\n" * lines


def test_a_file_that_is_analysed_to_the_end_has_no_problem() -> None:
    result = checked(IMPORTS + FOLDS)
    assert result.problem is None
    assert [finding.rule for finding in result.findings] == ["mean-of-fold-f"]


@pytest.mark.parametrize("lines", [2_000, 3_000])
def test_a_file_that_uses_up_its_steps_is_said_to_be_analysed_in_part(lines: int) -> None:
    result = checked(IMPORTS + FOLDS + unrolled(lines))
    assert result.problem is not None
    assert "analysed in part" in result.problem.message
    assert [finding.rule for finding in result.findings] == ["mean-of-fold-f"]  # it stands before
