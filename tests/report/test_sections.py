"""Test the parts of the page, each against its own oracle."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from report_data import BOOTSTRAP, binary, experiments, finding, table_1
from sklearn.metrics import roc_auc_score

from cvlint.findings.finding import Report
from cvlint.output.findings.formats import RenderContext
from cvlint.output.findings.json import finding_object
from cvlint.output.findings.json import render as render_json
from cvlint.report.calculations import calculations
from cvlint.report.drawing.inline_svg import ACCENT, drawn
from cvlint.report.drawing.score_ranks import score_ranks
from cvlint.report.drawing.thinning import STEP, thinned
from cvlint.report.experiments import experiments_of
from cvlint.report.figures.bias import expected_bias
from cvlint.report.figures.spaces import cost_space, f_space
from cvlint.report.finding_file import FindingsError, findings_in, json_object
from cvlint.report.fold_panels import WIDEST, class_rows, panels
from cvlint.report.page import named, scale
from cvlint.runtime import FoldSet
from cvlint.runtime.data.reading import FoldCounts
from cvlint.runtime.measures.counts import Counts
from cvlint.runtime.simulation.exact_expectations import expected_f_avg
from cvlint.runtime.simulation.simulated_cv import Setting
from cvlint.runtime.spaces.curves import Curves, curves_of
from cvlint.runtime.spaces.fspace import best_f
from cvlint.runtime.thresholds.operating_points import OperatingPoints, operating_points

P = np.linspace(0.01, 0.99, 23)


@st.composite
def rankings(draw: st.DrawFn) -> OperatingPoints:
    seed, samples = draw(st.integers(0, 10**6)), draw(st.sampled_from([2, 5, 40, 3000, 20_000]))
    rng = np.random.default_rng(seed)
    truth = rng.random(samples) < draw(st.floats(0.02, 0.9))
    truth[:2] = (True, False)
    score = rng.normal(truth * draw(st.floats(-1, 3)), 1)
    return operating_points(truth, np.round(score, draw(st.integers(0, 6))))


@settings(max_examples=40)
@given(rankings())
def test_a_thinned_curve_looks_the_same(points: OperatingPoints) -> None:
    few = thinned(points)
    assert len(few) <= 4 / STEP + len(np.unique(points.tpr))
    assert set(few.thresholds) <= set(points.thresholds)
    # A point left out lies between two that are kept and are close: within STEP of the line that is drawn there.
    way, kept = points.fpr + points.tpr, few.fpr + few.tpr
    place = np.clip(np.searchsorted(few.fpr + few.tpr, way, "right"), 1, len(few) - 1)
    gone = ~np.isin(points.thresholds, few.thresholds)
    assert (kept[place] - kept[place - 1])[gone].max(initial=0) <= STEP + 1e-12
    np.testing.assert_allclose(best_f(few, P)[1], best_f(points, P)[1], rtol=1e-12)


def test_a_thinned_curve_of_many_samples_is_short() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(200_000) < 0.3
    assert len(thinned(operating_points(truth, rng.normal(truth, 1)))) < 3_000


def test_the_mean_rank_of_positives_is_the_merged_auc() -> None:
    data = binary(300)
    found = score_ranks(data, 0, 30)
    assert found is not None
    assert data.y_score is not None
    ranks = np.concatenate([fold.positives for fold in found.folds])
    assert ranks.mean() == pytest.approx(roc_auc_score(data.y_true, data.y_score[:, 0]))
    pairs = [(i, j) for i in np.flatnonzero(data.y_true) for j in np.flatnonzero(data.y_true == 0)]
    assert found.across == pytest.approx(np.mean([data.fold[i] != data.fold[j] for i, j in pairs]))


def test_there_are_no_ranks_without_a_class() -> None:
    assert score_ranks(FoldSet.from_arrays([0, 0, 1], [0, 0, 0], [0, 1, 0], [0.1, 0.2, 0.3]), 0, 30) is None


cells = st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=15)


def counts_of(rows: list[tuple[int, ...]]) -> FoldCounts:
    return FoldCounts(Counts(np.array(rows, dtype=float).T[:, :, None]), tuple(range(len(rows))))


@settings(max_examples=40)
@given(cells, st.sampled_from([1.0, 2.0, 0.5]))
def test_the_formulas_give_their_results(rows: list[tuple[int, ...]], beta: float) -> None:
    (one,) = experiments_of([("", counts_of(rows))], beta=beta, bootstrap=BOOTSTRAP)
    for calculation in calculations(one):
        formula, _, result = calculation.numbers.rpartition(" = ")
        left = formula.rpartition("; ")[2].replace("·", "*")
        if not formula or "…" in left or result == "undefined":
            continue
        try:
            value = eval(left)
        except ZeroDivisionError:
            value = 0.0
        assert value == pytest.approx(float(result), abs=4e-4), calculation


@settings(max_examples=40)
@given(cells)
def test_panels_share_a_scale(rows: list[tuple[int, ...]]) -> None:
    (one,) = experiments_of([("", counts_of(rows))], bootstrap=BOOTSTRAP)
    found = panels(one.found)
    if not found:
        assert not any(tp or fn or fp for tp, fp, fn, _ in rows)
        return
    assert len({panel.start for panel in found}) == 1
    widths = [(p.missed, p.hit, p.wrong) for p in found]
    unit = next(
        (w / n for p, w in zip(found, widths, strict=True) for w, n in ((w[0], p.row.fn), (w[1], p.row.tp)) if n), 0
    )
    most = WIDEST * max(max(p.row.positives or 0 for p in found), 1)
    for panel, (missed, hit, wrong) in zip(found, widths, strict=True):
        assert missed <= panel.start + 1e-9
        assert panel.start + hit + wrong <= 100 + 1e-9
        assert panel.cut == ((panel.row.tp or 0) + (panel.row.fp or 0) > most)
        if unit:
            assert (missed, hit) == pytest.approx((unit * (panel.row.fn or 0), unit * (panel.row.tp or 0)))


def test_folds_with_warnings_are_drawn_first() -> None:
    rows = [(2, 0, 1, 9)] * 50 + [(0, 0, 3, 9)] * 3
    (one,) = experiments_of([("", counts_of(rows))])
    found = panels(one.found)
    assert [panel.row.fold for panel in found] == [*range(37), 50, 51, 52]
    assert [bool(panel.notes) for panel in found] == [False] * 37 + [True] * 3


def test_a_binary_task_has_no_rows_of_classes() -> None:
    assert class_rows(binary(), 1.0) == []
    assert class_rows(table_1(), 1.0) == []


def test_the_dot_of_the_experiment_lies_on_the_bias_curve() -> None:
    (one,) = experiments(**{"": binary(400, 4, share=0.1)})
    picture = expected_bias("key", one.found, one.positives, int(one.samples or 0))
    assert picture is not None
    rows = {row[0]: row for row in picture.table}
    tp, fp, fn = (sum(getattr(r, c) for r in one.found.rows) for c in ("tp", "fp", "fn"))
    for positives in (int(row[0]) for row in picture.table[1:]):
        setting = Setting(400, positives, 4, tp / (tp + fp), tp / (tp + fn))
        bias = 100 * (expected_f_avg(setting) / setting.f - 1)
        assert float(rows[str(positives)][2].removesuffix(" %").replace("−", "-")) == pytest.approx(bias, abs=0.06)
    assert str(int(one.positives or 0)) in picture.description


def test_findings_survive_a_round_trip() -> None:
    given = finding(fingerprint="0f")
    assert findings_in(render_json(Report((given,), (), 1), RenderContext())) == (given,)


@pytest.mark.parametrize("key", ["rule", "severity", "path", "line", "end_column", "message", "trace", "fingerprint"])
def test_findings_that_lack_something_are_refused(key: str) -> None:
    import json

    table = finding_object(finding(), "0f")
    for broken in ({k: v for k, v in table.items() if k != key}, table | {key: 1.5}, table | {key: True}):
        with pytest.raises(FindingsError, match=rf"findings\[0\].*{key}"):
            findings_in(json.dumps({"version": 1, "findings": [broken]}))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no list 'findings'"),
        ('{"findings": []}', "its version is None"),
        ('{"version": 2, "findings": []}', "its version is 2"),
        ('{"version": 1, "findings": [3]}', r"findings\[0\] is no object"),
    ],
)
def test_a_file_without_findings_is_refused(text: str, says: str) -> None:
    with pytest.raises(FindingsError, match=says):
        findings_in(text)


@pytest.mark.parametrize(
    "change",
    [
        {"measured": {"aggregate": "f_avg"}},
        {"measured": 3},
        {"line": 0},
        {"cell": "a"},
        {"trace": [1]},
        {"fix": {"safety": "safe"}},
        {"suppressed": {"line": 1}},
        {"severity": "fatal"},
    ],
)
def test_findings_with_another_shape_are_refused(change: dict[str, object]) -> None:
    import json

    with pytest.raises(FindingsError, match=r"^findings\[0\]"):
        findings_in(json.dumps({"version": 1, "findings": [{**finding_object(finding(), "0f"), **change}]}))
    assert json_object({}, "it") == {}


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_scale_holds_its_values(values: list[float]) -> None:
    low, high = scale([*values, None, float("nan")])
    assert 0 <= low < high <= 1
    assert low <= min(values) + 1e-8
    assert high >= max(values) - 1e-8
    assert high - low < max(values) - min(values) + 0.2 + 1e-8


def test_the_names_of_aggregates_are_set_as_in_the_paper() -> None:
    assert named("F_tp,fp < F~avg & AUC_merge") == (
        "F<sub>tp,fp</sub> &lt; F\N{COMBINING TILDE}<sub>avg</sub> &amp; AUC<sub>merge</sub>"
    )
    assert named("my_F_avg and <b>") == "my_F_avg and &lt;b&gt;"
    assert re.fullmatch(r"x+…", str(named("x" * 3_000)))


def test_a_drawing_takes_ids_and_colours_of_the_page_and_keeps_its_words() -> None:
    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [0, 0.123456], color=ACCENT, marker="o")
        axes.set_title("#000404 0.123456 <g> font: 9px it", color="#0072B2")

    svg = drawn("key", draw)
    assert "#000404 0.123456 &lt;g&gt; font: 9px it</text>" in svg
    assert "var(--accent)" in svg
    assert "var(--s1)" in svg
    assert set(re.findall(r'id="(\w+)-', svg)) == {"key"}
    assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', svg)) <= set(re.findall(r'id="([^"]*)"', svg))
    assert not re.search(r"<g>|<!--|xlink|DejaVu|\d\.\d{3}[^456]", svg)
    assert svg == drawn("key", draw)


def decided(true: list[int], pred: list[int]) -> list[Curves]:
    return list(curves_of(FoldSet.from_arrays(np.arange(len(true)) % 2, true, pred)))


def test_descriptions_without_scores_mention_no_threshold() -> None:
    crisp = decided([1, 0, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0])
    for picture in (f_space("key", crisp, 0.5), cost_space("key", crisp)):
        assert picture is not None
        assert "threshold" not in picture.description
        assert "chosen" not in picture.description
    scored = f_space("key", list(curves_of(binary(300))), 0.5)
    assert scored is not None
    assert "the highest F of any threshold" in scored.description


def test_a_classifier_that_beats_nothing_is_described_so() -> None:
    never = cost_space("key", decided([1, 0, 0, 0, 1, 0], [0] * 6))
    assert never is not None
    assert "It is below this line nowhere." in never.description
    assert "nan" not in never.description


def test_shares_of_positives_in_words_are_shares() -> None:
    curves = decided([1, 1, 1, 1, 1, 0], [1, 1, 0, 1, 0, 0])
    frequent = f_space("key", curves, 0.5)
    assert frequent is not None
    assert "twice" not in frequent.description
    half, tenth = best_f(curves[0].points, np.array([5 / 12, 1 / 12]), 0.5)[1]
    assert f"{half:.3f} at half and {tenth:.3f} at a tenth of that" in frequent.description


def test_a_class_that_is_never_predicted_has_f_0() -> None:
    data = FoldSet.from_arrays([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 0], [0, 1, 0, 0, 1, 0])
    rows = {row.label: row for row in class_rows(data, 1.0)}
    assert (rows[2].f, rows[2].fold_f, rows[2].undefined) == (0, (0,), 1)  # it does not occur in the other fold
    assert rows[1].f == 1
