"""The pictures of a report in README and on the site are those of today's page; no browser is needed to see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_data import Made

from tests.docs.pages import script

PICTURE = script("report_picture")


def test_they_are_fresh(made: Made) -> None:
    """If this fails, run ``python docs/report_picture.py``, and look at the pictures."""
    assert PICTURE.digests(made("binary with findings")) == PICTURE.DIGESTS.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "is_changed"),
    [
        ("Report F", "Print F", True),
        ("font-weight", "font-style", True),
        ("In short", "In brief", True),
        ("</main>", "<p>the end</p></main>", False),  # not in the picture
    ],
)
def test_a_change_at_the_top_is_seen(made: Made, old: str, new: str, is_changed: bool) -> None:
    page = made("binary with findings")
    assert old in page
    assert (PICTURE.digests(page.replace(old, new)) != PICTURE.digests(page)) == is_changed


def test_a_change_of_the_experiment_is_seen(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = made("binary with findings")
    before = PICTURE.digests(page)
    changed = tmp_path / "experiment.py"
    changed.write_text(PICTURE.SCRIPT.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    monkeypatch.setattr(PICTURE, "SCRIPT", changed)
    assert PICTURE.digests(page) != before
