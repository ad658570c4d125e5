"""Record what the worker processes of a script compute: multiprocessing (fork, spawn, forkserver) and joblib's loky.

A forked process has the hooks already. A new Python gets them with the data by which multiprocessing and loky prepare
it. Every worker writes its records to a file of its own, because a pool may end its workers at any time.
"""

from __future__ import annotations

import builtins
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import wrapt

from cvlint.filesystem.temporary_folders import new_folder
from cvlint.recording.recorder import Recorder
from cvlint.recording.spool import Spool

PREPARING = ("multiprocessing.spawn", "multiprocess.spawn", "joblib.externals.loky.backend.spawn", "loky.backend.spawn")
"""The modules whose ``get_preparation_data`` makes what a new Python reads first."""

NO_FILE = "<dynamic-code>"
"""What cloudpickle, from version 3.1.3, puts in the place of the file name of code that it sends to a worker."""

BEGIN = """
try:
    from cvlint.recording.hooks.install import begin_in_worker
    begin_in_worker(folder)
except Exception:
    pass
"""


class Beginning:
    """An object that installs the hooks where it is unpickled; a Python without cvlint ignores it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        """Run a few lines instead of importing a class, which could fail in the worker."""
        return builtins.exec, (BEGIN, {"folder": self.folder})


class WorkerProcesses:
    """The folder into which workers write; it is made when the first worker starts."""

    def __init__(self, recorder: Recorder, folder: str = "") -> None:
        self.recorder = recorder
        self.folder = folder
        self.lock: int | None = None
        self.process = os.getpid()

    def prepared(self) -> str:
        """The folder; the workers of a worker use the same one."""
        if not self.folder:
            self.folder, self.lock = new_folder()
        return self.folder

    def watch(self) -> None:
        """Install the hooks on the beginning of processes."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._before_fork, after_in_child=self._after_fork)
        for name in PREPARING:
            wrapt.register_post_import_hook(self._hook, name)
        wrapt.register_post_import_hook(self._keep_file_names, "cloudpickle.cloudpickle")

    def _keep_file_names(self, module: ModuleType) -> None:
        """Let the functions that cloudpickle sends keep their file names: a call site is found by them."""
        with self.recorder.harmless("What worker processes compute"):
            reducers = module.Pickler._dispatch_table
            reducers[CodeType] = with_file_name(reducers[CodeType])

    def _before_fork(self) -> None:
        with self.recorder.harmless("What worker processes compute"):
            self.prepared()

    def _after_fork(self) -> None:
        self.recorder.spool = Spool(Path(self.folder)) if self.folder else None

    def _hook(self, module: ModuleType) -> None:
        with self.recorder.harmless("What worker processes compute"):
            wrapt.wrap_function_wrapper(module, "get_preparation_data", self._with_hooks())

    def _with_hooks(self) -> Callable[..., Any]:
        def prepared(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
            data = wrapped(*args, **kwargs)
            with self.recorder.harmless("What worker processes compute"):
                data["cvlint"] = Beginning(self.prepared())
            return data

        return prepared

    def collect(self) -> None:
        """Add what the workers recorded to the records of this process, and delete their files."""
        if self.folder and os.getpid() == self.process:
            with self.recorder.harmless("What worker processes computed"):
                self.recorder.add_workers(Path(self.folder))
            shutil.rmtree(self.folder, ignore_errors=True)
            if self.lock is not None:
                os.close(self.lock)


def with_file_name(reduce: Callable[[CodeType], Any]) -> Callable[[CodeType], Any]:
    """A reducer of code objects that puts the name of their file where cloudpickle leaves it out."""

    def reduced(code: CodeType) -> Any:
        match reduce(code):
            case (make, tuple(parts)):
                return make, tuple(code.co_filename if part == NO_FILE else part for part in parts)
            case other:
                return other

    return reduced
