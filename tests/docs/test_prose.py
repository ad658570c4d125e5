"""The pages use plain words, and explain the papers' names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import GENERATE, PAGES, ROOT, name_of

WRITTEN = (*PAGES, ROOT / "CHANGELOG.md")
ODD = re.compile(r"\b(?:heed\w*|(?:is|are) told of|tells? of|no more)\b", re.IGNORECASE)
NAMES = re.compile(r"\bF_avg\b|\bF_pr,re\b|\bF_tp,fp\b|\bAUC_merge\b|\bAUC_avg\b")
EXPLAINED = re.compile(
    r"\*\*F_tp,fp|explanation/mean-of-f\.md|\]\(mean-of-f\.md|F_tp,fp is F of|mean of the folds' F\b"
)


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_words_are_plain(page: Path) -> None:
    assert ODD.findall(page.read_text(encoding="utf-8")) == []


def test_words_of_generated_pages_are_plain() -> None:
    assert [(name, found) for name, text in GENERATE.all_pages() if (found := ODD.findall(text))] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_names_of_the_papers_are_explained(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if NAMES.search(text):
        assert EXPLAINED.search(text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_folders_and_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:cvlint|tests|rules|fixtures|docs)/[\w./-]*)`", page.read_text(encoding="utf-8"))
    own = {
        "rules/CVL1xx-the-name.toml",
        "rules/knowledge/thelibrary.toml",
        "fixtures/the-name/",
        "cvlint/output/findings/NAME.py",
        "cvlint/cli/commands/fold_data/folds.py",
        "tests/cli/commands/fold_data/test_folds.py",
    }  # what a reader is asked to make
    assert [name for name in named if name not in own and not (ROOT / name).exists()] == []
