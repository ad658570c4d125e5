"""The extension in a real kernel of Jupyter, and in a real JupyterLab in a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.conftest import LOOP

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
STAND_INS = """\
class StratifiedKFold:
    def __init__(self, count): self.count = count
    def split(self, X, y): return [(fold, fold) for fold in range(self.count)]
X = y = range(5)
f1_score = lambda y_true, y_pred: y_true / 10
predict = lambda train, test: test
mean = lambda values: sum(values) / len(values)"""
CELLS = ("%load_ext cvlint", STAND_INS, LOOP, "mean(scores)", "1 + 1", "%cvlint")


@pytest.fixture
def jupyter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for all files of Jupyter; the kernel finds this checkout."""
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(entry for entry in sys.path if entry))
    return tmp_path


def test_findings_go_to_the_cell_that_completes_the_fault(jupyter: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    manager = pytest.importorskip("jupyter_client.manager", reason="jupyter_client is not installed")
    kernel = manager.KernelManager(kernel_name="python3")
    kernel.start_kernel(cwd=str(jupyter))
    client = kernel.client()
    late = "from cvlint.notebook import extension\nextension.PATIENCE = 0"
    refused = ("%%cvlint\nimport asyncio\nawait asyncio.sleep(0)", "%%cvlint\n%%time\n1 + 1")
    texts = (f"{CELLS[0]}\n{late}", *CELLS[1:5], "import time; time.sleep(4)", *refused, CELLS[5])
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        sent = {client.execute(text, stop_on_error=False): number for number, text in enumerate(texts)}
        last = next(message for message, number in sent.items() if number == len(texts) - 1)
        under: dict[int, list[dict[str, Any]]] = {}
        said: dict[int, str] = {}
        while True:
            message = client.get_iopub_msg(timeout=60)
            cell = sent.get(message["parent_header"].get("msg_id"), -1)
            if message["msg_type"] == "display_data":
                under.setdefault(cell, []).append(message["content"]["data"])
            if message["msg_type"] == "stream":
                said[cell] = said.get(cell, "") + message["content"]["text"]
            assert message["msg_type"] != "error", message["content"]
            is_last = message["parent_header"].get("msg_id") == last
            if is_last and message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        faults = {
            cell: [data for data in shown if "cvlint-finding" in data["text/html"]] for cell, shown in under.items()
        }
        assert {cell: len(found) for cell, found in faults.items() if found} == {3: 1, 8: 1}, "the mean, and %cvlint"
        assert {cell: text.partition(":")[0] for cell, text in said.items()} == {6: "UsageError", 7: "UsageError"}
        assert ("`await`" in said[6], "%%time above" in said[7]) == (True, True)
        assert "In [4]" in faults[3][0]["text/html"]
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


WAITING = """\
%load_ext cvlint
import time
from cvlint.notebook import extension
extension.PATIENCE = {patience}
while extension._loaded[0].history.words is None:  # the process starts
    time.sleep(0.1)"""


@pytest.mark.parametrize(("patience", "under"), [(60.0, "mean(scores)"), (0.0, "time.sleep(5)")])
def test_a_notebook_that_nbclient_executes_holds_the_finding(jupyter: Path, patience: float, under: str) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    from nbformat.v4 import new_code_cell, new_notebook

    texts = (WAITING.format(patience=patience), STAND_INS, LOOP, "mean(scores)", "time.sleep(5)", "1 + 1", "2 + 2")
    made = new_notebook(cells=[new_code_cell(text) for text in texts])
    nbclient.NotebookClient(made, kernel_name="python3", timeout=120).execute(cwd=str(jupyter))
    assert [cell.source for cell in made.cells if "cvlint-finding" in str(cell.outputs)] == [under]
    assert str(made.cells).count('class="cvlint-finding"') == 1


@contextmanager
def lab(folder: Path, port: int) -> Iterator[str]:
    """JupyterLab on a folder; gives its address."""
    options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=", "--ServerApp.password="]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait(lambda: bool(urllib.request.urlopen(f"{address}/api").read()))
        yield address
    finally:
        server.terminate()
        server.wait()


def wait(is_done: Callable[[], bool], seconds: float = 90) -> None:
    """Wait until something holds; an error means that it does not hold yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if is_done():
                return
        except OSError:
            pass
        time.sleep(0.3)
    raise AssertionError("it took too long")


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_jupyterlab_shows_findings_of_the_kernel_and_of_the_language_server(jupyter: Path) -> None:
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    pytest.importorskip("jupyter_lsp", reason="jupyterlab-lsp is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    cells = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for i, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}
    (jupyter / "study.ipynb").write_text(json.dumps(notebook))
    with lab(jupyter, 8931) as address, playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1300, "height": 1800})
        page.goto(f"{address}/lab/tree/study.ipynb?reset", timeout=120_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
        wait(lambda: page.locator(".cm-lintRange").count() > 0)  # the language server has checked the text
        cell = page.locator(".jp-Notebook .jp-Cell")
        for number in range(len(CELLS)):
            cell.nth(number).locator(".jp-Editor").click()
            page.keyboard.press("Control+Enter")
            prompt = cell.nth(number).locator(".jp-InputPrompt")
            wait(lambda prompt=prompt, number=number: prompt.inner_text().strip() == f"[{number + 1}]:")
        wait(lambda: cell.nth(3).locator(".cvlint-finding").count() == 1)
        wait(lambda: cell.nth(5).locator(".cvlint-finding").count() == 1)
        assert cell.nth(4).locator(".cvlint-finding").count() == 0
        cell.nth(3).locator(".cvlint-finding summary").click()
        steps = cell.nth(3).locator(".cvlint-finding li").all_inner_texts()
        assert any(step.startswith("In [3], line 3:") for step in steps)
        assert steps[-1].startswith("In [4], line 1:")
        browser.close()
