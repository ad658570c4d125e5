"""Where the rule files and the knowledge about libraries lie."""

from __future__ import annotations

from pathlib import Path


def rules_folder() -> Path:
    """Find the folder that holds ``CVL*.toml`` and ``knowledge/``.

    Returns
    -------
    Path
        ``cvlint/_rules`` in an installed package; ``rules`` beside the package in a checkout, which is what
        an editable install uses.
    """
    package = Path(__file__).resolve().parents[1]
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parent / "rules"
