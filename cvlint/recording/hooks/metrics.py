"""Hooks on the functions of scikit-learn and torchmetrics that the knowledge base lists as measures."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

import wrapt

from cvlint.knowledge.loader import Knowledge
from cvlint.knowledge.schema import Entry
from cvlint.recording.call_sites import CallSite
from cvlint.recording.hooks.hooked_function import HookedFunction, replace_everywhere
from cvlint.recording.hooks.tensor_decisions import LIBRARY, with_decisions
from cvlint.recording.hooks.worker import ScorerCall, running_scorer
from cvlint.recording.recorder import Recorder
from cvlint.recording.records import CurrentFold, MeasureOptions, RecordedCall

MODULES = ("sklearn.metrics", LIBRARY)
MEASURES = frozenset({"f-measure", "precision", "recall", "jaccard", "roc-auc", "average-precision"})
SCORED = frozenset({"roc-auc", "average-precision"})
RESULT_POSITIONS = {"precision": 0, "recall": 1, "f-measure": 2}
"""The position of a measure in the result of precision_recall_fscore_support."""


@dataclass(frozen=True, slots=True)
class MetricFunction:
    """A function that computes a measure: its name, the measure, and the meaning of its parameters."""

    function: str
    measure: str
    average: str
    entry: Entry
    signature: inspect.Signature | None

    @classmethod
    def of(cls, entry: Entry, function: Callable[..., Any]) -> MetricFunction:
        """Read the properties of a function from the knowledge base."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            signature = None
        name = entry.name.rpartition(".")[2]
        measure = "counts" if entry.effect == "counts" else entry.facts["measure"]
        return cls(name, measure, entry.facts.get("average", "binary"), entry, signature)

    def arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by the names that the knowledge base gives them."""
        if self.signature is not None:
            bound = self.signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
        else:
            given = {**dict(zip(self.entry.facts.get("params", ()), args, strict=False)), **kwargs}
        renamed = self.entry.facts.get("keywords", {})
        return {renamed.get(name, name): value for name, value in given.items()}

    def options(self, given: Mapping[str, Any]) -> MeasureOptions:
        """The options with which a call computes the measure."""
        average = given.get("average", self.average)
        if given.get("task") == "binary" or self.measure in SCORED:
            average = "binary"
        labels = given.get("labels")
        return MeasureOptions(
            "none" if average is None else str(average),
            given.get("pos_label", 1) if self.measure != "roc-auc" else None,
            float(given.get("beta", 1.0)),
            None if labels is None else tuple(labels),
        )

    def number(self, value: Any) -> float | None:
        """The value of this measure in the result of a call."""
        if isinstance(value, tuple):
            value = (
                value[RESULT_POSITIONS[self.measure]] if self.measure in RESULT_POSITIONS and len(value) == 4 else None
            )
        if value is None or isinstance(value, (str, dict)) or getattr(value, "ndim", 0) != 0:
            return None
        try:
            return float(value)
        except (TypeError, ValueError):
            return None


def hook_metrics(knowledge: Knowledge, recorder: Recorder) -> None:
    """Install hooks on the measures of each library when it is imported."""
    for library in MODULES:
        entries = {
            name.rpartition(".")[2]: entry
            for name, entry in knowledge.entries.items()
            if name.rpartition(".")[0] == library and is_recorded(entry)
        }
        wrapt.register_post_import_hook(hook_of(library, entries, recorder), library)


def is_recorded(entry: Entry) -> bool:
    """Whether calls of a measure show the labels or scores of folds, so that aggregates can be recomputed."""
    known = entry.effect == "counts" or (entry.effect == "measure" and entry.facts.get("measure") in MEASURES)
    return known and "y_true" in entry.facts.get("params", ()) and not entry.facts.get("curve")


def hook_of(library: str, entries: Mapping[str, Entry], recorder: Recorder) -> Callable[[ModuleType], None]:
    """Make the function that runs after the import of a library."""

    def hook(module: ModuleType) -> None:
        with recorder.harmless(f"What {library} computes"):
            for name, entry in entries.items():
                function = vars(module).get(name) or vars(vars(module).get("classification", module)).get(name)
                if inspect.isfunction(function):
                    replace_everywhere(
                        module, name, function, HookedFunction(function, wrapped_measure(entry, function, recorder))
                    )

    return hook


def wrapped_measure(entry: Entry, function: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """Wrap a measure: call it, and record its arguments if user code called it."""
    metric = MetricFunction.of(entry, function)

    def watched(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        value = wrapped(*args, **kwargs)
        if not recorder.is_active:
            return value
        site = recorder.sites.caller(frame_above())
        scorer = running_scorer()
        if site is not None and scorer is not None:
            full_name = f"{function.__module__}.{function.__qualname__}"
            scorer.notes.append(ScorerCall(scorer.name, full_name, args, kwargs, value, site))
        elif site is not None and not recorder.full:
            with recorder.harmless(f"A call of {metric.function} in line {site.line} of {site.path}"):
                record(recorder, metric, site, args, kwargs, value)
        return value

    return watched


def frame_above() -> FrameType | None:
    """The frame that called the hook."""
    return sys._getframe(2)


def record(
    recorder: Recorder,
    metric: MetricFunction,
    site: CallSite,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    value: Any,
    name: str = "",
    running: CurrentFold | None = None,
) -> None:
    """Record a call, unless it measures the training part of the running fold."""
    given = metric.arguments(args, kwargs)
    if metric.entry.name.startswith(LIBRARY):
        given = with_decisions(given)
    running = running or recorder.running_fold
    y_true = recorder.keep(given["y_true"], "y_true")
    if running is not None and is_training_part(y_true, running):
        return
    kept = {
        role: None if given.get(role) is None else recorder.keep(given[role], role)
        for role in ("y_pred", "y_score", "sample_weight")
    }
    recorder.add(
        RecordedCall(
            site,
            name,
            metric.function,
            metric.measure,
            y_true,
            kept["y_pred"],
            kept["y_score"],
            kept["sample_weight"],
            metric.options(given),
            metric.number(value),
            running,
            len(recorder.splits),
            label_names=label_names_of(given, y_true),
        )
    )


def label_names_of(given: Mapping[str, Any], y_true: Any) -> tuple[str, ...]:
    """The names of the columns of multilabel data: those of a data frame, or ``target_names``; empty without any."""
    if y_true.ndim != 2:
        return ()
    frames = (getattr(given.get(role), "columns", None) for role in ("y_true", "y_pred"))
    named = given.get("target_names") if given.get("labels") is None else None
    for names in (*frames, named):
        found = () if names is None else tuple(map(str, names))
        if len(found) == y_true.shape[1] == len(set(found)) and all(found):
            return found
    return ()


def is_training_part(y_true: Any, running: CurrentFold) -> bool:
    """Whether the number of labels equals that of the training samples, and not that of the test samples."""
    return len(y_true) == running.split.train_sizes[running.fold] != len(running.split.test_rows[running.fold])
