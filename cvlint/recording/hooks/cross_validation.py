"""Hooks on the folds of scikit-learn's cross_validate, cross_val_score and searches, in any process."""

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
from cvlint.recording.call_sites import CallSite
from cvlint.recording.hooks.metrics import MODULES, MetricFunction, is_recorded, record
from cvlint.recording.hooks.worker import KEY, ScorerCall, fit_and_score, signature_of
from cvlint.recording.recorder import Recorder
from cvlint.recording.records import CurrentFold, RecordedSplit

PARALLEL = "sklearn.utils.parallel"
SEARCH = "sklearn.model_selection._search"
VALIDATION = "sklearn.model_selection._validation"
CALLERS = frozenset({"cross_validate", "evaluate_candidates"})
"""The functions of scikit-learn that score folds and whose use of the scores is known."""


@dataclass(eq=False, slots=True)
class ScoringTask:
    """The scoring of one fold: its training and test rows, and the scorer calls that come back."""

    train: Any
    test: Any
    notes: list[ScorerCall] = field(default_factory=list)


class ValidationHooks:
    """The state that the hooks share: the recorder, the known metrics, and the running search of each thread."""

    def __init__(self, knowledge: Knowledge, recorder: Recorder) -> None:
        self.knowledge = knowledge
        self.recorder = recorder
        self.metrics: dict[str, MetricFunction] = {}
        self.created_at: WeakKeyDictionary[Any, CallSite] = WeakKeyDictionary()  # where the user created each search
        self.local = threading.local()

    def learn(self) -> frozenset[str]:
        """Collect the metric functions of the imported libraries, as ``module.name``."""
        for library in MODULES:
            for name, function in vars(sys.modules.get(library, ModuleType(""))).items():
                entry = self.knowledge.entries.get(f"{library}.{name}")
                if entry is not None and is_recorded(entry) and callable(function):
                    full_name = f"{function.__module__}.{function.__qualname__}"
                    if full_name not in self.metrics:
                        self.metrics[full_name] = MetricFunction.of(entry, function)
        return frozenset(self.metrics)

    @property
    def search(self) -> list[ScoringTask] | None:
        """The folds so far of the search that this thread fits."""
        return getattr(self.local, "search", None)

    @search.setter
    def search(self, folds: list[ScoringTask] | None) -> None:
        self.local.search = folds

    @property
    def groups(self) -> Any:
        """The groups of the samples of the search that this thread fits, (n,); None without any."""
        return getattr(self.local, "groups", None)

    @groups.setter
    def groups(self, groups: Any) -> None:
        self.local.groups = groups


def hook_validation(knowledge: Knowledge, recorder: Recorder) -> None:
    """Install hooks on cross-validation when scikit-learn is imported."""
    hooks = ValidationHooks(knowledge, recorder)

    def hook(
        target: str, name: str, make: Callable[[ValidationHooks], Callable[..., Any]]
    ) -> Callable[[ModuleType], None]:
        def on_import(module: ModuleType) -> None:
            with recorder.harmless(f"What {target} does"):
                wrapt.wrap_function_wrapper(module, name, make(hooks))

        return on_import

    wrapt.register_post_import_hook(hook(PARALLEL, "Parallel.__call__", recorded_scoring), PARALLEL)
    wrapt.register_post_import_hook(hook(SEARCH, "BaseSearchCV.fit", recorded_fit), SEARCH)
    wrapt.register_post_import_hook(hook(SEARCH, "BaseSearchCV.__init__", recorded_init), SEARCH)


def recorded_scoring(hooks: ValidationHooks) -> Callable[..., Any]:
    """Replace scikit-learn's Parallel: the same tasks, but scorers record their calls."""

    def called(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        frame = sys._getframe(1)
        if (
            not hooks.recorder.is_active
            or frame.f_code.co_name not in CALLERS
            or len(args) != 1
            or not is_outermost(hooks.recorder, frame)
        ):
            return wrapped(*args, **kwargs)
        folds: list[ScoringTask] = []
        results = wrapped(with_recording_scorers(args[0], folds, hooks), **kwargs)
        with hooks.recorder.harmless("What the folds of a cross-validation were scored with"):
            for fold, result in zip(folds, results, strict=False):
                fold.notes = result.pop(KEY, [])
            if hooks.search is not None:
                hooks.search.extend(folds)
                hooks.groups = groups_in(frame)
            else:
                site = hooks.recorder.sites.nearest(frame)
                if site is not None:
                    keep(hooks, [site], folds, groups_in(frame))
        return results

    return called


def groups_in(frame: FrameType) -> Any:
    """The groups that a cross-validation hands to its splitter, (n,); None without any.

    ``cross_validate`` and the ``fit`` of a search gather what goes to the splitter in ``routed_params``, and older
    releases hold ``groups`` itself.
    """
    routed = frame.f_locals.get("routed_params")
    given = getattr(getattr(routed, "splitter", None), "split", None)
    found = given.get("groups") if isinstance(given, Mapping) else None
    return frame.f_locals.get("groups") if found is None else found


def is_outermost(recorder: Recorder, frame: FrameType) -> bool:
    """Whether user code called this cross-validation; another cross-validation may call it as well, to fit or score."""
    at: FrameType | None = frame
    while at is not None:
        name = at.f_code.co_filename
        if recorder.sites.kind(name) == "user":
            return True
        if at.f_code.co_name in ("_fit_and_score", "_fit_and_predict"):
            return False
        at = at.f_back
    return False


def with_recording_scorers(tasks: Iterable[Any], folds: list[ScoringTask], hooks: ValidationHooks) -> Iterator[Any]:
    """Give the tasks with our function in place of scikit-learn's ``_fit_and_score``."""
    validation = sys.modules.get(VALIDATION)
    original = getattr(validation, "_fit_and_score", None)
    delayed = getattr(sys.modules[PARALLEL], "delayed", None)
    if original is None or delayed is None:
        hooks.recorder.trouble(
            "This release of scikit-learn has no _fit_and_score: what its cross-validation computes is not recorded."
        )
        yield from tasks
        return
    wanted = hooks.learn()
    ours, _, _ = delayed(fit_and_score)()
    parameters = signature_of(original)
    for task in tasks:
        function, args, kwargs = task
        if getattr(function, "function", None) is not original:
            yield task
            continue
        given = parameters.bind(*args, **kwargs).arguments
        folds.append(ScoringTask(given["train"], given["test"]))
        yield ours, (wanted, *args), kwargs


def recorded_fit(hooks: ValidationHooks) -> Callable[..., Any]:
    """Replace the ``fit`` of a search: call it, and record the folds of the best candidate."""

    def fitted(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        site = hooks.recorder.sites.nearest(sys._getframe(1))
        if hooks.search is not None or site is None or not hooks.recorder.is_active:
            return wrapped(*args, **kwargs)
        folds: list[ScoringTask] = []
        hooks.search, hooks.groups = folds, None
        try:
            result = wrapped(*args, **kwargs)
        finally:
            hooks.search = None
        with hooks.recorder.harmless(f"The search in line {site.line} of {site.path}"):
            best, size = getattr(instance, "best_index_", None), getattr(instance, "n_splits_", None)
            if folds and best is not None and size:
                created = hooks.created_at.get(instance, site)
                keep(hooks, dict.fromkeys((created, site)), folds[best * size : (best + 1) * size], hooks.groups)
        return result

    return fitted


def recorded_init(hooks: ValidationHooks) -> Callable[..., Any]:
    """Replace the ``__init__`` of a search: call it, and record the call site, which findings name."""

    def created(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        wrapped(*args, **kwargs)
        sites = hooks.recorder.sites
        at: FrameType | None = sys._getframe(1)
        while at is not None and at.f_code.co_name == "__init__" and sites.kind(at.f_code.co_filename) != "user":
            at = at.f_back
        site = sites.caller(at)
        if site is not None:
            with hooks.recorder.harmless("A search"):
                hooks.created_at[instance] = site

    return created


def keep(hooks: ValidationHooks, sites: Iterable[CallSite], folds: Sequence[ScoringTask], groups: Any) -> None:
    """Record what the scorers measured in each fold, at the places where the user called the cross-validation."""
    recorder = hooks.recorder
    if recorder.full:
        return
    first, *_ = sites = tuple(sites)
    split = RecordedSplit(first, None)
    with recorder.harmless("The groups of a cross-validation"):
        split.groups = None if groups is None else recorder.keep(groups, "groups")
    recorder.begin(split)
    for number, fold in enumerate(folds):
        split.test_rows.append(recorder.keep(fold.test, "test"))
        split.train_sizes.append(len(fold.train))
        for note in fold.notes:
            kwargs: Mapping[str, Any] = note.kwargs
            metric = hooks.metrics[note.function]
            own = () if note.site is None or note.site in sites else (note.site,)
            for site in (*sites, *own):
                record(recorder, metric, site, note.args, kwargs, note.value, note.scorer, CurrentFold(split, number))
