"""Write the papers of a rule as BibTeX: plain text becomes what LaTeX prints as this text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cvlint.rules.catalogue import Rule
    from cvlint.rules.papers import Paper

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts `\{`, too
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: rf"\{sign}" for sign in "&%$#_"},
    "–": "--",
}
VERBATIM = ("doi", "eprint", "url")
"""Fields of addresses: packages print them as they are."""


def render(rule: Rule, papers: Sequence[tuple[Paper, str]]) -> str:
    """Write the entries of the papers that a rule refers to.

    Parameters
    ----------
    rule : Rule
        The rule; a line above each entry names it. BibTeX ignores what is between entries.
    papers : sequence of (Paper, str)
        The papers, each with the place in it.
    """
    return "\n".join(f"% {rule.code} {rule.name}: {place or 'the whole paper'}\n{entry(p)}" for p, place in papers)


def entry(paper: Paper) -> str:
    """Write the entry of a paper."""
    fields = {
        "author": " and ".join(map(escaped, paper.authors)),
        "title": title(paper.title),
        "year": str(paper.year),
        **{name: text if name in VERBATIM else escaped(text) for name, text in paper.fields.items()},
    }
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
    return f"@{paper.type}{{{paper.key},\n{lines}}}\n"


def escaped(text: str) -> str:
    """A text without signs that mean something to LaTeX."""
    return "".join(ESCAPES.get(sign, sign) for sign in text)


def title(text: str) -> str:
    """A title whose capital letters stay: styles write titles in small letters, except at the beginning."""
    first, rest = text[:1], text[1:]
    kept = "".join(
        part if index % 2 == 0 else f"{{{part}}}" for index, part in enumerate(re.split(r"([A-Z]+)", escaped(rest)))
    )
    return f"{escaped(first)}{kept}" if rest[:1].islower() else f"{{{escaped(first)}}}{kept}"
