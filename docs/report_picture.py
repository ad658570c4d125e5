"""Take pictures of the page of ``cvlint report``: ``python docs/report_picture.py``.

It runs the experiment that comes with cvlint, makes its report, and writes ``docs/_static/report-light.png`` and
``report-dark.png``, which README and the site show. It needs the extras ``report`` and ``test``, and a chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "docs" / "_static"
SCRIPT = ROOT / "fixtures" / "experiments" / "imbalanced_f1.py"
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


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        photograph(report(Path(folder)))
