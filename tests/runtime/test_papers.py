"""The figures of the papers are drawn, and their numbers are as the kept tables say."""

from __future__ import annotations

import csv
import importlib
import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.runtime.measures.fmeasure import alpha_of, effectiveness, effectiveness_gradient, f_beta
from cvlint.runtime.simulation import fold_draws, monte_carlo
from cvlint.runtime.spaces.costspace import cost_crossing, expected_cost
from cvlint.runtime.spaces.fspace import f_at, f_crossing

PAPERS = Path(__file__).parents[2] / "fixtures" / "papers"
sys.path.append(str(PAPERS))  # the scripts of the papers import each other, as they do when they are run
shared: Any = importlib.import_module("drawing")
forman_scholz: Any = importlib.import_module("forman_scholz")
soleymani: Any = importlib.import_module("soleymani")

FIGURES = [(module, name) for module in (forman_scholz, soleymani) for name in module.FIGURES]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
FEW = 20_000  # repetitions
TOLERANCE = 0.6  # in %: five standard errors of the widest, whose spread is 16 %, in so few repetitions


@pytest.fixture(scope="module")
def simulated() -> Any:
    """The numbers of Forman & Scholz with few repetitions."""
    return forman_scholz.numbers(FEW)


def rows_in(file: str) -> list[str]:
    return [line for line in (PAPERS / file).read_text(encoding="utf-8").splitlines() if line.startswith("| ")][2:]


def row_of(number: Any) -> str:
    return f"| {number.place} | {number.what} | {number.printed} | {number.recomputed} | {number.note} |"


def values_in(text: str) -> list[float]:
    return [float(found) for found in NUMBER.findall(re.sub(r"F_\S+|F~\S+", "", text))]


def test_the_kept_tables_are_what_is_computed(simulated: Any) -> None:
    kept = rows_in("forman-scholz-numbers.md")
    assert len(kept) == len(simulated) > 40
    assert sum(number.exact for number in simulated) > 30
    for row, number in zip(kept, simulated, strict=True):
        if number.exact:
            assert row == row_of(number)
    assert rows_in("soleymani-numbers.md") == [row_of(number) for number in soleymani.numbers()]


def test_simulated_numbers_are_near_those_of_a_million_repetitions(simulated: Any) -> None:
    kept = rows_in("forman-scholz-numbers.md")
    pairs = [(row.split(" | ")[3], number) for row, number in zip(kept, simulated, strict=True) if not number.exact]
    assert len(pairs) > 8
    for text, number in pairs:
        assert values_in(number.recomputed) == pytest.approx(values_in(text), abs=TOLERANCE)


@pytest.mark.parametrize("module", [forman_scholz, soleymani])
def test_what_disagrees_has_a_note(module: Any, simulated: Any) -> None:
    """A printed number without a note is right to half of its last digit; what is called a misprint is not."""
    for number in simulated if module is forman_scholz else module.numbers():
        printed = NUMBER.findall(number.printed)
        found = values_in(number.recomputed)
        agrees = len(printed) == len(found) and all(
            abs(float(p) - v) <= 0.5 * 10.0 ** -len(p.partition(".")[2]) + 1e-9
            for p, v in zip(printed, found, strict=True)
        )
        if not number.note:
            assert agrees, number
        elif number.note.startswith("misprint"):
            assert not agrees, number


def test_signs_of_the_printed_text(simulated: Any) -> None:
    for number in simulated:
        values = values_in(number.recomputed)
        if "negative" in number.printed:
            assert values[0] < 0
        elif "positive" in number.printed:
            assert values[0] > 0
        elif number.printed == "> +1%":
            assert values[0] > 1


def test_words_about_signs_and_hulls() -> None:
    signs = {"negative, positive": [-1, 1], "positive, negative": [1, -1]}
    told = [n for n in soleymani.numbers() if n.printed in signs]
    assert len(told) == 3
    for number in told:
        assert np.sign(values_in(number.recomputed)).tolist() == signs[number.printed]
    (where,) = [float(n.recomputed) for n in soleymani.numbers() if "hulls" in n.what]
    x = np.array([where - 0.01, where + 0.01])
    gap = np.interp(x, soleymani.C1.fpr, soleymani.C1.tpr) - np.interp(x, soleymani.C2.fpr, soleymani.C2.tpr)
    assert gap[0] < 0 < gap[1]  # left of 0.5 all points of both are on their hulls


def test_a_bias_that_is_called_substantial_is_larger_than_others_or_has_a_note(simulated: Any) -> None:
    called = [n for n in simulated if "substantial" in n.printed]
    assert len(called) == 2
    for number in called:
        assert abs(values_in(number.recomputed)[0]) > 1.26 or "smaller than its own" in number.note


def test_orders_of_magnitude_of_all_settings(simulated: Any) -> None:
    (number,) = [n for n in simulated if n.printed == "two orders of magnitude"]
    assert len(values_in(number.recomputed)) == 6 == 3 * 2  # shares of positives, stratified or not


@pytest.mark.parametrize(("prevalence", "negatives"), [(0.1, 9), (0.04, 24)])
def test_the_parts_of_figure_11_are_as_in_the_paper(prevalence: float, negatives: int) -> None:
    figure_11 = importlib.import_module("soleymani_figure_11")
    moved, still = (list(figure_11.parts(3, prevalence, np.random.default_rng(0), m)) for m in (True, False))
    assert [int(y.sum()) for _, y in still] == [25, 5, 20]
    assert [len(y) for _, y in still] == [25 * (1 + negatives), 5 * (1 + negatives), 20 * (1 + negatives)]
    every = np.concatenate([X for X, _ in still])
    assert len(np.unique(every, axis=0)) == len(every)
    assert [np.array_equal(one, other) for (one, _), (other, _) in zip(moved, still, strict=True)] == [
        True,
        False,
        False,
    ]


def test_sasaki() -> None:
    """Section, what, printed, and what our functions give."""
    by_p, by_r = effectiveness_gradient(0.5, 1.0, alpha_of(2.0))
    rows = [
        ("section 1", "arithmetic mean of 1.0 and 0.2", "0.6", f"{(1.0 + 0.2) / 2:.4f}", ""),
        ("section 1", "harmonic mean of the same", "4/12 = 1/3 = 0.333...", f"{float(f_beta(1.0, 0.2)):.4f}", ""),
        ("section 2", "F_0 at P 0.5, R 1", "P", f"{float(f_beta(0.5, 1.0, 0.0)):.4f}", ""),
        ("section 2", "alpha where beta = 1", "0.5", f"{alpha_of(1.0):.4f}", ""),
        ("section 2", "E + F_2 at P 0.5, R 1", "1", f"{sum_of_e_and_f():.4f}", ""),
        ("section 3", "∂E/∂P, ∂E/∂R where R/P = beta = 2", "equal", f"{float(by_p):.4f}, {float(by_r):.4f}", ""),
    ]
    by_p, by_r = effectiveness_gradient(1.0, 0.5, alpha_of(2.0))
    note = "so beta is R/P, as the footnote supposes: P/R in van Rijsbergen's book is a misprint"
    rows += [("footnote 2", "the same where P/R = 2", "equal", f"{float(by_p):.4f}, {float(by_r):.4f}", note)]
    table = shared.markdown("Numbers of Sasaki 2007, The truth of the F-measure", [shared.Number(*row) for row in rows])
    assert table == (PAPERS / "sasaki-numbers.md").read_text(encoding="utf-8")


def sum_of_e_and_f() -> float:
    return float(effectiveness(0.5, 1.0, alpha_of(2.0)) + f_beta(0.5, 1.0, 2.0))


rate = st.floats(0.01, 0.99)


@given(rate, rate, rate, rate, st.floats(0.05, 0.95))
def test_a_crossing_in_the_f_measure_space_is_one_in_cost_space(
    ti: float, fi: float, tj: float, fj: float, alpha: float
) -> None:
    """What the table says of figure 6: brute force finds no pair that crosses in the F-measure space alone."""
    p = np.linspace(0.001, 0.999, 300)
    gaps = (
        f_at(ti, fi, p, alpha) - f_at(tj, fj, p, alpha),
        expected_cost(tj, fj, p) - expected_cost(ti, fi, p),
    )
    crosses_in_f, crosses_in_cost = (bool((gap > 1e-9).any() and (gap < -1e-9).any()) for gap in gaps)
    if crosses_in_f:
        assert crosses_in_cost or not np.isnan(cost_crossing(ti, fi, tj, fj))
        assert f_crossing(ti, fi, tj, fj) <= cost_crossing(ti, fi, tj, fj) + 1e-9


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forman_scholz, "REPETITIONS", 2_000)


@pytest.mark.parametrize(("module", "name"), FIGURES)
def test_every_figure_is_drawn(
    module: Any, name: str, quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Exact sums and tables take seconds, which pays for many repetitions only.
    monkeypatch.setattr(monte_carlo, "MOST_SUMMED", 0)
    monkeypatch.setattr(fold_draws, "MOST_CELLS", 0)
    pytest.importorskip("matplotlib", reason="figures are drawn with cvlint[report]")
    drawing = module.FIGURES[name]()
    assert f"figure {name}" in drawing.title
    for curve in (curve for panel in drawing.panels for curve in panel.curves):
        assert np.isfinite(curve.y).all() and curve.y.size > 0
    path = tmp_path / "figure.png"
    shared.draw(drawing, path, width=2.5)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 2_000


def curves(drawing: Any, panel: int) -> dict[str, Any]:
    return {curve.label: curve for curve in drawing.panels[panel].curves}


def test_figure_1_has_the_shapes_that_the_text_describes() -> None:
    by_rates, rates_one = (p.curves[0] for p in reversed(forman_scholz.figure_1().panels))
    assert rates_one.z == pytest.approx(rates_one.z.T)  # precision and recall count alike
    assert (rates_one.z <= 2 * np.minimum(rates_one.x, rates_one.y) + 1e-12).all()  # an "and" function
    assert by_rates.z[-1, 0] == 1
    assert by_rates.z[-1, 10] == pytest.approx(2 * 0.01 / (2 * 0.01 + 0.99 * 0.1))  # fpr 0.1: it is sharp


def test_figure_3_has_two_folds_that_align(quick: None) -> None:
    false = list(curves(forman_scholz.figure_3(), 0).values())
    middles = [c.x[np.searchsorted(-c.y, -0.5)] if c.y[0] > c.y[-1] else np.interp(0.5, c.y, c.x) for c in false]
    assert middles == pytest.approx([0, 0, 1.8, -1.8], abs=0.02)


def test_figure_5_as_the_text_has_it(quick: None) -> None:
    found = {label: curve.y for label, curve in curves(forman_scholz.figure_5(), 0).items()}
    assert np.abs(found["F_tp,fp"]).max() < 0.2
    assert found["F_avg"][0] < found["F_pr,re"][0] < -3
    assert found["F~pr,re"][0] > found["F~avg"][0] > 10
    assert found["F_pr,re"][-1] == pytest.approx(found["F~pr,re"][-1], abs=0.1)


def test_figure_9_against_a_simulation() -> None:
    one = curves(forman_scholz.figure_9(), 0)["one split"].y
    rng = np.random.default_rng(0)
    for positives in (20, 40):
        counts = rng.multivariate_hypergeometric([151] * 4 + [150] * 6, positives, size=20_000)
        share = (counts == 0).any(axis=1).mean()
        assert one[positives - 1] == pytest.approx(share, abs=5 * 0.5 / 20_000**0.5)


def test_and_helps_where_positives_are_rare() -> None:
    """Appendix A.4: AND improves the performance for lower P(+) better than OR."""
    found = {label: curve.y for label, curve in curves(soleymani.figure_a12(), 5).items()}
    rare = 10  # P(+) 0.05
    assert found["AND"][rare] > found["OR"][rare]
    assert (found["IBC"] >= np.maximum(found["C1"], found["C2"]) - 0.01).all()


@pytest.mark.parametrize("panel", [0, 1])
def test_at_best_and_at_worst_enclose_what_independence_gives(panel: int) -> None:
    found = curves(soleymani.figure_a13(), panel)
    grid = np.linspace(0, 1, 50)
    function = (soleymani.AND, soleymani.OR)[panel]
    percentile_interval = soleymani.independent(function, soleymani.two_classifiers())
    heights = [np.interp(grid, c.x, c.y) for c in (found["at worst"], found["at best"])]
    between = np.interp(grid, percentile_interval.fpr, percentile_interval.tpr)
    assert (heights[0] <= between + 1e-9).all() and (between <= heights[1] + 1e-9).all()


Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["soleymani.py", *arguments])
        status = 0
        try:
            shared.run(soleymani.PAPER, soleymani.FIGURES, soleymani.numbers)
        except SystemExit as stop:
            status = int(stop.code or 0)
        return status, *capsys.readouterr()

    return run


def test_csv(ask: Ask) -> None:
    status, out, _ = ask("3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0 and len(rows) == 4 * 201
    last = rows[-1]
    assert (last["curve"], float(last["x"]), float(last["y"]), last["z"]) == ("C2", 1, 0.75, "")


def test_svg_and_numbers(ask: Ask, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="figures are drawn with cvlint[report]")
    assert ask("5", "--output", str(tmp_path / "a.svg")) == (0, "", "")
    assert "<svg" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert ask("--numbers")[1] == (PAPERS / "soleymani-numbers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["8"], "There is no figure '8'; valid are 1, 2, 3, 4, 5, 6, 7, A.12, A.13, or the option --numbers."),
        ([], "No figure is named; valid are"),
        (["1", "--output", "a.pdf"], "cannot be written to 'a.pdf': its name must end in .png or .svg."),
        (["1", "--numbers"], "leave out the figure and --output."),
        (["1", "--output", "no/such/folder/a.png"], "cannot be written to 'no/such/folder/a.png': No such file"),
    ],
)
def test_impossible_commands_are_refused_with_a_reason(ask: Ask, arguments: list[str], says: str) -> None:
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert says in err and err.count("\n") == 1


def test_a_missing_extra_is_named(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, _, err = ask("1", "--output", "a.png")
    assert status == 2
    assert err == "The figure cannot be drawn, because matplotlib is not installed: install cvlint[report].\n"
