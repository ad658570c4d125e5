"""Hooks on scikit-learn's splitters: which samples each fold tests, and in whose body a measure is computed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, ModuleType
from typing import Any

import wrapt

from cvlint.recording.records import Mark, Recorder, Split

MODULE = "sklearn.model_selection._split"
PREDICTING = "cross_val_predict"


def hook_splitters(recorder: Recorder) -> None:
    """Have every splitter of scikit-learn hooked when it is imported."""

    def hook(module: ModuleType) -> None:
        with recorder.harmless("What scikit-learn's splitters do"):
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == MODULE and "split" in vars(value):
                    wrapt.wrap_function_wrapper(module, f"{value.__name__}.split", watching(recorder))

    wrapt.register_post_import_hook(hook, MODULE)


def watching(recorder: Recorder) -> Callable[..., Any]:
    """What runs in place of a splitter's method: the method, and a look at each fold that it gives to the user."""

    def watched(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        folds = wrapped(*args, **kwargs)
        frame = sys._getframe(1)
        site = recorder.sites.caller(frame)
        predicting = site is None and is_predicting(recorder, frame)
        if site is None and not predicting:
            return folds
        split = Split(site, None)
        with recorder.harmless("A split"):
            y = kwargs["y"] if "y" in kwargs else args[1] if len(args) > 1 else None
            split.y = None if y is None else recorder.keep(y, "y")
        recorder.begin(split)
        return marking(recorder, split, folds, site is not None)

    return watched


def is_predicting(recorder: Recorder, frame: FrameType) -> bool:
    """Whether cross_val_predict runs through the folds, and the user called it."""
    at: FrameType | None = frame
    while at is not None and recorder.sites.kind(at.f_code.co_filename) == "through":
        at = at.f_back
    return at is not None and at.f_code.co_name == PREDICTING and recorder.sites.caller(at.f_back) is not None


def marking(recorder: Recorder, split: Split, folds: Iterable[Any], looped: bool) -> Iterator[Any]:
    """Give the folds on, and mark each while the body of the user's loop runs."""
    for pair in folds:
        mark = None
        with recorder.harmless("A fold"):
            train, test = pair
            split.tests.append(recorder.keep(test, "test"))
            split.trained.append(len(train))
            mark = Mark(split, len(split.tests) - 1)
        if mark is None or not looped:
            yield pair
            continue
        marks = recorder.marks
        marks.append(mark)
        try:
            yield pair
        finally:
            marks.remove(mark)
