"""Test the page in a real browser: accessibility, no console messages, no requests, and lazy layout."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_data import BOOTSTRAP, Made, binary, experiments_of, finding

from cvlint.report.page import ReportSource, render
from tests.cli.conftest import invoke
from tests.conftest import FAULTY

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MEDIA = (("screen", "light"), ("screen", "dark"), ("print", "light"))
FORMS = [(*MEDIA[0], 1280), (*MEDIA[0], 320), (*MEDIA[1], 320), (*MEDIA[2], 320)]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--disable-sync"])
        yield found
        found.close()


class Opened:
    """A page in the browser, with its console messages and requests."""

    def __init__(self, browser: Browser, html: str, folder: Path) -> None:
        self.messages: list[str] = []
        self.requests: list[str] = []
        path = folder / "report.html"
        path.write_text(html, encoding="utf-8")
        self.page: Page = browser.new_page()
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        assert self.requests == [path.as_uri()]

    def shown(self, media: str, scheme: str, width: int) -> None:
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media=media, color_scheme=scheme)  # type: ignore[arg-type]


def test_the_page_is_accessible_in_every_form(
    page: str, browser: Browser, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    opened = Opened(browser, page, tmp_path)
    kind = request.node.callspec.params["page"]
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    forms = FORMS if kind == "binary with findings" else FORMS[2:3]  # dark and narrow
    for form in forms:
        opened.shown(*form)
        found = axe.Axe().run(opened.page, options={"resultTypes": ["violations"]}).response
        faults = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found["violations"]]
        assert not faults, form
        assert len(found["passes"]) > 10
        if form[0] == "screen":
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= form[2]
    assert opened.messages == []
    assert len(opened.requests) == 1
    opened.page.close()


def test_the_page_of_an_audit_is_accessible(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(FAULTY + "print(np.mean(scores))  # " + "long " * 60 + "\n")
    invoke("audit", str(tmp_path / "train.py"), "--format", "html", "--output", str(tmp_path / "audit.html"))
    opened = Opened(browser, (tmp_path / "audit.html").read_text(encoding="utf-8"), tmp_path)
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for form in (("screen", "light", 1280), ("screen", "dark", 320)):
        opened.shown(*form)
        found = axe.Axe().run(opened.page, options={"resultTypes": ["violations"]}).response
        assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
        assert len(found["passes"]) > 10
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= form[2]
    opened.page.close()


def test_the_colours_of_drawings_follow_the_scheme(made: Made, browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, made("binary with findings"), tmp_path)
    colour = "getComputedStyle(document.querySelector('.plot text')).fill"
    opened.shown("screen", "light", 1280)
    light = opened.page.evaluate(colour)
    opened.shown("screen", "dark", 1280)
    assert opened.page.evaluate(colour) != light
    opened.shown("print", "dark", 1280)
    assert opened.page.evaluate(colour) == light
    opened.page.close()


def test_the_keyboard_reaches_everything(made: Made, browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, made("binary with findings"), tmp_path)
    opened.shown("screen", "light", 1280)
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    assert opened.page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_url(lambda url: url.endswith("#report"))  # the browser goes there in its own time
    summary = opened.page.locator("summary").first
    summary.focus()
    opened.page.keyboard.press("Enter")
    assert not opened.page.evaluate("document.querySelector('details').open")  # it was open
    opened.page.close()


@pytest.mark.parametrize("count", [0, 12])
def test_three_experiments_are_an_overview(browser: Browser, tmp_path: Path, undrawn: None, count: int) -> None:
    several = experiments_of([(name, binary(seed=seed)) for seed, name in enumerate("abc")], bootstrap=BOOTSTRAP)
    opened = Opened(browser, render(ReportSource("several.csv"), several, [finding()] * count or None), tmp_path)
    opened.shown("screen", "light", 1280)
    assert 1000 < opened.page.evaluate("document.documentElement.scrollHeight") < 4000
    cut = "[...document.querySelectorAll('.scroll')].filter(one => one.checkVisibility())"
    cut += ".filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert opened.page.evaluate(cut) == 0
    folded = "[...document.querySelectorAll('.experiment h3')].filter(one => one.checkVisibility()).length"
    assert opened.page.evaluate(folded) == 0
    opened.page.locator(".experiment summary").first.click()
    assert opened.page.evaluate(folded) > 3
    advice = opened.page.get_by_text("Use instead:")
    assert not count or not advice.first.is_visible()
    if count:
        opened.page.locator(".finding summary").first.click()
        assert advice.first.is_visible()
    opened.page.close()


def test_no_column_is_cut_in_a_narrow_window(page: str, browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, page, tmp_path)
    opened.shown("screen", "light", 390)
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    cut = "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert opened.page.evaluate(cut) == 0
    assert opened.page.evaluate("document.querySelectorAll('.scroll td:not([data-label])').length") == 0
    assert opened.page.locator('[data-label="Favg"], [data-label="Ftp,fp"]').count() == 0  # but F_avg
    opened.page.close()
