"""What a process of the server does: one piece of work after another, and it forgets what has changed between them.

It loads nothing of the protocol, and nothing that only the server needs: the next document may wait for it.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from cvlint.server.changes import apply_change
from cvlint.usage_error import UsageError


class FaultError(Exception):
    """A fault of cvlint in a piece of work, with its traceback."""


class Job(NamedTuple):
    """A piece of work, and how often texts and rules have changed: a process forgets what it knew of older ones."""

    work: Callable[[], Any]
    texts: int
    rules: int


class Answer(NamedTuple):
    """What came out of a piece of work, and the bytes of memory that its process has after it."""

    outcome: Any
    memory: int


def prepare() -> None:
    """Load what each check needs, and let nothing that is printed get between the messages of the server."""
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.file_check import shared_analysis

    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    shared_analysis()
    all_rules()


_SEEN = {"texts": 0, "rules": 0}
"""The changes that this process knows of."""


def answer(job: Job) -> Answer:
    """Do a piece of work; an error is returned, because a worker must not raise."""
    from cvlint.server.checking import forget_rules

    if job.texts != _SEEN["texts"]:
        apply_change.cache_clear()  # a confirmed fix may rest on files that have changed
    if job.rules != _SEEN["rules"]:
        forget_rules()
    _SEEN.update(texts=job.texts, rules=job.rules)
    return Answer(_outcome(job.work), _resident())


def _outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except UsageError as error:
        plain = UsageError("")  # a subclass may not be copied to another process
        plain.sentence = error.sentence
        plain.args = (error.sentence,)
        return plain
    except Exception:
        return FaultError(traceback.format_exc())


def _resident() -> int:
    """The bytes of memory that this process has; 0 if the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
