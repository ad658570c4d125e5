"""Fit and score one fold for scikit-learn's cross-validation, and return the calls of measures in its scorers.

This module also runs in joblib's worker processes, so it imports nothing of cvlint and no further library.
"""

from __future__ import annotations

import copy
import functools
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

KEY = "cvlint"
"""The key of the scorer calls in the result of a fold; the parent process removes it."""


@dataclass(frozen=True, eq=False, slots=True)
class ScorerCall:
    """The arguments and the result of a scorer's function in a fold."""

    scorer: str
    function: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    value: Any
    site: Any = None
    """The call site, where a scorer of the user's own called the measure."""


@dataclass(eq=False, slots=True)
class OwnScorer:
    """A scorer of the user's own that runs: its name, and the list for the measures that it calls."""

    name: str
    notes: list[ScorerCall]


_local = threading.local()


def running_scorer() -> OwnScorer | None:
    """The scorer of the user's own that scores the test part of a fold in this thread."""
    found: OwnScorer | None = getattr(_local, "scorer", None)
    return found


def fit_and_score(wanted: frozenset[str], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Do the same as scikit-learn's function, with scorers that record their calls.

    Parameters
    ----------
    wanted
        The functions to record, as ``module.name``.
    *args, **kwargs
        The arguments that scikit-learn passes to its function.

    Returns
    -------
    dict
        The result of scikit-learn's function, with the recorded calls if there are any.
    """
    from sklearn.model_selection import _validation

    original = _validation._fit_and_score
    notes: list[ScorerCall] = []
    bound = signature_of(original).bind(*args, **kwargs)
    bound.arguments["scorer"] = watched(bound.arguments["scorer"], wanted, notes)
    result: dict[str, Any] = original(*bound.args, **bound.kwargs)
    if notes:
        result[KEY] = notes
    return result


@functools.cache
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function."""
    return inspect.signature(function)


def watched(scorer: Any, wanted: frozenset[str], notes: list[ScorerCall], name: str = "") -> Any:
    """Copy a scorer, or several, so that they record their calls; other objects stay unchanged."""
    if isinstance(scorer, Mapping):
        return {key: watched(value, wanted, notes, str(key)) for key, value in scorer.items()}
    several = getattr(scorer, "_scorers", None)
    if isinstance(several, Mapping):
        copied = copy.copy(scorer)
        copied._scorers = watched(several, wanted, notes)
        return copied
    function = getattr(scorer, "_score_func", None)
    full_name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
    if function is None:
        return noting_inner_calls(scorer, name, notes) if is_own(scorer) else scorer
    if full_name not in wanted and not is_own(function):
        return scorer
    copied = copy.copy(scorer)
    copied._score_func = (
        noting_first_call(function, full_name, name, notes)
        if full_name in wanted
        else noting_inner_calls(function, name, notes)
    )
    return copied


def is_own(function: Any) -> bool:
    """Whether a function is not of scikit-learn."""
    module = getattr(function, "__module__", None) or type(function).__module__
    return callable(function) and not str(module).startswith("sklearn.")


def noting_inner_calls(function: Callable[..., Any], scorer: str, notes: list[ScorerCall]) -> Callable[..., Any]:
    """Wrap a function of the user's own, so that the hooks note the measures that its first call computes."""
    called = False

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        nonlocal called
        before = running_scorer()
        _local.scorer = OwnScorer(scorer, [] if called else notes)
        called = True
        try:
            return function(*args, **kwargs)
        finally:
            _local.scorer = before

    return noted


def noting_first_call(
    function: Callable[..., Any], full_name: str, scorer: str, notes: list[ScorerCall]
) -> Callable[..., Any]:
    """Wrap a function to record its first call: the test part is scored before the training part."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        value = function(*args, **kwargs)
        if not any(note.scorer == scorer for note in notes):
            notes.append(ScorerCall(scorer, full_name, args, kwargs, value))
        return value

    return noted
