"""Text with names from strangers (folds, experiments, classes, columns of a file), for each format that people read.

Every function takes whole text with line breaks of cvlint's own, so that a name which was forgotten is made harmless,
too.
"""

from __future__ import annotations

import re

from cvlint.output.shared.locations import COMMAND, as_line

ENTITY = re.compile(r"&(?=#?\w+;)")
MARKUP = str.maketrans({"<": "&lt;", "[": "\\[", "`": "\\`"})
"""What begins an entity, and what begins a tag, a link or code in Markdown."""


def harmless_line(text: str) -> str:
    """One line, with its line break; those in names are no line breaks."""
    return f"{as_line(text)}\n"


def harmless_text(text: str) -> str:
    """Text whose lines neither control a terminal, nor reorder what follows, nor command a CI system."""
    return "\n".join(map(as_line, text.split("\n")))


def harmless_json(text: str) -> str:
    """JSON that says the same, without a text that Azure Pipelines and GitHub Actions take for a command."""
    return re.sub(COMMAND, r"\\u0023#", text) if "##" in text else text


def harmless_markdown(text: str) -> str:
    """Markdown in which names neither become HTML or links nor control a terminal."""
    return ENTITY.sub("&amp;", harmless_text(text)).translate(MARKUP)
