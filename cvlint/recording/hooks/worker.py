"""Fit and score one fold for scikit-learn's cross-validation, and return the calls of its scorers.

This module also runs in joblib's worker processes, so it imports nothing of cvlint and no further library.
"""

from __future__ import annotations

import copy
import functools
import inspect
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
    if function is None or full_name not in wanted:
        return scorer
    copied = copy.copy(scorer)
    copied._score_func = noting_first_call(function, full_name, name, notes)
    return copied


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
