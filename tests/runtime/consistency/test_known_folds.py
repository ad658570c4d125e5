"""For folds of known sizes, the verdicts are those of trying every table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from cvlint.runtime import FoldDataError
from cvlint.runtime.consistency import count_sums
from cvlint.runtime.consistency.confusion_tables import MEASURES, FoldSizes, Table, exactly, f_measure
from cvlint.runtime.consistency.possible_aggregates import (
    f_avg_valid_verdict,
    f_avg_verdict,
    f_prre_valid_verdict,
    f_prre_verdict,
    verdicts,
)
from cvlint.runtime.consistency.reported_values import Claim, Printed, Verdict, harmonic

MLSCORECHECK = FoldSizes.listed([52, 74], [94, 37])  # the two folds of its example of means of scores
NAMES = ("precision", "recall", "accuracy", "specificity", "balanced_accuracy")


def judged(f: str, sizes: FoldSizes, auc: str | None = None, beta: int = 1, **rates: str) -> dict[str, Verdict]:
    negatives = sum(choice[0][1] for choice in sizes.choices)
    printed = {name: Printed.of(text, name) for name, text in rates.items()}
    area = None if auc is None else Printed.of(auc, "auc")
    claim = Claim(
        Printed.of(f, "f"), **printed, auc=area, positives=sizes.positives, negatives=negatives, sizes=sizes,
        beta=Fraction(beta),
    )  # fmt: skip
    return {verdict.name: verdict for verdict in verdicts(claim)}


def means(tables: tuple[Table, ...], beta: Fraction) -> dict[str, Fraction]:
    """The exact means over the folds, written down once more."""
    found = dict.fromkeys(("f_avg", *NAMES), Fraction(0))
    for p, n, tp, fp in tables:
        k = len(tables)
        precision = Fraction(tp, tp + fp) if tp + fp else Fraction(0)
        recall = Fraction(tp, p) if p else Fraction(0)
        specificity = Fraction(n - fp, n) if n else Fraction(0)
        found["precision"] += precision / k
        found["recall"] += recall / k
        found["f_avg"] += harmonic(precision, recall, beta) / k
        found["accuracy"] += Fraction(tp + n - fp, p + n) / k
        found["specificity"] += specificity / k
        found["balanced_accuracy"] += (recall + specificity) / 2 / k if p and n else Fraction(0)
    found["f_prre"] = harmonic(found["precision"], found["recall"], beta)
    return found


def means_of_defined(tables: tuple[Table, ...], beta: Fraction) -> list[dict[str, Fraction]]:
    """The means over the folds with precision and recall: the others of those folds, or of all; [] without any."""
    kept = tuple(t for t in tables if t[0] and t[2] + t[3])
    if not kept:
        return []
    inside = means(kept, beta)
    outside = {name: means(tables, beta)[name] for name in ("accuracy", "specificity", "balanced_accuracy")}
    return [inside, inside | outside]


def every(sizes: FoldSizes) -> list[tuple[Table, ...]]:
    folds = [
        [(p, n, tp, fp) for p, n in choice for tp in range(p + 1) for fp in range(n + 1)] for choice in sizes.choices
    ]
    return [t for t in product(*folds) if sum(p for p, *_ in t) == sizes.positives]


SMALL = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda s: sum(s) > 0), min_size=1, max_size=3)


BETAS = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)])


@settings(max_examples=20)
@given(st.data(), SMALL, st.integers(1, 3), BETAS)
def test_trying_sums_and_trying_tables_agree(
    data: st.DataObject, folds: list[tuple[int, int]], digits: int, beta: Fraction
) -> None:
    compare(data, folds, digits, beta)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), SMALL, st.integers(1, 3), BETAS)
def test_walks_and_directions_say_so_too(
    monkeypatch: pytest.MonkeyPatch, data: st.DataObject, folds: list[tuple[int, int]], digits: int, beta: Fraction
) -> None:
    monkeypatch.setattr("cvlint.runtime.consistency.mean_feasibility.QUICK", 0)
    compare(data, folds, digits, beta, proves_all=False)


def agrees(verdict: Verdict, fits: list[tuple[Table, ...]], proves_all: bool) -> None:
    assert verdict.proved or not proves_all
    assert verdict.possible == bool(fits) or not verdict.proved
    assert verdict.possible or not fits
    assert not verdict.example or verdict.example in fits


def compare(
    data: st.DataObject, folds: list[tuple[int, int]], digits: int, beta: Fraction, proves_all: bool = True
) -> None:
    """Draw printed values, and judge them by the search and by every table; a search may give up, but never accuse."""
    sizes = FoldSizes.listed(*zip(*folds, strict=True))
    if data.draw(st.booleans()) and sum(map(sum, folds)) <= 6:
        p, n = (sum(side) for side in zip(*folds, strict=True))
        sizes = FoldSizes.unstratified(p, n, len(folds))
    all_tables = every(sizes)
    values = [means(t, beta) for t in all_tables]
    model = values[data.draw(st.integers(0, len(values) - 1))]  # printed values near ones that occur
    rates = {}
    for name in data.draw(st.lists(st.sampled_from(NAMES), unique=True)):
        rates[name] = Printed.of(f"{float(model[name]):.{digits}f}", name)
    for aggregate in ("f_avg", "f_prre"):
        off = data.draw(st.integers(-3, 3)) * 10.0**-digits
        f = Printed.of(f"{min(max(float(model[aggregate]) + off, 0), 1):.{digits}f}", "f")
        fits = [
            t
            for t, v in zip(all_tables, values, strict=True)
            if f.holds(v[aggregate]) and all(printed.holds(v[name]) for name, printed in rates.items())
        ]
        verdict = next(v for v in verdicts(Claim(f, **rates, beta=beta, sizes=sizes)) if v.name == aggregate)
        agrees(verdict, fits, proves_all)
        fits = [
            t
            for t in all_tables
            for v in means_of_defined(t, beta)
            if f.holds(v[aggregate]) and all(printed.holds(v[name]) for name, printed in rates.items())
        ]
        verdict = next(v for v in verdicts(Claim(f, **rates, beta=beta, sizes=sizes)) if v.name == f"{aggregate}_valid")
        agrees(verdict, fits, proves_all)


@settings(max_examples=8)  # a search among large tables takes seconds
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 20), st.data()), min_size=2, max_size=5),
    st.lists(st.sampled_from(NAMES), unique=True),
    st.integers(1, 4),
    st.booleans(),
)
def test_the_means_of_real_folds_are_never_impossible(
    folds: list[tuple[int, int, st.DataObject]], names: list[str], digits: int, known: bool
) -> None:
    tables = tuple((p, n, d.draw(st.integers(0, p)), d.draw(st.integers(0, n))) for p, n, d in folds)
    sizes = FoldSizes.listed(*zip(*[t[:2] for t in tables], strict=True))
    if not known:  # the sizes of KFold, and the positives wherever they fall
        tables = tuple((t[2], 20 - t[2], t[2] // 2, t[2]) for t in tables)
        sizes = FoldSizes.unstratified(sum(t[0] for t in tables), sum(t[1] for t in tables), len(tables))
    values = means(tables, Fraction(1))
    rates = {name: Printed.of(f"{float(values[name]):.{digits}f}", name) for name in names}
    for aggregate, judge in (("f_avg", f_avg_verdict), ("f_prre", f_prre_verdict)):
        claim = Claim(Printed.of(f"{float(values[aggregate]):.{digits}f}", "f"), **rates, sizes=sizes)
        verdict = judge(claim)
        assert verdict.possible
        if verdict.example:
            found = means(verdict.example, Fraction(1))
            assert claim.f.holds(found[aggregate])
            assert all(printed.holds(found[name]) for name, printed in rates.items())
            assert sum(t[0] for t in verdict.example) == sizes.positives


@settings(max_examples=8)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 20), st.data()), min_size=2, max_size=4),
    st.lists(st.sampled_from(NAMES), unique=True),
    st.integers(1, 4),
    st.integers(0, 1),
)
def test_the_means_of_defined_folds_are_never_impossible(
    folds: list[tuple[int, int, st.DataObject]], names: list[str], digits: int, which: int
) -> None:
    tables = tuple((p, n, d.draw(st.integers(0, p)), d.draw(st.integers(0, n))) for p, n, d in folds)
    sizes = FoldSizes.listed(*zip(*[t[:2] for t in tables], strict=True))
    found = means_of_defined(tables, Fraction(1))
    assume(found)
    rates = {name: Printed.of(f"{float(found[which][name]):.{digits}f}", name) for name in names}
    for aggregate, judge in (("f_avg", f_avg_valid_verdict), ("f_prre", f_prre_valid_verdict)):
        claim = Claim(Printed.of(f"{float(found[which][aggregate]):.{digits}f}", "f"), **rates, sizes=sizes)
        verdict = judge(claim)
        assert verdict.possible
        if verdict.example:
            again = means_of_defined(verdict.example, Fraction(1))
            assert any(
                claim.f.holds(v[aggregate]) and all(printed.holds(v[name]) for name, printed in rates.items())
                for v in again
            )


def test_the_example_of_mlscorecheck() -> None:
    """Its test of means is of linear scores, and lets any F pass; only .639 goes with the other three."""
    rates = {"recall": ".768", "accuracy": ".573", "balanced_accuracy": ".662"}
    assert not judged(".637", MLSCORECHECK, **rates)["f_avg"].possible
    found = judged(".639", MLSCORECHECK, **rates)["f_avg"]
    assert found.example == ((52, 94, 49, 81), (74, 37, 44, 1))
    assert not any(judged(".637", MLSCORECHECK, **rates)[name].possible for name in ("f_prre", "f_tpfp"))
    without = {"recall": ".768", "accuracy": ".573"}
    assert judged(".637", MLSCORECHECK, **without)["f_avg"].example
    assert judged(".652", MLSCORECHECK, **without)["f_avg"].possible
    assert not judged(".653", MLSCORECHECK, **without)["f_avg"].possible  # the most is .65196


def test_the_papers_first_table() -> None:
    sizes = FoldSizes.listed([3, 4, 4, 4], [373, 372, 372, 372])
    found = judged(".69", sizes, precision=".60", recall=".94")
    expected = {"f_tpfp": False, "f_prre": False, "f_avg": True, "f_prre_valid": False, "f_avg_valid": True}
    assert {name: v.possible for name, v in found.items()} == expected
    assert all(verdict.proved for verdict in found.values())
    found = judged(".73", sizes, precision=".60", recall=".94")
    assert found["f_prre"].example


def test_the_papers_second_table() -> None:
    """The measures with a tilde skip the second fold, in which nothing is predicted positive."""
    sizes = FoldSizes.listed([4] * 4, [372] * 4)
    found = judged(".89", sizes, precision="1.00", recall=".83")
    assert [name for name, v in found.items() if v.possible] == ["f_avg_valid"]
    assert sorted(tp for _, _, tp, _ in found["f_avg_valid"].example) == [0, 2, 4, 4]
    found = judged(".91", sizes, precision="1.00", recall=".83")
    assert found["f_prre_valid"].example
    assert not found["f_avg_valid"].possible
    found = judged(".67", sizes, precision=".75", recall=".63")
    assert found["f_avg"].possible


def test_impossible_names_what_was_considered() -> None:
    found = judged(".90", FoldSizes.listed([4] * 4, [3] * 4), precision="1.00", recall=".85")
    assert not any(v.possible for v in found.values())
    assert all("Considered: " in v.reason for v in found.values())
    assert "over all folds, where an undefined precision, recall or F" in found["f_avg"].reason
    assert "over the folds in which precision and recall are defined" in found["f_avg_valid"].reason


@pytest.mark.parametrize(
    ("f", "precision", "recall", "possible"),
    [(".692", ".601", ".940", True), (".733", ".600", ".940", True), (".736", ".600", ".940", False)],
)
def test_ten_folds(f: str, precision: str, recall: str, possible: bool) -> None:
    verdict = judged(f, FoldSizes.stratified(100, 900, 10), precision=precision, recall=recall)["f_avg"]
    assert (verdict.possible, verdict.proved) == (possible, True)
    if possible:
        found = means(verdict.example, Fraction(1))
        assert Printed.of(f, "").holds(found["f_avg"])
        assert Printed.of(precision, "").holds(found["precision"])
        assert Printed.of(recall, "").holds(found["recall"])


def test_means_that_lie_between_multiples_are_impossible() -> None:
    """Accuracy over 5 folds of 40 is a multiple of 1/200; recall over folds of 20 positives, of 1/100."""
    sizes = FoldSizes.unstratified(100, 100, 5)
    claim = Claim(Printed.of(".7371", ""), Printed.of(".6123", ""), accuracy=Printed.of(".6301", ""), sizes=sizes)
    assert [v.possible for v in verdicts(claim) if v.name != "f_tpfp"] == [False] * 4
    sizes = FoldSizes.stratified(100, 300, 5)
    assert not judged(".700", sizes, recall=".755")["f_avg"].possible
    assert judged(".700", sizes, recall=".750")["f_avg"].possible


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 7), st.booleans())
def test_stratified_folds_are_those_of_scikit_learn(positives: int, negatives: int, folds: int, first: bool) -> None:
    if max(positives, negatives) < folds:
        return
    labels = np.array([1] * positives + [0] * negatives) if first else np.array([0] * negatives + [1] * positives)
    with np.errstate(all="ignore"), pytest.warns() if min(positives, negatives) < folds else _nothing():
        parts = [labels[test] for _, test in StratifiedKFold(folds).split(labels, labels)]
    theirs = sorted((int(part.sum()), len(part) - int(part.sum())) for part in parts)
    assert sorted(choice[0] for choice in FoldSizes.stratified(positives, negatives, folds).choices) == theirs


class _nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def auc_bounds(p: int, n: int, tp: int, fp: int) -> tuple[Fraction, Fraction]:
    """The areas under the lowest and the highest stairs through the point (FP / n, TP / p)."""
    x, y = Fraction(fp, n), Fraction(tp, p)
    return y * (1 - x), 1 - (1 - y) * x


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=2), st.data())
def test_auc(folds: list[tuple[int, int]], data: st.DataObject) -> None:
    sizes = FoldSizes.listed(*zip(*folds, strict=True))
    auc = Printed.of(f"{data.draw(st.integers(0, 100))}%", "auc")
    recall = Printed.of(f"{data.draw(st.integers(0, 10))}0%", "recall")
    p, n = (sum(side) for side in zip(*folds, strict=True))
    claim = Claim(Printed.of("50%", ""), recall=recall, auc=auc, positives=p, negatives=n, sizes=sizes)
    found = {v.name: v for v in verdicts(claim)}

    def reaches(tables: tuple[Table, ...]) -> bool:
        grids = []
        for table in tables:
            low, high = auc_bounds(*table)
            steps = 2 * table[0] * table[1]
            grids.append([Fraction(i, steps) for i in range(steps + 1) if low <= Fraction(i, steps) <= high])
        return any(auc.holds(sum(each, Fraction(0)) / len(tables)) for each in product(*grids))

    fits = [t for t in every(sizes) if recall.holds(means(t, Fraction(1))["recall"]) and reaches(t)]
    verdict = found["auc_avg"]
    assert verdict.possible or not fits
    assert not verdict.example or verdict.example in fits
    whole = [((p, n, tp, fp),) for tp in range(p + 1) for fp in range(n + 1)]
    fits = [t for t in whole if recall.holds(Fraction(t[0][2], p)) and reaches(t)]
    assert found["auc_merge"].possible == bool(fits)
    assert not found["auc_merge"].example or found["auc_merge"].example in fits


def test_the_auc_of_a_fold_is_bounded_by_its_table() -> None:
    table = (4, 5, 3, 1)
    assert [exactly(MEASURES[name], table) for name in ("least_auc", "greatest_auc")] == list(auc_bounds(*table))
    assert exactly(f_measure(Fraction(1)), table) == Fraction(6, 8)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: FoldSizes.stratified(2, 3, 6), "5 samples make no 6 folds"),
        (lambda: FoldSizes.listed([1, 2], [3]), "positives are given of 2 folds and negatives of 1"),
        (lambda: FoldSizes.listed([1, 0], [3, 0]), "a fold without samples has no measure"),
        (lambda: FoldSizes.stratified(30_000, 300_000, 10).tables(), "at most 2,000,000 can be searched"),
        (lambda: f_measure(Fraction(1, 333)), "has too many digits"),
    ],
)
def test_refusals(make: object, says: str) -> None:
    with pytest.raises(FoldDataError, match=says):
        make()  # type: ignore[operator]


def test_where_there_are_too_many_sums_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """An end without an answer would be read as a proof that no counts fit."""
    ranges = [count_sums.MeanRange(f_measure(Fraction(1)), Fraction(0), Fraction(1))]
    problem = count_sums.SumProblem.of(FoldSizes.listed([3, 3], [4, 4]), ranges)
    assert next(count_sums.sums_in_box(problem)) is not None
    for limit in ("MOST_GROWTH", "MOST_SUMS", "MOST_PAIRS"):
        with monkeypatch.context() as patch:
            patch.setattr(count_sums, limit, 0)
            assert list(count_sums.sums_in_box(problem)) == [None]
