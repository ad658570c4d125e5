"""Answers that are kept while one file is analysed, and forgotten after it.

Labels and nodes lead to the syntax tree of their file: an answer that is kept longer keeps the whole file in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

Question = TypeVar("Question", bound=Callable[..., Any])
_FORGETTING: list[Callable[[], None]] = []


def kept_for_file(maxsize: int) -> Callable[[Question], Question]:
    """Keep the last answers of a function, at most ``maxsize``, until `forget_file`."""

    def keeping(question: Question) -> Question:
        known = lru_cache(maxsize)(question)
        _FORGETTING.append(known.cache_clear)
        return known  # type: ignore[return-value]

    return keeping


def at_end_of_file(action: Callable[[], None]) -> Callable[[], None]:
    """Run a function in `forget_file`."""
    _FORGETTING.append(action)
    return action


def forget_file() -> None:
    """Forget all answers: the analysis of a file has ended."""
    for forget in _FORGETTING:
        forget()
