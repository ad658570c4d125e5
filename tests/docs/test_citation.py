"""The citation file speaks of this version."""

from __future__ import annotations

import yaml

from cvlint import __version__
from tests.docs.pages import ROOT


def test_citation() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["cff-version"], citation["type"], citation["title"]) == ("1.2.0", "software", "cvlint")
    assert (str(citation["version"]), citation["license"]) == (__version__, "MIT")
    assert {"message", "authors"} <= citation.keys()
    assert "10.1145/1882471.1882479" in [paper.get("doi") for paper in citation["references"]]
