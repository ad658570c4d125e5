"""The TOML files that ship with cvlint: the rules, and the knowledge about libraries."""

from __future__ import annotations

from pathlib import Path


def rules_folder() -> Path:
    """The folder that holds ``CVL*.toml``, ``meta/`` and ``knowledge/``.

    Returns
    -------
    Path
        ``cvlint/_rules`` in an installed package; ``rules`` beside the package in a checkout, which is what
        an editable install uses.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parent / "rules"
