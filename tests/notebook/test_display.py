"""What a display looks like: escaped, and accessible on a light and on a dark page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cvlint.notebook.answers import FoundFault, Question
from cvlint.notebook.checking import answer
from cvlint.output.shared.locations import printable

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Notebook</title></head>
<body style="color: {colour}; background: {paper}"><main><h1>Outputs</h1>{body}</main></body></html>"""

SOURCES = (
    "import numpy as np\nfrom sklearn.metrics import f1_score\nfrom sklearn.model_selection import KFold",
    "scores = []\nfor train, test in KFold(5).split(X, y):\n    name = '<script>alert(1)</script>'\n"
    "    scores.append(f1_score(y[test], predict('<img src=x>', test), pos_label='<b>&'))\n",
    "np.mean(scores)",
    "total = 0\nfor batch in loader:\n    total += f1_score(batch.y, model(batch.x))\nprint(total / len(loader))",
)


def faults_of(*sources: str) -> tuple[FoundFault, ...]:
    import json

    cells = [{"cell_type": "code", "source": source} for source in sources]
    data = json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()
    labels = tuple(f"In [{number}]" for number in range(11, 11 + len(sources)))
    answered = answer(Question(1, Path.cwd() / "notebook.ipynb", data, labels, 80))
    assert not answered.failure and not answered.problems
    return answered.faults


def test_names_and_code_of_the_user_are_escaped() -> None:
    html = "".join(fault.html for fault in faults_of(*SOURCES))
    assert "&lt;img src=x&gt;" in html and "&lt;b&gt;&amp;" in html
    for tag in ("<img", "<script", "<b>"):
        assert tag not in html


def test_a_text_controls_no_terminal() -> None:
    for fault in faults_of(*SOURCES, "np.mean(scores)  # \x1b[31m"):
        assert "\x1b" not in fault.text
        assert all(printable(line) == line for line in fault.text.splitlines())


def test_places_have_the_names_of_cells() -> None:
    (mean,) = [fault for fault in faults_of(*SOURCES) if fault.findings[0].rule == "mean-of-fold-f"]
    assert mean.places[0] == "In [13]" and set(mean.places) == {"In [12]", "In [13]"}
    assert "notebook.ipynb" not in mean.html + mean.text


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_a_display_is_accessible_on_a_light_and_on_a_dark_page(tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    body = "".join(fault.html for fault in faults_of(*SOURCES)).replace("<details", "<details open")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        for colour, paper in (("#000", "#fff"), ("#ddd", "#111")):
            page.set_content(PAGE.format(colour=colour, paper=paper, body=body))
            assert page.locator(".cvlint-finding").count() >= 3
            found = axe.Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide), "a long line of code scrolls by itself"
        assert requests == []
        browser.close()
