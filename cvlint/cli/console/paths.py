"""Paths on the command line: files and folders to read, and files to write; a path that cannot be used is an error."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from cvlint.usage_error import UsageError

VALID_PATHS = "valid are files and folders that exist, and '-' for standard input"


def working_directory() -> Path:
    """The working directory; a usage error if somebody has removed it."""
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError("The working directory is not there any more") from error


def report_target(output: str | None, read: str | None = None, option: str = "--output") -> Path | None:
    """Check the file to write before the work begins, which may take long.

    Parameters
    ----------
    output : str or None
        The file to write; None for standard output.
    read : str or None
        The file to read, which must be another one.
    option : str
        The option that names the file, for the error.
    """
    if output is None:
        return None
    path = Path(output)
    if not output or os.path.isdir(path):
        raise UsageError(f"The option {option} cannot be '{output}'", "valid is the name of a file")
    if read is not None and os.path.exists(path) and os.path.exists(read) and os.path.samefile(path, read):
        problem = f"The option {option} cannot be '{output}', because that is the file to be read"
        raise UsageError(problem, "name another")
    if not os.path.isdir(path.parent):
        raise UsageError(f"The report cannot be written to '{output}', because there is no folder '{path.parent}'")
    try:
        os.stat(path)
    except FileNotFoundError:
        _check_writable(path.parent, output)
    except OSError as error:  # the name is too long, for example
        raise UsageError(f"The report cannot be written to '{output}': {error.strerror}") from error
    else:
        _check_writable(path, output)
    return path


def _check_writable(path: Path, output: str) -> None:
    if not os.access(path, os.W_OK):
        raise UsageError(f"The report cannot be written to '{output}': {os.strerror(errno.EACCES)}")


def existing_path(
    given: str, valid: str = "valid are files and folders that exist, and '-' for standard input"
) -> Path:
    """Check that a path exists."""
    path = Path(given)
    try:
        os.stat(given)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: a NUL in the name
        choices = [str(path.with_name(name)) for name in _names(path.parent)] if path.name else []
        raise UsageError(f"There is no file or folder '{given}'", valid, given, choices) from error
    except OSError as error:
        raise UsageError(f"The path '{given}' cannot be read: {error.strerror}") from error
    return path


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
