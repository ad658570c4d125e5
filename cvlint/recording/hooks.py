"""All hooks of a run, set before the experiment imports anything."""

from __future__ import annotations

from cvlint.knowledge import load_knowledge
from cvlint.recording.metrics import hook_metrics
from cvlint.recording.records import Recorder
from cvlint.recording.splitters import hook_splitters
from cvlint.recording.validation import hook_validation


def hooked(recorder: Recorder) -> None:
    """Have the measures, the splitters and the cross-validation of libraries recorded when they are imported."""
    knowledge = load_knowledge()
    hook_metrics(knowledge, recorder)
    hook_splitters(recorder)
    hook_validation(knowledge, recorder)
