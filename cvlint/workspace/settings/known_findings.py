"""The baseline file of a project, read or refused."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from cvlint.filesystem.real_place import real_place
from cvlint.findings.baseline import Baseline, BaselineError, parse
from cvlint.usage_error import Refusal


@dataclass(frozen=True, slots=True)
class KnownFindings:
    """A baseline file and what it holds; ``before`` are its bytes, where a check is going to replace it."""

    path: Path
    findings: Baseline
    before: bytes | None = None


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises
    ------
    Refusal
        If there is no such file, if it is no regular file, cannot be read, or is not a baseline.
    """
    if path.exists() and not path.is_file():
        raise Refusal(f"The baseline cannot be '{path}', because that is no file")
    if not path.exists():
        command = shlex.join(("cvlint", "check", "--write-baseline", str(path)))
        raise Refusal(f"There is no baseline '{path}'", f"`{command}` makes it")
    try:
        return parse(path.read_text(encoding="utf-8"), folder_of(path))
    except BaselineError as error:
        raise Refusal(f"The file '{path}' {error}") from None
    except UnicodeDecodeError:
        raise Refusal(f"The file '{path}' is not a baseline: it is not UTF-8 text") from None
    except OSError as error:
        raise Refusal(f"The baseline '{path}' cannot be read: {error.strerror}") from error


def folder_of(path: Path) -> str:
    """The real folder of a baseline file; the paths in the file start from it."""
    return os.path.dirname(real_place(str(path)))
