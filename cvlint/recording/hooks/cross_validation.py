"""Hooks on what scikit-learn's cross_validate, cross_val_score and searches do in each fold, in whatever process."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import wrapt

from cvlint.knowledge.loader import Knowledge
from cvlint.recording.call_sites import Site
from cvlint.recording.hooks.metrics import MODULES, Metric, is_recorded, record
from cvlint.recording.hooks.worker import KEY, Note, fit_and_score, signature_of
from cvlint.recording.records import Mark, Recorder, Split

PARALLEL = "sklearn.utils.parallel"
SEARCH = "sklearn.model_selection._search"
VALIDATION = "sklearn.model_selection._validation"
CALLERS = frozenset({"cross_validate", "evaluate_candidates"})
"""The functions of scikit-learn that score folds, and what is made of whose scores is known."""


@dataclass(eq=False, slots=True)
class Fold:
    """A task: the samples it trains on and tests, and the notes that come back."""

    train: Any
    test: Any
    notes: list[Note] = field(default_factory=list)


class Watch:
    """What the hooks share: the recorder, what is known of each metric, and where this thread is."""

    def __init__(self, knowledge: Knowledge, recorder: Recorder) -> None:
        self.knowledge = knowledge
        self.recorder = recorder
        self.metrics: dict[str, Metric] = {}
        self.made: WeakKeyDictionary[Any, Site] = WeakKeyDictionary()  # where the user made each search
        self.local = threading.local()

    def learn(self) -> frozenset[str]:
        """The functions whose calls are noted, as ``module.name``, of the libraries that are imported."""
        for library in MODULES:
            for name, function in vars(sys.modules.get(library, ModuleType(""))).items():
                entry = self.knowledge.entries.get(f"{library}.{name}")
                if entry is not None and is_recorded(entry) and callable(function):
                    full_name = f"{function.__module__}.{function.__qualname__}"
                    if full_name not in self.metrics:
                        self.metrics[full_name] = Metric.of(entry, function)
        return frozenset(self.metrics)

    @property
    def search(self) -> list[Fold] | None:
        """The folds of the search that this thread is fitting, as they come."""
        return getattr(self.local, "search", None)

    @search.setter
    def search(self, folds: list[Fold] | None) -> None:
        self.local.search = folds


def hook_validation(knowledge: Knowledge, recorder: Recorder) -> None:
    """Have what scores folds hooked when scikit-learn is imported."""
    watch = Watch(knowledge, recorder)

    def hook(target: str, name: str, make: Callable[[Watch], Callable[..., Any]]) -> Callable[[ModuleType], None]:
        def hooked(module: ModuleType) -> None:
            with recorder.harmless(f"What {target} does"):
                wrapt.wrap_function_wrapper(module, name, make(watch))

        return hooked

    wrapt.register_post_import_hook(hook(PARALLEL, "Parallel.__call__", scoring), PARALLEL)
    wrapt.register_post_import_hook(hook(SEARCH, "BaseSearchCV.fit", searching), SEARCH)
    wrapt.register_post_import_hook(hook(SEARCH, "BaseSearchCV.__init__", making), SEARCH)


def scoring(watch: Watch) -> Callable[..., Any]:
    """What runs in place of scikit-learn's Parallel: the same tasks, those that score a fold with scorers that note."""

    def called(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        frame = sys._getframe(1)
        if frame.f_code.co_name not in CALLERS or len(args) != 1 or not is_outermost(watch.recorder, frame):
            return wrapped(*args, **kwargs)
        folds: list[Fold] = []
        results = wrapped(swapped(args[0], folds, watch), **kwargs)
        with watch.recorder.harmless("What the folds of a cross-validation were scored with"):
            for fold, result in zip(folds, results, strict=False):
                fold.notes = result.pop(KEY, [])
            if watch.search is not None:
                watch.search.extend(folds)
            else:
                site = watch.recorder.sites.nearest(frame)
                if site is not None:
                    keep(watch, [site], folds)
        return results

    return called


def is_outermost(recorder: Recorder, frame: FrameType) -> bool:
    """Whether the user called the cross-validation, and no fit or score of another one did."""
    at: FrameType | None = frame
    while at is not None:
        name = at.f_code.co_filename
        if recorder.sites.kind(name) == "user":
            return True
        if at.f_code.co_name in ("_fit_and_score", "_fit_and_predict"):
            return False
        at = at.f_back
    return False


def swapped(tasks: Iterable[Any], folds: list[Fold], watch: Watch) -> Iterator[Any]:
    """The tasks, those of scikit-learn's ``_fit_and_score`` with our function in its place."""
    validation = sys.modules.get(VALIDATION)
    original = getattr(validation, "_fit_and_score", None)
    delayed = getattr(sys.modules[PARALLEL], "delayed", None)
    if original is None or delayed is None:
        watch.recorder.trouble(
            "This release of scikit-learn has no _fit_and_score: what its cross-validation computes is not recorded."
        )
        yield from tasks
        return
    wanted = watch.learn()
    ours, _, _ = delayed(fit_and_score)()
    parameters = signature_of(original)
    for task in tasks:
        function, args, kwargs = task
        if getattr(function, "function", None) is not original:
            yield task
            continue
        given = parameters.bind(*args, **kwargs).arguments
        folds.append(Fold(given["train"], given["test"]))
        yield ours, (wanted, *args), kwargs


def searching(watch: Watch) -> Callable[..., Any]:
    """What runs in place of a search's ``fit``: the method, and a look at the folds of the candidate that won."""

    def fitted(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        site = watch.recorder.sites.nearest(sys._getframe(1))
        if watch.search is not None or site is None:
            return wrapped(*args, **kwargs)
        folds: list[Fold] = []
        watch.search = folds
        try:
            result = wrapped(*args, **kwargs)
        finally:
            watch.search = None
        with watch.recorder.harmless(f"The search in line {site.line} of {site.path}"):
            best, size = getattr(instance, "best_index_", None), getattr(instance, "n_splits_", None)
            if folds and best is not None and size:
                made = watch.made.get(instance, site)
                keep(watch, dict.fromkeys((made, site)), folds[best * size : (best + 1) * size])
        return result

    return fitted


def making(watch: Watch) -> Callable[..., Any]:
    """What runs in place of a search's ``__init__``: the method, and a look at the place, for findings name it."""

    def made(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        wrapped(*args, **kwargs)
        sites = watch.recorder.sites
        at: FrameType | None = sys._getframe(1)
        while at is not None and at.f_code.co_name == "__init__" and sites.kind(at.f_code.co_filename) != "user":
            at = at.f_back
        site = sites.caller(at)
        if site is not None:
            with watch.recorder.harmless("A search"):
                watch.made[instance] = site

    return made


def keep(watch: Watch, sites: Iterable[Site], folds: Sequence[Fold]) -> None:
    """Keep what was noted in the folds of one cross-validation as calls at its places."""
    recorder = watch.recorder
    if recorder.full:
        return
    first, *_ = sites = tuple(sites)
    split = Split(first, None)
    recorder.begin(split)
    for number, fold in enumerate(folds):
        split.tests.append(recorder.keep(fold.test, "test"))
        split.trained.append(len(fold.train))
        for note in fold.notes:
            kwargs: Mapping[str, Any] = note.kwargs
            metric = watch.metrics[note.function]
            for site in sites:
                record(recorder, metric, site, note.args, kwargs, note.value, note.scorer, Mark(split, number))
