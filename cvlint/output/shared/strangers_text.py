"""Text with names from strangers (folds, experiments, classes, columns of a file), for each format that people read.

Every function takes whole text with line breaks of cvlint's own, so that a name which was forgotten is made harmless,
too.
"""

from __future__ import annotations

from cvlint.output.shared.locations import printable

MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", "[": "\\[", "`": "\\`"})
"""What begins an entity, a tag, a link or code in Markdown."""


def harmless_text(text: str) -> str:
    """Text without characters that control a terminal or reorder what follows."""
    return "\n".join(map(printable, text.split("\n")))


def harmless_markdown(text: str) -> str:
    """Markdown in which names neither become HTML or links nor control a terminal."""
    return harmless_text(text).translate(MARKUP)
