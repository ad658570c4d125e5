"""The extension in a real VS Code in a browser: findings appear, a fix is made, and what is missing is said.

It needs `code-server` on the path and the extension that `npm run package` builds; CI has neither.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import FAULTY, UNGUARDED

if TYPE_CHECKING:
    from playwright.sync_api import Page

BUILT = Path(__file__).parents[2] / "editors" / "vscode" / "cvlint.vsix"
HOST = shutil.which("code-server")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PORT = 8932

pytestmark = pytest.mark.skipif(
    HOST is None or CHROMIUM is None or not BUILT.is_file(), reason="code-server, chromium or cvlint.vsix is missing"
)


def wait(is_done: Callable[[], bool], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.3)


def answers() -> bool:
    try:
        return bool(urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz").read())
    except OSError:
        return False


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(FAULTY)
    (folder / "rates.py").write_text(UNGUARDED)
    return folder


@pytest.fixture
def page(request: pytest.FixtureRequest, project: Path, tmp_path: Path) -> Iterator[Page]:
    """VS Code with the project, and an interpreter that has cvlint or does not run."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    settings = {"cvlint.interpreter": request.param, "security.workspace.trust.enabled": False}
    (tmp_path / "user" / "User").mkdir(parents=True)
    (tmp_path / "user" / "User" / "settings.json").write_text(json.dumps(settings))
    folders = [f"--user-data-dir={tmp_path / 'user'}", f"--extensions-dir={tmp_path / 'extensions'}"]
    subprocess.run([str(HOST), *folders, "--install-extension", str(BUILT)], check=True, capture_output=True)
    options = ["--auth=none", f"--bind-addr=127.0.0.1:{PORT}", "--disable-telemetry", "--disable-update-check"]
    server = subprocess.Popen(
        [str(HOST), *folders, *options, str(project)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait(answers)
        with playwright.sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            found = browser.new_page(viewport={"width": 1400, "height": 900})
            found.goto(f"http://127.0.0.1:{PORT}/?folder={project}", timeout=120_000)
            found.wait_for_selector(".explorer-folders-view", timeout=120_000)
            yield found
            browser.close()
    finally:
        server.terminate()
        server.wait()


def open_file(page: Page, name: str) -> None:
    page.locator(".explorer-folders-view .monaco-list-row", has_text=name).dblclick()
    page.wait_for_selector(f".tab.active[data-resource-name='{name}']", timeout=60_000)


@pytest.mark.parametrize("page", [sys.executable], indirect=True, ids=["installed"])
def test_findings_appear_and_a_fix_is_made(page: Page, project: Path) -> None:
    open_file(page, "train.py")
    wait(lambda: page.locator(".squiggly-error").count() == 1)
    open_file(page, "rates.py")
    wait(lambda: page.locator(".squiggly-warning").count() == 1)
    page.locator(".view-line", has_text="2 * precision").click(position={"x": 60, "y": 8})
    fix = page.locator(".action-widget .monaco-list-row", has_text="Fix unguarded-f")

    def is_offered() -> bool:
        page.keyboard.press("Escape")
        page.keyboard.press("Control+.")
        time.sleep(3)
        return fix.count() == 1

    wait(is_offered)
    page.keyboard.press("Enter")
    wait(lambda: page.locator(".squiggly-warning").count() == 0)
    page.keyboard.press("Control+S")
    wait(lambda: (project / "rates.py").read_text() != UNGUARDED)
    assert "if precision + recall else 0.0" in (project / "rates.py").read_text()


@pytest.mark.parametrize("page", ["/no/such/python"], indirect=True, ids=["missing"])
def test_an_interpreter_that_does_not_run_is_named(page: Page) -> None:
    open_file(page, "train.py")
    toast = page.locator(".notifications-toasts")
    wait(lambda: "the Python interpreter /no/such/python does not run" in toast.inner_text())
    assert "Choose Interpreter" in toast.inner_text()
