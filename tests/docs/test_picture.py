"""The picture of a terminal shows what the command prints today, and loads nothing."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tests.docs.pages import script

PICTURE = script("terminal_picture")
SVG = "{http://www.w3.org/2000/svg}"
STYLES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


@pytest.fixture(scope="module")
def printed() -> str:
    return str(PICTURE.output())


def shown(svg: str) -> str:
    """The text in the terminal, line by line, without spaces: how a long line is broken is for the picture."""
    texts = [
        ("".join(text.itertext()), float(text.attrib["y"]), float(text.attrib["x"]))
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if "clip-path" in text.attrib
    ]
    return "".join("".join(text.split()) for text, _, _ in sorted(texts, key=lambda one: one[1:]))


def test_it_is_fresh(printed: str) -> None:
    """If this fails, run ``python docs/terminal_picture.py``."""
    expected = "$ cvlint check fixtures/experiments" + STYLES.sub("", printed)
    assert shown(PICTURE.PICTURE.read_text(encoding="utf-8")) == "".join(expected.split())


def test_it_is_what_the_script_draws(printed: str) -> None:
    drawn = PICTURE.drawn(printed)
    assert shown(drawn) == shown(PICTURE.PICTURE.read_text(encoding="utf-8"))
    assert PICTURE.drawn(printed) == drawn


def test_it_loads_nothing() -> None:
    text = PICTURE.PICTURE.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"')]+", text)) == {SVG.strip("{}")}
    assert "<title>" in text


@pytest.mark.parametrize(("scheme", "is_light"), [("light", True), ("dark", False)])
def test_the_report_was_photographed_in_both_schemes(scheme: str, is_light: bool) -> None:
    """If the page looks different now, run ``python docs/report_picture.py``."""
    from matplotlib.image import imread

    script_of = script("report_picture")
    pixels = imread(script_of.STATIC / f"report-{scheme}.png")
    assert pixels.shape[:2] == (script_of.HEIGHT, script_of.WIDTH)
    assert (pixels[5, 5, 0] > 0.5) == is_light  # the background
    assert pixels[:, :, :3].std() > 0.05  # there is something on it
