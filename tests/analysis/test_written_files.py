"""What one script writes to a file and another one reads is followed, and costs no more than a long file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import Const, Data, LibraryObject, Measure, MeasureValue, Union
from cvlint.analysis.models.containers.files import has_history
from cvlint.findings.finding import Report
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

PREPARE = """
import pandas as pd
from sklearn.preprocessing import StandardScaler
table = pd.read_csv("raw.csv")
table[["a"]] = StandardScaler().fit_transform(table[["a"]])
table.to_csv("{}")
"""
TRAIN = """
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
table = pd.read_csv("{}")
train, test = train_test_split(table)
model = SVC().fit(train[["a"]], train["y"])
print(roc_auc_score(test["y"], model.predict(test[["a"]])))
"""
DOUBLED = "x = [1]\n" + "x = [x, x]\n" * 500
DEEP = "x = " + "(" * 80 + "1" + " + 1)" * 80 + "\n"


def report(folder: Path, **files: str) -> Report:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return check([folder], CheckOptions(frozenset(rule.name for rule in load_rules()), jobs=1))


def told(found: Report) -> set[tuple[str, str]]:
    return {(Path(finding.location.path).name, finding.rule) for finding in found.findings}


OWN = ("train.py", "auc-hard-labels")
OTHER = ("prepare.py", "preprocess-before-split")


def test_the_fault_stands_where_the_rows_are_scaled(tmp_path: Path) -> None:
    found = report(tmp_path, prepare=PREPARE.format("rows.csv"), train=TRAIN.format("data/rows.csv"))
    assert told(found) == {OWN, OTHER}
    (leak,) = (finding for finding in found.findings if finding.rule == OTHER[1])
    assert [Path(step.location.path).name for step in leak.trace] == ["prepare.py", "train.py"]


@pytest.mark.parametrize("spends", [DOUBLED, DEEP * 50])
def test_a_script_that_spends_all_work_does_not_spoil_its_reader(tmp_path: Path, spends: str) -> None:
    found = report(tmp_path, prepare=spends + PREPARE.format("rows.csv"), train=TRAIN.format("rows.csv"))
    assert OWN in told(found)
    assert not [error for error in found.errors if error.path.endswith("train.py")]


def test_scripts_that_read_each_other_end(tmp_path: Path) -> None:
    both = "import pandas as pd\npd.read_csv('{}').to_csv('{}')\n"
    found = report(
        tmp_path, one=both.format("b.csv", "a.csv"), two=both.format("a.csv", "b.csv"), train=TRAIN.format("a.csv")
    )
    assert told(found) == {OWN}


def test_a_script_without_a_readable_text_writes_nothing(tmp_path: Path) -> None:
    found = report(tmp_path, prepare=PREPARE.format("rows.csv") + "def broken(:\n", train=TRAIN.format("rows.csv"))
    assert OWN in told(found)


def test_of_mere_data_nothing_is_known_but_that_they_are_data() -> None:
    plain = HeapObject("frame", {"a": Data(), "b": Const(value=1)}, Data(origin="data"))
    assert not has_history(plain)
    assert not has_history(HeapObject("list", {0: plain}))
    measured = MeasureValue(measure=Measure("f-measure"))
    for made in (measured, Data(origin="prediction"), LibraryObject(role="estimator")):
        assert has_history(made)
        assert has_history(HeapObject("dict", {"rows": plain, "made": made}))
        assert has_history(Union((Const(value=1), made)))
