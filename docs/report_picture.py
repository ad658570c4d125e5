"""Take pictures of the page of ``cvlint report``: ``python docs/report_picture.py``.

It runs the experiment that comes with cvlint, makes its report, and writes ``docs/_static/report-light.png`` and
``report-dark.png``, which README and the site show. It needs the extras ``report`` and ``test``, and a chromium.

Beside the pictures it writes ``report.sha256``: what they depend on. By it a test without a browser sees that they are
old. With ``--accept`` it writes this alone, for a change that does not show in the pictures.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "docs" / "_static"
SCRIPT = ROOT / "fixtures" / "experiments" / "imbalanced_f1.py"
DIGESTS = STATIC / "report.sha256"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT = 960, 690
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")


def report(folder: Path) -> Path:
    """The page about the shipped experiment, with its findings."""
    shutil.copy(SCRIPT, folder)
    for arguments in (
        ("run", "--capture", "folds.csv", SCRIPT.name),
        (
            "check",
            "--isolated",
            "--no-cache",
            "--fail-on",
            "never",
            "--format",
            "json",
            "-o",
            "check.json",
            SCRIPT.name,
        ),
        ("report", "folds.csv", "--findings", "check.json", "-o", "report.html"),
    ):
        command = [sys.executable, "-m", "cvlint", *arguments]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder / "report.html"


def photograph(page: Path) -> None:
    """Write the pictures: the beginning of the page, as a browser shows it on a light and on a dark system."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("There is no chromium: install it to take the pictures.")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=list(FLAGS))
        for scheme in SCHEMES:
            view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
            view.goto(page.as_uri())
            view.screenshot(path=STATIC / f"report-{scheme}.png")
        browser.close()


def digests(page: str) -> str:
    """What the pictures depend on, a line for each: the experiment, and the looks and words of the top of a page.

    Any page with scores shows the same, apart from its numbers, so that a test can take the cheapest one.
    """
    numbers = re.compile(r"\d+")
    top = page.partition("<table")[0]
    parts = {
        "the experiment": SCRIPT.read_text(encoding="utf-8"),
        "the style of the page": "".join(re.findall(r"<style>.*?</style>", page, re.DOTALL)),
        "the words at the top of the page": numbers.sub("0", re.sub(r"<style>.*?</style>", "", top, flags=re.DOTALL)),
    }
    return "".join(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in parts.items())


def example_page() -> str:
    """The page that the tests make anyway."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "report")]
    from report_data import PAGES

    return str(PAGES["binary with findings"]())


if __name__ == "__main__":
    if "--accept" not in sys.argv:
        with TemporaryDirectory() as folder:
            photograph(report(Path(folder)))
    DIGESTS.write_text(digests(example_page()), encoding="utf-8")
