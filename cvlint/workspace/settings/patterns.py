"""Patterns in the syntax of .gitignore, from a config or the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cvlint.source.discovery import Anchored
from cvlint.usage_error import Refusal

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from cvlint.workspace.settings.config import Config


def compiled(pattern: str, where: str) -> tuple[str, GitIgnoreSpec]:
    """Read a pattern as git does, without a ``./`` in front, which git does not understand.

    Parameters
    ----------
    pattern : str
        The pattern.
    where : str
        The beginning of a sentence that says where it stands.

    Raises
    ------
    Refusal
        If the pattern makes no sense, or leads above its folder.
    """
    from pathspec import GitIgnoreSpec  # slow to import, and only some configs need it

    mark, rest = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    plain = mark + (rest[1:] if rest.startswith("./") else rest)
    if ".." in rest.split("/"):
        valid = "valid are patterns as in .gitignore, which go down from their folder"
        raise Refusal(f"{where} has the pattern '{pattern}', which names nothing", valid)
    try:
        return plain, GitIgnoreSpec.from_lines([plain])
    except ValueError:
        valid = "valid are patterns as in .gitignore"
        raise Refusal(f"{where} has the pattern '{pattern}', which makes no sense", valid) from None


def exclusions(config: Config) -> tuple[Anchored, ...]:
    """What a config excludes: its patterns count from the folder of the file that holds them."""
    if not config.exclude:
        return ()
    folder = os.path.realpath(config.sources["exclude"][-1].parent)
    where = config.where("exclude")
    return tuple(Anchored(folder, compiled(pattern, where)[0]) for pattern in config.exclude)
