"""Fits and scores one fold for scikit-learn's cross-validation, and hands back what its scorers saw.

This runs in joblib's worker processes, too: it imports nothing of ours, and nothing that is not there already.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

KEY = "cvlint"
"""Where the notes travel in the result of a fold; the parent takes them out."""


@dataclass(frozen=True, eq=False, slots=True)
class Note:
    """What a scorer's function was called with in a fold, and what it returned."""

    scorer: str
    function: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    value: Any


def fit_and_score(wanted: frozenset[str], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Do what scikit-learn's own function does, with scorers that take notes.

    Parameters
    ----------
    wanted
        The functions to take notes of, as ``module.name``.
    *args, **kwargs
        What scikit-learn hands to its function.

    Returns
    -------
    dict
        What scikit-learn's function returns; with the notes, if there are any.
    """
    from sklearn.model_selection import _validation

    original = _validation._fit_and_score
    notes: list[Note] = []
    bound = signature_of(original).bind(*args, **kwargs)
    bound.arguments["scorer"] = watched(bound.arguments["scorer"], wanted, notes)
    result: dict[str, Any] = original(*bound.args, **bound.kwargs)
    if notes:
        result[KEY] = notes
    return result


@functools.cache
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a function."""
    return inspect.signature(function)


def watched(scorer: Any, wanted: frozenset[str], notes: list[Note], name: str = "") -> Any:
    """A copy of a scorer, or of several, that takes notes; what is no scorer of scikit-learn's is left alone."""
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
    copied._score_func = noting(function, full_name, name, notes)
    return copied


def noting(function: Callable[..., Any], full_name: str, scorer: str, notes: list[Note]) -> Callable[..., Any]:
    """A function that notes its first call: the test part is scored before the training part."""

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        value = function(*args, **kwargs)
        if not any(note.scorer == scorer for note in notes):
            notes.append(Note(scorer, full_name, args, kwargs, value))
        return value

    return noted
