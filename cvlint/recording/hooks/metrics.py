"""Hooks on the measures that the knowledge names, as functions of scikit-learn and torchmetrics."""

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
from cvlint.recording.call_sites import Site
from cvlint.recording.records import Call, Mark, Options, Recorder

MODULES = ("sklearn.metrics", "torchmetrics.functional")
MEASURES = frozenset({"f-measure", "precision", "recall", "jaccard", "roc-auc", "average-precision"})
SCORERS = "sklearn.metrics._scorer"
SCORED = frozenset({"roc-auc", "average-precision"})
PLACES = {"precision": 0, "recall": 1, "f-measure": 2}
"""Where a measure stands in what precision_recall_fscore_support returns."""


class Hooked(wrapt.FunctionWrapper):  # type: ignore[type-arg]
    """A hooked function that can still be copied and pickled by its name, as functions are."""

    def __reduce_ex__(self, protocol: Any) -> str:
        """Its name in the module that defines it, where the hook stands in for it."""
        return str(self.__wrapped__.__qualname__)

    def __copy__(self) -> Hooked:
        """A function is not copied."""
        return self

    def __deepcopy__(self, memo: Any) -> Hooked:
        """A function is not copied."""
        return self


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure's function: its name, what it measures, and what its parameters are called in our words."""

    function: str
    measure: str
    average: str
    entry: Entry
    signature: inspect.Signature | None

    @classmethod
    def of(cls, entry: Entry, function: Callable[..., Any]) -> Metric:
        """Take what is needed from the knowledge of a function."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            signature = None
        name = entry.name.rpartition(".")[2]
        measure = "counts" if entry.effect == "counts" else entry.facts["measure"]
        return cls(name, measure, entry.facts.get("average", "binary"), entry, signature)

    def arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by our names for them."""
        if self.signature is not None:
            bound = self.signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
        else:
            given = {**dict(zip(self.entry.facts.get("params", ()), args, strict=False)), **kwargs}
        renamed = self.entry.facts.get("keywords", {})
        return {renamed.get(name, name): value for name, value in given.items()}

    def options(self, given: Mapping[str, Any]) -> Options:
        """How a call computes the measure."""
        average = given.get("average", self.average)
        if given.get("task") == "binary" or self.measure in SCORED:
            average = "binary"
        labels = given.get("labels")
        return Options(
            "none" if average is None else str(average),
            given.get("pos_label", 1) if self.measure != "roc-auc" else None,
            float(given.get("beta", 1.0)),
            None if labels is None else tuple(labels),
        )

    def number(self, value: Any) -> float | None:
        """The number of this measure in what a call returned."""
        if isinstance(value, tuple):
            value = value[PLACES[self.measure]] if self.measure in PLACES and len(value) == 4 else None
        if value is None or isinstance(value, (str, dict)) or getattr(value, "ndim", 0) != 0:
            return None
        try:
            return float(value)
        except (TypeError, ValueError):
            return None


def hook_metrics(knowledge: Knowledge, recorder: Recorder) -> None:
    """Have the measures of each library hooked when it is imported."""
    for library in MODULES:
        entries = {
            name.rpartition(".")[2]: entry
            for name, entry in knowledge.entries.items()
            if name.rpartition(".")[0] == library and is_recorded(entry)
        }
        wrapt.register_post_import_hook(hook_of(library, entries, recorder), library)


def is_recorded(entry: Entry) -> bool:
    """Whether the folds' labels or scores can be had from the calls of a measure, and an aggregate be made of them."""
    known = entry.effect == "counts" or (entry.effect == "measure" and entry.facts.get("measure") in MEASURES)
    return known and "y_true" in entry.facts.get("params", ()) and not entry.facts.get("curve")


def hook_of(library: str, entries: Mapping[str, Entry], recorder: Recorder) -> Callable[[ModuleType], None]:
    """What is done when a library has been imported."""

    def hook(module: ModuleType) -> None:
        with recorder.harmless(f"What {library} computes"):
            for name, entry in entries.items():
                function = vars(module).get(name)
                if inspect.isfunction(function):
                    replace_everywhere(module, name, function, Hooked(function, watching(entry, function, recorder)))

    return hook


def replace_everywhere(module: ModuleType, name: str, function: Any, hooked: Hooked) -> None:
    """Put a hook wherever the library has the function: in the module that defines it, in others, and in scorers."""
    package = module.__name__.partition(".")[0]
    for path, other in list(sys.modules.items()):
        if path.partition(".")[0] == package and getattr(other, "__dict__", {}).get(name) is function:
            setattr(other, name, hooked)
    for scorer in getattr(sys.modules.get(SCORERS), "_SCORERS", {}).values():
        if getattr(scorer, "_score_func", None) is function:  # which could not be pickled by its name any more
            scorer._score_func = hooked


def watching(entry: Entry, function: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """What runs in place of a function: the function itself, and a look at its arguments when the user called it."""
    metric = Metric.of(entry, function)

    def watched(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        value = wrapped(*args, **kwargs)
        site = recorder.sites.caller(frame_above())
        if site is not None and not recorder.full:
            with recorder.harmless(f"A call of {metric.function} in line {site.line} of {site.path}"):
                record(recorder, metric, site, args, kwargs, value)
        return value

    return watched


def frame_above() -> FrameType | None:
    """The frame that called the hook."""
    return sys._getframe(2)


def record(
    recorder: Recorder,
    metric: Metric,
    site: Site,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    value: Any,
    name: str = "",
    mark: Mark | None = None,
) -> None:
    """Keep a call, unless it measures the training part of the fold whose body runs."""
    given = metric.arguments(args, kwargs)
    mark = mark or recorder.mark
    y_true = recorder.keep(given["y_true"], "y_true")
    if mark is not None and is_training(y_true, mark):
        return
    kept = {
        role: None if given.get(role) is None else recorder.keep(given[role], role)
        for role in ("y_pred", "y_score", "sample_weight")
    }
    recorder.add(
        Call(
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
            mark,
            len(recorder.splits),
        )
    )


def is_training(y_true: Any, mark: Mark) -> bool:
    """Whether labels are as many as the fold has training samples, and not as many as it has test samples."""
    return len(y_true) == mark.split.trained[mark.fold] != len(mark.split.tests[mark.fold])
