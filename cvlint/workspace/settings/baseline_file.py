"""The baseline file of a project: where it is and how it is read. `cvlint.findings.baseline` knows what is in it."""

from __future__ import annotations

import os
from pathlib import Path

from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.filesystem.regular_file import MOST_RESULTS, read_regular_file
from cvlint.findings.baseline import Baseline, BaselineError, parse
from cvlint.records import dataclass
from cvlint.usage_error import UsageError


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """A baseline file and its entries.

    ``old_bytes`` is the content of a file that the check is going to replace.
    """

    path: Path
    entries: Baseline
    old_bytes: bytes | None = None


def read_baseline(path: Path) -> Baseline:
    """Read the entries of a baseline file.

    Raises
    ------
    UsageError
        If the file does not exist, is not a regular file, cannot be read, or is not a baseline.
    """
    if path.exists() and not path.is_file():
        raise UsageError(f"The baseline cannot be '{path}', because that is not a file")
    if not path.exists():
        import shlex

        command = shlex.join(("cvlint", "check", "--write-baseline", str(path)))
        raise UsageError(f"There is no baseline '{path}'", f"`{command}` creates it")
    try:
        return parse(read_regular_file(path, MOST_RESULTS).decode("utf-8"), baseline_folder(path))
    except BaselineError as error:
        raise UsageError(f"The file '{path}' {error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"The file '{path}' is not a baseline: it is not UTF-8 text") from None
    except OSError as error:
        raise UsageError(f"The baseline '{path}' cannot be read: {error.strerror}") from error


def baseline_folder(path: Path) -> str:
    """The real folder of a baseline file; the paths in the file start from it."""
    return os.path.dirname(path_in_real_folder(str(path)))
