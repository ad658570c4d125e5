"""The citation file speaks of this version."""

from __future__ import annotations

import yaml

from cvlint import __version__
from cvlint.rules.papers import all_papers
from tests.docs.pages import ROOT

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_citation() -> None:
    assert (CITATION["cff-version"], CITATION["type"], CITATION["title"]) == ("1.2.0", "software", "cvlint")
    assert (str(CITATION["version"]), CITATION["license"]) == (__version__, "MIT")
    assert {"message", "authors"} <= CITATION.keys()


def test_its_papers_are_those_of_the_rules() -> None:
    """The title, the authors, the year and the DOI of each paper are written down twice, and agree."""
    known = {paper.title: paper for paper in all_papers()}
    for cited in CITATION["references"]:
        paper = known[cited["title"]]
        authors = tuple(f"{one['family-names']}, {one['given-names']}" for one in cited["authors"])
        assert (paper.authors, paper.year, paper.fields["doi"]) == (authors, cited["year"], cited["doi"])
