"""Test the content of the page, parsed as in a browser."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from report_data import BOOTSTRAP, CODE, Made, binary, experiments, finding, multiclass, table_1
from sklearn.metrics import average_precision_score, f1_score, precision_recall_curve, roc_auc_score

from cvlint.findings.finding import TraceStep
from cvlint.report.experiments import experiments_of
from cvlint.report.page import ReportSource, render
from cvlint.runtime import Bootstrap, FoldSet, read
from cvlint.runtime.aggregates.reported_match import parse_reported
from cvlint.source.location import Location

ROOT = Path(__file__).parents[2]
VOID = {"meta", "br", "img", "input", "link", "hr"}
LIMIT = 2_000_000


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str = "") -> list[Element]:
        inner = [child for child in self.children if isinstance(child, Element)]
        return [e for child in inner for e in ([child] if tag in ("", child.tag) else []) + child.all(tag)]


class Reader(HTMLParser):
    """Build a tree; refuse tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        assert len(element.attributes) == len(attrs), f"an attribute stands twice in {self.get_starttag_text()}"
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def tree(page: str) -> Element:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


def table_of(root: Element, label: str) -> list[list[str]]:
    region = next(e for e in root.all("div") if e.attributes.get("aria-label") == label)
    return [[c.text.strip() for c in row.children if isinstance(c, Element)] for row in region.all("tr")]


def column(rows: list[list[str]], name: str) -> list[str]:
    place = next(i for i, head in enumerate(rows[0]) if head.endswith(name))
    return [row[place] for row in rows[1:]]


def test_the_page_is_well_formed_and_loads_nothing(page: str) -> None:
    root = tree(page)
    ids = [e.attributes["id"] for e in root.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    for element in root.all():
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(element.attributes.get(name, "").split()) <= set(ids)
        target = element.attributes.get("href", "#")
        assert target.startswith("#")
        assert target == "#" or target[1:] in ids
        assert not {"src", "srcset", "background", "action"} & set(element.attributes)
        assert not [name for name in element.attributes if name.startswith("on")]
    assert not root.all("script") + root.all("img") + root.all("link") + root.all("iframe")
    assert not re.search(r"@import|url\((?!#)", page)
    policy = next(e for e in root.all("meta") if "http-equiv" in e.attributes)
    assert policy.attributes["content"].startswith("default-src 'none'")
    assert len(page.encode()) < LIMIT


def test_headings_go_down_by_one_level(page: str) -> None:
    levels = [int(e.tag[1]) for e in tree(page).all() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


def test_every_picture_has_a_title_a_description_and_its_data(page: str) -> None:
    root = tree(page)
    named = {e.attributes["id"]: e.text for e in root.all() if "id" in e.attributes}
    drawings = root.all("svg")
    assert drawings
    for svg in drawings:
        assert svg.attributes.get("aria-hidden") == "true" or svg.attributes["role"] == "img"
    for figure in root.all("figure"):
        (svg,) = figure.all("svg")
        assert named[svg.attributes["aria-labelledby"]].strip()
        assert len(named[svg.attributes["aria-describedby"]].split()) > 10
        assert len(figure.all("details")[0].all("tr")) > 1
        assert not re.search(r"#[0-9a-f]{6}\b", str([e.attributes for e in svg.all()]))  # colours are the page's


def test_the_numbers_are_those_of_scikit_learn(made: Made) -> None:
    data = binary()
    assert data.y_pred is not None
    assert data.y_score is not None
    truth, score = data.y_true, data.y_score[:, 0]
    folds = [data.fold == i for i in range(data.folds)]
    rows = table_of(tree(made("binary with findings")), "Aggregates")
    values = dict(zip(column(rows, "aggregate"), column(rows, "value"), strict=True))
    assert values["Ftp,fp"] == f"{f1_score(truth, data.y_pred):.4f}"
    assert values["Favg"] == f"{np.mean([f1_score(truth[f], data.y_pred[f], zero_division=0) for f in folds]):.4f}"
    assert values["AUCavg"] == f"{np.mean([roc_auc_score(truth[f], score[f]) for f in folds]):.4f}"
    assert values["AUCmerge"] == f"{roc_auc_score(truth, score):.4f}"
    assert values["APmerge"] == f"{average_precision_score(truth, score):.4f}"
    curves = table_of(tree(made("binary with findings")), "Data: ROC curves")
    assert column(curves, "area")[:-1] == [f"{roc_auc_score(truth[f], score[f]):.4f}" for f in folds]
    assert column(curves, "area")[-1] == values["AUCmerge"]


def test_the_discrepancies_come_first(made: Made) -> None:
    root = tree(made("binary with findings"))
    headings = [e.text for e in root.all("h2")]
    assert headings == [
        "Reported and right values",
        "Experiment train.py:2",
        "Findings in the code",
        "How the numbers are computed",
    ]
    parts = [e.attributes["id"].removeprefix("e1-") for e in root.all("h3") if e.attributes["id"].startswith("e1-")]
    assert parts == ["aggregates", "folds", "ranking", "bias", "spaces", "thresholds", "formulas"]
    (row,) = table_of(root, "Reported and right values")[1:]
    assert row[:6] == ["train.py:2 mean-of-fold-f", "Favg", "0.6925", "Ftp,fp", "0.5833", "0.480–0.710"]
    assert row[-1] == "+0.1092"


def test_a_reported_number_gets_a_verdict(undrawn: None) -> None:
    reported = [parse_reported("f1=0.69")]
    found = experiments_of([("", table_1())], bootstrap=Bootstrap(50), reported=reported)
    text = tree(render(ReportSource("table.csv"), found)).text
    assert "Reported f1=0.69: it may be Favg or F̃avg; Ftp,fp is 0.5833." in text


def test_folds_with_warnings_are_marked(made: Made) -> None:
    root = tree(made("binary with findings"))
    marked = [e for e in root.all("li") if e.attributes.get("class") == "odd"]
    assert [e.all("p")[0].text.strip()[:8] for e in marked] == ["▲ Fold 0"]
    assert "Fold 0 has nothing predicted positive: precision is undefined there." in marked[0].text


def test_findings_show_their_code_and_trace(made: Made) -> None:
    root = tree(made("binary with findings"))
    (article,) = root.all("article")
    shown = [pre.text.split(maxsplit=1)[1].strip() for pre in article.all("pre")]
    assert shown == [CODE[1], CODE[0], CODE[1]]
    assert [mark.text for mark in article.all("mark")] == ["np.mean(scores)"]
    assert "Favg 0.693; Ftp,fp is 0.583" in article.text


def test_findings_without_source_lines_show_no_code(undrawn: None) -> None:
    without = render(ReportSource("folds.csv"), experiments(**{"": table_1()}), [finding()])
    assert tree(without).all("article") and not tree(without).all("pre")


def test_experiments_stand_side_by_side(made: Made) -> None:
    root = tree(made("several"))
    for label in ("F_tp,fp", "AUC_avg", "AP_avg"):
        assert column(table_of(root, f"{label} of the experiments"), "experiment") == [
            "Experiment forest",
            "Experiment tree",
        ]
    assert len([e for e in root.all("figure") if e.attributes == {} and "experiments" in e.text]) >= 1
    assert "No faults were found." in root.text


HOSTILE = "</script><img src=x onerror=alert(1)>\"'><svg onload=a>{{7*7}}{% x %}$x^2$ \x1b[31m\u202e&amp;"


def test_hostile_names_are_only_shown() -> None:
    names = [HOSTILE + str(i) for i in range(4)]
    rng = np.random.default_rng(0)
    data = FoldSet.from_arrays(
        np.repeat(names, 30), rng.integers(0, 3, 120), rng.integers(0, 3, 120), rng.random((120, 3))
    )
    texts = FoldSet.from_arrays(
        np.arange(40) % 2, np.array([HOSTILE, "b"])[np.arange(40) % 3 % 2], None, rng.random(40)
    )
    fault = finding(HOSTILE, HOSTILE + ".py", trace=(TraceStep(Location(HOSTILE, None, 1, 1, 1, 9), HOSTILE),))
    page = render(
        ReportSource(HOSTILE), experiments(**{HOSTILE: data, "b": texts}), [fault], lambda _: [HOSTILE, HOSTILE]
    )
    root = tree(page)
    assert not root.all("img") + root.all("script")
    assert not [e for e in root.all("svg") if "onload" in e.attributes]
    assert "49" not in root.all("h1")[0].text
    assert "{{7*7}}{% x %}" in root.all("h1")[0].text
    assert "</script><img src=x onerror=alert(1)>" in root.all("h1")[0].text
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_same_data_give_the_same_bytes(made: Made) -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from report_data import PAGES\nsys.stdout.buffer.write(PAGES['binary with findings']().encode())"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "123"}
    command = [sys.executable, "-c", script, str(Path(__file__).parent)]
    again = subprocess.run(command, env=environment, capture_output=True, check=True, cwd=ROOT, timeout=120)
    assert again.stdout.decode() == made("binary with findings")


def test_a_large_capture_gives_a_small_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cvlint.report.figures.picture.drawn", lambda key, draw, height: "<g></g>" * 5_000
    )  # and quickly
    (one,) = experiments_of([("", binary(2_000, 200))], bootstrap=BOOTSTRAP)
    name = "a rather long name of an experiment, number"
    many = [replace(one, number=i, found=replace(one.found, experiment=f"{name} {i}")) for i in range(1, 301)]
    page = render(
        ReportSource("many.csv"), many, [finding("Why. " * 500) for _ in range(300)], lambda _: ["x" * 500] * 2
    )
    assert 1_500_000 < len(page.encode()) < LIMIT
    for words in (
        "have no section here",
        "findings are left out",
        "The first 100 of 300 experiments",
        "drawings are left out here",
    ):
        assert words in page
    assert "The first 100 of 200 folds are shown" in page
    tree(page)


@pytest.mark.parametrize("target", ["counts", "multiclass"])
def test_unknown_values_are_left_out(made: Made, target: str) -> None:
    ids = {e.attributes.get("id", "") for e in tree(made(target)).all("h3")}
    assert ("e1-ranking" in ids) == (target == "multiclass")
    assert ("e1-bias" in ids) == (target == "counts")
    assert ("e1-thresholds" in ids) == (target == "multiclass")


def test_each_class_has_a_row(made: Made) -> None:
    data = multiclass()
    assert data.y_pred is not None
    rows = table_of(tree(made("multiclass")), "Classes")
    assert column(rows, "F of the sums") == [f"{f:.4f}" for f in f1_score(data.y_true, data.y_pred, average=None)]
    assert data.y_score is not None
    best = column(table_of(tree(made("multiclass")), "Thresholds of the classes"), "best F")
    for j, shown in enumerate(best):
        precision, recall, _ = precision_recall_curve(data.y_true == j, data.y_score[:, j])
        assert shown == f"{np.max(2 * precision * recall / (precision + recall)):.4f}"


def test_an_experiment_without_folds_has_a_page(undrawn: None) -> None:
    (one,) = experiments(**{"": table_1()})
    none = replace(one, found=replace(one.found, rows=(), anomalies=(), aggregates=()))
    assert "0 folds, 0 samples" in tree(render(ReportSource("table.csv"), [none])).text


def test_negatives_that_were_not_counted_are_not_invented(tmp_path: Path, undrawn: None) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("fold,tp,fp,fn\n1,3,0,0\n2,4,1,0\n3,4,13,0\n4,3,5,1\n")
    found = experiments_of([("", read(path).data)], bootstrap=Bootstrap(500))
    root = tree(render(ReportSource("counts.csv"), found))
    text = root.text
    assert "4 folds, 15 positive. The negatives were not counted." in text
    assert "TN" not in table_of(root, "Folds")[0]
    assert "outside this interval" not in text


def test_repetitions_are_one_experiment_and_averaged(undrawn: None) -> None:
    parts = [binary(200, 3, seed) for seed in range(3)]
    data = FoldSet.from_arrays(
        np.concatenate([p.fold for p in parts]),
        np.concatenate([p.y_true for p in parts]),
        np.concatenate([p.y_pred for p in parts if p.y_pred is not None]),
        np.concatenate([p.y_score[:, 0] for p in parts if p.y_score is not None]),
        repeat=np.repeat([1, 2, 3], 200),
    )
    root = tree(render(ReportSource("folds.csv"), experiments(**{"": data})))
    rows = table_of(root, "Over the 3 repetitions")
    each = [f1_score(p.y_true, p.y_pred) for p in parts]
    assert dict(zip(column(rows, "aggregate"), column(rows, "mean"), strict=True))["Ftp,fp"] == f"{np.mean(each):.4f}"
    assert "One experiment in 3 repetitions" in root.text
    assert "ROC curves of the repetitions" in root.text
    assert "xperiments" not in root.text


def test_experiments_of_one_repetition_are_not_averaged(made: Made) -> None:
    assert "repetitions" not in tree(made("several")).text


def test_undefined_and_trivial_choices_are_not_recommended(undrawn: None) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(40) % 4 == 0
    root = tree(
        render(
            ReportSource("folds.csv"), experiments(**{"": FoldSet.from_arrays(range(40), truth, None, rng.random(40))})
        )
    )
    headings = [e.text for e in root.all("p") if e.attributes.get("class") == "what"]
    assert headings == ["AUCavg", "APavg"]
    assert "APavg is 1.0000: undefined in 30 of 40 folds, which are left out; no fold has both classes" in root.text
    assert "report this" not in str(table_of(root, "Aggregates"))


def test_the_page_begins_with_the_number_to_report(made: Made) -> None:
    def opening_of(name: str) -> list[str]:
        return [e.text for e in tree(made(name)).all("p") if e.attributes.get("class") == "opening"]

    assert opening_of("binary with findings")[0] == "Report F = 0.400 (Ftp,fp), not 0.693 (Favg)."
    assert opening_of("several")[0].startswith("Report F as Ftp,fp: 0.")
    assert opening_of("several")[0].endswith(" (tree).")


def test_aggregates_that_say_nothing_new_are_one_sentence(undrawn: None) -> None:
    data = FoldSet.from_arrays([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1])
    root = tree(render(ReportSource("a.csv"), experiments(**{"": data})))
    rows = column(table_of(root, "Aggregates"), "aggregate")
    assert rows == ["Ftp,fp", "Favg", "Fpr,re"]
    assert "No fold is undefined, so F̃avg and F̃pr,re equal the aggregate without the tilde." in root.text
