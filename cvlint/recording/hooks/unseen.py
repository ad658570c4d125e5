"""Name what no hook records: metric objects of torchmetrics and Keras, and values that Lightning logs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import wrapt

from cvlint.recording.call_sites import CallSite
from cvlint.recording.recorder import Recorder

MEASURE = re.compile(r"f1|f_?beta|fscore|precision|recall|auroc|auc|jaccard|(?:\b|_)ap(?:\b|_)", re.IGNORECASE)
"""What the names of classes and logged values have in them, if they stand for a measure that a run can recompute."""

METRIC_CLASSES = {
    "torchmetrics.metric": "torchmetrics",
    "keras.src.metrics.metric": "Keras",
    "keras.src.metrics.base_metric": "Keras",
    "tf_keras.src.metrics.base_metric": "Keras",
}
"""The modules that define the class ``Metric`` of a library, in its releases."""

LOGGING_MODULES = (
    "lightning.pytorch.core.module",
    "pytorch_lightning.core.module",
    "pytorch_lightning.core.lightning",
)
"""The modules that define ``LightningModule``."""

INSTEAD = "To measure it, call a function of sklearn.metrics or torchmetrics.functional on all predictions of the fold."


def hook_unseen(recorder: Recorder) -> None:
    """Install hooks that only tell the user what is not recorded."""
    for module, library in METRIC_CLASSES.items():
        wrapt.register_post_import_hook(hook_of(recorder, "Metric.__init__", told_of_object(recorder, library)), module)
    for module in LOGGING_MODULES:
        wrapt.register_post_import_hook(hook_of(recorder, "LightningModule.log", told_of_log(recorder)), module)


def hook_of(recorder: Recorder, name: str, wrapper: Callable[..., Any]) -> Callable[[ModuleType], None]:
    """Make the function that runs after the import of a library."""

    def hook(module: ModuleType) -> None:
        with recorder.harmless(f"What {module.__name__} computes"):
            wrapt.wrap_function_wrapper(module, name, wrapper)

    return hook


def told_of_object(recorder: Recorder, library: str) -> Callable[..., Any]:
    """Wrap the making of a metric object: make it, and name it as not recorded."""

    def made(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        wrapped(*args, **kwargs)
        name = type(instance).__name__
        site = recorder.sites.nearest(sys._getframe(1))
        if site is not None and MEASURE.search(name):
            tell(recorder, f"What the {library} object {name} computes", site)

    return made


def told_of_log(recorder: Recorder) -> Callable[..., Any]:
    """Wrap Lightning's ``log``: call it, and name the value as not recorded."""

    def logged(wrapped: Callable[..., Any], instance: Any, args: Any, kwargs: Any) -> Any:
        value = wrapped(*args, **kwargs)
        name = str(args[0] if args else kwargs.get("name", ""))
        site = recorder.sites.nearest(sys._getframe(1))
        if site is not None and MEASURE.search(name):
            tell(recorder, f"The value of {name} that Lightning averages over the batches of an epoch", site)
        return value

    return logged


def tell(recorder: Recorder, what: str, site: CallSite) -> None:
    """Store the sentence; each place is named once."""
    if not recorder.is_active:
        return
    where = f"line {site.line} of {site.path}" + ("" if site.cell is None else f", cell {site.cell}")
    recorder.trouble(f"{what} ({where}) is not recorded. {INSTEAD}")
