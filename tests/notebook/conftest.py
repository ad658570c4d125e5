from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("IPython", reason="IPython is not installed")

from IPython.core.interactiveshell import InteractiveShell

from cvlint.notebook import extension as module
from cvlint.notebook.extension import Extension
from cvlint.notebook.history import History

# IPython 7 appends a folder that holds a package `tests`. A process that a later test starts would take it for ours.
sys.path[:] = [entry for entry in sys.path if Path(entry).parts[-2:] != ("IPython", "extensions")]

LOOP = """\
scores = []
for train, test in StratifiedKFold(5).split(X, y):
    scores.append(f1_score(y[test], predict(train, test)))"""
"""It runs with the stand-ins below, and the check knows both names without an import."""


class Folds:
    """Stands in for a splitter; scikit-learn takes long to import."""

    def __init__(self, count: int) -> None:
        self.count = count

    def split(self, X: object, y: object) -> Iterator[tuple[int, int]]:
        yield from ((fold, fold) for fold in range(self.count))


@dataclass
class Notebook:
    """A shell with the extension, and what is displayed in it."""

    shell: InteractiveShell
    extension: Extension
    displayed: list[dict[str, str]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def publish(self, data: dict[str, str], *_: object, **__: object) -> None:
        with self.changed:
            self.displayed.append(data)
            self.changed.notify_all()

    def run(self, text: str, cell: str | None = None) -> list[str]:
        """Run a cell, and give the texts that are displayed under it."""
        before = len(self.displayed)
        self.result = self.shell.run_cell(text, store_history=True, cell_id=cell)
        return [data["text/plain"] for data in self.displayed[before:]]

    def wait(self, is_there: Callable[[], bool]) -> None:
        """Wait until something was displayed."""
        with self.changed:
            assert self.changed.wait_for(is_there, 60)


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Extension]:
    """One extension with one process, because both take long to start."""
    from IPython.core.interactiveshell import InteractiveShell

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.setattr(module, "PATIENCE", 60.0)
        shell = InteractiveShell()
        shell.run_cell("%load_ext cvlint")
        (extension,) = module._loaded
        yield extension
        shell.run_cell("%unload_ext cvlint")
    assert not module._loaded and extension.process._process.poll() is not None


@pytest.fixture
def notebook(loaded: Extension, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Notebook:
    """A notebook in which nothing has run, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    loaded.ask(60.0)  # so that nothing is under way, and the words are known
    loaded.history = History(words=loaded.history.words, is_own=loaded.is_own)
    loaded.times.clear()
    loaded.late = None
    for kept in (loaded.reported, loaded.said, loaded.filenames, loaded.contexts):
        kept.clear()
    names: dict[str, Any] = {
        "StratifiedKFold": Folds,
        "f1_score": lambda y_true, y_pred: y_true / 10,
        "mean": lambda values: sum(values) / len(values),
        "predict": lambda train, test: test,
        "X": range(5),
        "y": range(5),
    }
    loaded.shell.user_ns.update(names)
    made = Notebook(loaded.shell, loaded)
    monkeypatch.setattr(loaded.shell.display_pub, "publish", made.publish)
    return made
