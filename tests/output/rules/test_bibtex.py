"""What ``cvlint rule NAME --bibtex`` writes is read by a reader of BibTeX, and means the text of ``rules/papers``."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pybtex.database import BibliographyData, Entry, Person, parse_string
from pybtex.richtext import Text

from cvlint.output.rules import bibtex
from cvlint.rules.catalogue import Rule
from cvlint.rules.comment_rules import all_rules
from cvlint.rules.papers import Paper, all_papers, papers_of
from tests.cli.conftest import invoke

CITING = [rule for rule in all_rules() if rule.patterns]
"""The rules that are no meta-rules: these refer to a page."""
TEXTS = st.text("aBcDe1.:&%$#_{}~^\\@=()[]/+*", min_size=1, max_size=12)
COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\$": "$",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
}


def read(text: str) -> BibliographyData:
    return parse_string(text, "bibtex")


def plain(text: str) -> str:
    """What LaTeX prints of a text; pybtex does not know the commands of some signs."""
    for number, command in enumerate(COMMANDS):
        text = text.replace(command, chr(0xE000 + number))
    printed = str(Text.from_latex(text))
    for number, sign in enumerate(COMMANDS.values()):
        printed = printed.replace(chr(0xE000 + number), sign)
    return printed


@pytest.mark.parametrize("rule", CITING, ids=lambda rule: rule.name)
def test_every_reference_is_a_paper_that_a_reader_reads(rule: Rule) -> None:
    papers = papers_of(rule)
    assert len(papers) == len(rule.docs.references)
    entries = read(bibtex.render(rule, papers)).entries
    assert list(entries) == [paper.key for paper, _ in papers]
    for paper, _ in papers:
        is_read(entries[paper.key], paper)


def is_read(entry: Entry, paper: Paper) -> None:
    assert entry.type == paper.type
    assert entry.persons["author"] == [Person(name) for name in paper.authors]
    fields = {name: plain(text) for name, text in entry.fields.items()}
    assert fields == {"title": paper.title, "year": str(paper.year), **paper.fields}


@given(TEXTS, TEXTS)
@example("F & G: 50 % of $x_1$ # {a} ~ ^ \\", "A")
@example("aBC", "{")
def test_signs_of_latex_are_read_as_they_are(title: str, journal: str) -> None:
    paper = replace(all_papers()[0], title=title, fields={"journal": journal})
    entry = read(bibtex.entry(paper)).entries[paper.key]
    assert (plain(entry.fields["title"]), plain(entry.fields["journal"])) == (title, journal)


def test_capitals_of_a_title_are_kept() -> None:
    assert bibtex.title("ROC and F1 of A") == "{R}{OC} and {F}1 of {A}"
    assert bibtex.title("Macro F1") == "Macro {F}1"


def test_each_paper_is_cited() -> None:
    cited = {paper.key for rule in CITING for paper, _ in papers_of(rule)}
    assert cited == {paper.key for paper in all_papers()}


def test_the_command() -> None:
    _, printed, _ = invoke("rule", "search-best-f", "--bibtex")
    assert list(read(printed).entries) == ["forman2010apples", "lipton2014optimal"]


def test_a_rule_without_a_paper_is_refused() -> None:
    assert invoke("rule", "CVL001", "--bibtex") == (
        2,
        "",
        "cvlint: The rule unused-ignore (CVL001) refers to no paper.\n",
    )
