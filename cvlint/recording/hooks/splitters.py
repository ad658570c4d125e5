"""Hooks on scikit-learn's splitters: the test samples of each fold, and the fold whose loop body runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, ModuleType
from typing import Any

import wrapt

from cvlint.recording.recorder import Recorder
from cvlint.recording.records import CurrentFold, RecordedSplit

MODULE = "sklearn.model_selection._split"
PREDICTING = "cross_val_predict"


def hook_splitters(recorder: Recorder) -> None:
    """Install hooks on all splitters of scikit-learn when it is imported."""

    def hook(module: ModuleType) -> None:
        with recorder.harmless("What scikit-learn's splitters do"):
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == MODULE and "split" in vars(value):
                    wrapt.wrap_function_wrapper(module, f"{value.__name__}.split", wrapped_split(recorder))

    wrapt.register_post_import_hook(hook, MODULE)


def wrapped_split(recorder: Recorder) -> Callable[..., Any]:
    """Wrap ``split``: call it, and record each fold that user code gets."""

    def watched(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        folds = wrapped(*args, **kwargs)
        if not recorder.is_active:
            return folds
        frame = sys._getframe(1)
        site = recorder.sites.caller(frame)
        predicting = site is None and is_predicting(recorder, frame)
        if site is None and not predicting:
            return folds
        split = RecordedSplit(site, None)
        with recorder.harmless("A split"):
            y = kwargs["y"] if "y" in kwargs else args[1] if len(args) > 1 else None
            split.y = None if y is None else recorder.keep(y, "y")
        with recorder.harmless("The groups of a split"):
            groups = kwargs["groups"] if "groups" in kwargs else args[2] if len(args) > 2 else None
            split.groups = None if groups is None else recorder.keep(groups, "groups")
        recorder.begin(split)
        return recorded_folds(recorder, split, folds, site is not None)

    return watched


def is_predicting(recorder: Recorder, frame: FrameType) -> bool:
    """Whether cross_val_predict loops over the folds, and user code called it."""
    at: FrameType | None = frame
    while at is not None and recorder.sites.kind(at.f_code.co_filename) == "through":
        at = at.f_back
    return at is not None and at.f_code.co_name == PREDICTING and recorder.sites.caller(at.f_back) is not None


def recorded_folds(recorder: Recorder, split: RecordedSplit, folds: Iterable[Any], looped: bool) -> Iterator[Any]:
    """Yield the folds, and mark each one as running while the body of the user's loop runs."""
    for pair in folds:
        running = None
        with recorder.harmless("A fold"):
            train, test = pair
            split.test_rows.append(recorder.keep(test, "test"))
            split.train_sizes.append(len(train))
            running = CurrentFold(split, len(split.test_rows) - 1)
        if running is None or not looped:
            yield pair
            continue
        running_folds = recorder.running_folds
        running_folds.append(running)
        try:
            yield pair
        finally:
            running_folds.remove(running)
