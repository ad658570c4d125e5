"""Patterns in the syntax of .gitignore, from a config or the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cvlint.source.discovery import Anchored
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from cvlint.workspace.settings.config import Config


def compile_pattern(pattern: str, where: str) -> tuple[str, GitIgnoreSpec]:
    """Compile a pattern as git does.

    Parameters
    ----------
    pattern : str
        The pattern; it may begin with ``./``, which git itself does not understand.
    where : str
        The beginning of an error message: the option or the key that holds the pattern.

    Returns
    -------
    tuple of str and GitIgnoreSpec
        The pattern without ``./``, and its compiled form.

    Raises
    ------
    UsageError
        If the pattern is invalid, or leads above its folder.
    """
    from pathspec import GitIgnoreSpec  # slow to import, and only some configs need it

    negation, rest = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    plain = negation + (rest[1:] if rest.startswith("./") else rest)
    if ".." in rest.split("/"):
        valid = "valid are patterns as in .gitignore, which go down from their folder"
        raise UsageError(f"{where} has the pattern '{pattern}', which matches nothing", valid)
    try:
        return plain, GitIgnoreSpec.from_lines([plain])
    except ValueError:
        valid = "valid are patterns as in .gitignore"
        raise UsageError(f"{where} has the pattern '{pattern}', which is not valid", valid) from None


def config_exclusions(config: Config) -> tuple[Anchored, ...]:
    """The patterns of a config's key ``exclude``; each starts from the folder of the config file that holds it."""
    if not config.exclude:
        return ()
    folder = os.path.realpath(config.sources["exclude"][-1].parent)
    where = config.where("exclude")
    return tuple(Anchored(folder, compile_pattern(pattern, where)[0]) for pattern in config.exclude)
