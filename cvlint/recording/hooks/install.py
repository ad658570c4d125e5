"""Install all hooks of a run, before the experiment imports anything."""

from __future__ import annotations

from cvlint.knowledge.loader import load_knowledge
from cvlint.recording.hooks.cross_validation import hook_validation
from cvlint.recording.hooks.metrics import hook_metrics
from cvlint.recording.hooks.splitters import hook_splitters
from cvlint.recording.records import Recorder


def install_hooks(recorder: Recorder) -> None:
    """Record the measures, splitters and cross-validation of libraries from their import on."""
    knowledge = load_knowledge()
    hook_metrics(knowledge, recorder)
    hook_splitters(recorder)
    hook_validation(knowledge, recorder)
