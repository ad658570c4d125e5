"""A mean of fold F that only chooses is a note; one that is shown as well is an error."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from cvlint.analysis.checkers import averages
from cvlint.analysis.syntax import nodes_in
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

SEARCH = """
from sklearn.model_selection import cross_val_score
best, chosen = -1, None
for c in [0.1, 1, 10]:
    score = cross_val_score(make(c), X, y, scoring="f1", cv=5).mean()
    if score > best:
        best, chosen = score, c
print(chosen)
"""


@pytest.mark.parametrize(
    ("shown", "severity"),
    [("", "note"), ("print(best)", "error"), ("save(score)", "error"), ("table[c] = best", "error")],
)
def test_a_mean_that_is_only_compared_is_a_note(tmp_path: Path, shown: str, severity: str) -> None:
    program = tmp_path / "search.py"
    program.write_text(SEARCH + shown)
    findings = check([program], CheckOptions(rules=frozenset(("mean-of-fold-f",)), jobs=1)).findings
    assert [finding.severity for finding in findings] == [severity]


KEPT = """
from sklearn.model_selection import cross_val_score
scores, grid = {empty}, [0.1, 1, 10]
for c in grid:
    {keep}
print({chosen})
"""
MEAN = 'cross_val_score(make(c), X, y, scoring="f1", cv=5).mean()'


LIST, DICT = ("[]", "scores.append({})"), ("{}", "scores[c] = {}")


@pytest.mark.parametrize(
    ("made", "chosen", "severity"),
    [
        (LIST, "grid[np.argmax(scores)]", "note"),
        (DICT, "max(scores, key=scores.get)", "note"),
        (LIST, "grid[scores.index(max(scores))]", "note"),
        (LIST, "max(scores)", "error"),
        (LIST, "grid[scores.index(max(scores))], max(scores)", "error"),
        (LIST, "grid[np.argmax(scores)], scores", "error"),
        (DICT, "max(scores.values())", "error"),
        (DICT, "max(scores, key=scores.get), scores", "error"),
    ],
)
@pytest.mark.parametrize("value", [MEAN, "mean"])
def test_means_whose_best_place_alone_is_asked_for_are_a_note(
    tmp_path: Path, made: tuple[str, str], chosen: str, severity: str, value: str
) -> None:
    empty, keep = made
    before = "" if value == MEAN else f"mean = {MEAN}; "
    program = tmp_path / "search.py"
    program.write_text(KEPT.format(empty=empty, keep=before + keep.format(value), chosen=chosen))
    findings = check([program], CheckOptions(rules=frozenset(("mean-of-fold-f",)), jobs=1)).findings
    assert [finding.severity for finding in findings] == [severity]


@pytest.mark.parametrize("scores", ["", "scores = []"])
def test_a_list_of_others_is_read_elsewhere(tmp_path: Path, scores: str) -> None:
    program = tmp_path / "search.py"
    program.write_text(
        "import numpy as np\nfrom sklearn.model_selection import cross_val_score\n"
        f"scores = []\ndef search():\n    {scores or 'pass'}\n    for c in grid:\n        scores.append({MEAN})\n"
        "    return grid[np.argmax(scores)]\nprint(search(), scores)\n"
    )
    findings = check([program], CheckOptions(rules=frozenset(("mean-of-fold-f",)), jobs=1)).findings
    assert [finding.severity for finding in findings] == ["note" if scores else "error"]


HEAD = "from sklearn.model_selection import cross_val_score\nbest = 0\n"
CHOICE = """
for c{0} in grid:
    s{0} = cross_val_score(m, X, y, scoring="f1").mean()
    if s{0} > best:
        best, chosen = s{0}, c{0}
"""
FUNCTION = """
def score_{0}(m, X, y):
    return cross_val_score(m, X, y, scoring="f1").mean()
"""


@pytest.mark.parametrize("part", [CHOICE, FUNCTION])
def test_many_averages_do_not_read_their_module_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """What an average is used for is asked for each of them, and the answer may lie anywhere in the module."""
    read: list[tuple[ast.AST, type[ast.AST]]] = []

    def counted(code: ast.AST, kind: type[ast.AST]) -> Sequence[ast.AST]:
        read.append((code, kind))
        return nodes_in(code, kind)

    monkeypatch.setattr(averages, "nodes_in", counted)
    program = tmp_path / "train.py"
    program.write_text(HEAD + "".join(part.format(i) for i in range(20)))
    options = CheckOptions(rules=frozenset(("mean-of-fold-f",)), jobs=1)
    assert len(check([program], options).findings) == 20
    of_module = [kind for code, kind in read if isinstance(code, ast.Module) and kind is not ast.Return]
    assert sorted(kind.__name__ for kind in of_module) == sorted({kind.__name__ for kind in of_module})
