"""How soon a browser shows the page of ``cvlint report``: ``python report_rendering.py``.

Writes a very large report of many experiments, and prints the milliseconds from the last byte to the first frame of
(a) an empty page and (b) the report, and b/a. A headless chromium opens both in turn; the quickest run of each counts,
because other processes may be busy on the machine.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from cvlint.report.experiments import experiments_of
from cvlint.report.page import ReportSource, render
from cvlint.runtime import Bootstrap, FoldSet

EMPTY = "<!doctype html><html lang='en'><title>Nothing</title><p>Nothing</p></html>"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
DRAWN = """() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(
    performance.now() - performance.getEntriesByType("navigation")[0].responseEnd))))"""


def folds(seed: int, samples: int, k: int) -> FoldSet:
    """Scores of ten hundredths, so that the curves have many corners."""
    rng = np.random.default_rng(seed)
    y = (rng.random(samples) < 0.1).astype(int)
    score = np.round(rng.normal(1.5 * y, 1.0), 2)
    return FoldSet.from_arrays(np.arange(samples) % k, y, (score > 1).astype(int), score)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=100)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    several = [(f"number {i}", folds(i, given.samples, given.folds)) for i in range(given.experiments)]
    html = render(ReportSource("many.csv"), experiments_of(several, bootstrap=Bootstrap(100)))
    found = shutil.which("chromium") or shutil.which("google-chrome")
    took: dict[str, list[float]] = {"a": [], "b": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        pages = {"a": Path(folder, "a.html"), "b": Path(folder, "b.html")}
        pages["a"].write_text(EMPTY, encoding="utf-8")
        pages["b"].write_text(html, encoding="utf-8")
        browser = started.chromium.launch(executable_path=found, args=FLAGS)
        for _ in range(given.rounds):
            for name, path in pages.items():
                page = browser.new_page()
                page.goto(path.as_uri())
                took[name].append(page.evaluate(DRAWN))
                page.close()
        browser.close()
    a, b = min(took["a"]), min(took["b"])
    print(f"report: {len(html.encode()):,} bytes of {given.experiments} experiments")
    print(f"a {a:.0f} ms, b {b:.0f} ms (each time: {[round(one) for one in took['b']]}), b/a {b / a:.1f}")


if __name__ == "__main__":
    main()
