"""Boolean combinations against brute force over all pairs and functions, and their bounds."""

from __future__ import annotations

import importlib.util
import json
import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.runtime.combination import bitsets as packed_decisions
from cvlint.runtime.combination.bitsets import PackedDecisions
from cvlint.runtime.combination.boolean_functions import AND, BY_NAME, FUNCTIONS, OR, independent_rate, rate_bounds
from cvlint.runtime.combination.combining import combined, evenly_spread, with_few_digits
from cvlint.runtime.combination.decision_rules import Combined, Threshold, rule_of
from cvlint.runtime.combination.roc_hull import combination_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.spaces.fspace import f_at, f_crossing
from cvlint.runtime.thresholds.operating_points import operating_points

IN_PYTHON = {
    "a AND b": lambda a, b: a and b,
    "NOT a AND b": lambda a, b: (not a) and b,
    "a AND NOT b": lambda a, b: a and not b,
    "NOT (a AND b)": lambda a, b: not (a and b),
    "a OR b": lambda a, b: a or b,
    "NOT a OR b": lambda a, b: (not a) or b,
    "a OR NOT b": lambda a, b: a or not b,
    "NOT (a OR b)": lambda a, b: not (a or b),
    "a XOR b": lambda a, b: a != b,
    "a EQUALS b": lambda a, b: a == b,
}
P = np.array([0.001, 0.01, 0.04, 0.1, 0.25, 0.5, 0.9, 0.999])

thorough = settings(max_examples=30)  # brute force takes its time

Problem = tuple[np.ndarray, dict[str, np.ndarray]]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """True classes, both present, and the scores of two to four classifiers, with ties."""
    n = draw(st.integers(2, 25))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.random(n) < rng.random()
    y[:2] = (True, False)
    names = "abcd"[: draw(st.integers(2, 4))]
    levels = draw(st.integers(1, 6))
    return y, {name: rng.integers(0, levels + 1, n) / levels + draw(st.sampled_from((0, 0.5))) * y for name in names}


def every_decision(scores: dict[str, np.ndarray]) -> dict[str, list[np.ndarray]]:
    return {name: [s >= t for t in np.unique(s)] for name, s in scores.items()}


def best_by_force(decisions: list[np.ndarray], y: np.ndarray, alpha: float) -> np.ndarray:
    """The highest F at each of P."""
    every = np.array(decisions)
    return f_at(every[:, y].mean(axis=1)[:, None], every[:, ~y].mean(axis=1)[:, None], P, alpha).max(axis=0)


def test_the_functions_are_what_their_names_say() -> None:
    assert list(BY_NAME) == list(IN_PYTHON)
    for function, (a, b) in product(FUNCTIONS, product((False, True), repeat=2)):
        assert function.decide(np.array([a]), np.array([b]))[0] == IN_PYTHON[function.name](a, b)


@thorough
@given(problems(), st.floats(0.02, 0.98))
def test_one_iteration_is_the_best_of_all_pairs(problem: Problem, alpha: float) -> None:
    y, scores = problem
    single = every_decision(scores)
    decisions = [d for each in single.values() for d in each]
    hulls = combined(y, scores, iterations=1)
    found = [float(hulls[0].best(p, alpha).f(p, alpha)) for p in P]
    assert found == pytest.approx(best_by_force(decisions, y, alpha), abs=1e-12)
    for one, other in combinations(scores, 2):
        for a, b in product(single[one], single[other]):
            decisions += [a & b, ~a & b, a & ~b, ~(a & b), a | b, ~a | b, a | ~b, ~(a | b), a ^ b, a == b]
    found = [float(hulls[-1].best(p, alpha).f(p, alpha)) for p in P]
    assert found == pytest.approx(best_by_force(decisions, y, alpha), abs=1e-12)


@thorough
@given(problems())
def test_the_next_iteration_is_the_best_of_the_new_rules_and_all_thresholds(problem: Problem) -> None:
    y, scores = problem
    alone, first = combined(y, scores, iterations=0)[-1], combined(y, scores, iterations=1)[-1]
    second = combined(y, scores, iterations=2)[-1]
    decisions = [rule.decide(scores) for rule in first.rules]
    new = [rule.decide(scores) for rule in first.rules if rule not in alone.rules]
    for a, b in product(new, [d for each in every_decision(scores).values() for d in each]):
        decisions += [f.decide(a, b) for f in FUNCTIONS]
    for alpha in (0.1, 0.5, 0.9):
        found = [float(second.best(p, alpha).f(p, alpha)) for p in P]
        assert found == pytest.approx(best_by_force(decisions, y, alpha), abs=1e-12)


@thorough
@given(problems())
def test_a_combination_reproduces_its_point_also_after_json(problem: Problem) -> None:
    y, scores = problem
    hulls = combined(y, scores)
    areas = [hull.area() for hull in hulls]
    assert [0, *areas] == sorted({0, *areas})
    assert areas[-1] <= 1
    for combination in hulls[-1].combinations():
        again = combination_of(json.loads(json.dumps(combination.as_object())))
        assert again == combination
        decisions = again.decide(scores)
        assert (decisions[y].mean(), decisions[~y].mean()) == (combination.tpr, combination.fpr)


@thorough
@given(problems(), st.sampled_from((0.0, 0.3, 0.5, 1.0)))
def test_the_intervals_of_the_combinations_are_where_they_are_best(problem: Problem, alpha: float) -> None:
    y, scores = problem
    hull = combined(y, scores, iterations=1)[-1]
    found = hull.combinations(alpha)
    if 0 < alpha < 1:  # every vertex is best somewhere
        assert [combination.rule for combination in found] == list(hull.rules)
    assert (found[0].best_from, found[-1].best_to) == (0, 1)
    for combination in found:
        inside = np.linspace(combination.best_from, combination.best_to, 5)[1:-1]
        own, others = combination.f(inside, alpha), [other.f(inside, alpha) for other in found]
        assert (own >= np.max(others, axis=0) - 1e-9).all()


@thorough
@given(problems())
def test_the_hull_is_that_of_scipy(problem: Problem) -> None:
    from scipy.spatial import ConvexHull

    y, scores = problem
    hull = combined(y, scores, iterations=1)[-1]
    corners = np.array([(0, 0), (hull.negatives, 0), (hull.negatives, hull.positives)])
    points = np.concatenate((corners, np.stack((hull.fp, hull.tp), axis=1)))
    area = ConvexHull(points).volume / (hull.positives * hull.negatives)  # of two axes the volume is the area
    assert hull.area() == pytest.approx(area, abs=1e-9)
    roof = [max(t for t in range(hull.positives + 1) if below(points, f, t)) for f in range(hull.negatives + 1)]
    assert hull.roof().tolist() == roof


def below(points: np.ndarray, fp: int, tp: int) -> bool:
    """Whether a point lies on or below a chord of two points, or below one point: exact, in whole numbers."""
    for (x1, y1), (x2, y2) in product(points.tolist(), repeat=2):
        if x1 <= fp <= x2 and (tp <= y1 if x1 == x2 else (tp - y1) * (x2 - x1) <= (y2 - y1) * (fp - x1)):
            return True
    return False


@given(st.integers(1, 300), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_packed_counts_are_those_of_booleans(n: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    decisions, y = rng.random((count, n)) < rng.random((count, 1)), rng.random(n) < 0.3
    packed = PackedDecisions.of(decisions, y)
    assert packed.tp.tolist() == [int((d & y).sum()) for d in decisions]
    assert packed.fp.tolist() == [int((d & ~y).sum()) for d in decisions]
    others = np.arange(count)[::-1]
    for i, one in enumerate(decisions):
        tp, fp = packed.common(i, packed, others)
        assert tp.tolist() == [int((one & decisions[j] & y).sum()) for j in others]
        assert fp.tolist() == [int((one & decisions[j] & ~y).sum()) for j in others]
    table = packed_decisions.ones_by_table(packed.negatives).sum(axis=1)
    assert table.tolist() == packed.fp.tolist()


def test_an_old_numpy_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.2
    scores = {name: rng.normal(size=300) + y for name in "abc"}
    new = combined(y, scores, thresholds=20)
    monkeypatch.setattr(packed_decisions, "_ones", packed_decisions.ones_by_table)
    old = combined(y, scores, thresholds=20)
    assert [hull.rules for hull in old] == [hull.rules for hull in new]


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(sum))
def test_counts_and_bounds_hold_for_every_joint_distribution(cells: list[int]) -> None:
    _, only_b, only_a, both = cells
    total = sum(cells)
    a, b = (only_a + both) / total, (only_b + both) / total
    for function in FUNCTIONS:
        count = function.count(total, only_a + both, only_b + both, both)
        assert count == sum(size for size, says in zip(cells, function.cells, strict=True) if says)
        low, high = rate_bounds(function, a, b)
        assert low - 1e-12 <= count / total <= high + 1e-12
        assert min(low, 1 - high) >= -1e-12
        if both * total >= (only_a + both) * (only_b + both):
            low, high = rate_bounds(function, a, b, "positive")
            assert low - 1e-12 <= count / total <= high + 1e-12


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_bounds_of_and_and_or(a: float, b: float) -> None:
    assert rate_bounds(AND, a, b) == pytest.approx((max(0, a + b - 1), min(a, b)))
    assert rate_bounds(AND, a, b, "positive") == pytest.approx((a * b, min(a, b)))
    assert rate_bounds(OR, a, b, "positive") == pytest.approx((max(a, b), a + b - a * b))
    assert rate_bounds(OR, a, b) == pytest.approx((max(a, b), min(1, a + b)))


def test_independent_classifiers() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 400_000)) < np.array([[0.7], [0.4]])
    for function in FUNCTIONS:
        assert function.decide(a, b).mean() == pytest.approx(float(independent_rate(function, 0.7, 0.4)), abs=0.004)


@given(st.tuples(st.floats(0.05, 0.9), st.floats(0.01, 1)), st.tuples(st.floats(0.05, 0.9), st.floats(0.01, 1)))
def test_independent_and_is_better_below_the_crossing_and_or_above(
    i: tuple[float, float], j: tuple[float, float]
) -> None:
    """The directions that A.7 and A.8 print the other way round; classifiers better than chance: fpr < tpr."""
    (tpr_i, fpr_i), (tpr_j, fpr_j) = ((tpr, 0.9 * share * tpr) for tpr, share in (i, j))
    for function, sign in ((AND, 1), (OR, -1)):
        tpr, fpr = (float(independent_rate(function, *r)) for r in ((tpr_i, tpr_j), (fpr_i, fpr_j)))
        crossing = float(f_crossing(tpr, fpr, tpr_i, fpr_i))
        for p, direction in ((crossing * 0.9, sign), (crossing + 0.1 * (1 - crossing), -sign)):
            if 1e-6 < p < 1 - 1e-6:
                gain = float(f_at(tpr, fpr, p) - f_at(tpr_i, fpr_i, p))
                assert gain * direction > -1e-12


def test_rules_are_readable() -> None:
    a, b, c = Threshold("svm", 0.31), Threshold("tree", 1.0), Threshold("x.py:7", 1e-7)
    both = Combined(BY_NAME["a AND NOT b"], a, b)
    assert str(both) == "svm >= 0.31 AND NOT tree >= 1"
    assert str(Combined(OR, both, c)) == "(svm >= 0.31 AND NOT tree >= 1) OR x.py:7 >= 1e-07"
    assert str(Combined(OR, Combined(OR, a, b), c)) == "svm >= 0.31 OR tree >= 1 OR x.py:7 >= 1e-07"
    assert str(Combined(BY_NAME["NOT (a AND b)"], both, a)) == "NOT ((svm >= 0.31 AND NOT tree >= 1) AND svm >= 0.31)"


def test_thresholds_are_spread_over_both_classes() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.02
    points = operating_points(y, rng.normal(size=20_000) + y)
    chosen = evenly_spread(points, 50)
    assert len(chosen) == 50 and chosen[-1] == points.thresholds[-1] and np.isfinite(chosen).all()
    at = np.searchsorted(-points.thresholds, -chosen)
    steps = np.diff(points.tpr[at] + points.fpr[at])
    assert steps == pytest.approx(np.full(49, 2 / 50), abs=0.005)


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=20, unique=True))
def test_thresholds_have_few_digits_and_decide_the_same(scores: list[float]) -> None:
    points = operating_points(np.arange(len(scores)) % 2, scores)
    exact = points.thresholds[1:]
    short = with_few_digits(exact, points)
    assert ((np.array(scores) >= short[:, None]) == (np.array(scores) >= exact[:, None])).all()
    assert (short <= exact).all()
    assert with_few_digits(np.array([0.123456]), operating_points([0, 1], [0.123456, 0.12])).tolist() == [0.123]


@pytest.mark.parametrize(
    ("y", "scores", "says"),
    [
        ([0, 1], {}, "there are no classifiers"),
        ([1, 1], {"a": [0.1, 0.2]}, "all samples are of one class"),
        ([0, 1], {"a": [0.1]}, "one value a sample is needed"),
        ([0, 1], {"a": [0.1, np.nan]}, "no finite number"),
        ([0, 2], {"a": [0.1, 0.2]}, "other values than 0 and 1"),
    ],
)
def test_what_cannot_be_combined(y: list[int], scores: dict[str, list[float]], says: str) -> None:
    with pytest.raises(FoldDataError, match=says):
        combined(y, scores)


@pytest.mark.parametrize(
    "document", [{}, [], {"classifier": "a"}, {"function": "a NAND b", "a": {}, "b": {}}, {"rule": {}}]
)
def test_documents_that_are_no_combination_are_refused(document: object) -> None:
    for reader in (rule_of, combination_of):
        with pytest.raises(FoldDataError, match="this is no"):
            reader(document)


LEAF = {"classifier": "a", "at": 1}


@pytest.mark.parametrize("at", [math.nan, math.inf, True, None, "1"])
def test_a_threshold_is_a_finite_number(at: object) -> None:
    with pytest.raises(FoldDataError, match="this is no rule"):
        rule_of({"classifier": "a", "at": at})


def test_whole_numbers_are_rates_too() -> None:
    """Other programs write 1 for 1.0."""
    found = combination_of({"rule": LEAF, "tpr": 1, "fpr": 0, "best_from": 0, "best_to": 1})
    assert (found.rule, found.tpr, found.best_to) == (Threshold("a", 1.0), 1.0, 1.0)
    for wrong in (True, math.nan, -0.1, 1.1):
        with pytest.raises(FoldDataError, match="this is no combination"):
            combination_of({"rule": LEAF, "tpr": wrong, "fpr": 0, "best_from": 0, "best_to": 1})


def test_a_rule_that_is_too_deep() -> None:
    rule: dict[str, object] = LEAF
    for level in range(2000):
        rule = {"function": "a AND b", "a": rule, "b": LEAF}
        if level == 99:
            assert str(rule_of(rule)).count(" AND ") == 100
    with pytest.raises(FoldDataError, match="it has more than 200 levels of functions"):
        rule_of(rule)


def test_scores_of_a_classifier_that_is_missing() -> None:
    with pytest.raises(FoldDataError, match="no scores of the classifier 'b': given are 'a'"):
        Combined(AND, Threshold("a", 0), Threshold("b", 0)).decide({"a": [1.0]})


@pytest.mark.parametrize(
    ("scores", "says"), [([0.1, np.nan], "a score of the classifier 'b' is NaN"), ([0.1], "have 2 scores and 1")]
)
def test_unusable_new_scores_are_refused(scores: list[float], says: str) -> None:
    with pytest.raises(FoldDataError, match=says):
        Combined(AND, Threshold("a", 0), Threshold("b", 0)).decide({"a": [1, 2], "b": scores})


@given(st.floats(0.01, 1), st.floats(0, 1), st.floats(0.01, 1), st.floats(0.01, 1))
def test_f_is_that_of_algorithm_1(tpr: float, fpr: float, p: float, alpha: float) -> None:
    printed = tpr / alpha / (1 / alpha + fpr / p + tpr - fpr - 1)  # its line 15
    assert float(f_at(tpr, fpr, p, alpha)) == pytest.approx(printed)


def test_the_experiment_of_figure_11() -> None:
    path = Path(__file__).parents[3] / "fixtures" / "papers" / "soleymani_figure_11.py"
    spec = importlib.util.spec_from_file_location("soleymani_figure_11", path)
    assert spec is not None and spec.loader is not None
    figure = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figure)
    for prevalence in figure.PREVALENCES:
        shares = [y.mean() for _, y in figure.parts(8, prevalence, np.random.default_rng(0), moved=False)]
        assert shares == pytest.approx([prevalence] * 3, abs=0.006)
    found = np.array(figure.one_round(8, 0, 0.1, figure.BASES["naive-bayes"], moved=False))
    assert found.shape == (len(figure.RULES), len(figure.DEPLOYED))
    assert (found[2:, -1] > 0.7).all() and (found >= 0).all() and (found <= 1).all()  # five positives choose a rule
    assert len(figure.table(0.1, np.stack((found, found))).splitlines()) == 2 + len(figure.RULES) + 4


def test_rates_must_be_rates() -> None:
    with pytest.raises(FoldDataError, match="not from 0 to 1"):
        rate_bounds(AND, 0.5, 1.5)
