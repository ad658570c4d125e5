"""What the notebook extension costs a cell, and how many faults appear under their cell before the next one runs.

    python -m tests.notebook.cell_costs [FILE OR FOLDER…]

Without arguments, the notebooks in `fixtures/` are taken. Their cells are not executed, so they follow each other at
once: a check that is late for one cell falls into the next, which is the worst case. Each notebook has a process of its
own. On a busy machine, `chrt -f 10` before the command gives the figures of an idle one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from cvlint.notebook.extension import Extension

ROOT = Path(__file__).parents[2]
LIMIT = 50.0
"""Milliseconds that a cell may cost."""


async def not_run(*_: Any, **__: Any) -> bool:
    """Stand in for the execution of a cell, which succeeds."""
    return False


def code_cells(notebook: Path) -> list[str]:
    """The code cells of a notebook."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    cells = document.get("cells") or document["worksheets"][0]["cells"]
    texts = (cell.get("source", cell.get("input", "")) for cell in cells if cell["cell_type"] == "code")
    return [text if isinstance(text, str) else "".join(text) for text in texts]


def followed(shell: InteractiveShell, notebook: Path) -> tuple[list[float], int, int, int]:
    """Milliseconds for each cell, and how many faults appear at once, a moment later, and when they are asked for."""
    shown: list[str] = []
    shell.reset()
    shell.display_pub.publish = lambda data, **_: shown.append(data["text/plain"])  # type: ignore[method-assign]
    os.chdir(notebook.parent)
    extension = Extension(shell)
    while extension.history.words is None:
        time.sleep(0.01)
    costs, at_once = [], 0
    for number, text in enumerate(code_cells(notebook)):
        result = shell.run_cell(text, store_history=True, cell_id=str(number))
        before = len(shown)
        begun = time.perf_counter()
        extension.after_cell(result)
        costs.append(1000 * (time.perf_counter() - begun))
        at_once += sum("cvlint: In [" in one for one in shown[before:])
    time.sleep(1)
    later = sum("cvlint: In [" in one for one in shown) - at_once
    shown.clear()
    extension.line_magic("")
    extension.process.stop()
    return costs, at_once, later, len(shown) - 1 if costs else 0


def main() -> None:
    """Print the figures of all notebooks together."""
    given = [Path(name).resolve() for name in sys.argv[1:]] or [ROOT / "fixtures"]
    notebooks = [found for path in given for found in (sorted(path.rglob("*.ipynb")) if path.is_dir() else [path])]
    shell = InteractiveShell()
    shell.run_ast_nodes = not_run  # type: ignore[method-assign, assignment]
    costs: list[float] = []
    at_once = later = asked = 0
    for notebook in notebooks:
        one, *faults = followed(shell, notebook)
        costs += one
        at_once, later, asked = at_once + faults[0], later + faults[1], asked + faults[2]
    costs.sort()
    over = sum(cost > LIMIT for cost in costs)
    print(f"{len(costs)} cells in {len(notebooks)} notebooks: median {costs[len(costs) // 2]:.1f} ms,", end=" ")
    print(f"p95 {costs[int(len(costs) * 0.95)]:.1f} ms, most {costs[-1]:.1f} ms, over {LIMIT:.0f} ms: {over}")
    print(f"faults shown under a cell at once: {at_once}, a moment later: {later}; by %cvlint: {asked}")


if __name__ == "__main__":
    main()
