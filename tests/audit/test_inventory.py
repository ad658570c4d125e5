from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.audit.inventory import Aggregation, aggregations, audit, inventory, tally
from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.rules.catalogue import load_rules
from cvlint.source.discovery import discover
from cvlint.source.location import Location
from cvlint.source.module import read_bytes
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.file_check import shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import PARSED_ANYWAY, analyse_files, load_prefilter

FIXTURES = Path(__file__).parents[2] / "fixtures"

HEAD = """\
import numpy as np
from sklearn.metrics import *
from sklearn.model_selection import *
"""

LOOP = """\
f, p, r, auc, acc, oof = [], [], [], [], [], np.zeros(len(y))
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    oof[test] = guess = model.predict(X[test])
    f.append(f1_score(y[test], guess))
    p.append(precision_score(y[test], guess))
    r.append(recall_score(y[test], guess))
    acc.append(accuracy_score(y[test], guess))
    auc.append(roc_auc_score(y[test], model.predict_proba(X[test])[:, 1]))
"""


def aggregations_in(code: str) -> tuple[Aggregation, ...]:
    path = Path("experiment.py")
    source = read_bytes(code.encode(), path, str(path)).source
    assert source is not None
    return inventory(aggregations(shared_analysis().analyse(source).events))


@pytest.mark.parametrize(
    ("code", "measure", "name", "says"),
    [
        (LOOP + "print(np.mean(f))", "F1", "F_avg", "the folds of StratifiedKFold"),
        (LOOP + "print(np.nanmean(f))", "F1", "F~avg", "where it is defined"),
        (LOOP + "print(np.median(f))", "F1", "median over folds", "median"),
        (LOOP + "print(np.mean(auc))", "ROC AUC", "AUC_avg", "mean over the folds"),
        (LOOP + "print(np.mean(acc))", "accuracy", "mean over folds", "mean over the folds"),
        (LOOP + "P, R = np.mean(p), np.mean(r)\nprint(2 * P * R / (P + R))", "F", "F_pr,re", "means of precision"),
        (LOOP + "print(f1_score(y, oof))", "F1", "F_tp,fp", "put together"),
        (LOOP + "print(accuracy_score(y, oof))", "accuracy", "pooled over folds", "put together"),
        ("print(f1_score(y, cross_val_predict(model, X, y)))", "F1", "F_tp,fp", "computed once"),
        ("roc_auc_score(y, cross_val_predict(m, X, y, method='predict_proba')[:, 1])", "ROC AUC", "AUC_merge", "once"),
        ("cross_val_score(m, X, y, scoring='average_precision').mean()", "average precision", "AP_avg", "mean"),
        ("g = GridSearchCV(m, {}, scoring='f1').fit(X, y)\nprint(g.best_score_)", "F1", "F_avg", "search"),
        (
            "a, b, c, d = train_test_split(X, y)\nprint(f1_score(d, m.fit(a, c).predict(b)))",
            "F1",
            "single hold-out",
            "",
        ),
        ("f = [f1_score(t, m(b)) for b, t in loader]\nprint(np.mean(f))", "F1", "mean over batches", "batches"),
    ],
)
def test_names_of_the_paper(code: str, measure: str, name: str, says: str) -> None:
    [found] = [
        one
        for one in aggregations_in(HEAD + code)
        if one.name not in ("of each fold", "mean over folds") or one.name == name
    ]
    assert (found.measure, found.name) == (measure, name)
    assert says in found.meaning


COLLECTED = """
a, b, c, d = train_test_split(X, y)
labels = []
for p in model.fit(a, c).predict_proba(b)[:, 1]:
    labels.append(int(p > 0.5))
"""


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (f"{COLLECTED}print(f1_score(d, labels))", "single hold-out"),
        (
            f"def score(y):\n    {COLLECTED.replace(chr(10), chr(10) + '    ')}\n    return f1_score(y, labels)",
            "computed once",
        ),
        ("print(f1_score(y, [int(p > 0.5) for p in model.predict(X)]))", "computed once"),
        (
            "t, p = [], []\nfor row in rows:\n    t.append(row[0])\n    p.append(row[1])\nf1_score(t, p)",
            "computed once",
        ),
        ("t, p = [], []\nfor x, u in loader:\n    t += u\n    p += m(x)\nf1_score(t, p)", "pooled over batches"),
    ],
)
def test_labels_that_a_loop_over_samples_collects_are_not_pooled(code: str, name: str) -> None:
    [found] = aggregations_in(HEAD + code)
    assert found.name == name
    assert "the passes of a loop" not in found.meaning


def test_a_loop_inside_a_fold_is_not_named_beside_the_folds() -> None:
    code = """
t, p = [], []
for train, test in KFold(5).split(X):
    for guess, true in zip(model.fit(X[train], y[train]).predict(X[test]), y[test]):
        t.append(true)
        p.append(int(guess > 0.5))
print(accuracy_score(t, p))
"""
    [found] = aggregations_in(HEAD + code)
    assert (found.name, found.meaning) == (
        "pooled over folds",
        "computed once on the data of the folds of KFold put together",
    )


def test_the_values_of_an_average_are_not_listed_beside_it() -> None:
    found = aggregations_in(HEAD + LOOP + "print(np.mean(f))")
    assert [(one.measure, one.name) for one in found if one.measure == "F1"] == [("F1", "F_avg")]
    [average] = [one for one in found if one.name == "F_avg"]
    assert 8 in [part.line for part in average.parts]
    assert {one.name for one in found if one.measure != "F1"} == {"of each fold"}


def test_the_tally_begins_with_the_most_frequent_measure() -> None:
    mean = "print(np.mean(f))\n"
    found = aggregations_in(HEAD + LOOP + mean + mean + "print(np.mean(auc), np.median(f))")
    assert [row for row in tally(found) if row[0] in ("F1", "ROC AUC")] == [
        ("F1", "F_avg", 2),
        ("F1", "median over folds", 1),
        ("ROC AUC", "AUC_avg", 1),
    ]


SUMS = """
tp = fp = fn = 0
for train, test in StratifiedKFold(5).split(X, y):
    tn_, fp_, fn_, tp_ = confusion_matrix(y[test], model.fit(X[train], y[train]).predict(X[test])).ravel()
    tp, fp, fn = tp + tp_, fp + fp_, fn + fn_
"""


@pytest.mark.parametrize(
    "formula",
    [
        "print(2 * tp / (2 * tp + fp + fn))",
        "precision, recall = tp / (tp + fp), tp / (tp + fn)\nprint(2 * precision * recall / (precision + recall))",
    ],
)
def test_a_formula_of_counts_that_are_summed_over_folds(formula: str) -> None:
    code = f"from sklearn.metrics import confusion_matrix\n{HEAD}{SUMS}{formula}"
    [found] = [one for one in aggregations_in(code) if one.measure == "F"]
    assert (found.name, found.meaning) == (
        "F_tp,fp",
        "computed once on counts that are summed over the folds of StratifiedKFold",
    )


def test_wrong_formulas_and_formulas_of_counts_are_single_values() -> None:
    wrong = "def f_beta(precision, recall, beta):\n"
    wrong += "    return (1 + beta) * (precision * recall) / (beta * precision + recall)\n"
    counts = "precision = tp / (tp + fp)\nrecall = tp / (tp + fn)\nf = 2 * precision * recall / (precision + recall)\n"
    assert [(one.name, one.location.line) for one in aggregations_in(wrong)] == [("wrong definition", 2)]
    assert [(one.name, one.location.line) for one in aggregations_in(counts)] == [("from counts", 3)]
    assert [one.name for one in aggregations_in("print(2 * tp / (2 * tp + fp + fn))")] == ["from counts"]


def test_every_finding_about_an_aggregation_is_in_the_inventory() -> None:
    names = {
        "mean-of-fold-f": {"F_avg", "F~avg", "median over folds", "mean over folds"},
        "f-of-mean-pr": {"F_pr,re", "F~pr,re"},
        "mean-of-batch-f": None,
        "mean-of-fold-ratio": None,
        "search-best-f": {"F_avg"},
        "auc-merge": {"AUC_merge", "pooled over folds"},
    }
    options = CheckOptions(frozenset(rule.name for rule in load_rules()), "low", jobs=1, inventory=True)
    report, taken, _ = analyse_files(discover([FIXTURES / name for name in names]), (), options)
    listed: dict[Location, set[str]] = {}
    for one in inventory(taken):
        listed.setdefault(one.location, set()).add(one.name)
    checked = [finding for finding in report.findings if finding.rule in names]
    assert len(checked) > 100
    for finding in checked:
        assert finding.location in listed, finding
        wanted = names[finding.rule]
        assert wanted is None or wanted & listed[finding.location], (finding, listed[finding.location])


places = st.builds(Location, st.sampled_from("ab"), st.none(), st.integers(1, 3), st.just(1), st.just(1), st.just(2))
entries = st.builds(
    Aggregation,
    places,
    st.sampled_from(["F1", "ROC AUC"]),
    st.sampled_from(["F_avg", "computed once"]),
    st.just("…"),
    st.sampled_from(CONFIDENCES),
    st.lists(places, max_size=2).map(tuple),
    st.booleans(),
)


@given(st.lists(entries))
def test_an_inventory_lists_every_aggregation_once(found: list[Aggregation]) -> None:
    kept = inventory(found)
    keys = [(one.location, one.measure, one.name) for one in kept]
    assert len(keys) == len(set(keys))
    assert list(kept) == sorted(kept, key=lambda one: (one.location.sort_key, one.measure, one.name))
    assert {one for one in kept} <= set(found)
    for one in found:
        alike = [k for k in kept if (k.location, k.measure, k.name) == (one.location, one.measure, one.name)]
        assert one.alone or alike or any(other.alone for other in found if other.location == one.location)
        assert all(CONFIDENCES.index(k.confidence) <= CONFIDENCES.index(one.confidence) for k in alike)
    assert inventory(kept) == kept


SINGLE = "from sklearn.metrics import f1_score\nfrom sklearn.model_selection import train_test_split\n"


@pytest.mark.parametrize(
    ("code", "name", "says", "confidence"),
    [
        ("f1_score(df['label'], df['predict'])", "computed once", "computed once, and not pooled", "high"),
        (
            "a, b, c, d = train_test_split(X, y)\nf1_score(c, m.fit(a, c).predict(a))",
            "on the training data",
            "",
            "high",
        ),
        ("f1_score(y_train, m.fit(X_train, y_train).predict(X_train))", "on the training data", "called", "medium"),
        ("f1_score(y_test, m.fit(X_train, y_train).predict(X_test))", "single hold-out", "called test data", "medium"),
        ("f1_score(y_true=parts['test'].y, y_pred=p)", "single hold-out", "called test data", "medium"),
        ("f1_score(y_test, model.predict(X_train))", "computed once", "computed once, and", "high"),
        (
            "for m in models:\n    print(f1_score(y_test, m.predict(X_test)))",
            "hold-out",
            "each pass of a loop",
            "medium",
        ),
        ("df.groupby('part').apply(lambda g: f1_score(g.y, g.p))", "in each pass", "each pass of a loop", "high"),
        ("def score(y, p):\n    return f1_score(y, p)", "computed once", "in each call of score", "high"),
        (
            "def f():\n    a, b = train_test_split(y)\ndef g(a, b):\n    return f1_score(b, a)",
            "computed once",
            "",
            "high",
        ),
    ],
)
def test_a_single_value_names_its_data_where_a_split_is_seen(code: str, name: str, says: str, confidence: str) -> None:
    [found] = aggregations_in(SINGLE + code)
    assert (found.name, found.confidence) == (name, confidence)
    assert says in found.meaning


def test_files_that_the_prefilter_skips_are_listed_too(tmp_path: Path) -> None:
    code = "from sklearn.metrics import accuracy_score\nprint(accuracy_score(df.label, df.predict))\n"
    (tmp_path / "plain.py").write_text(code)
    for number in range(3):
        (tmp_path / f"broken{number}.py").write_text("x = 1\n" * (PARSED_ANYWAY // 8) + "def (\n")
    assert not load_prefilter().may_hold(code.encode())
    options = CheckOptions(frozenset(rule.name for rule in load_rules()), jobs=1, inventory=True)
    report, found, _ = analyse_files(discover([tmp_path]), [tmp_path], options)
    assert [(Path(one.location.path).name, one.name) for one in found] == [("plain.py", "computed once")]
    assert [Path(error.path).name for error in report.errors] == ["broken0.py", "broken1.py", "broken2.py"]


def test_files_without_measures_are_counted() -> None:
    place = Location("a.py", None, 1, 1, 1, 2)
    finding = Finding("auc-merge", "CVL201", "error", "high", Location("b.py", None, 1, 1, 1, 2), "Why.")
    report = Report((finding,), (UnreadFile("c.py", "cannot be read"), UnreadFile("a.py", "…", 3)), 6)
    found = audit("x", report, [Aggregation(place, "F1", "F_avg", "…", "high")], [UnreadFile("z.py", "is a link")])
    assert found.unmeasured == 4  # all but a and c
    assert [error.path for error in found.report.errors] == ["a.py", "c.py", "z.py"]
