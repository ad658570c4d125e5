"""Install all hooks of a run, before the experiment imports anything."""

from __future__ import annotations

from pathlib import Path

from cvlint.knowledge.loader import load_knowledge
from cvlint.recording.hooks.cross_validation import hook_validation
from cvlint.recording.hooks.handed_over import hook_captures
from cvlint.recording.hooks.metrics import hook_metrics
from cvlint.recording.hooks.processes import WorkerProcesses
from cvlint.recording.hooks.splitters import hook_splitters
from cvlint.recording.hooks.unseen import hook_unseen
from cvlint.recording.recorder import Recorder
from cvlint.recording.spool import Spool


def install_hooks(recorder: Recorder, folder: str = "") -> WorkerProcesses:
    """Record the measures, splitters and cross-validation of libraries from their import on, also in worker processes.

    Parameters
    ----------
    recorder
        What the hooks record into.
    folder
        In a worker process, the folder into which workers write.
    """
    install_library_hooks(recorder)
    workers = WorkerProcesses(recorder, folder)
    workers.watch()
    return workers


def install_library_hooks(recorder: Recorder) -> None:
    """Record the measures, splitters and cross-validation of libraries in this process; imported ones at once."""
    knowledge = load_knowledge()
    hook_metrics(knowledge, recorder)
    hook_splitters(recorder)
    hook_validation(knowledge, recorder)
    hook_captures(recorder)
    hook_unseen(recorder)


def begin_in_worker(folder: str) -> None:
    """Install all hooks in a new Python that the script started."""
    recorder = Recorder()
    recorder.spool = Spool(Path(folder))
    install_hooks(recorder, folder)
