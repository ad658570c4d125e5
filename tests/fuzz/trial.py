"""One trial: check an input, and say what is wrong with the check, if anything is."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
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


@dataclass
class Counter:
    """Counts the calls of functions, which are the same on every machine."""

    most: int
    calls: int = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        self.calls += 1
        if self.calls > self.most:
            sys.setprofile(None)
            raise TooManyCalls


def counted(path: Path, characters: int) -> tuple[Report, int]:
    """The report of a check, and the number of calls that it took."""
    counter = Counter(CALLS + CALLS_PER_CHARACTER * characters)
    sys.setprofile(counter)
    try:
        report = check([path], OPTIONS)
    finally:
        sys.setprofile(None)
    return report, counter.calls


def fault(name: str, data: bytes) -> str | None:
    """What is wrong with the check of an input; None if all is well."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        if name.endswith(".toml"):
            return config_fault(path, data)
        counter = Counter(CALLS + CALLS_PER_CHARACTER * len(data))
        sys.setprofile(counter)
        try:
            first = check_bytes(data, path, name, OPTIONS)
        except TooManyCalls:
            return "does not end"
        except BaseException as error:
            return f"raises {type(error).__name__}: {error}"
        finally:
            sys.setprofile(None)
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
