"""All hooks of a run, set before the experiment imports anything."""

from __future__ import annotations

from cvlint.knowledge.loader import load_knowledge
from cvlint.recording.hooks.cross_validation import hook_validation
from cvlint.recording.hooks.metrics import hook_metrics
from cvlint.recording.hooks.splitters import hook_splitters
from cvlint.recording.records import Recorder


def hooked(recorder: Recorder) -> None:
    """Have the measures, the splitters and the cross-validation of libraries recorded when they are imported."""
    knowledge = load_knowledge()
    hook_metrics(knowledge, recorder)
    hook_splitters(recorder)
    hook_validation(knowledge, recorder)
