"""One trial: check an input, and say what is wrong with the check, if anything is."""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

from cvlint.findings.finding import Report
from cvlint.rules.catalogue import load_rules
from cvlint.usage_error import UsageError
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions, check_options
from cvlint.workspace.settings.config_file import read_config_file
from cvlint.workspace.steps.analyse import check

CALLS = 12_000_000
CALLS_PER_CHARACTER = 300
"""A check of a file makes and ends at most so many calls; most make a hundredth of that."""

OPTIONS = CheckOptions(frozenset(rule.name for rule in load_rules()), confidence="low", jobs=1)


class TooManyCalls(BaseException):
    """A check goes on for too long; nothing in cvlint catches it."""


class Counter:
    """Counts the calls of functions, which are the same on every machine.

    With ``patience`` it begins to count after so many seconds of CPU time only, because counting takes longer than
    the check itself.
    """

    def __init__(self, most: int, patience: float = 0.0) -> None:
        self.calls = 0
        self.patience = patience if hasattr(signal, "setitimer") else 0.0

        def count(frame: FrameType, event: str, argument: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise TooManyCalls

        left = most
        self._count, self._made = count, lambda: most - left

    def __enter__(self) -> Counter:
        if self.patience:
            signal.signal(signal.SIGVTALRM, lambda *_: sys.setprofile(self._count))
            signal.setitimer(signal.ITIMER_VIRTUAL, self.patience)
        else:
            sys.setprofile(self._count)
        return self

    def __exit__(self, *raised: object) -> None:
        if self.patience:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.setprofile(None)
        self.calls = self._made()


def counted(path: Path, characters: int) -> tuple[Report, int]:
    """The report of a check, and the number of calls that it took."""
    with Counter(CALLS + CALLS_PER_CHARACTER * characters) as counter:
        report = check([path], OPTIONS)
    return report, counter.calls


def fault(name: str, data: bytes, patience: float = 0.0) -> str | None:
    """What is wrong with the check of an input; None if all is well."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        if name.endswith(".toml"):
            return config_fault(path, data)
        try:
            with Counter(CALLS + CALLS_PER_CHARACTER * len(data), patience):
                first = check_bytes(data, path, name, OPTIONS)
        except TooManyCalls:
            return "does not end"
        except BaseException as error:
            return f"raises {type(error).__name__}: {error}"
        second = check_bytes(data, path, name, OPTIONS)
    if first != second:
        return "a second check finds something else"
    if first.problem is not None and "fault of cvlint" in first.problem.message:
        return first.problem.message
    if first.problem is not None and ("\n" in first.problem.message or not first.problem.message):
        return f"the problem is no sentence: {first.problem.message!r}"
    return None


def config_fault(path: Path, data: bytes) -> str | None:
    """What is wrong with the reading of a config."""
    path.write_bytes(data)
    try:
        read = read_config_file(path)
        if read is not None:
            check_options(config=read)
    except UsageError:
        return None
    except BaseException as error:
        return f"raises {type(error).__name__}: {error}"
    return None
