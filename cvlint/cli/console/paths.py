"""The files and folders that a command is given, or a refusal of those that cannot be used."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from cvlint.usage_error import UsageError


def working_directory() -> Path:
    """The working directory, or a refusal where it was taken away."""
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError("The working directory is not there any more") from error


def report_target(output: str | None, read: str | None = None, option: str = "--output") -> Path | None:
    """Refuse a file that cannot be written, or is the one to be read, before the check, which may take long."""
    if output is None:
        return None
    path = Path(output)
    if not output or os.path.isdir(path):
        raise UsageError(f"The option {option} cannot be '{output}'", "valid is the name of a file")
    if read is not None and os.path.exists(path) and os.path.exists(read) and os.path.samefile(path, read):
        raise UsageError(
            f"The option {option} cannot be '{output}', because that is the file to be read", "name another"
        )
    if not os.path.isdir(path.parent):
        raise UsageError(f"The report cannot be written to '{output}', because there is no folder '{path.parent}'")
    try:
        os.stat(path)
    except FileNotFoundError:
        _refuse_unwritable(path.parent, output)
    except OSError as error:  # the name is too long, for example
        raise UsageError(f"The report cannot be written to '{output}': {error.strerror}") from error
    else:
        _refuse_unwritable(path, output)
    return path


def _refuse_unwritable(place: Path, output: str) -> None:
    if not os.access(place, os.W_OK):
        raise UsageError(f"The report cannot be written to '{output}': {os.strerror(errno.EACCES)}")


def existing(given: str, valid: str = "valid are files and folders that exist, and '-' for standard input") -> Path:
    """Refuse a path that is not there."""
    path = Path(given)
    try:
        os.stat(given)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: a NUL in the name
        choices = [str(path.with_name(name)) for name in _names(path.parent)] if path.name else []
        raise UsageError(f"There is no file or folder '{given}'", valid, given, choices) from error
    except OSError as error:
        raise UsageError(f"The path '{given}' cannot be reached: {error.strerror}") from error
    return path


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
