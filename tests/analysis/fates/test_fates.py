"""Every kind of fate, on small programs whose fate a reader sees at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.audit.fate import Fate
from cvlint.audit.ledger import ledger
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import analyse_files

FIXTURES = Path(__file__).parents[3] / "fixtures"
RULES = frozenset(rule.name for rule in load_rules())
WITH_FATES = CheckOptions(RULES, jobs=1, fates=True)

LOOP = """\
import numpy as np
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

scores, best = [], 0
for train, test in StratifiedKFold(5).split(X, y):
    guess = model.fit(X[train], y[train]).predict(X[test])
    {body}
{after}
"""
F1 = "f1_score(y[test], guess)"
ACCURACY = "accuracy_score(y[test], guess)"

DATA = """\
import pandas as pd
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import train_test_split

df = pd.read_csv("data.csv")
y = df.pop("y")
X = StandardScaler().fit_transform(df)
{after}
"""


def fates_of(text: str) -> list[Fate]:
    return list(ledger(check_bytes(text.encode(), Path("program.py"), "program.py", WITH_FATES).fates))


def fate_of(text: str) -> Fate:
    [fate] = fates_of(text)
    return fate


def in_loop(body: str, after: str = "") -> Fate:
    return fate_of(LOOP.format(body=body, after=after))


@pytest.mark.parametrize(
    ("body", "after", "why"),
    [
        (f"print({F1})", "", "printed or logged for each pass of the loop"),
        (f'print(f"F: {{{F1}:.2f}}")', "", "printed or logged for each pass of the loop"),
        (f"scores.append({F1})", "print(scores)", "printed or logged"),
        (f"scores.append({ACCURACY})", "print(np.mean(scores))", "averaged, and right to average"),
        (f"scores.append({F1})", "import json\njson.dump(scores, open('scores.json', 'w'))", "written to a file"),
        (f"scores.append({F1})", "import matplotlib.pyplot as plt\nplt.plot(scores)", "plotted"),
        (f"scores.append({F1})", "", "never used"),
        (f"f1 = {F1}", "", "never used"),
        (f"scores.append({F1})", "print(np.std(scores))", "its spread is computed"),
        (f"print('good' if {F1} > 0.5 else 'bad')", "", "compared with other results"),
    ],
)
def test_harmless_ends(body: str, after: str, why: str) -> None:
    fate = in_loop(body, after)
    assert (fate.kind, fate.why) == ("harmless", why)


def function(body: str) -> str:
    """The loop as a function ``run``."""
    return "def run(X, y, model):\n    " + LOOP.format(body=body, after="").strip().replace("\n", "\n    ") + "\n"


def test_a_value_that_is_returned_to_nobody() -> None:
    assert fate_of(function(f"yield {F1}")).why == "returned to callers that are not in these files"


def test_a_pooled_measure() -> None:
    text = LOOP.format(body="scores.extend(guess)", after="print(f1_score(y, scores))")
    assert fate_of(text).why == "pooled before it was computed"


def test_labels_that_a_loop_over_predictions_collects_are_not_pooled() -> None:
    text = """from sklearn.metrics import f1_score
labels = []
for p in model.predict_proba(X_test)[:, 1]:
    labels.append(int(p > 0.5))
print(f1_score(y_test, labels))
"""
    assert fate_of(text).why == "printed or logged"


def test_a_part_of_another_measure() -> None:
    body = "p, r = precision_score(y[test], guess), recall_score(y[test], guess)"
    formula = "\n    print(2 * p * r / (p + r) if p + r else 0)"
    text = LOOP.format(body=body + formula, after="").replace("f1_score", "precision_score, recall_score")
    by_name = {fate.what.partition(" ")[0]: fate.why for fate in fates_of(text)}
    assert by_name["F"] == "printed or logged for each pass of the loop"
    assert by_name["precision"] == by_name["recall"] == "part of another measure"


@pytest.mark.parametrize(
    ("body", "after", "why", "name", "line"),
    [
        (f"tracker.push({F1})", "", "unknown function", ".push", 8),
        (f"scores.append(frob({F1}))", "print(np.mean(scores))", "unknown function", "frob", 8),
        (f"scores.append({F1})", "print(np.mean(unheard(scores)))", "unknown function", "unheard", 9),
        (f"scores.append({F1})", "print(lib.obj(scores).history)", "unknown function", ".obj", 9),
        (f"scores += [{F1} ^ 3]", "print(np.mean(scores))", "arithmetic", "BitXor", 8),
    ],
)
def test_lost_values(body: str, after: str, why: str, name: str, line: int) -> None:
    fate = in_loop(body, after)
    assert (fate.kind, fate.why, fate.name) == ("lost", why, name)
    assert fate.end is not None and fate.end.line == line


def test_a_finding_counts_before_a_loss() -> None:
    fate = in_loop(f"f = {F1}\n    scores.append(f)\n    tracker.push(f)", "print(np.mean(scores))")
    assert (fate.kind, fate.why) == ("finding", "CVL101")


def test_a_loss_counts_before_a_harmless_end() -> None:
    assert in_loop(f"f = {F1}\n    print(f)\n    tracker.push(f)").kind == "lost"


def test_values_pass_through_functions_of_the_project() -> None:
    text = "def keep(box, value):\n    box.append(value)\n\n\n" + LOOP
    fate = fate_of(text.format(body=f"keep(scores, {F1})", after="print(np.mean(scores))"))
    assert fate.kind == "finding"


@pytest.mark.parametrize(
    ("after", "kind", "why"),
    [
        ("A, B, a, b = train_test_split(X, y)\nmodel.fit(A, a)\nprint(model.score(B, b))", "finding", "CVL303"),
        ("print(X.mean())", "harmless", "never split"),
    ],
)
def test_what_is_learned_from_whole_data(after: str, kind: str, why: str) -> None:
    fate = fate_of(DATA.format(after=after))
    assert (fate.kind, fate.why) == (kind, why)


def test_what_is_learned_from_a_training_part_is_no_birth() -> None:
    text = DATA.replace("X = ", "df, test = train_test_split(df)\nX = ")
    assert fates_of(text.format(after="model.fit(X, y)")) == []


def test_a_file_is_not_told_twice_when_another_imports_it(tmp_path: Path) -> None:
    (tmp_path / "folds.py").write_text(function(f"yield {F1}"))
    main = "from folds import run\nimport numpy as np\nprint(np.mean(list(run(X, y, model))))\n"
    (tmp_path / "main.py").write_text(main)
    files = [tmp_path / "folds.py", tmp_path / "main.py"]
    [fate] = ledger(analyse_files(files, files, WITH_FATES).fates)
    assert fate.kind == "finding"


@pytest.mark.parametrize(
    "path", sorted(FIXTURES.glob("*/faulty_*.py")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_fixtures(path: Path) -> None:
    """Each birth has one fate, and the recorder changes no finding."""
    data = path.read_bytes()
    with_fates = check_bytes(data, path, str(path), WITH_FATES)
    without = check_bytes(data, path, str(path), CheckOptions(RULES))
    assert [(f.code, f.location) for f in with_fates.findings] == [(f.code, f.location) for f in without.findings]
    fates = ledger(with_fates.fates)
    assert len({(fate.location, fate.what) for fate in fates}) == len(fates)
    own = next(rule.code for rule in load_rules() if rule.name == path.parent.name)
    if (
        own in FOLLOWED
        and any(finding.code == own for finding in with_fates.findings)
        and path.stem not in WITHOUT_BIRTH
    ):
        assert any(own in fate.why for fate in fates if fate.kind == "finding")


FOLLOWED = (
    "CVL101",
    "CVL102",
    "CVL103",
    "CVL104",
    "CVL105",
    "CVL106",
    "CVL107",
    "CVL201",
    "CVL202",
    "CVL302",
    "CVL303",
    "CVL501",
    "CVL502",
    "CVL503",
)
"""Rules about values that a loop computes, or about what is learned from whole data."""
WITHOUT_BIRTH = (
    "faulty_whole_table_printed",  # a search measures, and no value of a loop is read
    "faulty_keras_function_called_f1",
    "faulty_keras_one_hot",
    "faulty_keras_function",  # Keras computes the measure in its own loop
    "faulty_keras_model_loaded_with_its_metrics",
    "faulty_keras_plain_function",
    "faulty_keras_early_stopping",
    "faulty_keras_checkpoint_loaded",
    "faulty_keras_weights_loaded",
    "faulty_boosting_stops_on_test",  # so do libraries of boosted trees
    "faulty_boosters_trained_by_functions",
    "faulty_fastai_function",  # so does fastai
    "faulty_skorch_batch_scoring",  # and skorch
    "faulty_precision_at_k_helper",  # only the name of a function says that it ranks
    "faulty_best_of_two",  # no loop computes the results
    "faulty_best_row_of_two_kinds",
    "faulty_results_appended_one_by_one",
    "faulty_best_on_an_out_of_time_part",
    "faulty_better_one_by_name",
    "faulty_partial_as_key",  # the value ends as a key of max: the ledger says that it is compared there
    "faulty_imported_threshold_metrics",
    "faulty_helper_resamples_test_part",  # a part of a split is resampled, and no whole data
    "faulty_test_part_in_a_helper",
    "faulty_labels_say_test_part",
    "faulty_better_of_two_models",  # the two results are computed in no loop
    "faulty_best_of_three_in_branches",
    "faulty_best_kept_from_call_to_call",
    "faulty_threshold_of_least_cost",  # a count of errors is no measure
    "faulty_array_of_thresholds",  # the formula for all thresholds at once has no loop
)
