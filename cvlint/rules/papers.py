"""The papers that rules refer to, from ``rules/papers``; a reference of a rule names one and a place in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from cvlint.filesystem.toml_tables import toml_tables
from cvlint.records import dataclass
from cvlint.rules.catalogue import Rule
from cvlint.shipped_files import rules_folder


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, in plain text."""

    key: str
    """The word by which a LaTeX document cites it."""
    type: str
    """The type of its entry in BibTeX, such as ``article``."""
    cited_as: tuple[str, ...]
    """The beginnings of references that mean this paper."""
    authors: tuple[str, ...]
    """Family name, comma, given names."""
    title: str
    year: int
    fields: Mapping[str, str]
    """The other fields of the entry, in their order."""


@cache
def all_papers() -> tuple[Paper, ...]:
    """The papers that rules refer to."""
    tables = toml_tables(rules_folder() / "papers")["papers.toml"]
    return tuple(_paper(key, table) for key, table in tables.items())


def _paper(key: str, table: Mapping[str, Any]) -> Paper:
    names = ("type", "cited_as", "authors", "title", "year", "fields")
    kind, cited_as, authors, title, year, fields = (table[name] for name in names)
    return Paper(key, kind, tuple(cited_as), tuple(authors), title, year, fields)


def papers_of(rule: Rule) -> list[tuple[Paper, str]]:
    """The papers that a rule refers to, each with the place in it, such as ``sections 2.3 and 3.1``.

    Parameters
    ----------
    rule : Rule
        The rule; what a project's own rule refers to may be no paper that is known here.
    """
    found = []
    for reference in rule.docs.references:
        for paper in all_papers():
            start = next((start for start in paper.cited_as if reference.startswith(start)), None)
            if start is not None:
                found.append((paper, reference.removeprefix(start).lstrip(", ")))
    return found
