"""The hook on `cvlint.runtime.capture`: folds that a script hands over by itself, such as those of a hand-written F."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import wrapt

from cvlint.recording.hooks.metrics import frame_above, is_training_part
from cvlint.recording.recorder import Recorder
from cvlint.recording.records import CAPTURE, MeasureOptions, RecordedCall

MODULE = "cvlint.runtime.data.capturing"


def hook_captures(recorder: Recorder) -> None:
    """Record what a script adds to its captures, once their module is imported."""

    def hook(module: ModuleType) -> None:
        wrapt.wrap_function_wrapper(module, "Capture.add", watched(recorder))

    wrapt.register_post_import_hook(hook, MODULE)


def watched(recorder: Recorder) -> Callable[..., Any]:
    """Make the function that adds a fold to a capture, and records its labels and predictions."""

    def added(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        result = wrapped(*args, **kwargs)
        site = recorder.sites.caller(frame_above()) if recorder.is_active and not recorder.full else None
        given = {**dict(zip(("y_true", "y_pred"), args, strict=False)), **kwargs}
        running = recorder.running_fold
        if site is None or given.get("y_pred") is None:
            return result
        with recorder.harmless(f"The fold that line {site.line} of {site.path} adds"):
            y_true, y_pred = (recorder.keep(given[role], role) for role in ("y_true", "y_pred"))
            weight = None if given.get("weight") is None else recorder.keep(given["weight"], "sample_weight")
            if running is None or not is_training_part(y_true, running):
                options = MeasureOptions(positive=1 if instance.positive is None else instance.positive)
                order = len(recorder.splits)
                parts = (y_true, y_pred, None, weight, options, None, running, order)
                recorder.add(RecordedCall(site, "", CAPTURE, "counts", *parts))
        return result

    return added
